/// The entity tag of an answer (RFC 9110, section 8.8.3): `"name.length.suffix.gzip"`, with what
/// there is of it.
///
/// It is text only when the field is written, so that whoever compresses the content can say so.
public struct EntityTag: Equatable, Sendable {
  /// Which content it is, whatever its coding.
  public var name: String
  /// How long the content is, in bytes; `nil` if the tag does not say.
  public var length: Int?
  /// What the format adds, with its dot; may be empty.
  public var suffix: String
  /// Whether the content is compressed.
  public var isGzip: Bool

  /// - Parameter name: Visible ASCII characters without quotes.
  public init(_ name: String, length: Int? = nil, suffix: String = "", isGzip: Bool = false) {
    self.name = name
    self.length = length
    self.suffix = suffix
    self.isGzip = isGzip
  }

  /// Says that the content is compressed. A tag that says no length stays as it is: it is of more
  /// than this content.
  public mutating func compress(to length: Int) {
    guard self.length != nil else { return }
    self.length = length
    isGzip = true
  }

  /// The value of the field, with quotes.
  ///
  /// Nearly every answer has one. Interpolated, it would take 2 % more instructions of a query.
  public var text: String {
    String(unsafeUninitializedCapacity: name.utf8.count + suffix.utf8.count + 32) { buffer in
      let length = length.map { "." + String($0) } ?? ""
      let parts: InlineArray<5, _> = ["\"", name, length, suffix, isGzip ? ".gzip\"" : "\""]
      var count = 0
      for index in parts.indices {
        var part = parts[index]
        count = part.withUTF8 { [count] in buffer[count...].update(fromContentsOf: $0) }
      }
      return count
    }
  }
}
