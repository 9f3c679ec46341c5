import Glibc
import System
import TestSupport
import Testing

@testable import MicroHTTP

@Suite("Streams of events")
struct StreamTests {
  private static let request = "GET /events HTTP/1.1\r\nHost: a\r\n\r\n"
  /// While it stands still, no heartbeats come.
  private let clock = ManualClock()

  /// A client that has read the first event, which tells where things are.
  private func follower(of daemon: Daemon) throws -> RawClient {
    let client = try RawClient(port: daemon.port)
    client.send(Self.request)
    try same(client.answer(hasBody: false).status, 200)
    try same(client.chunk()?.hasPrefix("data: "), true)
    return client
  }

  private func number(in event: String?) -> Int? {
    event.flatMap { Int($0.dropFirst("data: ".count).prefix { $0.isNumber }) }
  }

  @Test("what is published comes in order, and the end is told")
  func order() throws {
    try withDaemon(clock: clock) { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send(Self.request)
      let answer = try client.answer(hasBody: false)
      same(answer.status, 200)
      same(answer.headers["content-type"], "text/event-stream")
      same(answer.headers["transfer-encoding"], "chunked")
      same(answer.headers["connection"], "close")
      same(answer.headers["content-length"], nil)
      try same(client.chunk(), "data: 0\n\n")
      for number in 1...3 {
        responder.feed.publish()
        try same(client.chunk(), "data: \(number)\n\n")
      }
      same(daemon.streamStatistics, StreamStatistics(streams: 1, events: 4))
      // The first events may come before the connection is handed over.
      #expect(eventually { daemon.connectionCount == 0 })
      responder.feed.finish()
      try same(client.chunk(), "data: 3\n\n")
      try same(client.chunk(), nil)
      #expect(try client.isClosed())
      #expect(eventually { daemon.streamStatistics.streams == 0 })
      same(responder.feed.watchers, 0)
      let record = try #require(responder.records(atLeast: 1).first)
      same(record.status, .ok)
      #expect(record.isComplete)
      same(record.request.target.description, "/events")
      // Five events of nine bytes, each a chunk with six bytes around it, and the last chunk.
      same(record.bytesSent, 5 * (9 + 5) + 5)
    }
  }

  @Test("streams that all have much to tell take turns")
  func turns() throws {
    try withDaemon(clock: clock) { daemon, responder in
      let clients = try (0..<3).map { _ in try follower(of: daemon) }
      #expect(responder.feed.waitForWatchers(3))
      let before = responder.feed.told.count
      responder.feed.publish(8, padding: 3000)
      for client in clients {
        for expected in 1...8 { try same(number(in: client.chunk()), expected) }
      }
      // In each round, each of them.
      let told = Array(responder.feed.told.dropFirst(before))
      same(told.count, 24)
      for round in stride(from: 0, to: told.count, by: 3) {
        same(Set(told[round..<min(round + 3, told.count)]).count, 3)
      }
    }
  }

  @Test("to HTTP/1.0 events come without chunks, and the end is that of the connection")
  func http10() throws {
    try withDaemon(clock: clock) { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send("GET /events HTTP/1.0\r\n\r\n")
      let answer = try client.answer(hasBody: false)
      same(answer.headers["transfer-encoding"], nil)
      same(answer.headers["connection"], "close")
      try same(client.text(through: "\n\n"), "data: 0\n\n")
      responder.feed.publish()
      try same(client.text(through: "\n\n"), "data: 1\n\n")
      responder.feed.finish()
      try same(client.rest(), "data: 1\n\n")
    }
  }

  @Test("HEAD gets the header section alone")
  func head() throws {
    try withDaemon(clock: clock) { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send("HEAD /events HTTP/1.1\r\nHost: a\r\n\r\n")
      let head = try client.answer(hasBody: false)
      same(head.status, 200)
      same(head.headers["content-type"], "text/event-stream")
      same(head.headers["content-length"], nil)
      #expect(try client.isClosed())
      same(responder.feed.watchers, 0)
      same(daemon.streamStatistics, StreamStatistics())
    }
  }

  @Test("a connection that has had other answers may become a stream")
  func lateStream() throws {
    try withDaemon(clock: clock) { daemon, responder in
      let client = try RawClient(port: daemon.port)
      for _ in 0..<3 {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try same(client.answer().body, "hello")
      }
      client.send(Self.request)
      try same(client.answer(hasBody: false).status, 200)
      try same(client.chunk(), "data: 0\n\n")
      responder.feed.publish()
      try same(client.chunk(), "data: 1\n\n")
    }
  }

  @Test("of what changes while a client is not ready, it gets the newest only")
  func merging() throws {
    try withDaemon(clock: clock) { daemon, responder in
      let client = try follower(of: daemon)
      // More than the buffers of the system hold, so the stream cannot take the next ones.
      responder.feed.publish(padding: 8_000_000)
      #expect(eventually { daemon.streamStatistics.events == 2 })
      for _ in 2...99 { responder.feed.publish() }
      responder.feed.publish()
      same(number(in: try client.chunk()), 1)
      same(number(in: try client.chunk()), 100)
      responder.feed.publish()
      same(number(in: try client.chunk()), 101)
      same(daemon.streamStatistics.events, 4)
    }
  }

  @Test("beyond the limit the answer is 503 until somebody leaves")
  func limit() throws {
    try withDaemon(.changed { $0.maxStreams = 2 }, clock: clock) { daemon, responder in
      let first = try follower(of: daemon)
      let second = try follower(of: daemon)
      let third = try RawClient(port: daemon.port)
      third.send(Self.request)
      let refusal = try third.answer()
      same(refusal.status, 503)
      same(refusal.body, "tooManyStreams")
      first.reset()
      #expect(eventually { daemon.streamStatistics.streams == 1 })
      third.send(Self.request)
      try same(third.answer(hasBody: false).status, 200)
      try same(third.chunk(), "data: 0\n\n")
      withExtendedLifetime(second) {}
    }
  }

  @Test("streams do not count as connections, but as connections of their address")
  func connectionLimits() throws {
    let configuration = DaemonConfiguration.changed {
      $0.maxConnections = 1
      $0.maxConnectionsPerAddress = 3
    }
    try withDaemon(configuration, clock: clock) { daemon, _ in
      var followers: [RawClient] = []
      for _ in 0..<2 {
        followers.append(try follower(of: daemon))
        #expect(eventually { daemon.connectionCount == 0 })
      }
      let plain = try RawClient(port: daemon.port)
      plain.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(plain.answer().status, 200)
      same(daemon.connectionCount, 1)
      // The third of this address is the last.
      plain.send(Self.request)
      try same(plain.answer(hasBody: false).status, 200)
      #expect(eventually { daemon.connectionCount == 0 })
      let fourth = try RawClient(port: daemon.port)
      try same(fourth.answer().status, 503)
      followers.removeAll()
      #expect(eventually { daemon.streamStatistics.streams == 1 })
      try same(follower(of: daemon).isReadable(withinMilliseconds: 0), false)
    }
  }

  @Test("each stream has one heartbeat in fifteen seconds, not all at once")
  func heartbeats() throws {
    try withDaemon(clock: clock) { daemon, responder in
      let clients = try (0..<30).map { _ in try follower(of: daemon) }
      for _ in 0..<2 {
        clock.advance(by: .seconds(15), of: daemon)
        for client in clients { try same(client.chunk(), ":\n\n") }
      }
      clock.advance(by: .milliseconds(7500), of: daemon)
      // The heartbeats of half a round come before what is published when one of them is seen.
      #expect(eventually { clients.contains { $0.isReadable(withinMilliseconds: 0) } })
      responder.feed.publish()
      let early = try clients.count { try $0.chunk() == ":\n\n" }
      #expect((10...20).contains(early), "\(early)")
      #expect(eventually { daemon.streamStatistics.events == 60 })
    }
  }

  @Test("a stream ends after its last event when its life is over, and not all end at once")
  func lifetime() throws {
    try withDaemon(
      .changed { $0.streamLifetime = .seconds(600) }, clock: clock
    ) { daemon, responder in
      let clients = try (0..<30).map { _ in try follower(of: daemon) }
      var ends: [Int: Int] = [:]
      // A round of heartbeats at a time, so that each stream has one in each.
      for round in 1...40 {
        clock.advance(by: .seconds(15), of: daemon)
        for (index, client) in clients.enumerated() where ends[index] == nil {
          if try client.chunk() == nil { ends[index] = round * 15 }
        }
      }
      same(ends.count, clients.count)
      #expect(ends.values.allSatisfy { (540...600).contains($0) }, "\(ends)")
      #expect(Set(ends.values).count > 2)
      #expect(eventually { daemon.streamStatistics.streams == 0 })
      #expect(responder.records(atLeast: 30).allSatisfy { $0.isComplete })
    }
  }

  @Test("a reader that takes nothing is cut when its time is over")
  func slowReader() throws {
    try withDaemon(
      .changed { $0.requestTimeout = .seconds(30) }, clock: clock
    ) { daemon, responder in
      let slow = try follower(of: daemon)
      responder.feed.publish(padding: 8_000_000)
      #expect(eventually { daemon.streamStatistics.events == 2 })
      let quick = try follower(of: daemon)
      clock.advance(by: .seconds(15), of: daemon)
      #expect(try quick.text(through: ":\n\n").hasSuffix(":\n\n"))
      same(daemon.streamStatistics.slowReaders, 0)
      clock.advance(by: .seconds(15), of: daemon)
      #expect(eventually { daemon.streamStatistics.slowReaders == 1 })
      #expect(eventually { daemon.streamStatistics.streams == 1 })
      #expect(responder.feed.waitForWatchers(1))
      #expect(try slow.rest().utf8.count < 8_000_000)
      same(responder.records(atLeast: 1).map(\.isComplete), [false])
      withExtendedLifetime(quick) {}
    }
  }

  @Test("a client that leaves is noticed, in order or by a reset", arguments: [false, true])
  func leaving(isReset: Bool) throws {
    try withDaemon(clock: clock) { daemon, responder in
      let client = try follower(of: daemon)
      #expect(responder.feed.waitForWatchers(1))
      if isReset { client.reset() } else { client.finishSending() }
      #expect(responder.feed.waitForWatchers(0))
      #expect(eventually { daemon.streamStatistics.streams == 0 })
      same(responder.records(atLeast: 1).map(\.isComplete), [false])
    }
  }

  @Test("a daemon that stops ends streams with what is newest")
  func draining() throws {
    try withDaemon(clock: clock) { daemon, responder in
      let clients = try (0..<20).map { _ in try follower(of: daemon) }
      let busy = try RawClient(port: daemon.port)
      busy.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(responder.gate.wait(for: 1))
      let stopping = BackgroundThread { daemon.shutDown(grace: .seconds(30)) }
      #expect(eventually { daemon.core.isDraining.load(ordering: .acquiring) })
      // A request in progress may still change something. Nobody is told of it before the end.
      same(daemon.streamStatistics.streams, 20)
      responder.feed.advanceSilently()
      busy.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
      responder.gate.open()
      for client in clients {
        try same(client.chunk(), "data: 1\n\n")
        try same(client.chunk(), nil)
        #expect(try client.isClosed())
      }
      stopping.join()
      same(responder.feed.watchers, 0)
      same(daemon.streamStatistics.streams, 0)
    }
  }

  @Test("a loop that is woken again while it looks why it was woken sees that, too")
  func wakingTwice() {
    let hasEnded = Monitor(false)
    let thread = BackgroundThread {
      for _ in 0..<5000 {
        let loop = StreamLoop(limit: 1, sendTimeout: 1, lifetime: 1) { 0 }
        do { try loop.start() } catch { Issue.record(error) }
        loop.drain()
        loop.stop()
      }
      hasEnded.update { $0 = true }
    }
    #expect(eventually { hasEnded.withLock { $0 } })
    if hasEnded.withLock({ $0 }) { thread.join() }
  }

  @Test("a reader that takes nothing does not delay the end for longer than the grace")
  func drainingSlowReader() throws {
    try withDaemon(clock: clock) { daemon, responder in
      let slow = try follower(of: daemon)
      responder.feed.publish(padding: 8_000_000)
      #expect(eventually { daemon.streamStatistics.events == 2 })
      daemon.shutDown(grace: .zero)
      same(responder.feed.watchers, 0)
      same(responder.feed.endedCount, 1)
      withExtendedLifetime(slow) {}
    }
  }

  @Test("200 streams of which some leave all the time lose nothing", arguments: [1, 4])
  func crowd(threads: Int) throws {
    try withDaemon(.changed { $0.threads = threads }, clock: clock) { daemon, responder in
      let isOver = Monitor(false)
      let publisher = BackgroundThread {
        while !isOver.withLock({ $0 }) {
          responder.feed.publish()
          sched_yield()
        }
      }
      onThreads(8) { thread in
        var random = SeededGenerator(seed: thread)
        var clients: [(client: RawClient, last: Int)] = []
        for round in 0..<150 {
          do {
            if clients.count < 25 {
              let client = try RawClient(port: daemon.port)
              client.send(Self.request)
              try same(client.answer(hasBody: false).status, 200)
              clients.append((client, -1))
            }
            let index = random.integer(0...clients.count - 1)
            if random.chance(20) {
              if random.chance(50) { clients[index].client.reset() }
              clients.remove(at: index)
            } else if round < 100 || clients[index].last < 0 {
              let number = number(in: try clients[index].client.chunk())
              #expect(number ?? -1 > clients[index].last)
              clients[index].last = number ?? .max
            }
          } catch {
            Issue.record(error)
            return
          }
        }
      }
      isOver.update { $0 = true }
      publisher.join()
      #expect(responder.feed.waitForWatchers(0))
      #expect(eventually { daemon.streamStatistics.streams == 0 && daemon.connectionCount == 0 })
    }
  }
}
