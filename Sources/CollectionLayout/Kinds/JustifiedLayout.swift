/// Rows of photographs, each row as wide as the section.
///
/// Source: flickr/justified-layout 4.1, without its padding, full-width breakouts and row limit.
/// The original tests the whole row again for each photograph, which takes quadratic time. This
/// implementation keeps running sums.
public struct JustifiedLayout: SectionLayout {
  /// How the last row is placed if it is not full.
  public enum LastRow: String, CaseIterable, Sendable { case left, center, justify }

  /// The desired height of a row, in points, > 0.
  public var targetRowHeight = 320.0
  /// The tolerance of the heights of rows, as a fraction of `targetRowHeight`, 0 to 1.
  public var targetRowHeightTolerance = 0.25
  /// The distance between photographs of a row, in points, ≥ 0.
  public var itemSpacing = 10.0
  /// The distance between rows, in points, ≥ 0.
  public var rowSpacing = 10.0
  public var lastRow = LastRow.left

  public init() {}

  public static let kind = "justified"
  public static let uniformity = Uniformity.never
  public static let options: [LayoutOption<JustifiedLayout>] = [
    .number("targetRowHeight", \.targetRowHeight, .positive),
    .number("targetRowHeightTolerance", \.targetRowHeightTolerance, .fraction),
    .number("itemSpacing", \.itemSpacing, .nonNegative),
    .number("rowSpacing", \.rowSpacing, .nonNegative),
    .choice("lastRow", \.lastRow),
  ]

  /// - Complexity: O(*n*) for *n* items.
  public func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    var rows = Rows(self, in: container, LineBuilder(after: earlier))
    try items.forEachRatio(from: rows.lines.itemCount) { (_, ratio) throws(LayoutError) in
      try rows.offer(container.isTransposed ? 1 / (ratio ?? 1) : ratio ?? 1)
    }
    try rows.finish()
    let height = rows.lines.lastLine?.bottom ?? 0
    return LinesBody(rows.lines, height: height)
  }

  /// Rows to which photographs are added one by one.
  private struct Rows {
    private let layout: JustifiedLayout
    private let container: Container
    /// The range of the sum of aspect ratios in a row.
    private let minimum: Double
    private let maximum: Double
    private(set) var lines: LineBuilder
    private var y: Double
    /// The aspect ratios of the open row, and their sum.
    private var ratios: [Double] = []
    private var sum = 0.0

    init(_ layout: JustifiedLayout, in container: Container, _ lines: LineBuilder) {
      self.layout = layout
      self.container = container
      self.lines = lines
      let middle = container.width / layout.targetRowHeight
      minimum = middle * (1 - layout.targetRowHeightTolerance)
      maximum = middle * (1 + layout.targetRowHeightTolerance)
      y = lines.lastLine.map { $0.y + ($0.height + layout.rowSpacing) } ?? 0
    }

    /// The width of `count` photographs: the container's width without the spacing between them.
    private func inner(_ count: Int) -> Double {
      container.width - Double(count - 1) * layout.itemSpacing
    }

    mutating func offer(_ ratio: Double) throws(LayoutError) {
      if try !joins(ratio) {
        try close(at: inner(ratios.count) / sum)
        _ = try joins(ratio)
      }
    }

    /// Adds a photograph to the row. This may close the row.
    ///
    /// - Returns: False if the row must be closed without the photograph.
    private mutating func joins(_ ratio: Double) throws(LayoutError) -> Bool {
      let count = ratios.count
      let newSum = sum + ratio
      let inner = inner(count + 1)
      if count > 0 {
        if inner <= 0 { return false }
        if newSum > maximum {
          let previous = self.inner(count) / layout.targetRowHeight
          let target = inner / layout.targetRowHeight
          if abs(newSum - target) > abs(sum - previous) { return false }
        }
      }
      ratios.append(ratio)
      sum = newSum
      if !(newSum < minimum) { try close(at: inner / newSum) }
      return true
    }

    private mutating func close(at height: Double, from start: Double = 0) throws(LayoutError) {
      guard height > 0, height.isFinite else { throw .contentTooLarge }
      let kept = min(
        max(height, 0.5 * layout.targetRowHeight), 2 * layout.targetRowHeight)
      lines.beginLine(y: y, height: kept)
      var x = start
      for ratio in ratios {
        let width = ratio * height
        lines.add(x: x, width: width)
        x += width + layout.itemSpacing
      }
      y += kept + layout.rowSpacing
      ratios.removeAll(keepingCapacity: true)
      sum = 0
    }

    /// Closes the last row.
    mutating func finish() throws(LayoutError) {
      guard !ratios.isEmpty else { return }
      let height = lines.lastLine?.height ?? layout.targetRowHeight
      let inner = inner(ratios.count)
      switch layout.lastRow {
      case .left: try close(at: height)
      case .center: try close(at: height, from: (inner - sum * height) / 2)
      case .justify: try close(at: inner / sum)
      }
    }
  }
}
