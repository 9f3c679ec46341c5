/// What all problems of one kind have in common, under a name that programs may rely on.
public struct ProblemType: Sendable {
  /// The last part of the URI, `/problems/{code}`.
  public let code: String
  public let status: Int
  public let title: String
  /// When it is the answer and what to do about it, as sentences.
  public let meaning: String

  public init(_ code: String, _ status: Int, _ title: String, _ meaning: String) {
    self.code = code
    self.status = status
    self.title = title
    self.meaning = meaning
  }

  /// What there is at its URI, as JSON text in UTF-8.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    writer.write(",\"description\":")
    writer.write(string: meaning)
    writer.write("}")
    return writer.bytes
  }

  /// The members that each problem of the type has, and no brace behind them.
  func write(to writer: inout JSONWriter) {
    writer.write("{\"type\":")
    writer.write(string: "/problems/" + code)
    writer.write(",\"title\":")
    writer.write(string: title)
    writer.write(",\"status\":")
    writer.write(status)
  }
}
