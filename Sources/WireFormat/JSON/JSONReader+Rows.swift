import CollectionLayout

/// A field that rows may have.
struct JSONField {
  let name: String
  let type: JSONColumnType
  let spelling: Spelling

  /// A name and its closing quote in one vector. So they are compared with a text at once.
  struct Spelling {
    private static let maxBytes = 16

    private var bytes = SIMD2<UInt64>.zero
    private var mask = SIMD2<UInt64>.zero

    init(_ name: String) {
      let quoted = Array(name.utf8) + [UInt8(ascii: "\"")]
      precondition(quoted.count <= Self.maxBytes, "the name of a field is too long: \(name)")
      withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: quoted) }
      withUnsafeMutableBytes(of: &mask) { mask in
        for index in quoted.indices { mask[index] = 0xFF }
      }
    }

    /// Whether a string is this name, not escaped. `start` is behind its opening quote.
    @inline(__always)
    func matches(_ start: UnsafePointer<UInt8>) -> Bool {
      let text = UnsafeRawPointer(start).loadUnaligned(as: SIMD2<UInt64>.self)
      return (text ^ bytes) & mask == .zero
    }
  }

  init(name: String, type: JSONColumnType) {
    self.name = name
    self.type = type
    spelling = Spelling(name)
  }
}

/// Up to a few thousand rows as columns, one for each field.
struct JSONRowBlock {
  let rowCount: Int
  let columns: [JSONColumn]
  /// The texts and data of the fields that have them.
  let texts: ItemTexts?
}

extension JSONReader {
  /// Reads the next rows of the array that was opened last; `nil` at its end, which closes it.
  ///
  /// This is a hot path: a row costs little more than finding its tokens and converting its
  /// numbers. If a field of a row is wrong, it is treated as missing, and a fault is added.
  ///
  /// - Parameter fields: At most 16 fields, the same for all blocks of an array.
  mutating func readRows(
    fields: [JSONField], faults: inout JSONFaults
  ) throws(BodyError) -> JSONRowBlock? {
    if scratch.takeEnd() { return nil }
    let scratch = scratch
    // Those of the last field of strings, and of another one before it.
    var (strings, others) = (JSONStrings(), JSONStrings())
    let last = fields.lastIndex { $0.type == .string }
    precondition(fields.count { $0.type == .string } <= 2, "rows have two fields of strings")
    /// The fields that a row has, as bits.
    var present = UInt16(0)
    var row = 0
    scratch.begin()
    while row < blockRows {
      let plain = try readPlainRows(from: row, fields: fields, scratch)
      if plain > 0 {
        strings.endRows(plain)
        others.endRows(plain)
        row += plain
        continue
      }
      guard try nextElement() else {
        scratch.end(afterRows: row)
        break
      }
      scratch.clear(fields, upTo: row + 1)
      present |= try readRow(
        row, fields, scratch, &strings.bytes, &others.bytes, last, &faults)
      strings.endRows(1)
      others.endRows(1)
      row += 1
    }
    guard row > 0 else { return nil }
    scratch.firstRow += row
    var columns = fields.map { JSONColumn(type: $0.type) }
    for field in fields.indices {
      let isPresent = present & 1 << UInt16(field) != 0
      switch fields[field].type {
      case .number, .numberOrAll:
        columns[field].append(numbers: scratch.numbers(field, count: row), isPresent: isPresent)
      case .index:
        columns[field].append(indexes: scratch.indexes(field, count: row), isPresent: isPresent)
      case .string: columns[field].append(field == last ? strings : others)
      case .values: break
      }
    }
    return JSONRowBlock(
      rowCount: row, columns: columns, texts: scratch.texts.texts(count: row))
  }

  /// Reads rows while they are like the row before and plain: the same fields in the same order,
  /// and only numbers. ``readRow(_:_:_:_:_:)`` reads all other rows.
  ///
  /// - Returns: How many rows were read.
  private mutating func readPlainRows(
    from first: Int, fields: [JSONField], _ scratch: RowScratch
  ) throws(BodyError) -> Int {
    let pattern = scratch.pattern
    guard !pattern.isEmpty else { return 0 }
    // Each row has a comma and a brace. Each field has a name, a colon, a value and the token
    // behind it.
    let tokensPerRow = 4 * pattern.count + 2
    var row = first
    // All tokens of these rows exist, and one more, so no bounds are checked inside.
    let end = min(blockRows, first + (tokenCount - cursor - 1) / tokensPerRow)
    scratch.clear(fields, upTo: end)
    let window = window
    var rowStart = tokens + cursor
    rows: while row < end {
      var token = rowStart
      guard window[Int(token[0])] == UInt8(ascii: ","), window[Int(token[1])] == UInt8(ascii: "{")
      else { break }
      token += 2
      for index in 0..<pattern.count {
        let field = pattern[index]
        let name = window + Int(token[0])
        guard name[0] == UInt8(ascii: "\""), field.name.matches(name + 1),
          window[Int(token[1])] == UInt8(ascii: ":")
        else { break rows }
        switch field.type {
        case .number, .numberOrAll:
          guard let value = Double.plain(window + Int(token[2]), length: token[3] - token[2])
          else { break rows }
          field.numbers[row] = value
        case .index:
          guard let value = Int32.plain(window + Int(token[2]), length: token[3] - token[2])
          else { break rows }
          field.indexes[row] = value
        case .string, .values: break rows
        }
        let last = index == pattern.count - 1 ? UInt8(ascii: "}") : UInt8(ascii: ",")
        guard window[Int(token[3])] == last else { break rows }
        token += 4
      }
      rowStart = token
      row += 1
    }
    try advance(by: (row - first) * tokensPerRow)
    return row - first
  }

  /// Reads any row.
  ///
  /// - Returns: The fields that it has, as bits.
  private mutating func readRow(
    _ row: Int, _ fields: [JSONField], _ scratch: RowScratch, _ stringBytes: inout [UInt8],
    _ otherBytes: inout [UInt8], _ last: Int?,
    _ faults: inout JSONFaults
  ) throws(BodyError) -> UInt16 {
    scratch.forgetPattern()
    guard byte(cursor) == UInt8(ascii: "{") else {
      let text = try skipValueText()
      faults.add(JSONFault(row: scratch.firstRow + row, field: nil, code: .wrongType, text: text))
      return 0
    }
    try advance(by: 1)
    var (present, named) = (UInt16(0), UInt16(0))
    var expected = 0
    var isFirst = true
    while let name = try nextMemberName(isFirst: isFirst) {
      isFirst = false
      guard let field = try field(named: name, expected: expected, in: fields) else {
        try addUnknownField(named: name, row: scratch.firstRow + row, &faults)
        continue
      }
      expected = field + 1
      let bit = UInt16(1) << UInt16(field)
      if named & bit != 0 {
        let text = try skipValueText()
        faults.add(
          JSONFault(
            row: scratch.firstRow + row, field: field, code: .duplicateField, text: text))
        continue
      }
      named |= bit
      let type = fields[field].type
      let isThere =
        try type == .string && field != last
        ? readCell(row: row, field: field, type: type, scratch, &otherBytes, &faults)
        : readCell(row: row, field: field, type: type, scratch, &stringBytes, &faults)
      if isThere {
        present |= bit
        scratch.addToPattern(field, fields[field])
      }
    }
    return present
  }

  /// The field with the name at an offset. Most rows have the fields in one order, so `expected` is
  /// tried first.
  @inline(__always)
  private func field(
    named name: Int, expected: Int, in fields: [JSONField]
  ) throws(BodyError) -> Int? {
    let start = text + name + 1
    if expected < fields.count, fields[expected].spelling.matches(start) { return expected }
    if let index = fields.firstIndex(where: { $0.spelling.matches(start) }) { return index }
    var spelled: [UInt8] = []
    try appendString(at: name, to: &spelled)
    return fields.firstIndex { $0.name.utf8.elementsEqual(spelled) }
  }

  private mutating func addUnknownField(
    named name: Int, row: Int, _ faults: inout JSONFaults
  ) throws(BodyError) {
    var spelled: [UInt8] = []
    try appendString(at: name, to: &spelled)
    let text = try skipValueText()
    faults.add(
      JSONFault(
        row: row, field: nil, code: .unknownField, name: Self.shortenedWord(spelled), text: text))
  }

  /// Reads a value and stores it in its place.
  ///
  /// - Returns: Whether there is a value now.
  @inline(__always)
  mutating func readCell(
    row: Int, field: Int, type: JSONColumnType, _ scratch: RowScratch,
    _ stringBytes: inout [UInt8], _ faults: inout JSONFaults
  ) throws(BodyError) -> Bool {
    switch (type, byte(cursor)) {
    case (.number, UInt8(ascii: "0")...UInt8(ascii: "9")), (.number, UInt8(ascii: "-")),
      (.numberOrAll, UInt8(ascii: "0")...UInt8(ascii: "9")), (.numberOrAll, UInt8(ascii: "-")):
      let value = try number(at: cursor)
      guard value.isFinite else { break }
      try advance(by: 1)
      scratch.numbers(field)[row] = value
      return true
    case (.index, UInt8(ascii: "0")...UInt8(ascii: "9")):
      let value = try number(at: cursor)
      guard let index = Int32(exactly: value) else { break }
      try advance(by: 1)
      scratch.indexes(field)[row] = index
      return true
    case (.numberOrAll, UInt8(ascii: "\"")):
      var word: [UInt8] = []
      try appendString(at: offset(cursor), to: &word)
      guard word.elementsEqual(ItemField.wordForAll.utf8) else { break }
      try advance(by: 1)
      scratch.numbers(field)[row] = .infinity
      return true
    case (.string, UInt8(ascii: "\"")):
      let start = stringBytes.count
      try appendString(at: offset(cursor), to: &stringBytes)
      guard IDColumn.lengths.contains(stringBytes.count - start) else {
        stringBytes.removeLast(stringBytes.count - start)
        break
      }
      try advance(by: 1)
      return true
    case (_, UInt8(ascii: "n")):
      try skipValue()
      return false
    case (.values(.data), _):
      return try readData(row: row, field: field, scratch, &faults)
    case (.values(let kind), UInt8(ascii: "{")):
      try readValues(kind, row: row, field: field, scratch, &faults)
      return true
    default: break
    }
    let text = try skipValueText()
    faults.add(
      JSONFault(row: scratch.firstRow + row, field: field, code: .wrongType, text: text))
    return false
  }
}
