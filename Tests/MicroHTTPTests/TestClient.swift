import Glibc

/// A blocking client on a raw socket, which can send what no proper client would.
final class TestClient {
  struct Answer: Equatable {
    var status = 0
    /// Names in lowercase, as they came.
    var headers: [String: String] = [:]
    var body = ""
  }

  struct Broken: Error {
    var reason: String
  }

  private let descriptor: Int32
  private var received: [UInt8] = []

  /// - Parameter seconds: How long an answer may take before the test fails.
  init(port: UInt16, seconds: Int = 10) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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
    guard result == 0 else { throw Broken(reason: "connect: errno \(errno)") }
  }

  deinit {
    close(descriptor)
  }

  /// Sends text; false if the server does not take it any more.
  @discardableResult
  func send(_ text: String) -> Bool {
    send(Array(text.utf8))
  }

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

  /// Reads one answer.
  ///
  /// - Parameter hasBody: False for an answer to HEAD.
  func answer(hasBody: Bool = true) throws -> Answer {
    let head = try take(until: "\r\n\r\n")
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
    guard !lines.isEmpty, lines[0].hasPrefix("HTTP/1.1 ") else {
      throw Broken(reason: "no status line: \(head)")
    }
    var answer = Answer()
    answer.status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { throw Broken(reason: "no field: \(line)") }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      answer.headers[line[..<colon].lowercased()] = String(value)
    }
    let hasContent = hasBody && answer.status >= 200 && ![204, 304].contains(answer.status)
    if hasContent, let length = answer.headers["content-length"].flatMap({ Int($0) }) {
      answer.body = try take(count: length)
    }
    return answer
  }

  /// Whether the server has closed the connection with nothing left to read.
  func isClosed() -> Bool {
    received.isEmpty && !receive()
  }

  /// Reads until the server closes.
  func rest() -> String {
    while receive() {}
    return String(decoding: received, as: UTF8.self)
  }

  private func take(until end: String) throws -> String {
    let end = Array(end.utf8)
    var searched = 0
    while true {
      var index = searched
      while index + end.count <= received.count {
        if received[index..<index + end.count].elementsEqual(end) {
          return try take(count: index + end.count)
        }
        index += 1
      }
      searched = max(0, received.count - end.count)
      guard receive() else {
        throw Broken(reason: "closed after '\(String(decoding: received, as: UTF8.self))'")
      }
    }
  }

  private func take(count: Int) throws -> String {
    while received.count < count {
      guard receive() else { throw Broken(reason: "closed after \(received.count) of \(count)") }
    }
    defer { received.removeFirst(count) }
    return String(decoding: received[..<count], as: UTF8.self)
  }

  private func receive() -> Bool {
    let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { received.append(contentsOf: buffer[..<count]) }
      return count
    }
    return count > 0
  }
}
