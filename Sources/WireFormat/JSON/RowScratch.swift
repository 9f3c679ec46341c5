/// Memory for the columns of a block of rows, reused from block to block.
///
/// Bare memory, because an array in an array costs two checks of uniqueness and two of bounds for
/// every number that is stored.
final class RowScratch {
  private static let maxFields = 8

  /// A field that the row before had, and where its values go.
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
  /// How many rows of the array that is being read came before this block.
  var firstRow = 0
  /// Whether the block before was the array's last, and closed it.
  private var isAtEnd = false
  private var patternCount = 0
  /// Which fields the row before had, as bits.
  private(set) var patternBits = UInt8(0)

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

  /// Marks a field as missing in some rows; nothing is read from a place that was not written.
  func clear(_ field: Int, _ type: JSONColumnType, rows: Range<Int>) {
    switch type {
    case .number:
      (numbers(field) + rows.lowerBound).initialize(repeating: .nan, count: rows.count)
    case .index: (indexes(field) + rows.lowerBound).initialize(repeating: -1, count: rows.count)
    case .string: break
    }
  }

  // MARK: The fields of the row before, in the order in which it had them

  var pattern: UnsafeBufferPointer<PatternField> {
    UnsafeBufferPointer(start: patternFields, count: patternCount)
  }

  func forgetPattern() {
    patternCount = 0
    patternBits = 0
  }

  /// Adds a field that the pattern does not have yet.
  func addToPattern(_ index: Int, _ field: JSONField) {
    precondition(patternCount < Self.maxFields, "a field comes once")
    (patternFields + patternCount).initialize(
      to: PatternField(
        name: field.spelling, type: field.type, numbers: numbers(index), indexes: indexes(index)))
    patternCount += 1
    patternBits |= 1 << UInt8(index)
  }

  // MARK: The end of an array

  /// Whether an array has been closed, once; the next block is that of another.
  func takeEnd() -> Bool {
    if isAtEnd { firstRow = 0 }
    defer { isAtEnd = false }
    return isAtEnd
  }

  /// Notes that the array is closed.
  func end(afterRows count: Int) {
    isAtEnd = count > 0
    if count == 0 { firstRow = 0 }
  }
}
