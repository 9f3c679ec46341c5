import CollectionLayout

/// The type of the values in a column.
enum JSONColumnType: Equatable {
  /// Doubles; NaN if missing or null.
  case number
  /// Like ``number``; and the word "all" is infinity.
  case numberOrAll
  /// Strings of ``IDColumn/lengths`` bytes; empty if missing or null.
  case string
  /// Indices from 0 to 2³¹ − 1; −1 if missing or null.
  case index
  /// Objects of texts or keys, or data. ``RowScratch/texts`` has them.
  case values(ValueKind)
}

extension JSONColumnType {
  /// Whether the values are doubles.
  var isNumeric: Bool { self == .number || self == .numberOrAll }
}

/// A column of values of one type. The type decides which array holds them.
///
/// A column of numbers or strings stores nothing as long as all values are missing or null.
struct JSONColumn {
  let type: JSONColumnType
  private(set) var count = 0
  /// Whether there is a value that is not missing and not null.
  private(set) var isPresent = false
  private var doubles: [Double] = []
  private(set) var indexes: [Int32] = []
  private var stringBytes: [UInt8] = []
  private var stringEnds: [UInt32] = []

  init(type: JSONColumnType) {
    self.type = type
  }

  /// The numbers; `nil` if all are missing or null.
  var numbers: [Double]? { isPresent ? doubles : nil }

  /// The strings as ids; `nil` if all are missing or null.
  var idColumn: IDColumn? { isPresent ? IDColumn(bytes: stringBytes, ends: stringEnds) : nil }

  /// Reserves room for the expected values. Reserved memory that is never written costs nothing. An
  /// array that grows by doubling is copied each time into new memory.
  mutating func reserve(_ expected: Int) {
    switch type {
    case .number, .numberOrAll: doubles.reserveCapacity(expected)
    case .index: indexes.reserveCapacity(expected)
    case .string: stringEnds.reserveCapacity(expected)
    case .values: break
    }
  }

  /// - Parameter isPresent: Whether any number is not missing and not null.
  mutating func append(numbers: UnsafeBufferPointer<Double>, isPresent: Bool) {
    if isPresent { becomePresent() }
    if self.isPresent { doubles += numbers }
    count += numbers.count
  }

  /// Appends another column of numbers.
  mutating func append(_ other: JSONColumn) {
    precondition(type == other.type && type.isNumeric, "columns of numbers")
    if other.isPresent {
      other.doubles.withUnsafeBufferPointer { append(numbers: $0, isPresent: true) }
    } else {
      if isPresent { doubles += repeatElement(.nan, count: other.count) }
      count += other.count
    }
  }

  mutating func append(indexes next: UnsafeBufferPointer<Int32>, isPresent: Bool) {
    if isPresent { becomePresent() }
    indexes += next
    count += next.count
  }

  mutating func append(_ strings: JSONStrings) {
    if !strings.bytes.isEmpty { becomePresent() }
    if isPresent {
      let offset = UInt32(stringBytes.count)
      stringBytes += strings.bytes
      if strings.bytes.isEmpty {
        stringEnds += repeatElement(offset, count: strings.count)
      } else {
        stringEnds += strings.ends.lazy.map { offset + $0 }
      }
    }
    count += strings.count
  }

  /// Stores the values before, which are all missing.
  private mutating func becomePresent() {
    guard !isPresent else { return }
    isPresent = true
    switch type {
    case .number, .numberOrAll: doubles += repeatElement(.nan, count: count)
    case .string: stringEnds += repeatElement(0, count: count)
    case .index, .values: break
    }
  }
}

/// The strings of a block of rows, one after another.
///
/// Without any string `ends` is empty: most rows have no ids, and a million entries for missing ids
/// would cost time.
///
/// An end fits in 32 bits, because no text is longer, and a string is not longer than its text.
struct JSONStrings {
  private(set) var count = 0
  var bytes: [UInt8] = []
  private(set) var ends: [UInt32] = []

  /// Ends the strings of some more rows. Only the first of these rows may have one.
  @inline(__always)
  mutating func endRows(_ rows: Int) {
    if !bytes.isEmpty {
      let end = UInt32(bytes.count)
      if ends.isEmpty { ends = Array(repeating: 0, count: count) }
      for _ in 0..<rows { ends.append(end) }
    }
    count += rows
  }
}
