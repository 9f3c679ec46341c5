import CollectionLayout
import WireFormat

/// A kind of layout with the data that it is measured on.
///
/// Every workload answers a query with 30 to 50 elements, as a window of 1200 × 1600 does.
struct Workload: Sendable {
  let name: String
  let kind: any CollectionViewLayout.Type
  /// The body of a prepare request for so many elements.
  let prepareText: @Sendable (_ count: Int) -> RequestText
  /// The body of an updates request that changes one element in the middle.
  let updateText: @Sendable (_ count: Int) -> String
  /// The same layout the plain way; `nil` where that would not be plain.
  let attributeDictionary: (@Sendable (_ count: Int) -> AttributeDictionary)?
  /// Whether the rects that are asked for lie at the right end; the left one is almost empty.
  var queriesRightEdge = false

  static let window = Size(width: 1200, height: 1600)

  static let all = [
    grid, waterfallRows, waterfallColumns, gallery, treeRows, treeCompact,
  ]

  /// Windows at random heights.
  func windows(_ count: Int, in contentSize: Size) -> [Rect] {
    var generator = SeededGenerator(seed: 2)
    let x = queriesRightEdge ? max(0, contentSize.width - Self.window.width) : 0
    let reach = max(0, contentSize.height - Self.window.height).rounded(.down)
    return (0..<count).map { _ in
      Rect(
        origin: Point(x: x, y: Double.random(in: 0...reach, using: &generator).rounded(.down)),
        size: Self.window)
    }
  }
}

// MARK: Grid

extension Workload {
  static let grid = Workload(
    name: "grid", kind: GridLayout.self,
    prepareText: { count in
      RequestText(
        """
        {"bounds":{"width":1200},"options":{"columns":6,"rowHeight":272},\
        "sections":[{"items":\(count)}]}
        """)
    },
    updateText: { count in
      "{\"updates\":[{\"insert\":{\"at\":[0,\(count / 2)],\"items\":1}}]}"
    },
    attributeDictionary: { count in
      let itemWidth = (1200 - 5.0 * 5) / 6
      return AttributeDictionary(count: count) { item in
        Rect(
          x: Double(item % 6) * (itemWidth + 5), y: Double(item / 6) * 272, width: itemWidth,
          height: 267)
      }
    })
}

// MARK: Waterfall

extension Workload {
  static let waterfallRows = waterfall("waterfall, rows") { heights, writer in
    writer.writeList(heights.count) { index, writer in
      writer.write("{\"height\": ")
      writer.write(hundredths: heights[index])
      writer.write("}")
    }
  }

  static let waterfallColumns = waterfall("waterfall, columns") { heights, writer in
    writer.write("{\"height\":")
    writer.writeList(heights.count) { $1.write(hundredths: heights[$0]) }
    writer.write("}")
  }

  private static func waterfall(
    _ name: String, writeItems: @escaping @Sendable ([Int], inout RequestTextWriter) -> Void
  ) -> Workload {
    Workload(
      name: name, kind: WaterfallLayout.self,
      prepareText: { count in
        var writer = RequestTextWriter()
        writer.write(
          "{\"bounds\":{\"width\":1200},\"options\":{\"columns\":6},\"sections\":[{\"items\":")
        writeItems(heights(count), &writer)
        writer.write("}]}")
        return RequestText(writer.bytes)
      },
      updateText: { replacement(field: "height", of: $0) },
      attributeDictionary: { count in
        let heights = heights(count)
        var columnEnds = [Double](repeating: 0, count: 6)
        return AttributeDictionary(count: count) { item in
          let height = Double(heights[item]) / 100
          let column = item % 6
          defer { columnEnds[column] += height + 12 }
          return Rect(
            x: Double(column) * 200 + 6, y: columnEnds[column] + 6, width: 188, height: height)
        }
      })
  }

  /// From 100.00 to 399.99, in hundredths.
  static func heights(_ count: Int) -> [Int] {
    var generator = SeededGenerator(seed: 1)
    return (0..<count).map { _ in Int.random(in: 10_000..<40_000, using: &generator) }
  }

  private static func replacement(field: String, of count: Int) -> String {
    """
    {"updates":[{"replace":{"at":[0,\(count / 2)],"items":[{"\(field)":234.56}]}}]}
    """
  }
}

// MARK: Gallery

extension Workload {
  static let gallery = Workload(
    name: "gallery, columns", kind: GalleryLayout.self,
    prepareText: { count in
      var writer = RequestTextWriter()
      writer.write("{\"bounds\":{\"width\":1200},\"sections\":[{\"items\":{\"width\":")
      let widths = widths(count)
      writer.writeList(count) { $1.write(hundredths: widths[$0]) }
      writer.write("}}]}")
      return RequestText(writer.bytes)
    },
    updateText: { replacement(field: "width", of: $0) },
    attributeDictionary: { count in
      let widths = widths(count)
      var (x, y) = (15.0, 62.5)
      return AttributeDictionary(count: count) { item in
        let endsRow = 1200 - x <= 450
        let width = endsRow ? 1200 - x - 15 : Double(widths[item]) / 100
        let (left, right) = (x.rounded(.down), (x + width).rounded(.up))
        let (top, bottom) = (y.rounded(.down), (y + 250).rounded(.up))
        if endsRow {
          (x, y) = (15, y + 265)
        } else {
          x += width + 15
        }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
      }
    })

  /// From 150.00 to 299.99, in hundredths.
  private static func widths(_ count: Int) -> [Int] {
    var generator = SeededGenerator(seed: 1)
    return (0..<count).map { _ in Int.random(in: 15_000..<30_000, using: &generator) }
  }
}

// MARK: Tree

extension Workload {
  static let treeRows = tree(spacing: "rows") { count in
    AttributeDictionary(treeOf: parents(count))
  }

  static let treeCompact = tree(spacing: "compact", attributeDictionary: nil)

  private static func tree(
    spacing: String, attributeDictionary: (@Sendable (Int) -> AttributeDictionary)?
  ) -> Workload {
    Workload(
      name: "tree, \(spacing)", kind: TreeLayout.self,
      prepareText: { count in
        var writer = RequestTextWriter()
        writer.write("{\"options\":{\"spacing\":\"\(spacing)\"},\"nodes\":{\"parent\":")
        let parents = parents(count)
        writer.writeList(count) { index, writer in
          if parents[index] < 0 { writer.write("null") } else { writer.write(parents[index]) }
        }
        writer.write("}}")
        return RequestText(writer.bytes)
      },
      updateText: { _ in
        "{\"updates\":[{\"insertNode\":{\"parent\":[2,0],\"at\":0,\"node\":{}}}]}"
      },
      attributeDictionary: attributeDictionary, queriesRightEdge: true)
  }

  /// Each node's parent, about three children to a node; −1 for the root.
  private static func parents(_ count: Int) -> [Int] {
    var generator = SeededGenerator(seed: 1)
    return (0..<count).map { node in
      node == 0 ? -1 : max(0, (node - 1) / 3 - Int.random(in: 0..<8, using: &generator))
    }
  }
}
