/// A few thousand consecutive items of a gallery's section, in whole rows.
///
/// Immutable and shared between versions.
final class RowChunk: Sendable {
  /// The index in the section of the chunk's first item.
  let firstItem: Int
  /// The running x of each item and its width, before the frame is made integral.
  let xs: [Double]
  let widths: [Double]
  /// The index in the chunk of each row's first item, then the number of items.
  let rowStarts: [UInt32]
  /// The running y of each row.
  let rowYs: [Double]

  init(
    firstItem: Int, xs: [Double], widths: [Double], rowStarts: [UInt32], rowYs: [Double]
  ) {
    self.firstItem = firstItem
    self.xs = xs
    self.widths = widths
    self.rowStarts = rowStarts
    self.rowYs = rowYs
  }

  func items(inRow row: Int) -> Range<Int> {
    Int(rowStarts[row])..<Int(rowStarts[row + 1])
  }

  /// The row of an item, by its index in the chunk.
  func row(of local: Int) -> Int {
    partitionPoint(in: 0..<rowYs.count) { rowStarts[$0 + 1] <= local }
  }

  /// The horizontal extent of an item, made integral.
  @inline(__always)
  func horizontal(of local: Int) -> Interval {
    let minX = xs[local].rounded(.down)
    return Interval(start: minX, length: (xs[local] + widths[local]).rounded(.up) - minX)
  }

  var memoryBytes: Int { xs.count * 16 + rowStarts.count * 4 + rowYs.count * 8 + 240 }
}

/// A section's cells in rows, laid out from an origin of its own.
final class RowStack: Sendable {
  static let chunkCapacity = 4096

  let chunks: [RowChunk]
  let itemCount: Int
  /// The section's index, which the random widths depend on.
  let section: Int
  /// The y of the first row.
  let origin: Double
  /// The y of the last row.
  let lastRowY: Double
  /// Whether every sum was without rounding, so that the stack can be moved; see ``Exactness``.
  let isExact: Bool
  let memoryBytes: Int

  /// Lays out items, going on from what an earlier stack holds of the items before `firstChanged`.
  ///
  /// - Precondition: There is an item.
  init(
    items: Items, section: Int, metrics: GalleryMetrics, origin: Double,
    continuing earlier: (stack: RowStack, firstChanged: Int)? = nil
  ) throws(LayoutError) {
    var chunks: [RowChunk] = []
    var y = origin
    var item = 0
    if let earlier {
      precondition(
        earlier.stack.origin == origin && earlier.stack.section == section,
        "rows go on from where they began")
      // A row's end depends on its items alone, but the last row may go on: redo its chunk.
      let lastKept = min(earlier.firstChanged, earlier.stack.itemCount) - 1
      let kept = partitionPoint(in: 0..<earlier.stack.chunks.count) {
        earlier.stack.chunks[$0].firstItem <= lastKept
      }
      if kept > 1 {
        chunks = Array(earlier.stack.chunks[..<(kept - 1)])
        item = earlier.stack.chunks[kept - 1].firstItem
        y = earlier.stack.chunks[kept - 1].rowYs[0]
      }
    }
    while item < items.count {
      let placed = try Self.placeChunk(
        items, from: item, section: section, metrics: metrics, y: y)
      chunks.append(placed)
      item += placed.xs.count
      y = placed.rowYs[placed.rowYs.count - 1] + metrics.rowPitch
    }
    self.chunks = chunks
    itemCount = items.count
    self.section = section
    self.origin = origin
    let lastChunk = chunks[chunks.count - 1]
    lastRowY = lastChunk.rowYs[lastChunk.rowYs.count - 1]
    isExact =
      Exactness.isExact(origin) && Exactness.isExact(metrics.rowPitch)
      && lastRowY < Exactness.limit
    memoryBytes = chunks.reduce(chunks.count * 8 + 128) { $0 + $1.memoryBytes }
  }

  private static func placeChunk(
    _ items: Items, from firstItem: Int, section: Int, metrics: GalleryMetrics, y firstY: Double
  ) throws(LayoutError) -> RowChunk {
    let capacity = min(chunkCapacity, items.count - firstItem)
    var xs: [Double] = []
    var widths: [Double] = []
    var rowStarts: [UInt32] = [0]
    var rowYs: [Double] = [firstY]
    xs.reserveCapacity(capacity)
    widths.reserveCapacity(capacity)
    let hasWidths = items.storedCount > 0
    var y = firstY
    var x = metrics.horizontalInset
    var item = firstItem
    while item < items.count {
      var width = metrics.boundsWidth - x
      let endsRow = !(width > 1.5 * metrics.maximumItemWidth)
      if endsRow {
        width -= metrics.horizontalInset
        guard width > 0 else {
          throw .invalidOption(
            "horizontalInset",
            requirement: "small enough to leave item [\(section), \(item)] a width at the row's end"
          )
        }
      } else {
        width =
          hasWidths ? items.value(of: GalleryLayout.widthField, at: item) ?? .nan : .nan
        if width.isNaN { width = metrics.randomWidth(section: section, item: item) }
      }
      xs.append(x)
      widths.append(width)
      x += width + metrics.horizontalInset
      item += 1
      guard endsRow, item < items.count else { continue }
      if item - firstItem >= chunkCapacity { break }
      rowStarts.append(UInt32(item - firstItem))
      y += metrics.rowPitch
      rowYs.append(y)
      x = metrics.horizontalInset
    }
    rowStarts.append(UInt32(item - firstItem))
    return RowChunk(
      firstItem: firstItem, xs: xs, widths: widths, rowStarts: rowStarts, rowYs: rowYs)
  }

  /// How far the stack has to move to begin at another origin; `nil` when moving would not give
  /// the same bits as laying it out there.
  func shift(to newOrigin: Double) -> Double? {
    if newOrigin == origin { return 0 }
    guard isExact, Exactness.isExact(newOrigin),
      newOrigin + (lastRowY - origin) < Exactness.limit
    else { return nil }
    return newOrigin - origin
  }

  /// The y of the row that an item is in.
  func rowY(ofItem item: Int) -> Double {
    let chunk = chunks[chunkIndex(of: item)]
    return chunk.rowYs[chunk.row(of: item - chunk.firstItem)]
  }

  func chunkIndex(of item: Int) -> Int {
    partitionPoint(in: 0..<chunks.count) { chunks[$0].firstItem <= item } - 1
  }

}
