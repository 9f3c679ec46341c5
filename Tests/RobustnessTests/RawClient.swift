import Glibc

/// A raw socket, which sends what no proper client would and can die at any point.
final class RawClient {
  struct Broken: Error, CustomStringConvertible {
    var description: String
  }

  struct Answer {
    var status: Int
    /// Names in lowercase.
    var headers: [String: String]
    var body: String
  }

  private var descriptor: Int32
  private var received: [UInt8] = []

  init(port: UInt16, seconds: Int = 20) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Broken(description: "socket: errno \(errno)") }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let number = errno
      close(descriptor)
      descriptor = -1
      throw Broken(description: "connect: errno \(number)")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// - Returns: False if the server does not take it any more.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Says that nothing more will be sent.
  func finishSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Dies: the server gets a reset.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
    descriptor = -1
  }

  /// Reads one answer, interim ones left out.
  func answer(hasBody: Bool = true) throws -> Answer {
    while true {
      let answer = try nextAnswer(hasBody: hasBody)
      if answer.status >= 200 { return answer }
    }
  }

  /// Reads all answers until the server closes, or fails when it does not.
  func answersToTheEnd() throws -> [Answer] {
    var answers: [Answer] = []
    while try !received.isEmpty || receive() > 0 { answers.append(try answer()) }
    return answers
  }

  /// The statuses of all answers until the server closes.
  ///
  /// libmicrohttpd's own pages may come with their header section twice; those count once.
  func statusesToTheEnd() throws -> [Int] {
    while try receive() > 0 {}
    let parts = String(decoding: received, as: UTF8.self).split(
      separator: "HTTP/1.1 ", omittingEmptySubsequences: true)
    var statuses: [Int] = []
    var previous = ""
    for part in parts {
      let head = part.prefix { $0 != "\r\n" }
      let isTwice = part.hasPrefix(previous) && !previous.isEmpty
      if !isTwice { statuses.append(Int(head.prefix(3)) ?? 0) }
      previous = String(part)
    }
    return statuses
  }

  private func nextAnswer(hasBody: Bool) throws -> Answer {
    let head = try take(through: [13, 10, 13, 10])
    var lines = head.split(separator: "\r\n")
    guard lines.first?.hasPrefix("HTTP/1.1 ") == true,
      let status = Int(lines.removeFirst().dropFirst(9).prefix(3))
    else { throw Broken(description: "no status line: \(head)") }
    var answer = Answer(status: status, headers: [:], body: "")
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else {
        throw Broken(description: "no header field: \(line)")
      }
      let name = line[..<colon].lowercased()
      guard answer.headers[name] == nil else { throw Broken(description: "twice: \(line)") }
      answer.headers[name] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    guard hasBody, status >= 200, status != 204, status != 304 else { return answer }
    guard let length = answer.headers["content-length"].flatMap({ Int($0) }) else {
      throw Broken(description: "no length: \(head)")
    }
    answer.body = try take(length)
    return answer
  }

  private func take(through end: [UInt8]) throws -> String {
    var searched = 0
    while true {
      for index in received.indices.dropFirst(searched)
      where received[index...].starts(with: end) {
        return try take(index + end.count)
      }
      searched = max(0, received.count - end.count)
      guard try receive() > 0 else {
        throw Broken(description: "closed after '\(String(decoding: received, as: UTF8.self))'")
      }
    }
  }

  private func take(_ count: Int) throws -> String {
    while received.count < count {
      guard try receive() > 0 else {
        throw Broken(description: "closed after \(received.count) of \(count) bytes")
      }
    }
    defer { received.removeFirst(count) }
    return String(decoding: received[..<count], as: UTF8.self)
  }

  /// - Returns: 0 when the server has closed the connection, in order or by a reset.
  private func receive() throws -> Int {
    let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { received.append(contentsOf: buffer[..<count]) }
      return count
    }
    if count < 0 && errno == EAGAIN { throw Broken(description: "the connection is stuck") }
    return max(count, 0)
  }
}
