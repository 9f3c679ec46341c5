/// A type of problem: what all problems of the type share, under a code on which programs may rely.
public struct ProblemDescription: Sendable {
  /// The last part of the URI, `/problems/{code}`.
  public let code: String
  /// The HTTP status, 400 to 599.
  public let status: Int
  /// A short name of the type for people. It is the same for all problems of the type.
  public let title: String
  /// When the problem occurs and what to do about it, as sentences.
  public let meaning: String

  /// What a problem says that has nothing to say of its request.
  public let detail: String

  /// - Parameter detail: If it is not what the type means.
  public init(
    _ code: String, _ status: Int, _ title: String, _ meaning: String, detail: String? = nil
  ) {
    self.code = code
    self.status = status
    self.title = title
    self.meaning = meaning
    self.detail = detail ?? meaning
  }

  /// The answer at its URI, as JSON text in UTF-8.
  public func encoded() -> [UInt8] {
    JSONWriter.text {
      write(to: &$0)
      $0["description"] = meaning
    }
  }

  /// Writes the members that every problem of the type has.
  func write(to object: inout JSONObject) {
    object["type"] = "/problems/" + code
    object["title"] = title
    object["status"] = status
  }
}
