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
  public var text: String { withCString { String(cString: $0) } }

  /// Calls `body` with the value of the field. Nearly every answer has one: as a `String` it would
  /// take 2 % more instructions of a query.
  func withCString<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
    let capacity = name.utf8.count + suffix.utf8.count + 32
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
      var count = 0
      func put(_ text: String) {
        var text = text
        count = text.withUTF8 { [count] in buffer[count...].update(fromContentsOf: $0) }
      }
      put("\"")
      put(name)
      if let length {
        put(".")
        var power = 1
        while length / 10 >= power { power *= 10 }
        while power > 0 {
          buffer[count] = UInt8(ascii: "0") + UInt8(length / power % 10)
          count += 1
          power /= 10
        }
      }
      put(suffix)
      put(isGzip ? ".gzip\"" : "\"")
      buffer[count] = 0
      return UnsafeRawPointer(buffer.baseAddress!).withMemoryRebound(
        to: CChar.self, capacity: count + 1, body)
    }
  }
}
