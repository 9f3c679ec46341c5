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

  init(numbers: [Double], isPresent: Bool) {
    type = .number
    count = numbers.count
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

/// Memory for a block of rows, reused from block to block.
struct RowScratch {
  fileprivate var numbers: [[Double]] = []
  fileprivate var indexes: [[Int32]] = []
  /// How many rows of the array that is being read came before this block.
  fileprivate var firstRow = 0
  /// Whether the block before was the array's last, and closed it.
  fileprivate var isAtEnd = false

  /// Whether an array has been closed, once; the next block is that of another.
  fileprivate mutating func takeEnd() -> Bool {
    if isAtEnd { firstRow = 0 }
    defer { isAtEnd = false }
    return isAtEnd
  }

  fileprivate mutating func prepare(fields: Int, rows: Int) {
    while numbers.count < fields {
      numbers.append(Array(repeating: .nan, count: rows))
      indexes.append(Array(repeating: -1, count: rows))
    }
  }
}

extension JSONReader {
  /// Reads the next rows of the array that was opened last; `nil` at its end, which closes it.
  ///
  /// A hot path: a row costs little more than finding its tokens and converting its numbers. A row
  /// with a fault is read as if the faulty field were missing.
  ///
  /// - Parameters:
  ///   - fields: The same for every block of an array; at most 8.
  ///   - max: The most rows to read; the same for all arrays of a text.
  mutating func readRows(
    fields: [JSONField], max: Int, faults: inout JSONFaults
  ) throws -> JSONRowBlock? {
    if scratch.takeEnd() { return nil }
    scratch.prepare(fields: fields.count, rows: max)
    var scratch = RowScratch()
    swap(&scratch, &self.scratch)
    defer { swap(&scratch, &self.scratch) }
    var strings = fields.map { _ in (bytes: [UInt8](), ends: [UInt32]()) }
    var present = UInt8(0)
    var row = 0
    while row < max {
      guard try nextElement() else {
        scratch.isAtEnd = row > 0
        break
      }
      guard byte(cursor) == UInt8(ascii: "{") else {
        let text = valueText()
        _ = try nextType()
        try skipValue()
        faults.add(
          JSONFault(row: scratch.firstRow + row, field: nil, code: .wrongType, text: text))
        try endRow(row, seen: 0, fields, &scratch, &strings)
        row += 1
        continue
      }
      cursor += 1
      var seen = UInt8(0)
      var named = UInt8(0)
      var expected = 0
      var isFirst = true
      while true {
        if byte(cursor) == UInt8(ascii: "}") {
          cursor += 1
          break
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
          row: row, field: field, type: fields[field].type, &scratch, &strings[field].bytes,
          &faults)
        {
          present |= bit
          seen |= bit
        }
      }
      try endRow(row, seen: seen, fields, &scratch, &strings)
      row += 1
    }
    guard row > 0 else {
      scratch.firstRow = 0
      return nil
    }
    scratch.firstRow += row
    return JSONRowBlock(
      rowCount: row,
      columns: fields.indices.map { field in
        let isPresent = present & 1 << UInt8(field) != 0
        switch fields[field].type {
        case .number:
          return JSONColumn(
            numbers: isPresent ? Array(scratch.numbers[field][..<row]) : [], isPresent: isPresent)
        case .index:
          return JSONColumn(indexes: Array(scratch.indexes[field][..<row]), isPresent: isPresent)
        case .string:
          return JSONColumn(stringBytes: strings[field].bytes, ends: strings[field].ends)
        }
      })
  }

  /// Marks what a row does not have.
  @inline(__always)
  private func endRow(
    _ row: Int, seen: UInt8, _ fields: [JSONField], _ scratch: inout RowScratch,
    _ strings: inout [(bytes: [UInt8], ends: [UInt32])]
  ) throws(JSONError) {
    for field in fields.indices {
      let isMissing = seen & 1 << UInt8(field) == 0
      switch fields[field].type {
      case .number: if isMissing { scratch.numbers[field][row] = .nan }
      case .index: if isMissing { scratch.indexes[field][row] = -1 }
      case .string:
        guard let end = UInt32(exactly: strings[field].bytes.count) else { throw .tooLarge }
        strings[field].ends.append(end)
      }
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
    row: Int, field: Int, type: JSONColumnType, _ scratch: inout RowScratch,
    _ stringBytes: inout [UInt8], _ faults: inout JSONFaults
  ) throws -> Bool {
    switch (type, byte(cursor)) {
    case (.number, UInt8(ascii: "0")...UInt8(ascii: "9")), (.number, UInt8(ascii: "-")):
      let value = try number(at: cursor)
      guard value.isFinite else { break }
      cursor += 1
      scratch.numbers[field][row] = value
      return true
    case (.index, UInt8(ascii: "0")...UInt8(ascii: "9")):
      let value = try number(at: cursor)
      guard let index = Int32(exactly: value) else { break }
      cursor += 1
      scratch.indexes[field][row] = index
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
  /// As ``readRows(fields:max:faults:)``, for an array whose elements are the values themselves.
  mutating func readColumn(
    type: JSONColumnType, max: Int, faults: inout JSONFaults
  ) throws -> JSONColumn? {
    if scratch.takeEnd() { return nil }
    scratch.prepare(fields: 1, rows: max)
    var scratch = RowScratch()
    swap(&scratch, &self.scratch)
    defer { swap(&scratch, &self.scratch) }
    var strings: (bytes: [UInt8], ends: [UInt32]) = ([], [])
    var isPresent = false
    var row = 0
    while row < max {
      guard try nextElement() else {
        scratch.isAtEnd = row > 0
        break
      }
      let isThere = try readCell(
        row: row, field: 0, type: type, &scratch, &strings.bytes, &faults)
      if isThere { isPresent = true }
      switch type {
      case .number: if !isThere { scratch.numbers[0][row] = .nan }
      case .index: if !isThere { scratch.indexes[0][row] = -1 }
      case .string:
        guard let end = UInt32(exactly: strings.bytes.count) else { throw JSONError.tooLarge }
        strings.ends.append(end)
      }
      row += 1
    }
    guard row > 0 else {
      scratch.firstRow = 0
      return nil
    }
    scratch.firstRow += row
    switch type {
    case .number:
      return JSONColumn(numbers: Array(scratch.numbers[0][..<row]), isPresent: isPresent)
    case .index:
      return JSONColumn(indexes: Array(scratch.indexes[0][..<row]), isPresent: isPresent)
    case .string: return JSONColumn(stringBytes: strings.bytes, ends: strings.ends)
    }
  }
}
