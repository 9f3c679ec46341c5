import Glibc

/// A blocking client on one connection that is kept open.
final class HTTPClient {
  struct Broken: Error {
    var reason: String
  }

  private let descriptor: Int32
  private var received: [UInt8] = []

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
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

  func send(
    _ method: String, _ target: String, headers: [(String, String)] = [], body: String? = nil
  ) throws -> Answer {
    try send(method, target, headers: headers, bytes: body.map { Array($0.utf8) })
  }

  func send(
    _ method: String, _ target: String, headers: [(String, String)], bytes: [UInt8]?
  ) throws -> Answer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let bytes { head += "Content-Length: \(bytes.count)\r\n" }
    try write(Array((head + "\r\n").utf8) + (bytes ?? []))
    return try answer(hasBody: method != "HEAD")
  }

  func prepare(_ kind: String, _ body: String) throws -> Answer {
    try send(
      "POST", "/layouts/\(kind)/prepare", headers: [("Content-Type", "application/json")],
      body: body)
  }

  /// - Parameter chunks: In the chunked transfer coding, to the last.
  func sendChunked(_ target: String, chunks: String) throws -> Answer {
    try write(
      Array(
        """
        POST \(target) HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/json\r
        Transfer-Encoding: chunked\r
        \r
        \(chunks)
        """.utf8))
    return try answer(hasBody: true)
  }

  private func write(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Broken(reason: "send: errno \(errno)") }
      sent += count
    }
  }

  private func answer(hasBody: Bool) throws -> Answer {
    var searched = 0
    var end: Int?
    while end == nil {
      end = received.indices.dropFirst(searched).first {
        received[$0...].starts(with: [13, 10, 13, 10])
      }
      searched = max(0, received.count - 3)
      if end == nil { try receive() }
    }
    var lines = String(decoding: received[..<end!], as: UTF8.self).split(separator: "\r\n")
    received.removeFirst(end! + 4)
    let status = lines.removeFirst().split(separator: " ")[1]
    var answer = Answer(status: Int(status) ?? 0, headers: [:], body: [])
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1)
      answer.headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].dropFirst()) : ""
    }
    if hasBody, let length = answer["Content-Length"].flatMap({ Int($0) }), answer.status != 304 {
      while received.count < length { try receive() }
      answer.body = Array(received[..<length])
      received.removeFirst(length)
    }
    return answer
  }

  private func receive() throws {
    let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { received.append(contentsOf: buffer[..<count]) }
      return count
    }
    guard count > 0 else { throw Broken(reason: "closed after \(received.count) bytes") }
  }
}
