import CollectionLayout
import WireFormat

/// A kind of layout with data for its measurements.
///
/// In every workload, a query of a window of 1200 × 1600 finds 30 to 50 elements.
struct Workload: Sendable {
  let name: String
  let kind: LayoutKind
  /// The body of a prepare request for a number of elements.
  let prepareText: @Sendable (_ count: Int) -> RequestText
  /// The body of an updates request that changes one element in the middle.
  let updateText: @Sendable (_ count: Int) -> String
  /// The same layout in the simple way; `nil` if it would not be simple.
  var attributeDictionary: (@Sendable (_ count: Int) -> AttributeDictionary)? = nil
  /// Whether the windows are at the right edge, because there is almost nothing at the left edge.
  var queriesRightEdge = false

  static let window = Size(width: 1200, height: 1600)

  static let all = [
    grid, list, waterfallRows, waterfallColumns, waterfallShortest, waterfallLanes,
    tallest, spans, gallery, flow, justified, group,
    frames, compositional, treeRows, treeCompact, treeSizes,
  ]

  /// Windows at random y.
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

extension LayoutKind {
  /// The kind with a name, which must exist.
  static func known(_ name: String) -> LayoutKind {
    guard let kind = named(name) else { preconditionFailure("there is no kind \(name)") }
    return kind
  }
}

// MARK: Sections

extension Workload {
  /// A field of items with random values, in hundredths.
  struct Field: Sendable {
    let name: String
    let range: Range<Int>
    /// Whether the range grows with the number of items, so that their density stays the same.
    var growsWithCount = false
    /// How many of a hundred items have 2 instead of 1; `nil` for a field of random numbers.
    var twosPercent: Int?

    /// A field of small whole numbers.
    static func twos(_ name: String, percent: Int) -> Field {
      Field(name: name, range: 0..<100, twosPercent: percent)
    }

    func write(_ hundredths: Int, to writer: inout RequestTextWriter) {
      if twosPercent == nil {
        writer.write(hundredths: hundredths)
      } else {
        writer.write(hundredths / 100)
      }
    }

    /// A value as a text.
    var middle: String {
      twosPercent == nil ? "\(Double(range.lowerBound + range.upperBound) / 200)" : "1"
    }

    func hundredths(_ count: Int) -> [Int] {
      var generator = SeededGenerator(seed: 1)
      for byte in name.utf8 { generator = SeededGenerator(seed: generator.next() ^ UInt64(byte)) }
      let range = growsWithCount ? range.lowerBound..<range.upperBound * count : range
      return (0..<count).map { _ in
        let value = Int.random(in: range, using: &generator)
        return twosPercent.map { value < $0 ? 200 : 100 } ?? value
      }
    }
  }

  /// Items of one kind, and how they are written in a request.
  struct Section: Sendable {
    let kind: String
    let options: String
    /// The fields; empty if the items are only a count.
    var fields: [Field] = []
    var isWrittenAsRows = false

    func write(_ count: Int, to writer: inout RequestTextWriter) {
      guard !fields.isEmpty else { return writer.write(count) }
      let columns = fields.map { $0.hundredths(count) }
      if isWrittenAsRows {
        writer.writeList(count) { item, writer in
          writer.write("{")
          for (index, field) in fields.enumerated() {
            writer.write("\(index > 0 ? ", " : "")\"\(field.name)\": ")
            field.write(columns[index][item], to: &writer)
          }
          writer.write("}")
        }
      } else {
        for (index, field) in fields.enumerated() {
          writer.write("\(index > 0 ? "," : "{")\"\(field.name)\":")
          writer.writeList(count) { field.write(columns[index][$0], to: &$1) }
        }
        writer.write("}")
      }
    }

    /// An update of an item. It inserts an item if items have no fields, and replaces one
    /// otherwise.
    func updateText(section: Int, item: Int) -> String {
      let place = "\"at\":[\(section),\(item)]"
      guard !fields.isEmpty else { return "{\"updates\":[{\"insert\":{\(place),\"items\":1}}]}" }
      let values = fields.map { "\"\($0.name)\":\($0.middle)" }
      let items = "[{\(values.joined(separator: ","))}]"
      return "{\"updates\":[{\"replace\":{\(place),\"items\":\(items)}}]}"
    }
  }

  /// One section with all items.
  private init(
    _ name: String, _ section: Section,
    attributeDictionary: (@Sendable (_ count: Int) -> AttributeDictionary)? = nil
  ) {
    self.init(
      name: name, kind: .known(section.kind),
      prepareText: { count in
        var writer = RequestTextWriter()
        writer.write(
          "{\"bounds\":{\"width\":1200},\"options\":{\(section.options)},\"sections\":[{\"items\":")
        section.write(count, to: &writer)
        writer.write("}]}")
        return RequestText(writer.bytes)
      },
      updateText: { section.updateText(section: 0, item: $0 / 2) },
      attributeDictionary: attributeDictionary)
  }

  static let heights = Field(name: "height", range: 10_000..<40_000)
  private static let widths = Field(name: "width", range: 15_000..<30_000)

  static let grid = Workload(
    "grid", Section(kind: "grid", options: #""columns":6,"rowHeight":272"#),
    attributeDictionary: { count in
      let itemWidth = (1200 - 5.0 * 5) / 6
      return AttributeDictionary(count: count) { item in
        Rect(
          x: Double(item % 6) * (itemWidth + 5), y: Double(item / 6) * 272, width: itemWidth,
          height: 267)
      }
    })

  static let list = Workload(
    "list",
    Section(
      kind: "list", options: "", fields: [Field(name: "height", range: 3000..<6000)]))

  private static func waterfall(
    _ name: String, placement: String = "roundRobin", isWrittenAsRows: Bool = false
  ) -> Workload {
    Workload(
      "waterfall, \(name)",
      Section(
        kind: "waterfall", options: #""columns":6,"placement":"\#(placement)""#, fields: [heights],
        isWrittenAsRows: isWrittenAsRows),
      attributeDictionary: placement == "roundRobin" ? roundRobin : nil)
  }

  @Sendable private static func roundRobin(_ count: Int) -> AttributeDictionary {
    let heights = heights.hundredths(count)
    var columnEnds = [Double](repeating: 0, count: 6)
    return AttributeDictionary(count: count) { item in
      let height = Double(heights[item]) / 100
      let column = item % 6
      defer { columnEnds[column] += height + 12 }
      return Rect(
        x: Double(column) * 200 + 6, y: columnEnds[column] + 6, width: 188, height: height)
    }
  }

  static let waterfallRows = waterfall("rows", isWrittenAsRows: true)
  static let waterfallColumns = waterfall("columns")
  static let waterfallShortest = waterfall("columns, shortest", placement: "shortestColumn")
  static let waterfallLanes = waterfall("columns, lanes", placement: "lanes")

  static let tallest = Workload(
    "grid, tallest rows",
    Section(
      kind: "grid", options: #""columns":6,"rowSizing":"tallest""#, fields: [heights]))

  static let spans = Workload(
    "grid, 10 % spans, dense, tallest rows",
    Section(
      kind: "grid", options: #""columns":6,"rowSizing":"tallest","placement":"dense""#,
      fields: [heights, .twos("columnSpan", percent: 10)]))

  static let gallery = Workload(
    "gallery", Section(kind: "gallery", options: "", fields: [widths]),
    attributeDictionary: { count in
      let widths = widths.hundredths(count)
      var (x, y) = (15.0, 0.0)
      return AttributeDictionary(count: count) { item in
        let endsRow = 1200 - x <= 450
        let width = endsRow ? 1200 - x - 15 : Double(widths[item]) / 100
        let (left, right) = (x.rounded(.down), (x + width).rounded(.up))
        let frame = Rect(x: left, y: y, width: right - left, height: 250)
        if endsRow {
          (x, y) = (15, y + 265)
        } else {
          x += width + 15
        }
        return frame
      }
    })

  static let flow = Workload(
    "flow",
    Section(
      kind: "flow", options: "",
      fields: [widths, Field(name: "height", range: 15_000..<30_000)]))

  static let justified = Workload(
    "justified",
    Section(
      kind: "justified", options: #""targetRowHeight":190"#,
      fields: [Field(name: "aspectRatio", range: 50..<200)]))

  static let group = Workload(
    "group",
    Section(
      kind: "group",
      options: """
        "group":{"direction":"horizontal","width":{"fractionalWidth":1},"height":{"absolute":280},\
        "subitems":[{"width":{"fractionalWidth":0.5},"height":{"fractionalHeight":1}},\
        {"direction":"vertical","width":{"fractionalWidth":0.25},"height":{"fractionalHeight":1},\
        "count":2,"subitems":[{"width":{"fractionalWidth":1},"height":{"flexible":1},"count":2}]}]}
        """))

  static let frames = Workload(
    "frames",
    Section(
      kind: "frames", options: "",
      fields: [
        Field(name: "x", range: 0..<110_000),
        Field(name: "y", range: 0..<4000, growsWithCount: true),
        Field(name: "width", range: 5000..<15_000), Field(name: "height", range: 5000..<15_000),
      ]))

  /// Sections of several kinds in turn, with a hundred items each.
  static let compositional: Workload = {
    let sections = [
      Section(kind: "waterfall", options: #""columns":6"#, fields: [heights]),
      Section(kind: "list", options: "", fields: [Field(name: "height", range: 3000..<6000)]),
      Section(kind: "gallery", options: "", fields: [widths]),
      Section(kind: "grid", options: #""columns":6,"rowHeight":272"#),
    ]
    return Workload(
      name: "compositional", kind: .known("compositional"),
      prepareText: { count in
        var writer = RequestTextWriter()
        writer.write("{\"bounds\":{\"width\":1200},\"sections\":")
        writer.writeList((count + 99) / 100) { index, writer in
          let section = sections[index % sections.count]
          writer.write(
            "{\"kind\":\"\(section.kind)\",\"options\":{\(section.options)},\"items\":")
          section.write(min(100, count - index * 100), to: &writer)
          writer.write("}")
        }
        writer.write("}")
        return RequestText(writer.bytes)
      },
      updateText: { count in
        let index = (count + 99) / 100 / 2
        return sections[index % sections.count].updateText(section: index, item: 0)
      })
  }()
}

// MARK: Tree

extension Workload {
  static let treeRows = tree(spacing: "rows") { count in
    AttributeDictionary(treeOf: parents(count))
  }

  static let treeCompact = tree(spacing: "compact")
  static let treeSizes = tree(
    ", sizes", spacing: "compact", heights: Field(name: "height", range: 3000..<7000))

  private static func tree(
    _ name: String = "", spacing: String, heights: Field? = nil,
    attributeDictionary: (@Sendable (Int) -> AttributeDictionary)? = nil
  ) -> Workload {
    Workload(
      name: "tree, \(spacing)\(name)", kind: .known("tree"),
      prepareText: { count in
        var writer = RequestTextWriter()
        writer.write("{\"options\":{\"spacing\":\"\(spacing)\"},\"nodes\":{\"parent\":")
        let parents = parents(count)
        writer.writeList(count) { index, writer in
          if parents[index] < 0 { writer.write("null") } else { writer.write(parents[index]) }
        }
        if let heights {
          writer.write(",\"height\":")
          let values = heights.hundredths(count)
          writer.writeList(count) { $1.write(hundredths: values[$0]) }
        }
        writer.write("}}")
        return RequestText(writer.bytes)
      },
      updateText: { _ in
        "{\"updates\":[{\"insertNode\":{\"parent\":[2,0],\"at\":0,\"node\":{}}}]}"
      },
      attributeDictionary: attributeDictionary, queriesRightEdge: true)
  }

  /// The parent of each node, −1 for the root. A node has about three children.
  static func parents(_ count: Int) -> [Int] {
    var generator = SeededGenerator(seed: 1)
    return (0..<count).map { node in
      node == 0 ? -1 : max(0, (node - 1) / 3 - Int.random(in: 0..<8, using: &generator))
    }
  }
}
