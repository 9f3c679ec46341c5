import TestSupport

/// A client that sends proper requests on one connection, which is kept open.
public struct HTTPClient {
  private let connection: RawClient

  public init(port: UInt16) throws {
    connection = try RawClient(port: port, seconds: 60)
  }

  public func send(
    _ method: String, _ target: String, headers: [(String, String)] = [], body: String? = nil
  ) throws -> Answer {
    try send(method, target, headers: headers, bytes: body.map { Array($0.utf8) })
  }

  public func send(
    _ method: String, _ target: String, headers: [(String, String)], bytes: [UInt8]?
  ) throws -> Answer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let bytes { head += "Content-Length: \(bytes.count)\r\n" }
    return try exchange(Array((head + "\r\n").utf8) + (bytes ?? []), hasBody: method != "HEAD")
  }

  public func prepare(_ kind: String, _ body: String) throws -> Answer {
    try send(
      "POST", "/layouts/\(kind)/prepare", headers: [("Content-Type", "application/json")],
      body: body)
  }

  /// - Parameter chunks: In the chunked transfer coding, to the last.
  public func sendChunked(_ target: String, chunks: String) throws -> Answer {
    try exchange(
      Array(
        """
        POST \(target) HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/json\r
        Transfer-Encoding: chunked\r
        \r
        \(chunks)
        """.utf8))
  }

  private func exchange(_ request: [UInt8], hasBody: Bool = true) throws -> Answer {
    guard connection.send(request) else { throw RawClient.Broken("the request was not taken") }
    let answer = try connection.answer(hasBody: hasBody)
    return Answer(status: answer.status, headers: answer.headers, body: answer.bytes)
  }
}
