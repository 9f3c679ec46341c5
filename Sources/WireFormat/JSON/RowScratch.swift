import CollectionLayout

/// Memory for the columns of a block of rows. Every block uses it again.
///
/// It is bare memory, because an array in an array would check uniqueness twice and bounds twice
/// for every stored number.
final class RowScratch {
  private static let maxFields = 16

  /// A field of the row before, and the memory for its values.
  struct PatternField {
    let name: JSONField.Spelling
    let type: JSONColumnType
    let numbers: UnsafeMutablePointer<Double>
    let indexes: UnsafeMutablePointer<Int32>
  }

  private let rows: Int
  private let doubles: UnsafeMutablePointer<Double>
  private let integers: UnsafeMutablePointer<Int32>
  private let patternFields: UnsafeMutablePointer<PatternField>
  /// The number of rows of the array before this block.
  var firstRow = 0
  /// Whether the last block reached the end of the array and closed it.
  private var isAtEnd = false
  private var patternCount = 0
  /// The texts of the rows of this block.
  var texts = ItemTextsBuilder()
  /// How many rows of the block are marked as missing so far.
  private var clearedRows = 0
  /// How many are, at once, where rows come one by one.
  private static let rowsAtOnce = 64

  init(rows: Int) {
    self.rows = rows
    doubles = .allocate(capacity: Self.maxFields * rows)
    integers = .allocate(capacity: Self.maxFields * rows)
    patternFields = .allocate(capacity: Self.maxFields)
  }

  deinit {
    doubles.deallocate()
    integers.deallocate()
    patternFields.deallocate()
  }

  func numbers(_ field: Int) -> UnsafeMutablePointer<Double> {
    precondition(field < Self.maxFields, "field \(field) of \(Self.maxFields)")
    return doubles + field * rows
  }

  func indexes(_ field: Int) -> UnsafeMutablePointer<Int32> {
    precondition(field < Self.maxFields, "field \(field) of \(Self.maxFields)")
    return integers + field * rows
  }

  func numbers(_ field: Int, count: Int) -> UnsafeBufferPointer<Double> {
    UnsafeBufferPointer(start: numbers(field), count: count)
  }

  func indexes(_ field: Int, count: Int) -> UnsafeBufferPointer<Int32> {
    UnsafeBufferPointer(start: indexes(field), count: count)
  }

  /// Begins a block.
  func begin() {
    forgetPattern()
    clearedRows = 0
    texts = ItemTextsBuilder()
  }

  /// Marks all fields as missing in rows to which the block has not come so far. Without this,
  /// memory that was never written would be read.
  func clear(_ fields: [JSONField], upTo end: Int) {
    guard clearedRows < end else { return }
    let (first, count) = (
      clearedRows, min(max(end - clearedRows, Self.rowsAtOnce), rows - clearedRows)
    )
    for (index, field) in fields.enumerated() { clear(index, field.type, first..<first + count) }
    clearedRows += count
  }

  func clear(_ field: Int, _ type: JSONColumnType, _ rows: Range<Int>) {
    switch type {
    case .number, .numberOrAll:
      (numbers(field) + rows.lowerBound).initialize(repeating: .nan, count: rows.count)
    case .index: (indexes(field) + rows.lowerBound).initialize(repeating: -1, count: rows.count)
    case .string, .values: break
    }
  }

  // MARK: The fields of the row before, in the order in which it had them

  var pattern: UnsafeBufferPointer<PatternField> {
    UnsafeBufferPointer(start: patternFields, count: patternCount)
  }

  func forgetPattern() { patternCount = 0 }

  /// Adds a field to the pattern. The pattern must not have it yet.
  func addToPattern(_ index: Int, _ field: JSONField) {
    precondition(patternCount < Self.maxFields, "a field comes once")
    (patternFields + patternCount).initialize(
      to: PatternField(
        name: field.spelling, type: field.type, numbers: numbers(index), indexes: indexes(index)))
    patternCount += 1
  }

  // MARK: The end of an array

  /// Whether an array was closed. It returns true once; then the next block is that of another
  /// array.
  func takeEnd() -> Bool {
    if isAtEnd { firstRow = 0 }
    defer { isAtEnd = false }
    return isAtEnd
  }

  /// Records that the array is closed.
  func end(afterRows count: Int) {
    isAtEnd = count > 0
    if count == 0 { firstRow = 0 }
  }
}
