import TestSupport
import Testing

@testable import MicroHTTP

@Suite("Memory of contents on their way")
struct MemoryBudgetTests {
  private let host = "HTTP/1.1\r\nHost: a\r\n"

  private let configuration = DaemonConfiguration.changed {
    $0.maxBufferBytes = 32 << 20
    $0.maxBodyBytes = 64 << 20
  }

  /// Whether a request is answered, sooner or later: what is given back is so a moment after the
  /// answer that it belonged to.
  private func succeeds(_ daemon: Daemon, _ request: String) -> Bool {
    eventually {
      guard let client = try? RawClient(port: daemon.port) else { return false }
      client.send(request)
      return (try? client.answer().status) == 200
    }
  }

  @Test("an answer for which there is no memory is 503, until another has been read")
  func answers() throws {
    try withDaemon(configuration) { daemon, _ in
      let request = "GET /large?20000000 \(host)\r\n"
      let slow = try RawClient(port: daemon.port)
      slow.send("GET /large?20000000 \(host)Connection: close\r\n\r\n")
      // An answer that has begun has its memory.
      try same(slow.answer(hasBody: false).status, 200)
      let second = try RawClient(port: daemon.port)
      second.send(request)
      let refusal = try second.answer()
      same(refusal.status, 503)
      same(refusal.body, "buffersFull")
      second.send("GET /large?60000 \(host)\r\n")
      try same(second.answer().bytes.count, 60_000)
      try same(slow.rest().utf8.count, 20_000_000)
      #expect(succeeds(daemon, request))
    }
  }

  @Test("so is a body, and the memory of one that breaks off comes back")
  func bodies() throws {
    try withDaemon(configuration) { daemon, _ in
      let head = "POST /echo \(host)Content-Length: 20000000\r\n\r\n"
      let content = [UInt8](repeating: 0x79, count: 20_000_000)
      let first = try RawClient(port: daemon.port)
      first.send(head)
      first.send(Array(content.dropLast()))
      let second = try RawClient(port: daemon.port)
      second.send(head)
      second.send(content)
      try same(second.answer().body, "buffersFull")
      first.reset()
      let small =
        "POST /padding \(host)Content-Length: 20000000\r\n\r\n"
        + String(decoding: content, as: UTF8.self)
      #expect(succeeds(daemon, small))
    }
  }

  @Test("the answer to what may have changed something is sent even where there is no memory")
  func answersToChanges() throws {
    try withDaemon(configuration) { daemon, _ in
      let slow = try RawClient(port: daemon.port)
      slow.send("GET /large?20000000 \(host)\r\n")
      try same(slow.answer(hasBody: false).status, 200)
      let change = try RawClient(port: daemon.port)
      change.send("POST /large?20000000 \(host)Content-Length: 0\r\n\r\n")
      try same(change.answer().bytes.count, 20_000_000)
    }
  }

  @Test("the answer to a change that was not made has to have memory")
  func refusalsOfChanges() throws {
    try withDaemon(.changed { $0.maxBufferBytes = 20_000_000 }) { daemon, _ in
      let slow = try RawClient(port: daemon.port)
      slow.send("GET /large?20000000 \(host)\r\n")
      try same(slow.answer(hasBody: false).status, 200)
      let change = try RawClient(port: daemon.port)
      change.send("POST /large-refusal \(host)Content-Length: 0\r\n\r\n")
      try same(change.answer().body, "buffersFull")
    }
  }

  @Test("an answer for which there can never be memory is sent where there is no other")
  func answerBeyondAll() throws {
    try withDaemon(.changed { $0.maxBufferBytes = 100_000 }) { daemon, _ in
      for _ in 0..<2 { #expect(succeeds(daemon, "GET /large?1000000 \(host)\r\n")) }
    }
  }

  @Test("content that nobody asked for takes no memory, and has an end")
  func unwantedContent() throws {
    let most = 100_000 + 65_536
    let configuration = DaemonConfiguration.changed {
      $0.maxBufferBytes = 100_000
      $0.maxBodyBytes = most
    }
    try withDaemon(configuration) { daemon, _ in
      let unwanted = try RawClient(port: daemon.port)
      let content = [UInt8](repeating: 0x79, count: most)
      unwanted.send("GET /echo \(host)Content-Length: \(most)\r\n\r\n")
      unwanted.send(Array(content.dropLast()))
      let wanted = try RawClient(port: daemon.port)
      wanted.send("POST /padding \(host)Content-Length: \(most)\r\n\r\n")
      wanted.send(content)
      try same(wanted.answer().body, "true")
      unwanted.send("y")
      try same(unwanted.answer().body, "")
      unwanted.send("GET /echo \(host)Transfer-Encoding: chunked\r\n\r\n")
      unwanted.send("\(String(most + 1, radix: 16))\r\n")
      unwanted.send(content)
      unwanted.send("y\r\n0\r\n\r\n")
      try same(unwanted.answer().status, 413)
    }
  }

  @Test("a body for which there can never be memory is too large")
  func bodyBeyondAll() throws {
    let configuration = DaemonConfiguration.changed {
      $0.maxBufferBytes = 100_000
      $0.maxBodyBytes = 1 << 20
    }
    // The first 64 KiB of each body are not counted.
    let most = 100_000 + 65_536
    try withDaemon(configuration) { daemon, _ in
      let client = try RawClient(port: daemon.port)
      for (count, expected) in [(most, "true"), (most + 1, "contentTooLarge(limit: \(most))")] {
        client.send("POST /padding \(host)Content-Length: \(count)\r\n\r\n")
        client.send([UInt8](repeating: 0x79, count: count))
        try same(client.answer().body, expected)
      }
      client.send("POST /padding \(host)Transfer-Encoding: chunked\r\n\r\n")
      client.send("\(String(most + 1, radix: 16))\r\n")
      client.send([UInt8](repeating: 0x79, count: most + 1))
      client.send("\r\n0\r\n\r\n")
      try same(client.answer().body, "contentTooLarge(limit: \(most))")
    }
  }

  @Test("a body that is discarded is empty, and its memory there again")
  func discarding() {
    let budget = MemoryBudget(limit: 1 << 20)
    let body = RequestBody(limit: 1 << 20, budget: budget)
    let piece = [UInt8](repeating: 1, count: 1 << 19)
    let isStored = piece.withUnsafeBytes { body.append($0) && body.append($0) }
    #expect(isStored)
    #expect(!budget.take(1 << 20))
    body.discard()
    #expect(body.withBytes { $0.isEmpty })
    #expect(budget.take(1 << 20))
    budget.giveBack(1 << 20)
  }
}
