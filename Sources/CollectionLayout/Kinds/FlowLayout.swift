/// Items one after another in lines, as UICollectionViewFlowLayout places them.
///
/// Limitations: a line has at most 10,000 items. Heights can be measured, widths cannot. A change
/// lays out all lines behind it.
public struct FlowLayout: SectionLayout {
  /// How the items of a line are aligned along the line.
  public enum Alignment: String, CaseIterable, Sendable {
    /// From edge to edge, as in UIKit.
    case justified
    case start, center, end
  }

  /// The size of an item that has no size, in points, each > 0.
  public var itemSize = Size(width: 50, height: 50)
  /// UIKit's `minimumInteritemSpacing`, in points, ≥ 0.
  public var columnSpacing = 10.0
  /// UIKit's `minimumLineSpacing`, in points, ≥ 0.
  public var rowSpacing = 10.0
  public var alignment = Alignment.justified
  public var lineAlignment = LineAlignment.center
  public var card: Card?

  public init() {}

  public static let kind = "flow"
  public static let keptBytesPerItem = 16
  public static let options: [LayoutOption<FlowLayout>] =
    LayoutOption.size("itemSize", \.itemSize) + [
      .number("columnSpacing", \.columnSpacing, .nonNegative),
      .number("rowSpacing", \.rowSpacing, .nonNegative),
      .choice("alignment", \.alignment),
      .choice("lineAlignment", \.lineAlignment),
      .card(\.card),
    ]
  public static let lengths: [any WritableKeyPath<FlowLayout, Double> & Sendable] = [
    \.itemSize.height, \.rowSpacing,
  ]
  /// The largest number of items in a line.
  static let maximumLineCount = 10_000
  /// How far a line may be longer than the section, as a part of it. So three items of a third of
  /// the width fit, whatever the last bit of the sum is.
  static let tolerance = 1e-9

  public func transposed() -> FlowLayout {
    var layout = self
    layout.itemSize = itemSize.transposed
    return layout
  }

  public var traits: SectionTraits { .ownHeights }

  public func hasPlainItems(_ items: Items, in container: Container) -> Bool {
    !items.hasMeasured && !items.has(.width) && !items.has(.height) && !items.hasRatios
      && !(container.card?.applies(to: items) ?? false)
  }

  /// - Complexity: O(*n*) for *n* items with sizes. Without sizes it is O(*k*) for *k* items of a
  ///   line.
  public func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    try container.card?.check(width: container.width, in: container)
    guard !isUniform(items, in: container) else {
      return uniformBody(of: items.count, in: container.width)
    }
    let limit = Self.limit(ofWidth: container.width)
    var cells = PiecesBuilder(after: earlier)
    let first = cells.count
    var y = first > 0 ? cells.bottom + rowSpacing : 0
    var line = OpenLine()
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * Self.sizesAtOnce) { room in
      let (widths, heights) = (room.baseAddress!, room.baseAddress! + Self.sizesAtOnce)
      for start in stride(from: first, to: items.count, by: Self.sizesAtOnce) {
        let range = start..<min(start + Self.sizesAtOnce, items.count)
        readSizes(of: items, in: range, container, into: widths, heights)
        for index in 0..<range.count {
          let size = Size(width: widths[index], height: heights[index])
          if !line.takes(size.width, within: limit, spacing: columnSpacing) {
            y = close(line, at: y, isLast: false, in: container, &cells)
            line = OpenLine()
          }
          line.add(size, spacing: columnSpacing)
          cells.add(x: 0, width: size.width, top: 0, height: size.height)
        }
      }
    }
    if line.count > 0 { _ = close(line, at: y, isLast: true, in: container, &cells) }
    return cells.body()
  }

  public func endOfShortRow(
    _ body: any SectionBody, of items: Items, in container: Container
  ) -> Double? {
    let isOneLine =
      (body as? PiecesBody)?.isOneRow ?? ((body as? LatticeBody)?.repetitions == 1)
    return alignment == .start && isOneLine ? body.frame(of: body.count - 1).maxX : nil
  }

  /// How many items' sizes are read at once.
  private static let sizesAtOnce = 1024

  /// Places the items of a line.
  ///
  /// - Returns: The y of the next line.
  private func close(
    _ line: OpenLine, at y: Double, isLast: Bool, in container: Container,
    _ cells: inout PiecesBuilder
  ) -> Double {
    var (x, gap) = start(of: line, isLast: isLast, in: container.width)
    cells.endRow { width, height in
      defer { x += width + gap }
      let space = line.height - height
      return switch lineAlignment {
      case .center: (x, y + container.step.length(space / 2), height)
      case .top: (x, y, height)
      case .bottom: (x, y + space, height)
      }
    }
    return (y + line.height) + rowSpacing
  }

  /// How long a line may be.
  private static func limit(ofWidth width: Double) -> Double { width * (1 + tolerance) }

  /// The x of a line's first item, and the gap between its items.
  private func start(
    of line: OpenLine, isLast: Bool, in width: Double
  ) -> (x: Double, gap: Double) {
    var full = line
    if isLast, alignment == .justified {
      // The last line has the spacing that it would have if copies of its last item filled it.
      let copy = Size(width: line.lastWidth, height: 0)
      let limit = Self.limit(ofWidth: width)
      while full.takes(copy.width, within: limit, spacing: columnSpacing) {
        full.add(copy, spacing: columnSpacing)
      }
    }
    return start(of: full.count, sum: full.sum, in: width)
  }

  private func start(of count: Int, sum: Double, in width: Double) -> (x: Double, gap: Double) {
    let gap = columnSpacing
    let length = sum + Double(count - 1) * gap
    return switch alignment {
    case .justified where count > 1: (0, (width - sum) / Double(count - 1))
    case .justified: (max(0, (width - sum) / 2), 0)
    case .start: (0, gap)
    case .center: (max(0, (width - length) / 2), gap)
    case .end: (max(0, width - length), gap)
    }
  }

  /// Writes the sizes of a range of items.
  private func readSizes(
    of items: Items, in range: Range<Int>, _ container: Container,
    into widths: UnsafeMutablePointer<Double>, _ heights: UnsafeMutablePointer<Double>
  ) {
    var first = 0
    items.forEachRun(in: range) { storage, run in
      let (widths, heights) = (widths + first, heights + first)
      first += run.count
      guard let storage else {
        widths.initialize(repeating: itemSize.width, count: run.count)
        heights.initialize(repeating: itemSize.height, count: run.count)
        return
      }
      let given = storage[container.field(.width)]
      if let given {
        given.withUnsafeBufferPointer {
          widths.initialize(from: $0.baseAddress! + run.lowerBound, count: run.count)
        }
      } else {
        widths.initialize(repeating: .nan, count: run.count)
      }
      if let given = storage[container.field(.height)] {
        given.withUnsafeBufferPointer {
          container.step.readLengths(
            $0.baseAddress! + run.lowerBound, count: run.count, else: .nan, into: heights)
        }
      } else {
        heights.initialize(repeating: .nan, count: run.count)
      }
      // An item that has width and height needs no ratio.
      if storage[.aspectRatio] != nil {
        storage.forEachRatio(of: run) { index, ratio in
          let place = index - run.lowerBound
          guard !ratio.isNaN, widths[place].isNaN || heights[place].isNaN else { return }
          if heights[place].isNaN {
            if widths[place].isNaN { widths[place] = itemSize.width }
            heights[place] = container.height(ofWidth: widths[place], ratio: ratio)
          } else {
            widths[place] = container.width(ofHeight: heights[place], ratio: ratio)
          }
        }
      }
      for place in 0..<run.count {
        if widths[place].isNaN { widths[place] = itemSize.width }
        if heights[place].isNaN { heights[place] = itemSize.height }
      }
      guard let card = container.card else { return }
      let texts = container.texts[storage]
      guard card.mayApply(to: storage, texts) else { return }
      for place in 0..<run.count {
        let index = run.lowerBound + place
        if given?[index].isNaN ?? true {
          widths[place] =
            card.naturalWidth(of: index, texts, limit: container.width) ?? widths[place]
        }
        heights[place] =
          card.height(of: index, in: storage, texts, width: widths[place]) ?? heights[place]
      }
    }
    for entry in items.measured.entries(in: range) {
      heights[entry.item - range.lowerBound] = container.step.length(entry.size)
    }
  }

  private func uniformBody(of count: Int, in width: Double) -> LatticeBody {
    let limit = Self.limit(ofWidth: width)
    var line = OpenLine()
    repeat {
      line.add(itemSize, spacing: columnSpacing)
    } while line.takes(itemSize.width, within: limit, spacing: columnSpacing)
    let perLine = line.count
    let lineCount = count == 0 ? 0 : (count - 1) / perLine + 1
    let lastCount = count - max(0, lineCount - 1) * perLine
    let xs = xs(of: perLine, sum: line.sum, in: width)
    // With copies of its last item, a justified last line is a full one.
    let lastXs =
      alignment == .justified || lastCount == perLine
      ? xs
      : self.xs(
        of: lastCount, sum: (0..<lastCount).reduce(0) { sum, _ in sum + itemSize.width },
        in: width)
    return LatticeBody(
      .listed(xs: xs, lastXs: lastXs, size: itemSize), count: count,
      pitch: itemSize.height + rowSpacing, spacing: rowSpacing)
  }

  /// The x of each item of a line of items without sizes.
  private func xs(of count: Int, sum: Double, in width: Double) -> [Double] {
    var (x, gap) = start(of: count, sum: sum, in: width)
    return (0..<count).map { _ in
      defer { x += itemSize.width + gap }
      return x
    }
  }

  /// An unfinished line.
  private struct OpenLine {
    private(set) var count = 0
    private(set) var lastWidth = 0.0
    /// The length of the items with the minimum spacing between them.
    private(set) var used = 0.0
    private(set) var sum = 0.0
    private(set) var height = 0.0

    @inline(__always)
    func takes(_ width: Double, within limit: Double, spacing: Double) -> Bool {
      count == 0 || count < FlowLayout.maximumLineCount && (used + spacing) + width <= limit
    }

    @inline(__always)
    mutating func add(_ size: Size, spacing: Double) {
      used = count == 0 ? size.width : (used + spacing) + size.width
      sum += size.width
      height = max(height, size.height)
      lastWidth = size.width
      count += 1
    }
  }
}

/// How items that are lower than their line are aligned in it.
public enum LineAlignment: String, CaseIterable, Sendable { case center, top, bottom }
