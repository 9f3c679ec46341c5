/// Rows of photographs, each row as wide as the section.
///
/// Source: flickr/justified-layout 4.1, without its padding, full-width breakouts and row limit. It
/// tries every row anew with each photograph, and takes quadratic time; this one goes on with sums.
public struct JustifiedLayout: SectionLayout {
  /// What becomes of the photographs that fill no row.
  public enum LastRow: String, CaseIterable, Sendable { case left, center, justify }

  /// In points, > 0.
  public var targetRowHeight = 320.0
  /// By which part of it rows may be higher or lower, 0 to 1.
  public var targetRowHeightTolerance = 0.25
  /// Between photographs of a row, in points, ≥ 0.
  public var itemSpacing = 10.0
  /// Between rows, in points, ≥ 0.
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

  /// Rows while photographs are offered to them.
  private struct Rows {
    private let layout: JustifiedLayout
    private let container: Container
    /// The ratios that a row may sum up to.
    private let minimum: Double
    private let maximum: Double
    private(set) var lines: LineBuilder
    private var y: Double
    /// The row that is open: its ratios and their sum.
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

    /// The width that so many items leave beside the spacings between them.
    private func inner(_ count: Int) -> Double {
      container.width - Double(count - 1) * layout.itemSpacing
    }

    mutating func offer(_ ratio: Double) throws(LayoutError) {
      if try !joins(ratio) {
        try close(at: inner(ratios.count) / sum)
        _ = try joins(ratio)
      }
    }

    /// Lets a photograph join the row, which may close with it; false where the row is to close
    /// without it.
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

    /// Closes the row that is left.
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
