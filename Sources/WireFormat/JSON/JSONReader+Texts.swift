import CollectionLayout

extension JSONReader {
  /// Reads an object of texts by their names. Null is no text.
  mutating func readTexts(
    row: Int, field: Int, _ scratch: RowScratch, _ faults: inout JSONFaults
  ) throws(BodyError) {
    try advance(by: 1)
    var isFirst = true
    var spelled: [UInt8] = []
    while let name = try nextMemberName(isFirst: isFirst) {
      isFirst = false
      spelled.removeAll(keepingCapacity: true)
      try appendString(at: name, to: &spelled)
      let requirement: String
      if byte(cursor) == UInt8(ascii: "n") {
        try skipValue()
        continue
      }
      if let index = Self.index(of: spelled, in: &scratch.texts) {
        if scratch.texts.hasPlace(index, of: row) {
          let text = try skipValueText()
          faults.add(
            JSONFault(
              row: scratch.firstRow + row, field: field, code: .duplicateField,
              name: Self.shortenedWord(spelled), text: text))
          continue
        }
        if byte(cursor) == UInt8(ascii: "\"") {
          let place = offset(cursor)
          let isShort = try scratch.texts.add(index, of: row) { (bytes) throws(BodyError) in
            try appendString(at: place, to: &bytes)
          }
          if isShort {
            try advance(by: 1)
            continue
          }
        }
        requirement = ItemTexts.textRequirement
      } else {
        requirement = ItemTexts.nameRequirement
      }
      let text = try skipValueText()
      faults.add(
        JSONFault(
          row: scratch.firstRow + row, field: field, code: .wrongType,
          name: Self.shortenedWord(spelled), requirement: requirement, text: text))
    }
  }

  /// Reads the data of a row.
  mutating func readData(
    row: Int, field: Int, _ scratch: RowScratch, _ faults: inout JSONFaults
  ) throws(BodyError) -> Bool {
    let start = position
    if try addData(of: row, to: &scratch.texts) { return true }
    faults.add(
      JSONFault(
        row: scratch.firstRow + row, field: field, code: .wrongType, requirement: dataRequirement,
        text: text(from: start)))
    return false
  }

  /// Reads the data of an item.
  ///
  /// - Returns: False if it is too long.
  mutating func addData(
    of item: Int, to texts: inout ItemTextsBuilder
  ) throws(BodyError) -> Bool {
    guard let column = texts.index(of: ItemTexts.data) else { return false }
    var isShort = false
    _ = try texts.add(column, of: item) { (bytes) throws(BodyError) in
      isShort = try readData(appendingTo: &bytes)
    }
    return isShort
  }

  /// The index of a name; `nil` if it cannot be one, or there are too many.
  private static func index(of name: [UInt8], in texts: inout ItemTextsBuilder) -> Int? {
    // The column of data is the one without a name.
    guard ItemTexts.nameLengths ~= name.count else { return nil }
    if let known = texts.knownIndex(of: name) { return known }
    return texts.index(of: String(decoding: name, as: UTF8.self))
  }
}

extension ItemsDecoder {
  /// Reads an object of columns of texts, by their names.
  ///
  /// - Parameter lengths: Gets the name and length of each column.
  mutating func decodeTextColumns(
    _ reader: inout JSONReader, into texts: inout ItemTextsBuilder, at pointer: String,
    lengths: inout [(name: String, count: Int)], faults: inout InvalidMembers
  ) throws(BodyError) {
    try reader.readMembers(at: pointer, faults: &faults) {
      (name, reader, faults) throws(BodyError) in
      let place = JSONPointer.appending([name], to: pointer)
      let index = ItemTexts.nameLengths ~= name.utf8.count ? texts.index(of: name) : nil
      guard let index else {
        try reader.skipValue()
        return faults.add(place, "must be \(ItemTexts.nameRequirement)")
      }
      try readValues(
        of: "\(ItemTexts.field).\(name)", &reader, at: place, lengths: &lengths, faults: &faults
      ) { (item, reader, faults) throws(BodyError) in
        if try reader.readNullIfPresent() { return }
        let start = reader.position
        var isRight = false
        if try reader.nextType() == .string {
          isRight = try texts.add(index, of: item) { (bytes) throws(BodyError) in
            try reader.readString(appendingTo: &bytes)
          }
        } else {
          try reader.skipValue()
        }
        if isRight { return }
        faults.add(
          "\(place)/\(item)",
          "must be \(ItemTexts.textRequirement), was \(reader.text(from: start))")
      }
    }
  }

  /// Reads the values of a column one by one; nothing if it is no array.
  ///
  /// - Parameters:
  ///   - name: What a fault calls the column.
  ///   - isCounted: Whether items count as stored, those of the first column.
  ///   - lengths: Gets the name and length of the column.
  mutating func readValues(
    of name: String, _ reader: inout JSONReader, at place: String, isCounted: Bool = false,
    lengths: inout [(name: String, count: Int)], faults: inout InvalidMembers,
    _ read: (Int, inout JSONReader, inout InvalidMembers) throws(BodyError) -> Void
  ) throws(BodyError) {
    guard try reader.openArray(at: place, faults: &faults) else { return }
    var count = 0
    while try reader.nextElement() {
      if isCounted, lengths.isEmpty { try countStored(1) }
      guard count < maxItems else { throw BodyError.tooManyItems(limit: maxItems) }
      try read(count, &reader, &faults)
      count += 1
    }
    lengths.append((name, count))
  }

  /// Reads a column of data.
  mutating func decodeDataColumn(
    _ reader: inout JSONReader, into texts: inout ItemTextsBuilder, at place: String,
    lengths: inout [(name: String, count: Int)], faults: inout InvalidMembers
  ) throws(BodyError) {
    try readValues(
      of: ItemTexts.dataField, &reader, at: place, lengths: &lengths, faults: &faults
    ) { (item, reader, faults) throws(BodyError) in
      let start = reader.position
      if try reader.readNullIfPresent() { return }
      if try reader.addData(of: item, to: &texts) { return }
      faults.add(
        "\(place)/\(item)", "must be \(reader.dataRequirement), was \(reader.text(from: start))")
    }
  }

  /// Reads changes of an item's texts. Null takes a text away, or all.
  static func readTextChanges(
    of item: Int, _ reader: inout JSONReader, into patch: inout ItemsPatch, at pointer: String,
    faults: inout InvalidMembers
  ) throws(BodyError) {
    if try reader.readNullIfPresent() { return patch.removeTexts(of: item) }
    try reader.readMembers(at: pointer, faults: &faults) {
      (name, reader, faults) throws(BodyError) in
      try readTextChange(
        name, of: item, &reader, into: &patch, at: JSONPointer.appending([name], to: pointer),
        faults: &faults)
    }
  }

  static func readTextChange(
    _ name: String, of item: Int, _ reader: inout JSONReader, into patch: inout ItemsPatch,
    at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) {
    let start = reader.position
    var text: [UInt8] = []
    var isRight = true
    if try !reader.readNullIfPresent() {
      if try reader.nextType() == .string {
        try reader.readString(appendingTo: &text)
        isRight = text.count <= TextColumn.maxBytes
      } else {
        isRight = false
        try reader.skipValue()
      }
    }
    guard isRight else {
      return faults.add(
        pointer, "must be \(ItemTexts.textRequirement), or null, was \(reader.text(from: start))")
    }
    guard ItemTexts.nameLengths ~= name.utf8.count,
      patch.textNames.contains(name) || patch.textNames.count < ItemTexts.maxNames
    else { return faults.add(pointer, "must be \(ItemTexts.nameRequirement)") }
    patch.setText(name, of: item, to: text)
  }
}
