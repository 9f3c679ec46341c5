/// A type of problem: what all problems of the type share, under a code on which programs may rely.
public struct ProblemType: Sendable {
  /// The last part of the URI, `/problems/{code}`.
  public let code: String
  /// The HTTP status, 400 to 599.
  public let status: Int
  /// A short name of the type for people. It is the same for all problems of the type.
  public let title: String
  /// When the problem occurs and what to do about it, as sentences.
  public let meaning: String

  public init(_ code: String, _ status: Int, _ title: String, _ meaning: String) {
    self.code = code
    self.status = status
    self.title = title
    self.meaning = meaning
  }

  /// The answer at its URI, as JSON text in UTF-8.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    writer.write(",\"description\":")
    writer.write(string: meaning)
    writer.write("}")
    return writer.bytes
  }

  /// Writes the members that every problem of the type has, without the closing brace.
  func write(to writer: inout JSONWriter) {
    writer.write("{\"type\":")
    writer.write(string: "/problems/" + code)
    writer.write(",\"title\":")
    writer.write(string: title)
    writer.write(",\"status\":")
    writer.write(status)
  }
}
