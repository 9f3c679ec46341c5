/// The header fields of a request.
///
/// The fields are in one flat array of bytes, as the connection collected them, with the bytes
/// between them. An index says where they are. A `String` is only made for a field that is read.
///
///     bytes   H o s t ␀   l o c a l h o s t ␀ ␀ A c c e p t ␀   * / * ␀ ␀
///             └─name─┘    └──── value ────┘     └── name ──┘    └value┘
public struct HeaderFields: Sendable {
  struct Field: Sendable {
    var nameStart: UInt32
    var nameEnd: UInt32
    var valueStart: UInt32
    var valueEnd: UInt32
    var known: KnownField?

    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
  }

  private var bytes: [UInt8] = []
  private var fields: [Field] = []
  /// One bit for each known field that is present.
  private var knownFields: UInt32 = 0

  public init(_ list: [(FieldName, String)] = []) {
    for (name, value) in list {
      var text = name.rawName
      var value = value
      text.withUTF8 { name in value.withUTF8 { append(name: name, value: $0) } }
    }
  }

  /// The value of a field; `nil` if it was not sent. If it was sent more than once, the values are
  /// joined with `", "`. Bytes that are not ASCII become U+FFFD.
  ///
  /// - Complexity: O(*n*) for *n* fields.
  public subscript(name: FieldName) -> String? {
    guard mayHave(name) else { return nil }
    var joined: String?
    forEachField(named: name) { value in
      let text = String(ascii: value)
      joined = joined.map { "\($0), \(text)" } ?? text
    }
    return joined
  }

  /// The bytes of a field's value, like the subscript. It allocates nothing if the field was sent
  /// once.
  public func value(of name: FieldName) -> ArraySlice<UInt8>? {
    guard mayHave(name) else { return nil }
    var joined: ArraySlice<UInt8>?
    forEachField(named: name) { value in
      joined = joined.map { $0 + Array(", ".utf8) + value } ?? value
    }
    return joined
  }

  public func contains(_ name: FieldName) -> Bool {
    mayHave(name) && fields.contains { matches($0, name) }
  }

  /// Whether a field may be present. It does not search the fields.
  @inline(__always)
  func mayHave(_ name: FieldName) -> Bool {
    guard let known = name.known else { return true }
    return knownFields & known.bit != 0
  }

  private func matches(_ field: Field, _ name: FieldName) -> Bool {
    if name.known != nil || field.known != nil { return field.known == name.known }
    return bytes.withUnsafeBufferPointer {
      name.matches(UnsafeBufferPointer(rebasing: $0[field.name]))
    }
  }

  private func forEachField(named name: FieldName, _ body: (ArraySlice<UInt8>) -> Void) {
    for field in fields where matches(field, name) { body(bytes[field.value]) }
  }
}

extension HeaderFields {
  /// Removes all fields and keeps the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    knownFields = 0
  }

  private mutating func append(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) {
    let start = UInt32(bytes.count)
    bytes.append(contentsOf: name)
    bytes.append(contentsOf: value)
    let nameEnd = start + UInt32(name.count)
    append(
      Field(
        nameStart: start, nameEnd: nameEnd, valueStart: nameEnd,
        valueEnd: nameEnd + UInt32(value.count), known: KnownField(name)))
  }

  /// Adds a field. Its bytes are added later.
  mutating func append(_ field: Field) {
    fields.append(field)
    if let known = field.known { knownFields |= known.bit }
  }

  mutating func append(bytes new: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: new) }
}
