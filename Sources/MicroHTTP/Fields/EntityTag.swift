/// The entity tag of an answer (RFC 9110, section 8.8.3): `"name"`, of compressed content
/// `"name.gzip"`.
///
/// It is text only when the field is written, so that whoever compresses the content can say so.
public struct EntityTag: Equatable, Sendable {
  /// Which content it is, whatever its coding.
  public var name: String
  /// Whether the content is compressed.
  public var isGzip: Bool

  /// Whether it is of this content alone, and so of one coding.
  public let isOfContent: Bool

  /// - Parameter name: Visible ASCII characters without quotes.
  public init(_ name: String, isGzip: Bool = false, isOfContent: Bool = true) {
    self.name = name
    self.isGzip = isGzip
    self.isOfContent = isOfContent
  }

  /// The value of the field, with quotes.
  public var text: String { "\"" + name + (isGzip ? ".gzip\"" : "\"") }
}
