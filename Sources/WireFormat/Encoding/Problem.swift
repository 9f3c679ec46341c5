/// A problem document (RFC 9457).
public struct Problem: Sendable {
  public var type: ProblemType
  /// A sentence that says what is wrong and what would be right.
  public var detail: String
  /// The members of the body that are wrong.
  public var errors: [InvalidMember]

  public init(_ type: ProblemType, detail: String, errors: [InvalidMember] = []) {
    self.type = type
    self.detail = detail
    self.errors = errors
  }

  /// The document as JSON text in UTF-8. It has `errors` only if there are some.
  ///
  /// - Complexity: O(*length*) of the text.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter()
    type.write(to: &writer)
    writer.write(",\"detail\":")
    writer.write(string: detail)
    if !errors.isEmpty {
      writer.write(",\"errors\":[")
      for (index, error) in errors.enumerated() {
        if index > 0 { writer.write(",") }
        writer.write("{\"pointer\":")
        writer.write(string: error.pointer)
        writer.write(",\"detail\":")
        writer.write(string: error.detail)
        writer.write("}")
      }
      writer.write("]")
    }
    writer.write("}")
    return writer.bytes
  }
}

extension Problem {
  /// Adds the request's id to an encoded problem document.
  public static func add(requestID: String, to document: inout [UInt8]) {
    guard document.last == UInt8(ascii: "}") else { return }
    document.removeLast()
    var writer = JSONWriter(capacity: requestID.utf8.count + 20)
    writer.write(",\"requestId\":")
    writer.write(string: requestID)
    writer.write("}")
    document += writer.bytes
  }
}
