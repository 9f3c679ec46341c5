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
  public var text: String {
    let length = length.map { ".\($0)" } ?? ""
    return "\"\(name)\(length)\(suffix)\(isGzip ? ".gzip" : "")\""
  }
}
