import CollectionLayout

/// What a column holds.
enum JSONColumnType {
  /// Doubles; NaN where missing or null.
  case number
  /// Strings of ``IDColumn/lengths`` bytes; empty where missing or null.
  case string
  /// Indices from 0 to 2³¹ − 1; −1 where missing or null.
  case index
}

/// A column of values of one type; which array holds them follows from the type.
///
/// Until a value is neither missing nor null, a column of numbers or strings holds none at all.
struct JSONColumn {
  let type: JSONColumnType
  private(set) var count = 0
  /// Whether any value is neither missing nor null.
  private(set) var isPresent = false
  private var doubles: [Double] = []
  private(set) var indexes: [Int32] = []
  private var stringBytes: [UInt8] = []
  private var stringEnds: [UInt32] = []

  init(type: JSONColumnType) {
    self.type = type
  }

  /// The numbers; `nil` when none is present.
  var numbers: [Double]? { isPresent ? doubles : nil }

  /// The strings as names; `nil` when none is present.
  var idColumn: IDColumn? { isPresent ? IDColumn(bytes: stringBytes, ends: stringEnds) : nil }

  /// Makes room for what is expected to come; memory that is never written costs nothing, and an
  /// array that grows by doubling instead is copied as often, into memory that is new each time.
  mutating func reserve(_ expected: Int) {
    switch type {
    case .number: doubles.reserveCapacity(expected)
    case .index: indexes.reserveCapacity(expected)
    case .string: stringEnds.reserveCapacity(expected)
    }
  }

  /// - Parameter isPresent: Whether any of the numbers is neither missing nor null.
  mutating func append(numbers: UnsafeBufferPointer<Double>, isPresent: Bool) {
    if isPresent { becomePresent() }
    if self.isPresent { doubles += numbers }
    count += numbers.count
  }

  /// Appends another column of numbers.
  mutating func append(_ other: JSONColumn) {
    precondition(type == .number && other.type == .number, "columns of numbers")
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

  /// Appends a list of numbers to a column that has some; false when it is something else, and
  /// nothing is appended.
  mutating func append(_ list: PlainList) -> Bool {
    let isAppended =
      switch type {
      case .number: isPresent && doubles.append(list)
      case .index: indexes.append(list)
      case .string: false
      }
    if isAppended { count += list.count }
    return isAppended
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

  /// Makes up for the values before, none of which was there.
  private mutating func becomePresent() {
    guard !isPresent else { return }
    isPresent = true
    switch type {
    case .number: doubles += repeatElement(.nan, count: count)
    case .string: stringEnds += repeatElement(0, count: count)
    case .index: break
    }
  }
}

/// The strings of a block of rows, one after another.
///
/// Where none has been read there are no `ends`: most rows have no names, and writing a million
/// times that there is none took 5 % of reading them.
///
/// An end fits in 32 bits: no text is longer, and a string has no more bytes than its text.
struct JSONStrings {
  private(set) var count = 0
  var bytes: [UInt8] = []
  private(set) var ends: [UInt32] = []

  /// Ends the strings of some more rows; those but the first have none.
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

extension Array where Element: PlainValue {
  fileprivate mutating func append(_ list: PlainList) -> Bool {
    let before = count
    append(addingCapacity: list.count) { output in
      output.withUnsafeMutableBufferPointer { buffer, count in
        if let base = buffer.baseAddress, list.read(into: base + count) { count += list.count }
      }
    }
    return count > before
  }
}
