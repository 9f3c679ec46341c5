/// The tracks that items cover, for a run of items at a time.
struct ItemSpans: ~Copyable {
  /// Which of the fields any item has. `columnSpan` and `rowSpan` count if they are not 1.
  struct Fields: Equatable {
    let hasColumnSpans: Bool
    let hasRowSpans: Bool
    let hasColumns: Bool

    /// - Parameter usesRowSpans: Whether the layout uses `rowSpan`.
    init(_ items: Items, usesRowSpans: Bool) {
      hasColumnSpans = items.hasOtherThanOne(in: .columnSpan)
      hasRowSpans = usesRowSpans && items.hasOtherThanOne(in: .rowSpan)
      hasColumns = items.has(.column)
    }

    var isEmpty: Bool { !hasColumnSpans && !hasRowSpans && !hasColumns }
  }

  private let fields: Fields
  private let trackCount: Int
  private let columnSpans: UnsafeMutablePointer<UInt32>
  private let rowSpans: UnsafeMutablePointer<UInt32>
  private let columns: UnsafeMutablePointer<UInt32>

  /// - Parameter capacity: The largest number of items of a run.
  init(_ fields: Fields, trackCount: Int, capacity: Int) {
    self.fields = fields
    self.trackCount = trackCount
    columnSpans = .allocate(capacity: fields.hasColumnSpans ? capacity : 1)
    rowSpans = .allocate(capacity: fields.hasRowSpans ? capacity : 1)
    columns = .allocate(capacity: fields.hasColumns ? capacity : 1)
  }

  /// How many tracks items can reach. Each item is placed at the first free tracks, or at its own.
  /// So no item lies beyond all own tracks and the spans of all items. Tables of what is beyond
  /// would be empty.
  ///
  /// - Complexity: O(*n*) for *n* items; O(1) for few tracks.
  static func reach(of items: Items, _ fields: Fields, trackCount: Int) -> Int {
    guard trackCount > 64 else { return trackCount }
    let chunk = 1024
    let spans = ItemSpans(fields, trackCount: trackCount, capacity: chunk)
    var (own, others) = (0, 0)
    for first in stride(from: 0, to: items.count, by: chunk) {
      let range = first..<min(first + chunk, items.count)
      spans.read(items, in: range)
      for index in 0..<range.count {
        let span = spans.columnSpan(index)
        if let column = spans.column(index, span: span) {
          own = max(own, column + span)
        } else {
          others += span
        }
      }
      guard own + others < trackCount else { return trackCount }
    }
    return max(own + others, 1)
  }

  deinit {
    columnSpans.deallocate()
    rowSpans.deallocate()
    columns.deallocate()
  }

  /// Reads the fields of a range of items, which are then known by their places in the range.
  func read(_ items: Items, in range: Range<Int>) {
    if fields.hasColumnSpans { items.readIntegers(of: .columnSpan, in: range, into: columnSpans) }
    if fields.hasRowSpans { items.readIntegers(of: .rowSpan, in: range, into: rowSpans) }
    if fields.hasColumns { items.readIntegers(of: .column, in: range, into: columns) }
  }

  @inline(__always)
  var isEmpty: Bool { fields.isEmpty }

  /// How many tracks an item covers; at most all.
  @inline(__always)
  func columnSpan(_ index: Int) -> Int {
    guard fields.hasColumnSpans else { return 1 }
    let span = columnSpans[index]
    return span == ItemColumn.none ? 1 : min(Int(span), trackCount)
  }

  @inline(__always)
  func rowSpan(_ index: Int) -> Int {
    guard fields.hasRowSpans else { return 1 }
    let span = rowSpans[index]
    return span == ItemColumn.none ? 1 : Int(span)
  }

  /// The first track of an item, far enough to the left for its span; `nil` if it may be any.
  @inline(__always)
  func column(_ index: Int, span: Int) -> Int? {
    guard fields.hasColumns else { return nil }
    let column = columns[index]
    return column == ItemColumn.none ? nil : min(Int(column), trackCount - span)
  }
}
