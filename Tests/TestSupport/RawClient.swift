import Glibc

/// A blocking client on a raw socket, which can send what no proper client would, and die.
///
/// What takes longer than its limit is an error, never an end of the connection.
public final class RawClient {
  public struct Broken: Error, CustomStringConvertible {
    public var description: String

    public init(_ description: String) {
      self.description = description
    }
  }

  public struct Answer: Equatable, Sendable {
    public var status: Int
    /// Names in lowercase, none twice.
    public var headers: [String: String] = [:]
    public var bytes: [UInt8] = []

    public var body: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// −1 after a reset.
  private var descriptor: Int32
  /// What has been read of the next answers.
  private var received: [UInt8] = []

  /// - Parameters:
  ///   - host: An address.
  ///   - seconds: How long each read and write may take.
  public convenience init(host: String = "127.0.0.1", port: UInt16, seconds: Int = 60) throws {
    if host.utf8.contains(UInt8(ascii: ":")) {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      inet_pton(AF_INET6, host, &address.sin6_addr)
      try self.init(AF_INET6, address, seconds: seconds)
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      inet_pton(AF_INET, host, &address.sin_addr)
      try self.init(AF_INET, address, seconds: seconds)
    }
  }

  /// - Parameter path: That of a Unix socket.
  public convenience init(path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try self.init(AF_UNIX, address, seconds: 60)
  }

  private init<Address>(_ family: Int32, _ address: Address, seconds: Int) throws {
    descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Broken("socket: errno \(errno)") }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    // The object is whole by now: it is closed when it goes, whether it is connected or not.
    guard result == 0 else { throw Broken("connect: errno \(errno)") }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  // MARK: Sending

  /// - Returns: False if the server does not take it any more.
  @discardableResult
  public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
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
  public func finishSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Dies: the server gets a reset.
  public func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
    descriptor = -1
  }

  // MARK: Receiving

  /// Whether there is something to read by then, or the server has closed the connection.
  public func isReadable(withinMilliseconds milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return !received.isEmpty || poll(&waiting, 1, milliseconds) > 0
  }

  /// Reads one answer, be it an interim one.
  ///
  /// - Parameter hasBody: False for an answer to HEAD.
  public func answer(hasBody: Bool = true) throws -> Answer {
    let head = String(decoding: try take(through: Array("\r\n\r\n".utf8)), as: UTF8.self)
    var lines = head.split(separator: "\r\n")
    guard lines.first?.hasPrefix("HTTP/1.1 ") == true,
      let status = Int(lines.removeFirst().dropFirst(9).prefix(3))
    else { throw Broken("no status line: \(head)") }
    var answer = Answer(status: status)
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { throw Broken("no field: \(line)") }
      let name = line[..<colon].lowercased()
      guard answer.headers[name] == nil else { throw Broken("twice: \(line)") }
      answer.headers[name] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    guard hasBody, status >= 200, status != 204, status != 304 else { return answer }
    guard let length = answer.headers["content-length"].flatMap({ Int($0) }) else {
      throw Broken("no length: \(head)")
    }
    answer.bytes = try take(length)
    return answer
  }

  /// Reads through the next occurrence of a text, and returns both.
  public func text(through end: String) throws -> String {
    String(decoding: try take(through: Array(end.utf8)), as: UTF8.self)
  }

  /// Reads a chunk of content with chunked coding; `nil` if it is the last one.
  public func chunk() throws -> String? {
    let head = try text(through: "\r\n")
    guard let count = Int(head.dropLast(), radix: 16) else { throw Broken("no chunk: \(head)") }
    let content = try take(count + 2).dropLast(2)
    return count == 0 ? nil : String(decoding: content, as: UTF8.self)
  }

  /// Reads until the server closes.
  public func rest() throws -> String {
    while try receive() > 0 {}
    return String(decoding: received, as: UTF8.self)
  }

  /// Whether the server closes the connection, with nothing left to read.
  public func isClosed() throws -> Bool {
    try received.isEmpty && receive() == 0
  }

  private func take(through end: [UInt8]) throws -> [UInt8] {
    var searched = 0
    while true {
      for index in received.indices.dropFirst(searched)
      where received[index...].starts(with: end) {
        return try take(index + end.count)
      }
      searched = max(0, received.count - end.count)
      guard try receive() > 0 else {
        throw Broken("closed after '\(String(decoding: received, as: UTF8.self))'")
      }
    }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    while received.count < count {
      guard try receive() > 0 else {
        throw Broken("closed after \(received.count) of \(count) bytes")
      }
    }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  /// - Returns: 0 when the server has closed the connection, in order or by a reset.
  private func receive() throws -> Int {
    let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 {
        received.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      return count
    }
    if count < 0 && errno == EAGAIN { throw Broken("the connection is stuck") }
    return max(count, 0)
  }
}
