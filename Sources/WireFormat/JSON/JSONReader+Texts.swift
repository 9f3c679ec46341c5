import CollectionLayout

extension JSONReader {
  /// Reads an object of texts or keys by their names. Null is none.
  mutating func readValues(
    _ kind: ValueKind, row: Int, field: Int, _ scratch: RowScratch, _ faults: inout JSONFaults
  ) throws(BodyError) {
    try advance(by: 1)
    var isFirst = true
    var spelled: [UInt8] = []
    while let name = try nextMemberName(isFirst: isFirst) {
      isFirst = false
      spelled.removeAll(keepingCapacity: true)
      try appendString(at: name, to: &spelled)
      let start = position
      let requirement: String
      if byte(cursor) == UInt8(ascii: "n") {
        try skipValue()
        continue
      }
      if let index = Self.index(of: spelled, kind, in: &scratch.texts) {
        if scratch.texts.hasPlace(index, of: row) {
          let text = try skipValueText()
          faults.add(
            JSONFault(
              row: scratch.firstRow + row, field: field, code: .duplicateField,
              name: Self.shortenedWord(spelled), text: text))
          continue
        }
        if try addValue(kind, index, of: row, to: &scratch.texts) { continue }
        requirement = self.requirement(of: kind)
        if let wrongElement { spelled += [0] + Array("\(wrongElement)".utf8) }
      } else {
        requirement = kind.nameRequirement
        try skipValue()
      }
      faults.add(
        JSONFault(
          row: scratch.firstRow + row, field: field, code: .wrongType,
          name: Self.shortenedWord(spelled), requirement: requirement, text: text(from: start)))
    }
  }

  /// Reads the data of a row.
  mutating func readData(
    row: Int, field: Int, _ scratch: RowScratch, _ faults: inout JSONFaults
  ) throws(BodyError) -> Bool {
    let start = position
    // There is only one name, which is never one too many.
    let column = scratch.texts.index(of: .data)!
    if try addValue(.data, column, of: row, to: &scratch.texts) { return true }
    faults.add(
      JSONFault(
        row: scratch.firstRow + row, field: field, code: .wrongType,
        requirement: requirement(of: .data), text: text(from: start)))
    return false
  }

  /// Reads a value that is not null.
  ///
  /// - Returns: False if it cannot be one of its kind. Then the item has none.
  mutating func addValue(
    _ kind: ValueKind, _ column: Int, of item: Int, to texts: inout ItemTextsBuilder
  ) throws(BodyError) -> Bool {
    var isRight = false
    let isShort = try texts.add(column, of: item) { (bytes) throws(BodyError) in
      let start = bytes.count
      isRight = try readValue(kind, appendingTo: &bytes)
      if !isRight { bytes.removeLast(bytes.count - start) }
    }
    return isShort && isRight
  }

  /// Reads a value that is not null, in the bytes in which it is stored.
  ///
  /// - Returns: False if it cannot be one of its kind; what was appended is of no use then.
  mutating func readValue(
    _ kind: ValueKind, takingList takesList: Bool = true, appendingTo bytes: inout [UInt8]
  ) throws(BodyError) -> Bool {
    wrongElement = nil
    if kind == .data { return try readData(appendingTo: &bytes) }
    let type = try nextType()
    if kind == .key, takesList, type == .array {
      var values: [[UInt8]] = []
      var wrong: Int?
      try openArray()
      while try nextElement() {
        var value: [UInt8] = []
        let isRight = try readValue(.key, takingList: false, appendingTo: &value)
        if !isRight, wrong == nil { wrong = values.count }
        // What is beyond the limit is counted, and not kept.
        values.append(values.count > ItemKey.maxValues ? [] : value)
      }
      wrongElement = values.count > ItemKey.maxValues ? nil : wrong
      bytes += values.count > ItemKey.maxValues ? [] : ItemKey.bytes(of: values)
      return wrong == nil && values.count <= ItemKey.maxValues
    }
    if type == .string {
      if kind == .key { bytes += ItemKey.stringPrefix }
      let start = bytes.count
      try readString(appendingTo: &bytes)
      return bytes.count - start <= (kind == .key ? ItemKey.maxBytes : TextColumn.maxBytes)
    }
    guard kind == .key, type == .number || type == .boolean else {
      try skipValue()
      return false
    }
    let number = type == .number ? try readNumber() : try readBoolean() ? 1 : 0
    guard let key = ItemKey.bytes(of: number) else { return false }
    bytes += key
    return true
  }

  /// Adds the fault of a value that was read last, or of an element of it.
  mutating func refuse(_ kind: ValueKind, from start: Int, _ others: String = "") {
    let requirement = requirement(of: kind) + others
    guard let wrongElement else { return refuse(from: start, requirement) }
    refuse(at: ["\(wrongElement)"], "must be a number, true, false or a string in a list")
  }

  /// The index of a name; `nil` if it cannot be one, or there are too many.
  private static func index(
    of name: [UInt8], _ kind: ValueKind, in texts: inout ItemTextsBuilder
  ) -> Int? {
    if let known = texts.knownIndex(of: name, kind) { return known }
    return ValueName(kind, String(decoding: name, as: UTF8.self)).flatMap { texts.index(of: $0) }
  }
}

extension ItemsDecoder {
  /// Reads an object of columns of texts or keys, by their names.
  mutating func decodeValueColumns(
    _ kind: ValueKind, _ reader: inout JSONReader, into texts: inout ItemTextsBuilder
  ) throws(BodyError) {
    try reader.readMembers { (name, reader) throws(BodyError) in
      guard let name = ValueName(kind, name) else {
        try reader.skipValue()
        return reader.refuse("must be \(kind.nameRequirement)")
      }
      try decodeColumn(name, "\(kind.field).\(name.name)", &reader, into: &texts)
    }
  }

  /// Reads a column of texts, keys or data.
  ///
  /// - Parameter column: What a fault calls it.
  mutating func decodeColumn(
    _ name: ValueName, _ column: String, _ reader: inout JSONReader,
    into texts: inout ItemTextsBuilder
  ) throws(BodyError) {
    guard let index = texts.index(of: name) else {
      try reader.skipValue()
      return reader.refuse("must be \(name.kind.nameRequirement)")
    }
    try readValues(of: column, &reader) { (item, reader) throws(BodyError) in
      let start = reader.position
      if try reader.readNullIfPresent() { return }
      if try reader.addValue(name.kind, index, of: item, to: &texts) { return }
      reader.refuse(name.kind, from: start)
    }
  }

  /// Reads the values of a column one by one; nothing if it is no array.
  ///
  /// - Parameters:
  ///   - name: What a fault calls the column.
  ///   - isCounted: Whether items count as stored, those of the first column.
  mutating func readValues(
    of name: String, _ reader: inout JSONReader, isCounted: Bool = false,
    _ read: (Int, inout JSONReader) throws(BodyError) -> Void
  ) throws(BodyError) {
    guard try reader.openList() else { return }
    var count = 0
    while try reader.nextInList() {
      if isCounted, lengths.isEmpty { try countStored(1) }
      guard count < maxItems else { throw BodyError.tooManyItems(limit: maxItems) }
      try read(count, &reader)
      count += 1
    }
    lengths.append((name, count))
  }

  /// Reads changes of an item's texts or keys. Null takes one away, or all.
  static func readChanges(
    _ kind: ValueKind, of item: Int, _ reader: inout JSONReader, into patch: inout ItemsPatch
  ) throws(BodyError) {
    if try reader.readNullIfPresent() { return patch.removeAll(kind, of: item) }
    try reader.readMembers { (name, reader) throws(BodyError) in
      try readChange(kind, ValueName(kind, name), of: item, &reader, into: &patch)
    }
  }

  /// Reads the change of a text, a key or data of an item. Null takes it away.
  ///
  /// - Parameter name: `nil` if it is none.
  static func readChange(
    _ kind: ValueKind, _ name: ValueName?, of item: Int, _ reader: inout JSONReader,
    into patch: inout ItemsPatch
  ) throws(BodyError) {
    let start = reader.position
    var bytes: [UInt8] = []
    if try !reader.readNullIfPresent(), try !reader.readValue(kind, appendingTo: &bytes) {
      return reader.refuse(kind, from: start, ", or null")
    }
    let names = patch.valueNames
    guard let name, names.contains(name) || names.union([name]).kindOfTooMany == nil else {
      return reader.refuse("must be \(kind.nameRequirement)")
    }
    patch.set(name, of: item, to: bytes)
  }
}
