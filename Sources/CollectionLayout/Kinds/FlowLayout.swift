/// Items one after another in lines, as UICollectionViewFlowLayout places them.
public struct FlowLayout: SectionLayout {
  /// How the items of a line are aligned along the line.
  public enum Alignment: String, CaseIterable, Sendable {
    /// From edge to edge, as in UIKit.
    case justified
    case start, center, end
  }

  /// How items that are lower than their line are aligned in it.
  public enum LineAlignment: String, CaseIterable, Sendable { case center, top, bottom }

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
  public static let options: [LayoutOption<FlowLayout>] =
    LayoutOption.size("itemSize", \.itemSize) + [
      .number(
        "columnSpacing", \.columnSpacing, .nonNegative, olderName: "minimumInteritemSpacing"),
      .number("rowSpacing", \.rowSpacing, .nonNegative, olderName: "minimumLineSpacing"),
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

  public var usesOwnHeights: Bool { true }

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
    var lines = LineBuilder(after: earlier)
    let sizes = FlowSizes(
      items: items, layout: self, container: container,
      after: (earlier?.body as? LinesBody)?.ownSizes as? FlowSizes, from: lines.itemCount)
    var y = lines.lastLine.map { $0.bottom + rowSpacing } ?? 0
    var line = OpenLine()
    sizes.forEachSize(in: lines.itemCount..<items.count) { size in
      if !line.takes(size.width, within: limit, spacing: columnSpacing) {
        y = add(line, at: y, isLast: false, in: container.width, to: &lines)
        line.clear()
      }
      line.add(size, spacing: columnSpacing)
    }
    if !line.widths.isEmpty {
      _ = add(line, at: y, isLast: true, in: container.width, to: &lines)
    }
    let height = lines.lastLine?.bottom ?? 0
    // A line that is longer than the section has gaps < 0, and an item without width may be in it.
    return LinesBody(
      lines, sizes: .own(sizes), height: height, slack: 2 * Self.tolerance * container.width)
  }

  /// Places the items of a line.
  ///
  /// - Returns: The y of the next line.
  private func add(
    _ line: OpenLine, at y: Double, isLast: Bool, in width: Double, to lines: inout LineBuilder
  ) -> Double {
    lines.beginLine(y: y, height: line.height)
    var (x, gap) = start(of: line, isLast: isLast, in: width)
    for itemWidth in line.widths {
      lines.add(x: x, width: itemWidth, isStored: false)
      x += itemWidth + gap
    }
    return (y + line.height) + rowSpacing
  }

  /// How long a line may be.
  private static func limit(ofWidth width: Double) -> Double { width * (1 + tolerance) }

  /// The x of a line's first item, and the gap between its items.
  private func start(
    of line: OpenLine, isLast: Bool, in width: Double
  ) -> (x: Double, gap: Double) {
    let count = line.widths.count
    guard alignment == .justified else { return start(of: count, sum: line.sum, in: width) }
    guard isLast else { return justifiedStart(of: count, sum: line.sum, in: width) }
    // The last line has the spacing that it would have if copies of its last item filled it.
    let lastWidth = line.widths[count - 1]
    let limit = Self.limit(ofWidth: width)
    var (used, sum, full) = (line.used, line.sum, count)
    while full < Self.maximumLineCount, (used + columnSpacing) + lastWidth <= limit {
      used = (used + columnSpacing) + lastWidth
      sum += lastWidth
      full += 1
    }
    return justifiedStart(of: full, sum: sum, in: width)
  }

  private func justifiedStart(
    of count: Int, sum: Double, in width: Double
  ) -> (x: Double, gap: Double) {
    count > 1 ? (0, (width - sum) / Double(count - 1)) : (max(0, (width - sum) / 2), 0)
  }

  private func start(of count: Int, sum: Double, in width: Double) -> (x: Double, gap: Double) {
    let gap = columnSpacing
    let length = sum + Double(count - 1) * gap
    return switch alignment {
    case .justified: justifiedStart(of: count, sum: sum, in: width)
    case .start: (0, gap)
    case .center: (max(0, (width - length) / 2), gap)
    case .end: (max(0, width - length), gap)
    }
  }

  private func uniformBody(of count: Int, in width: Double) -> LatticeBody {
    let limit = Self.limit(ofWidth: width)
    var line = OpenLine()
    repeat {
      line.add(itemSize, spacing: columnSpacing)
    } while line.takes(itemSize.width, within: limit, spacing: columnSpacing)
    let perLine = line.widths.count
    let lineCount = count == 0 ? 0 : (count - 1) / perLine + 1
    let lastCount = count - max(0, lineCount - 1) * perLine
    let xs = xs(of: perLine, sum: line.sum, in: width)
    // With copies of its last item, a justified last line is a full one.
    let lastXs =
      alignment == .justified || lastCount == perLine
      ? xs
      : self.xs(
        of: lastCount, sum: line.widths[..<lastCount].reduce(0, +), in: width)
    let pitch = itemSize.height + rowSpacing
    return LatticeBody(
      .listed(xs: xs, lastXs: lastXs, size: itemSize), count: count, pitch: pitch,
      height: count == 0 ? 0 : Double(lineCount) * pitch - rowSpacing)
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
    private(set) var widths: [Double] = []
    /// The length of the items with the minimum spacing between them.
    private(set) var used = 0.0
    private(set) var sum = 0.0
    private(set) var height = 0.0

    func takes(_ width: Double, within limit: Double, spacing: Double) -> Bool {
      widths.isEmpty
        || widths.count < FlowLayout.maximumLineCount && (used + spacing) + width <= limit
    }

    mutating func add(_ size: Size, spacing: Double) {
      used = widths.isEmpty ? size.width : (used + spacing) + size.width
      sum += size.width
      height = max(height, size.height)
      widths.append(size.width)
    }

    mutating func clear() {
      widths.removeAll(keepingCapacity: true)
      (used, sum, height) = (0, 0, 0)
    }
  }
}

/// The sizes of a flow's items. They are read from the items whenever they are needed, so nothing
/// is stored.
struct FlowSizes: LineSizes {
  let items: Items
  let layout: FlowLayout
  let container: Container
  /// The sizes of all items, if they have cards: to break a text again takes longer than to read.
  private let sizesOfCards: CardSizes?

  /// - Parameters:
  ///   - earlier: The sizes of an earlier body.
  ///   - first: The first item whose size may be another than there.
  init(
    items: Items, layout: FlowLayout, container: Container, after earlier: FlowSizes?,
    from first: Int
  ) {
    self.items = items
    self.layout = layout
    self.container = container
    sizesOfCards = container.card.map { card in
      var sizes = CardSizes(earlier?.sizesOfCards, to: first)
      sizes.add(first..<items.count, of: items, layout, container, card)
      return sizes
    }
  }

  var memoryBytes: Int { sizesOfCards?.memoryBytes ?? 0 }

  /// Calls `body` with the size of each item of a range.
  func forEachSize(in range: Range<Int>, _ body: (Size) -> Void) {
    if let sizesOfCards {
      for item in range { body(sizesOfCards[item]) }
      return
    }
    var measured = items.measured.entries(in: range)[...]
    var item = range.lowerBound
    items.forEachRun(in: range) { storage, run in
      for index in run {
        var size = Self.size(storage, index, layout, container)
        if measured.first?.item == item {
          size.height = container.step.length(measured.removeFirst().size)
        }
        body(size)
        item += 1
      }
    }
  }

  @inline(__always)
  private static func size(
    _ storage: ItemStorage?, _ index: Int, _ layout: FlowLayout, _ container: Container
  ) -> Size {
    guard let storage else { return layout.itemSize }
    let width = storage[container.field(.width)]?[index] ?? .nan
    let height = container.step.length(storage[container.field(.height)]?[index] ?? .nan)
    let hasWidth = !width.isNaN
    let hasHeight = !height.isNaN
    if hasWidth && hasHeight { return Size(width: width, height: height) }
    if let ratio = storage.ratio(at: index) {
      if hasHeight {
        return Size(width: container.width(ofHeight: height, ratio: ratio), height: height)
      }
      let width = hasWidth ? width : layout.itemSize.width
      return Size(width: width, height: container.height(ofWidth: width, ratio: ratio))
    }
    return Size(
      width: hasWidth ? width : layout.itemSize.width,
      height: hasHeight ? height : layout.itemSize.height)
  }

  func frame(of item: Int, x: Double, in line: LinesBody.Line) -> Rect {
    var size = layout.itemSize
    if let sizesOfCards {
      size = sizesOfCards[item]
    } else {
      items.forEachRun(in: item..<item + 1) { storage, run in
        size = Self.size(storage, run.lowerBound, layout, container)
      }
      if let measured = items.measured[item] {
        size.height = container.step.length(measured.size)
      }
    }
    let space = line.height - size.height
    let y =
      switch layout.lineAlignment {
      case .center: line.y + container.step.length(space / 2)
      case .top: line.y
      case .bottom: line.y + space
      }
    return Rect(x: x, y: y, width: size.width, height: size.height)
  }

  /// The sizes of items, some of which have cards.
  private struct CardSizes: Sendable {
    private var widths: SharedColumn<Double>
    private var heights: SharedColumn<Double>

    init(_ earlier: CardSizes?, to end: Int) {
      let end = earlier == nil ? 0 : end
      widths = earlier?.widths.prefix(end) ?? SharedColumn()
      heights = earlier?.heights.prefix(end) ?? SharedColumn()
    }

    subscript(item: Int) -> Size { Size(width: widths[item], height: heights[item]) }

    var memoryBytes: Int { widths.memoryBytes + heights.memoryBytes }

    mutating func add(
      _ range: Range<Int>, of items: Items, _ layout: FlowLayout, _ container: Container,
      _ card: TypesetCard
    ) {
      precondition(widths.count == range.lowerBound, "the sizes before are missing")
      var measured = items.measured.entries(in: range)[...]
      items.forEachRun(in: range) { storage, run in
        let texts = card.texts(of: storage)
        let ownWidths = storage?[container.field(.width)]
        for index in run {
          var size = FlowSizes.size(storage, index, layout, container)
          if let storage, texts.mayApply {
            if ownWidths?[index].isNaN ?? true {
              size.width =
                card.naturalWidth(of: index, texts, limit: container.width) ?? size.width
            }
            size.height =
              card.height(of: index, in: storage, texts, width: size.width) ?? size.height
          }
          if measured.first?.item == heights.count {
            size.height = container.step.length(measured.removeFirst().size)
          }
          widths.append(size.width)
          heights.append(size.height)
        }
      }
      widths.close()
      heights.close()
    }
  }
}
