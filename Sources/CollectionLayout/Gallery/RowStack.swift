/// A section's cells in rows, laid out from an origin of its own.
final class RowStack: SectionStack {
  static let chunkCapacity = 4096

  /// Keep the memory that the pieces point to.
  private let chunks: [RowChunk]
  /// What each chunk holds, so that a search touches one small array and then the rows.
  let pieces: [RowPiece]
  let itemCount: Int
  /// The section's index, which the random widths depend on.
  let section: Int
  /// The y of the first row.
  let origin: Double
  /// The y of the last row.
  let lastRowY: Double
  let isExact: Bool
  let memoryBytes: Int

  /// Lays out items, going on from what an earlier stack holds of the items before `firstChanged`.
  ///
  /// - Precondition: There is an item.
  init(
    items: Items, section: Int, metrics: GalleryMetrics, origin: Double,
    continuing earlier: PlacedStack<RowStack>.Earlier?
  ) throws(LayoutError) {
    var chunks: [RowChunk] = []
    var pieces: [RowPiece] = []
    var y = origin
    var item = 0
    if let earlier {
      precondition(
        earlier.stack.origin == origin && earlier.stack.section == section,
        "rows go on from where they began")
      // A row's end depends on its items alone, but the last row may go on: redo its chunk.
      let lastKept = min(earlier.firstChanged, earlier.stack.itemCount) - 1
      let kept = partitionPoint(in: 0..<earlier.stack.pieces.count) {
        earlier.stack.pieces[$0].firstItem <= lastKept
      }
      if kept > 1 {
        chunks = Array(earlier.stack.chunks[..<(kept - 1)])
        pieces = Array(earlier.stack.pieces[..<(kept - 1)])
        item = earlier.stack.pieces[kept - 1].firstItem
        y = earlier.stack.pieces[kept - 1].y
      }
    }
    while item < items.count {
      giveWay(atStep: chunks.count, of: 8)
      let chunk = try Self.placeChunk(
        items, from: item, section: section, metrics: metrics, y: y)
      let piece = chunk.piece(from: item)
      chunks.append(chunk)
      pieces.append(piece)
      item += piece.count
      y = piece.y(ofRow: piece.rowCount - 1) + metrics.rowPitch
    }
    self.chunks = chunks
    self.pieces = pieces
    itemCount = items.count
    self.section = section
    self.origin = origin
    let last = pieces[pieces.count - 1]
    lastRowY = last.y(ofRow: last.rowCount - 1)
    isExact =
      Exactness.isExact(origin) && Exactness.isExact(metrics.rowPitch)
      && lastRowY < Exactness.limit
    memoryBytes = chunks.reduce(
      chunks.count * (8 + MemoryLayout<RowPiece>.stride) + 128
    ) { $0 + $1.memoryBytes }
  }

  private static func placeChunk(
    _ items: Items, from firstItem: Int, section: Int, metrics: GalleryMetrics, y firstY: Double
  ) throws(LayoutError) -> RowChunk {
    // Room for the row in which the chunk ends, too.
    let capacity = min(chunkCapacity + chunkCapacity / 8, items.count - firstItem)
    var cells: [Interval] = []
    var rows = [RowPiece.Row(y: firstY, start: 0)]
    cells.reserveCapacity(capacity)
    rows.reserveCapacity(chunkCapacity / 8)
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
        let given = hasWidths ? items.value(of: GalleryLayout.widthField, at: item) : nil
        width = given ?? metrics.randomWidth(section: section, item: item)
      }
      cells.append(Interval(start: x, length: width))
      x += width + metrics.horizontalInset
      item += 1
      guard endsRow, item < items.count else { continue }
      if item - firstItem >= chunkCapacity { break }
      y += metrics.rowPitch
      rows.append(RowPiece.Row(y: y, start: item - firstItem))
      x = metrics.horizontalInset
    }
    rows.append(RowPiece.Row(y: y + metrics.rowPitch, start: item - firstItem))
    return RowChunk(cells: cells, rows: rows)
  }

  var lowestY: Double { lastRowY }

  /// The y of the row that an item is in.
  func rowY(ofItem item: Int) -> Double {
    let piece = piece(of: item)
    return piece.y(ofRow: piece.row(of: item - piece.firstItem))
  }

  /// The piece that an item is in.
  func piece(of item: Int) -> RowPiece {
    pieces[partitionPoint(in: 0..<pieces.count) { pieces[$0].firstItem <= item } - 1]
  }
}
