import CollectionLayout

/// JSON texts of this service as CBOR.
public enum CBORText {
  /// The same value in CBOR (RFC 8949, section 6.2), in the deterministic encoding.
  ///
  /// A whole number of up to 2⁵³ becomes an integer, any other a float. The member `data` of an
  /// element becomes a string of bytes, its JSON text, which nobody evaluates.
  ///
  /// - Parameter json: A JSON text that this module has written.
  /// - Complexity: O(*bytes*).
  public static func encoded(json: [UInt8]) -> [UInt8] {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: json.count + JSONReader.padding, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: json)
    do {
      var reader = try JSONReader(UnsafeMutableRawBufferPointer(rebasing: memory[..<json.count]))
      var bytes: [UInt8] = []
      bytes.reserveCapacity(json.count)
      try append(&reader, to: &bytes)
      try reader.finish()
      return bytes
    } catch {
      preconditionFailure("this is no text of ours: \(error)")
    }
  }

  private static func append(
    _ reader: inout JSONReader, to bytes: inout [UInt8], areTexts: Bool = false
  ) throws(BodyError) {
    switch try reader.nextType() {
    case .null:
      try reader.skipValue()
      bytes.append(CBORItem.null)
    case .boolean: bytes.append(try reader.readBoolean() ? CBORItem.yes : CBORItem.no)
    case .number:
      let number = try reader.readNumber()
      bytes.appendItems(CBORItem.maxHeadLength) { CBORItem.write(number, at: $0) }
    case .string:
      var text: [UInt8] = []
      try reader.readString(appendingTo: &text)
      append(.text, text.count, to: &bytes)
      bytes += text
    case .array:
      var elements: [UInt8] = []
      var count = 0
      try reader.openArray()
      while try reader.nextElement() {
        try append(&reader, to: &elements)
        count += 1
      }
      append(.array, count, to: &bytes)
      bytes += elements
    case .object:
      // Deterministic maps are sorted by the bytes of their keys.
      var members: [UInt8] = []
      var places: [(key: Range<Int>, end: Int)] = []
      try reader.openObject()
      while let name = try reader.nextField() {
        let start = members.count
        append(.text, name.utf8.count, to: &members)
        members += name.utf8
        let keyEnd = members.count
        if name == ValueKind.data.field, !areTexts {
          var json: [UInt8] = []
          _ = try reader.readData(appendingTo: &json)
          append(.bytes, json.count, to: &members)
          members += json
        } else {
          try append(&reader, to: &members, areTexts: name == ValueKind.text.field)
        }
        places.append((start..<keyEnd, members.count))
      }
      places.sort { members[$0.key].lexicographicallyPrecedes(members[$1.key]) }
      append(.map, places.count, to: &bytes)
      for place in places { bytes += members[place.key.lowerBound..<place.end] }
    }
  }

  private static func append(_ major: CBORItem.Major, _ argument: Int, to bytes: inout [UInt8]) {
    bytes.appendItems(CBORItem.maxHeadLength) { CBORItem.write(major, argument, at: $0) }
  }
}
