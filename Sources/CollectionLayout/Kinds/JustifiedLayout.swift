/// Rows of photographs, each row as wide as the section. No photograph is cropped.
///
/// Source: flickr/justified-layout 4.1, without its padding, full-width breakouts and row limit. It
/// decides which photographs a row has. The original crops photographs where a row would be too low
/// or too high; here such rows are as high as their width makes them, up to twice
/// ``targetRowHeight``. The original tests the whole row again for each photograph, which takes
/// quadratic time. This implementation keeps running sums.
///
/// Limitations: no size can be measured. A row that would be higher than twice ``targetRowHeight``
/// does not fill the width. A change lays out all rows behind it.
public struct JustifiedLayout: SectionLayout {
  /// How the last row is placed if it is not full.
  public enum LastRow: String, CaseIterable, Sendable { case left, center, justify }

  /// The desired height of a row, in points, > 0.
  public var targetRowHeight = 320.0
  /// The tolerance of the heights of rows, as a fraction of `targetRowHeight`, 0 to 1.
  public var targetRowHeightTolerance = 0.25
  /// The distance between photographs of a row, in points, ≥ 0.
  public var columnSpacing = 10.0
  /// The distance between rows, in points, ≥ 0.
  public var rowSpacing = 10.0
  public var lastRow = LastRow.left

  public init() {}

  public static let kind = "justified"
  public static let keptBytesPerItem = 16
  public static let uniformity = Uniformity.never
  public static let options: [LayoutOption<JustifiedLayout>] = [
    .number("targetRowHeight", \.targetRowHeight, .positive),
    .number("targetRowHeightTolerance", \.targetRowHeightTolerance, .fraction),
    .number("columnSpacing", \.columnSpacing, .nonNegative),
    .number("rowSpacing", \.rowSpacing, .nonNegative),
    .choice("lastRow", \.lastRow),
  ]

  public static let lengths: [any WritableKeyPath<JustifiedLayout, Double> & Sendable] = [
    \.rowSpacing
  ]

  /// - Complexity: O(*n*) for *n* items.
  public func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    var rows = Rows(self, in: container, PiecesBuilder(after: earlier))
    try rows.recallLastRow(of: items)
    try items.forEachRatio(in: rows.cells.count..<items.count) { (ratio) throws(LayoutError) in
      try rows.offer(container.ratio(ratio))
    }
    return try rows.finish()
  }

  public func endOfShortRow(
    _ body: any SectionBody, of items: Items, in container: Container
  ) -> Double? {
    guard lastRow == .left, (body as? PiecesBody)?.isOneRow ?? false else { return nil }
    let end = body.frame(of: body.count - 1).maxX
    // A full row ends at the width, but for rounding.
    return end < container.width * (1 - FlowLayout.tolerance) ? end : nil
  }

  /// Rows to which photographs are added one by one.
  private struct Rows: ~Copyable {
    private let layout: JustifiedLayout
    private let container: Container
    /// The range of the sum of aspect ratios in a row.
    private let minimum: Double
    private let maximum: Double
    private(set) var cells: PiecesBuilder
    private var y: Double
    /// The height of the row that was closed last, before it was rounded to steps.
    private var lastHeight: Double?
    /// The aspect ratios of the open row, and their sum.
    private var ratios: [Double] = []
    private var sum = 0.0

    init(_ layout: JustifiedLayout, in container: Container, _ cells: consuming PiecesBuilder) {
      self.layout = layout
      self.container = container
      let middle = container.width / layout.targetRowHeight
      minimum = middle * (1 - layout.targetRowHeightTolerance)
      maximum = middle * (1 + layout.targetRowHeightTolerance)
      y = cells.count > 0 ? cells.bottom + layout.rowSpacing : 0
      self.cells = cells
    }

    /// Computes the height of the last row of an earlier version.
    mutating func recallLastRow(of items: Items) throws(LayoutError) {
      guard cells.count > 0 else { return }
      var sum = 0.0
      try items.forEachRatio(in: cells.count - cells.lastRowCount..<cells.count) {
        (ratio) throws(LayoutError) in
        sum += container.ratio(ratio)
      }
      lastHeight = height(inner(cells.lastRowCount) / sum)
    }

    /// The width of `count` photographs: the container's width without the spacing between them.
    private func inner(_ count: Int) -> Double {
      container.width - Double(count - 1) * layout.columnSpacing
    }

    /// The height of a closed row, of which `full` is the height at which it fills the width.
    private func height(_ full: Double) -> Double { min(full, 2 * layout.targetRowHeight) }

    mutating func offer(_ ratio: Double) throws(LayoutError) {
      if try !joins(ratio) {
        try close()
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
      if !(newSum < minimum) { try close() }
      return true
    }

    /// - Parameter limit: The largest height of the row; `nil` for that of a closed row.
    private mutating func close(notAbove limit: Double? = nil) throws(LayoutError) {
      let inner = inner(ratios.count)
      let full = inner / sum
      guard full > 0, full.isFinite else { throw .contentTooLarge }
      let height = limit.map { min($0, full) } ?? self.height(full)
      let rounded = container.step.length(height)
      var x =
        layout.lastRow == .center && height < full ? (inner - sum * height) / 2 : 0
      for ratio in ratios {
        let width = ratio * height
        cells.add(x: x, width: width, top: y, height: rounded)
        x += width + layout.columnSpacing
      }
      cells.endRow()
      y = (y + rounded) + layout.rowSpacing
      lastHeight = height
      ratios.removeAll(keepingCapacity: true)
      sum = 0
    }

    /// Closes the last row.
    consuming func finish() throws(LayoutError) -> PiecesBody {
      if !ratios.isEmpty {
        try close(
          notAbove: layout.lastRow == .justify ? nil : lastHeight ?? layout.targetRowHeight)
      }
      return cells.body()
    }
  }
}

extension Container {
  /// The aspect ratio of an item in the body's axes; 1 if it is unknown.
  fileprivate func ratio(_ given: Double) -> Double {
    let ratio = given.isNaN ? 1 : given
    return isTransposed ? 1 / ratio : ratio
  }
}
