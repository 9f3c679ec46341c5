import Glibc

extension Response {
  /// The whole answer as it is sent, with `Connection: close`. It is used where the library cannot
  /// send it: beyond the connection limit, and after a timeout.
  ///
  /// - Parameter isHead: Whether it answers HEAD and so has no content.
  func closingMessage(isHead: Bool = false) -> [UInt8] {
    headerSection("Content-Length: \(body.count)\r\n") + (isHead ? [] : body)
  }

  /// The header section of an answer whose content is a stream. The content has chunked coding, or
  /// ends with the connection.
  func streamHead(isChunked: Bool) -> [UInt8] {
    headerSection(isChunked ? "Transfer-Encoding: chunked\r\n" : "")
  }

  /// - Parameter framing: The line that says how the content is delimited.
  private func headerSection(_ framing: String) -> [UInt8] {
    var text = "HTTP/1.1 \(status.rawValue) \(status.reasonPhrase)\r\n"
    text += "Date: \(Self.httpDate())\r\nConnection: close\r\n\(framing)"
    for field in commonHeaders.fields {
      text += "\(field.name): \(field.value)\r\n"
    }
    for field in headers { text += "\(field.name): \(field.value)\r\n" }
    if let entityTag { text += "ETag: \(entityTag.text)\r\n" }
    if let requestID { text += "X-Request-Id: \(requestID)\r\n" }
    return Array("\(text)\r\n".utf8)
  }

  /// The present time as an IMF-fixdate (RFC 9110, section 5.6.7).
  private static func httpDate() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(days[Int(parts.tm_wday)]), \(padded(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
    let clock = "\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))"
    return "\(day) \(parts.tm_year + 1900) \(clock) GMT"
  }
}
