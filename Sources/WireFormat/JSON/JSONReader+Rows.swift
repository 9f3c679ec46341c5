import CSimdJSON
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

/// A field that rows may have.
struct JSONField {
  let name: String
  let type: JSONColumnType
  private let quotedName: [UInt8]

  init(name: String, type: JSONColumnType) {
    self.name = name
    self.type = type
    quotedName = Array(name.utf8) + [UInt8(ascii: "\"")]
  }

  /// Whether a string that begins here, behind its quote, is the field's name unescaped.
  @inline(__always)
  func matches(_ start: UnsafePointer<UInt8>) -> Bool {
    quotedName.withUnsafeBufferPointer { name in
      for index in name.indices where start[index] != name[index] { return false }
      return true
    }
  }
}

/// A column of values of one type; which array holds them follows from the type.
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

  /// - Parameter numbers: As many as `count`, or none when none is present.
  init(numbers: [Double], count: Int, isPresent: Bool) {
    type = .number
    self.count = count
    doubles = numbers
    self.isPresent = isPresent
  }

  init(indexes: [Int32], isPresent: Bool) {
    type = .index
    count = indexes.count
    self.indexes = indexes
    self.isPresent = isPresent
  }

  init(stringBytes: [UInt8], ends: [UInt32]) {
    type = .string
    count = ends.count
    self.stringBytes = stringBytes
    stringEnds = ends
    isPresent = !stringBytes.isEmpty
  }

  /// The numbers; `nil` when none is present.
  var numbers: [Double]? { isPresent ? doubles : nil }

  /// The strings as names; `nil` when none is present.
  var idColumn: IDColumn? { isPresent ? IDColumn(bytes: stringBytes, ends: stringEnds) : nil }

  mutating func append(_ next: JSONColumn) {
    count += next.count
    isPresent = isPresent || next.isPresent
    doubles += next.doubles
    indexes += next.indexes
    let offset = UInt32(stringBytes.count)
    stringBytes += next.stringBytes
    stringEnds += next.stringEnds.lazy.map { $0 + offset }
  }
}

/// A few thousand rows as columns, one for each field.
struct JSONRowBlock {
  let rowCount: Int
  let columns: [JSONColumn]
}

/// A value in a row or column that cannot be used.
struct JSONFault: Equatable {
  enum Code { case wrongType, outOfRange, unknownField, duplicateField }

  /// The index in the array.
  let row: Int
  /// The index of the field; `nil` for the row itself or an unknown field.
  let field: Int?
  let code: Code
  /// The name of an unknown field.
  var name = ""
  /// The value's own text.
  let text: String

  func detail(requirement: String) -> String {
    code == .duplicateField ? "must be given once only" : "must be \(requirement), was \(text)"
  }
}

/// The first faults of a list.
struct JSONFaults {
  let capacity: Int
  private(set) var items: [JSONFault] = []

  init(capacity: Int) {
    self.capacity = capacity
  }

  mutating func add(_ fault: @autoclosure () -> JSONFault) {
    if items.count < capacity { items.append(fault()) }
  }
}

/// Memory for the columns of a block of rows, reused from block to block.
///
/// Bare memory, because an array in an array costs two checks of uniqueness and two of bounds for
/// every number that is stored: half of the time of reading a row.
final class RowScratch {
  private static let maxFields = 8

  private let rows: Int
  private let doubles: UnsafeMutablePointer<Double>
  private let integers: UnsafeMutablePointer<Int32>
  /// How many rows of the array that is being read came before this block.
  fileprivate var firstRow = 0
  /// Whether the block before was the array's last, and closed it.
  private var isAtEnd = false
  /// The fields of the row before, in the order in which it had them.
  fileprivate var pattern: [Int] = []

  init(rows: Int) {
    self.rows = rows
    doubles = .allocate(capacity: Self.maxFields * rows)
    integers = .allocate(capacity: Self.maxFields * rows)
  }

  deinit {
    doubles.deallocate()
    integers.deallocate()
  }

  fileprivate func numbers(_ field: Int) -> UnsafeMutablePointer<Double> {
    precondition(field < Self.maxFields, "field \(field) of \(Self.maxFields)")
    return doubles + field * rows
  }

  fileprivate func indexes(_ field: Int) -> UnsafeMutablePointer<Int32> {
    precondition(field < Self.maxFields, "field \(field) of \(Self.maxFields)")
    return integers + field * rows
  }

  /// Marks a field as missing in some rows; nothing is read from a place that was not written.
  fileprivate func clear(_ field: Int, _ type: JSONColumnType, rows: Range<Int>) {
    switch type {
    case .number:
      (numbers(field) + rows.lowerBound).initialize(repeating: .nan, count: rows.count)
    case .index: (indexes(field) + rows.lowerBound).initialize(repeating: -1, count: rows.count)
    case .string: break
    }
  }

  fileprivate func copyNumbers(_ field: Int, count: Int) -> [Double] {
    Array(UnsafeBufferPointer(start: numbers(field), count: count))
  }

  fileprivate func copyIndexes(_ field: Int, count: Int) -> [Int32] {
    Array(UnsafeBufferPointer(start: indexes(field), count: count))
  }

  /// Whether an array has been closed, once; the next block is that of another.
  fileprivate func takeEnd() -> Bool {
    if isAtEnd { firstRow = 0 }
    defer { isAtEnd = false }
    return isAtEnd
  }

  /// Notes that the array is closed.
  fileprivate func end(afterRows count: Int) {
    isAtEnd = count > 0
    if count == 0 { firstRow = 0 }
  }
}

extension JSONReader {
  /// Reads the next rows of the array that was opened last; `nil` at its end, which closes it.
  ///
  /// A hot path: a row costs little more than finding its tokens and converting its numbers. A row
  /// with a fault is read as if the faulty field were missing.
  ///
  /// - Parameter fields: The same for every block of an array; at most 8.
  mutating func readRows(
    fields: [JSONField], faults: inout JSONFaults
  ) throws -> JSONRowBlock? {
    if scratch.takeEnd() { return nil }
    let scratch = scratch
    var strings = fields.map { _ in (bytes: [UInt8](), ends: [UInt32]()) }
    let hasStrings = fields.contains { $0.type == .string }
    var present = UInt8(0)
    var row = 0
    scratch.pattern = []
    while row < blockRows {
      let fast = readPlainRows(from: row, fields: fields, scratch)
      if fast > 0 {
        if hasStrings { try endRows(fast, fields, &strings) }
        row += fast
        continue
      }
      guard try nextElement() else {
        scratch.end(afterRows: row)
        break
      }
      present |= try readRow(row, fields, scratch, &strings, &faults)
      if hasStrings { try endRows(1, fields, &strings) }
      row += 1
    }
    guard row > 0 else { return nil }
    scratch.firstRow += row
    return JSONRowBlock(
      rowCount: row,
      columns: fields.indices.map { field in
        let isPresent = present & 1 << UInt8(field) != 0
        switch fields[field].type {
        case .number:
          return JSONColumn(
            numbers: isPresent ? scratch.copyNumbers(field, count: row) : [],
            count: row, isPresent: isPresent)
        case .index:
          return JSONColumn(indexes: scratch.copyIndexes(field, count: row), isPresent: isPresent)
        case .string:
          return JSONColumn(stringBytes: strings[field].bytes, ends: strings[field].ends)
        }
      })
  }

  /// Reads rows as long as they are like the one before, and plain: the same fields in the same
  /// order, numbers all of them. Whatever is different is left to ``readRow(_:_:_:_:_:)``.
  ///
  /// - Returns: How many rows were read.
  private mutating func readPlainRows(
    from first: Int, fields: [JSONField], _ scratch: RowScratch
  ) -> Int {
    let pattern = scratch.pattern
    guard let last = pattern.last, first > 0 else { return 0 }
    let tokensPerRow = 4 * pattern.count + 2
    var row = first
    rows: while row < blockRows, cursor + tokensPerRow < tokenCount,
      byte(cursor) == UInt8(ascii: ","), byte(cursor + 1) == UInt8(ascii: "{")
    {
      var token = cursor + 2
      for field in pattern {
        guard byte(token) == UInt8(ascii: "\""), byte(token + 1) == UInt8(ascii: ":"),
          fields[field].matches(text + Int(tokens[token]) + 1)
        else { break rows }
        switch fields[field].type {
        case .number:
          guard let value = plainNumber(at: token + 2) else { break rows }
          scratch.numbers(field)[row] = value
        case .index:
          guard let value = plainInteger(at: token + 2), let index = Int32(exactly: value) else {
            break rows
          }
          scratch.indexes(field)[row] = index
        case .string: break rows
        }
        let end: UInt8 = field == last ? UInt8(ascii: "}") : UInt8(ascii: ",")
        guard byte(token + 3) == end else { break rows }
        token += 4
      }
      cursor = token
      row += 1
    }
    for field in fields.indices where !pattern.contains(field) {
      scratch.clear(field, fields[field].type, rows: first..<row)
    }
    return row - first
  }

  /// A finite number of a length that simdjson reads right; `nil` for anything else.
  @inline(__always)
  private func plainNumber(at token: Int) -> Double? {
    if let integer = plainInteger(at: token) { return Double(integer) }
    var value = 0.0
    guard end(token) - offset(token) <= Self.plainNumberLength,
      csimdjson_number(text + offset(token), &value)
    else { return nil }
    return value
  }

  /// A natural number of at most nine digits; `nil` for anything else.
  @inline(__always)
  private func plainInteger(at token: Int) -> Int? {
    let start = text + offset(token)
    var value = 0
    var count = 0
    while count < 10 {
      let digit = start[count] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ Int(digit)
      count += 1
    }
    let isPlain = count > 0 && count < 10 && (count == 1 || start[0] != UInt8(ascii: "0"))
    return isPlain && JSONGrammar.endsScalar(start[count]) ? value : nil
  }

  /// Reads one row, whatever it is; the fields that it has, as bits.
  private mutating func readRow(
    _ row: Int, _ fields: [JSONField], _ scratch: RowScratch,
    _ strings: inout [(bytes: [UInt8], ends: [UInt32])], _ faults: inout JSONFaults
  ) throws -> UInt8 {
    scratch.pattern.removeAll(keepingCapacity: true)
    for field in fields.indices { scratch.clear(field, fields[field].type, rows: row..<row + 1) }
    guard byte(cursor) == UInt8(ascii: "{") else {
      let text = valueText()
      _ = try nextType()
      try skipValue()
      faults.add(JSONFault(row: scratch.firstRow + row, field: nil, code: .wrongType, text: text))
      return 0
    }
    cursor += 1
    var present = UInt8(0)
    var named = UInt8(0)
    var expected = 0
    var isFirst = true
    while true {
      if byte(cursor) == UInt8(ascii: "}") {
        cursor += 1
        return present
      }
      if !isFirst {
        guard byte(cursor) == UInt8(ascii: ",") else { throw syntaxError(at: cursor) }
        cursor += 1
      }
      isFirst = false
      guard byte(cursor) == UInt8(ascii: "\"") else { throw syntaxError(at: cursor) }
      guard byte(cursor + 1) == UInt8(ascii: ":") else { throw syntaxError(at: cursor + 1) }
      let name = cursor
      cursor += 2
      guard let field = try field(named: name, expected: expected, in: fields) else {
        try addUnknownField(named: name, row: scratch.firstRow + row, &faults)
        continue
      }
      expected = field + 1
      let bit = UInt8(1) << UInt8(field)
      if named & bit != 0 {
        let text = valueText()
        try skipValue()
        faults.add(
          JSONFault(
            row: scratch.firstRow + row, field: field, code: .duplicateField, text: text))
        continue
      }
      named |= bit
      if try readCell(
        row: row, field: field, type: fields[field].type, scratch, &strings[field].bytes, &faults)
      {
        present |= bit
        scratch.pattern.append(field)
      }
    }
  }

  /// Closes the strings of rows.
  private func endRows(
    _ count: Int, _ fields: [JSONField], _ strings: inout [(bytes: [UInt8], ends: [UInt32])]
  ) throws(JSONError) {
    for field in fields.indices where fields[field].type == .string {
      guard let end = UInt32(exactly: strings[field].bytes.count) else { throw .tooLarge }
      for _ in 0..<count { strings[field].ends.append(end) }
    }
  }

  /// The field that a name token spells; rows mostly keep to one order, so `expected` is tried first.
  @inline(__always)
  private func field(
    named token: Int, expected: Int, in fields: [JSONField]
  ) throws(JSONError) -> Int? {
    let start = text + offset(token) + 1
    if expected < fields.count, fields[expected].matches(start) { return expected }
    if let index = fields.firstIndex(where: { $0.matches(start) }) { return index }
    var name: [UInt8] = []
    try appendString(at: token, to: &name)
    return fields.firstIndex { $0.name.utf8.elementsEqual(name) }
  }

  private mutating func addUnknownField(
    named token: Int, row: Int, _ faults: inout JSONFaults
  ) throws {
    var name: [UInt8] = []
    try appendString(at: token, to: &name)
    let text = valueText()
    try skipValue()
    faults.add(
      JSONFault(
        row: row, field: nil, code: .unknownField, name: String(decoding: name, as: UTF8.self),
        text: text))
  }

  /// Reads a value into its place; whether there is one now.
  @inline(__always)
  private mutating func readCell(
    row: Int, field: Int, type: JSONColumnType, _ scratch: RowScratch,
    _ stringBytes: inout [UInt8], _ faults: inout JSONFaults
  ) throws -> Bool {
    switch (type, byte(cursor)) {
    case (.number, UInt8(ascii: "0")...UInt8(ascii: "9")), (.number, UInt8(ascii: "-")):
      let value = try number(at: cursor)
      guard value.isFinite else { break }
      cursor += 1
      scratch.numbers(field)[row] = value
      return true
    case (.index, UInt8(ascii: "0")...UInt8(ascii: "9")):
      let value = try number(at: cursor)
      guard let index = Int32(exactly: value) else { break }
      cursor += 1
      scratch.indexes(field)[row] = index
      return true
    case (.string, UInt8(ascii: "\"")):
      let start = stringBytes.count
      try appendString(at: cursor, to: &stringBytes)
      guard IDColumn.lengths.contains(stringBytes.count - start) else {
        stringBytes.removeLast(stringBytes.count - start)
        break
      }
      cursor += 1
      return true
    case (_, UInt8(ascii: "n")):
      try skipValue()
      return false
    default: break
    }
    let fault = JSONFault(
      row: scratch.firstRow + row, field: field, code: .wrongType, text: valueText())
    try skipValue()
    faults.add(fault)
    return false
  }

  /// Reads the next elements of the array that was opened last into one column; `nil` at its end.
  ///
  /// As ``readRows(fields:faults:)``, for an array whose elements are the values themselves.
  mutating func readColumn(
    type: JSONColumnType, faults: inout JSONFaults
  ) throws -> JSONColumn? {
    if scratch.takeEnd() { return nil }
    let scratch = scratch
    var strings: (bytes: [UInt8], ends: [UInt32]) = ([], [])
    var isPresent = false
    var row = 0
    while row < blockRows {
      if row > 0 {
        let fast = readPlainValues(of: type, from: row, scratch)
        row += fast
        if fast > 0 {
          isPresent = true
          continue
        }
      }
      guard try nextElement() else {
        scratch.end(afterRows: row)
        break
      }
      scratch.clear(0, type, rows: row..<row + 1)
      let isThere = try readCell(
        row: row, field: 0, type: type, scratch, &strings.bytes, &faults)
      if isThere { isPresent = true }
      if type == .string {
        guard let end = UInt32(exactly: strings.bytes.count) else { throw JSONError.tooLarge }
        strings.ends.append(end)
      }
      row += 1
    }
    guard row > 0 else { return nil }
    scratch.firstRow += row
    switch type {
    case .number:
      return JSONColumn(
        numbers: scratch.copyNumbers(0, count: row), count: row, isPresent: isPresent)
    case .index:
      return JSONColumn(indexes: scratch.copyIndexes(0, count: row), isPresent: isPresent)
    case .string: return JSONColumn(stringBytes: strings.bytes, ends: strings.ends)
    }
  }

  /// Reads values as long as they are plain numbers; how many.
  private mutating func readPlainValues(
    of type: JSONColumnType, from first: Int, _ scratch: RowScratch
  ) -> Int {
    var row = first
    switch type {
    case .number:
      let numbers = scratch.numbers(0)
      while row < blockRows, cursor + 1 < tokenCount, byte(cursor) == UInt8(ascii: ","),
        let value = plainNumber(at: cursor + 1)
      {
        numbers[row] = value
        row += 1
        cursor += 2
      }
    case .index:
      let indexes = scratch.indexes(0)
      while row < blockRows, cursor + 1 < tokenCount, byte(cursor) == UInt8(ascii: ","),
        let value = plainInteger(at: cursor + 1), let index = Int32(exactly: value)
      {
        indexes[row] = index
        row += 1
        cursor += 2
      }
    case .string: break
    }
    return row - first
  }
}
