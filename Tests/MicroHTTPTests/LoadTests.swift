import Glibc
import System
import TestSupport
import Testing

@testable import MicroHTTP

@Suite("Deferred work, limits, the end", .serialized)
struct LoadTests {
  private let get = "HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test("150 connections with deferred answers of random length never stall")
  func deferredStress() throws {
    try withDaemon(.changed { $0.workers = 8 }) { daemon, _ in
      let failures = Monitor<[String]>([])
      onThreads(150) { index in
        var generator = SeededGenerator(seed: index)
        do {
          let client = try RawClient(port: daemon.port)
          for _ in 0..<20 {
            let number = generator.next() % 3 == 0 ? 0 : generator.next() % 100
            let path = number == 0 ? "/target?0" : "/deferred?\(number)"
            client.send("GET \(path) \(self.get)")
            let body = try client.answer().body
            if body != (number == 0 ? "/target 0" : "\(number)") {
              failures.withLock { $0.append("\(path): \(body)") }
            }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      same(failures.withLock { $0 }, [])
      #expect(eventually { daemon.requestsInFlight == 0 && daemon.workQueueDepth == 0 })
    }
  }

  @Test("work on one object is done one piece after another, and keeps no worker from the rest")
  func onOne() throws {
    try withDaemon(.changed { $0.workers = 2 }) { daemon, responder in
      let clients = try (0..<5).map { _ in try RawClient(port: daemon.port) }
      for client in clients { client.send("GET /gate-on-one \(get)") }
      #expect(eventually { daemon.workQueueDepth == clients.count })
      #expect(responder.gate.wait(for: 1))
      let other = try RawClient(port: daemon.port)
      for number in 1...3 {
        other.send("GET /deferred?\(number) \(get)")
        try same(other.answer().body, "\(number)")
      }
      same(responder.gate.arrivals, 1)
      responder.gate.open()
      for client in clients { try same(client.answer().body, "through") }
    }
  }

  @Test("work that is done holds nothing, though other work still waits")
  func nothingIsHeld() throws {
    try withDaemon(.changed { $0.workers = 1 }) { daemon, responder in
      let paths = ["/gate", "/witness", "/witness", "/second-gate", "/deferred?1"]
      let clients = try paths.enumerated().map { index, path in
        let client = try RawClient(port: daemon.port)
        client.send("GET \(path) \(get)")
        #expect(eventually { daemon.workQueueDepth == index + 1 })
        return client
      }
      same(responder.witnesses.value, 2)
      responder.gate.open()
      #expect(responder.secondGate.wait(for: 1))
      for client in clients[1...2] { try same(client.answer().status, 200) }
      #expect(eventually { responder.witnesses.value == 0 })
      same(daemon.workQueueDepth, 2)
      responder.secondGate.open()
    }
  }

  @Test("short work does not wait behind long work, and what turns out to be long does")
  func shortWork() throws {
    try withDaemon(.changed { $0.workers = 1 }) { daemon, responder in
      let long = try (0..<2).map { _ in try RawClient(port: daemon.port) }
      for client in long { client.send("GET /gate \(get)") }
      #expect(eventually { daemon.workQueueDepth == 2 })
      let client = try RawClient(port: daemon.port)
      client.send("GET /short \(get)")
      try same(client.answer().body, "shortly")
      let notShort = try RawClient(port: daemon.port)
      notShort.send("GET /not-short \(get)")
      #expect(eventually { daemon.workQueueDepth == 3 })
      client.send("GET /short \(get)")
      try same(client.answer().body, "shortly")
      same(responder.gate.arrivals, 1)
      responder.gate.open()
      try same(notShort.answer().body, "by a worker")
      for client in long { try same(client.answer().body, "through") }
    }
  }

  /// One worker, which is at work, and a long job that fills the queue of one.
  private func withFullQueue(
    _ body: (Daemon, TestResponder, _ long: [RawClient]) throws -> Void
  ) throws {
    try withDaemon(
      .changed {
        $0.workers = 1
        $0.queueLength = 1
      }
    ) { daemon, responder in
      let long = try (0..<2).map { _ in try RawClient(port: daemon.port) }
      for client in long { client.send("GET /gate \(get)") }
      #expect(eventually { daemon.workQueueDepth == 2 })
      try body(daemon, responder, long)
    }
  }

  @Test("long work that fills its queue leaves short work its place")
  func placeOfShortWork() throws {
    try withFullQueue { daemon, responder, long in
      let client = try RawClient(port: daemon.port)
      client.send("GET /gate \(get)")
      try same(client.answer().status, 503)
      for _ in 0..<3 {
        client.send("GET /short \(get)")
        try same(client.answer().body, "shortly")
      }
      client.send("GET /not-short \(get)")
      #expect(try client.answer().body.hasPrefix("overloaded"))
      responder.gate.open()
      for client in long { try same(client.answer().body, "through") }
      client.send("GET /not-short \(get)")
      try same(client.answer().body, "by a worker")
    }
  }

  @Test("the queue of short work has a length, too")
  func shortQueueFull() throws {
    try withFullQueue { daemon, responder, _ in
      let short = try (0..<2).map { _ in try RawClient(port: daemon.port) }
      for client in short { client.send("GET /short-gate \(get)") }
      #expect(eventually { daemon.workQueueDepth == 4 })
      let client = try RawClient(port: daemon.port)
      client.send("GET /short \(get)")
      try same(client.answer().status, 503)
      responder.secondGate.open()
      for client in short { try same(client.answer().body, "shortly") }
      client.send("GET /short \(get)")
      try same(client.answer().body, "shortly")
      responder.gate.open()
    }
  }

  @Test("work is not begun for a client that left while it waited")
  func abandoned() throws {
    try withDaemon(.changed { $0.workers = 1 }) { daemon, responder in
      var clients = try (0..<3).map { _ in try RawClient(port: daemon.port) }
      for (index, client) in clients.enumerated() {
        client.send("GET \(index == 0 ? "/gate" : "/second-gate") \(get)")
        #expect(eventually { daemon.workQueueDepth == index + 1 })
      }
      // One that has only said all that it will say is told to come again, unless libmicrohttpd,
      // which reads before it writes when it goes on, finds the end first and closes.
      clients[1].finishSending()
      clients.removeLast()
      responder.secondGate.open()
      responder.gate.open()
      try same(clients[0].answer().body, "through")
      let second = try? clients[1].answer()
      #expect(second.map { $0.status == 503 } ?? true)
      #expect(eventually { daemon.workQueueDepth == 0 })
      same(responder.secondGate.arrivals, 0)
    }
  }

  @Test("work sees that its client has left, unless it is for everybody")
  func left() throws {
    try withDaemon { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send("GET /left \(get)")
      client.finishSending()
      let looks = responder.looks.wait(until: inAMinute()) { $0.isEmpty ? nil : $0 }
      same(looks, [true, false, true])
    }
  }

  @Test("a client that has said all it will say gets the work of a worker that is free")
  func halfClosed() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("GET /deferred?7 \(get)")
      client.finishSending()
      try same(client.answer().body, "7")
    }
  }

  @Test("a full queue is answered with 503 and Retry-After, and works again afterwards")
  func queueFull() throws {
    try withDaemon(
      .changed {
        $0.workers = 1
        $0.queueLength = 1
      }
    ) { daemon, responder in
      let clients = try (0..<2).map { _ in try RawClient(port: daemon.port) }
      for client in clients { client.send("GET /gate \(get)") }
      #expect(eventually { daemon.workQueueDepth == 2 })
      let third = try RawClient(port: daemon.port)
      third.send("GET /gate \(get)")
      let answer = try third.answer()
      same(answer.status, 503)
      #expect(answer.body.hasPrefix("overloaded"))
      #expect(Int(answer.headers["retry-after"] ?? "") ?? 0 >= 1)
      third.send("GET / \(get)")
      try same(third.answer().status, 200)
      third.send("GET /either \(get)")
      try same(third.answer().body, "at once")
      responder.gate.open()
      for client in clients { try same(client.answer().body, "through") }
      third.send("GET /either \(get)")
      try same(third.answer().body, "by a worker")
      third.send("GET /gate \(get)")
      try same(third.answer().body, "through")
    }
  }

  @Test("the more there is to do, and the longer it takes, the later a client should come again")
  func retryAfter() {
    func seconds(_ unfinished: Int, workers: Int, each: Nanoseconds) -> Int {
      WorkerPool.retryAfterSeconds(
        unfinished: unfinished, workers: workers, meanDuration: each * 1_000_000_000)
    }
    same([0, 1, 2, 3, 4].map { seconds($0, workers: 2, each: 3) }, [3, 3, 6, 6, 9])
    same([0, 1, 2, 3, 4].map { seconds($0, workers: 1, each: 3) }, [3, 6, 9, 12, 15])
    same(seconds(4, workers: 2, each: 5), 15)
    // A second at least, and no more than half a minute.
    same(seconds(0, workers: 2, each: 0), 1)
    same(seconds(1_000_000, workers: 2, each: 3), 30)
  }

  @Test("a client is told to come again by how long work has taken")
  func retryAfterLongWork() throws {
    let clock = ManualClock()
    try withDaemon(.changed { $0.workers = 1 }, clock: clock) { daemon, responder in
      same(daemon.core.pool.retryAfterSeconds, 1)
      let client = try RawClient(port: daemon.port)
      client.send("GET /gate \(get)")
      #expect(responder.gate.wait(for: 1))
      clock.advance(by: .seconds(80), of: daemon)
      responder.gate.open()
      try same(client.answer().body, "through")
      same(daemon.core.pool.retryAfterSeconds, 10)
      client.send("GET /gate \(get)")
      try same(client.answer().body, "through")
      same(daemon.core.pool.retryAfterSeconds, 8)
    }
  }

  @Test("a client that waits for each answer never finds the queue full")
  func queueOfOne() throws {
    try withDaemon(
      .changed {
        $0.workers = 1
        $0.queueLength = 0
      }
    ) { daemon, _ in
      let client = try RawClient(port: daemon.port)
      var statuses: [Int: Int] = [:]
      for _ in 0..<3000 {
        client.send("GET /deferred?1 \(get)")
        statuses[try client.answer().status, default: 0] += 1
      }
      same(statuses, [200: 3000])
    }
  }

  @Test("one connection too many is answered with 503, and there is room again when one ends")
  func connectionLimit() throws {
    let warnings = Monitor<[String]>([])
    let configuration = DaemonConfiguration.changed {
      $0.maxConnections = 2
      $0.warn = { text in warnings.withLock { $0.append(text) } }
    }
    try withDaemon(configuration) { daemon, _ in
      var clients = try (0..<2).map { _ in try RawClient(port: daemon.port) }
      for client in clients {
        client.send("GET / \(get)")
        try same(client.answer().status, 200)
      }
      let third = try RawClient(port: daemon.port)
      third.send("GET / \(get)")
      let answer = try third.answer()
      same(answer.status, 503)
      same(answer.headers["connection"], "close")
      same(answer.headers["date"]?.hasSuffix(" GMT"), true)
      #expect(try third.isClosed())
      same(warnings.withLock { $0 }, ["the limit of open connections is reached"])
      clients.removeLast()
      #expect(eventually { daemon.connectionCount == 1 })
      let fourth = try RawClient(port: daemon.port)
      fourth.send("GET / \(get)")
      try same(fourth.answer().status, 200)
    }
  }

  @Test("the limit for one address holds beside the one for all, and counts what is open alone")
  func connectionLimitPerAddress() throws {
    let warnings = Monitor<[String]>([])
    let configuration = DaemonConfiguration.changed {
      $0.maxConnectionsPerAddress = 2
      $0.warn = { text in warnings.withLock { $0.append(text) } }
    }
    try withDaemon(configuration) { daemon, _ in
      var clients: [RawClient] = []
      for _ in 0..<3 {
        while clients.count < 2 {
          let client = try RawClient(port: daemon.port)
          client.send("GET / \(get)")
          try same(client.answer().status, 200)
          clients.append(client)
        }
        try same(RawClient(port: daemon.port).answer().status, 503)
        same(
          warnings.withLock { $0.first },
          "the limit of open connections from one address is reached"
        )
        // There is room again when one ends.
        clients.removeFirst()
        #expect(eventually { daemon.connectionCount == 1 })
      }
    }
  }

  @Test("requests in flight are finished before the daemon ends, and nobody is let in meanwhile")
  func drain() throws {
    let responder = TestResponder()
    let daemon = try Daemon(
      configuration: DaemonConfiguration(port: 0, threads: 2, workers: 4, queueLength: 100),
      responder: responder)
    let port = daemon.port
    let clients = try (0..<20).map { _ in try RawClient(port: port) }
    for client in clients { client.send("GET /gate \(get)") }
    #expect(eventually { daemon.workQueueDepth == 20 })
    let thread = BackgroundThread { daemon.shutDown(grace: .seconds(20)) }
    // The listening socket is gone while the answers are still to come.
    #expect(eventually { (try? RawClient(port: port)) == nil })
    same(daemon.requestsInFlight, 20)
    responder.gate.open()
    for client in clients {
      let answer = try client.answer()
      same(answer.body, "through")
      same(answer.headers["connection"], "close")
      #expect(try client.isClosed())
    }
    thread.join()
    daemon.shutDown(grace: .seconds(20))
    same(daemon.connectionCount, 0)
  }

  @Test("every request that gets an answer during the shutdown under load gets a whole one")
  func drainUnderLoad() throws {
    for _ in 0..<3 {
      let daemon = try Daemon(
        configuration: DaemonConfiguration(port: 0, threads: 2), responder: TestResponder())
      let port = daemon.port
      let served = Monitor(0)
      let isEnding = Monitor(false)
      let failures = Monitor<[String]>([])
      onThreads(9) { index in
        if index == 0 {
          if served.wait(until: inAMinute(), for: { $0 > 100 ? true : nil }) == nil {
            failures.withLock { $0.append("too few have been served") }
          }
          isEnding.update { $0 = true }
          daemon.shutDown(grace: .seconds(10))
          return
        }
        while let client = try? RawClient(port: port) {
          var isOpen = true
          while isOpen {
            client.send("GET /\(index % 2 == 0 ? "deferred?100" : "") \(get)")
            do {
              isOpen = try client.answer().headers["connection"] != "close"
              served.update { $0 += 1 }
            } catch {
              // At the end a connection may be closed between two requests, and the system may have
              // made it in the moment before the listening socket was closed. Not a byte comes
              // then.
              if !isEnding.withLock({ $0 }) || "\(error)" != "closed after ''" {
                failures.withLock { $0.append("\(error)") }
              }
              isOpen = false
            }
          }
        }
      }
      same(failures.withLock { $0 }, [])
    }
  }

  @Test("deferred work that outlasts the grace is answered with 503, and its end does no harm")
  func graceIsOver() throws {
    let responder = TestResponder()
    let daemon = try Daemon(
      configuration: DaemonConfiguration(port: 0, threads: 2, workers: 2, queueLength: 100),
      responder: responder)
    let clients = try (0..<6).map { _ in try RawClient(port: daemon.port) }
    for client in clients { client.send("GET /gate \(get)") }
    #expect(responder.gate.wait(for: 2))
    #expect(eventually { daemon.workQueueDepth == 6 })
    daemon.shutDown(grace: .milliseconds(10))
    for client in clients { try same(client.answer().body, "stopping") }
    responder.gate.open()
    #expect(eventually { daemon.workQueueDepth == 0 })
  }

  @Test("work sees that the grace of a shutdown is over, unless it is for everybody")
  func graceIsOverForWork() throws {
    let responder = TestResponder()
    let daemon = try Daemon(
      configuration: DaemonConfiguration(port: 0), responder: responder)
    let client = try RawClient(port: daemon.port)
    client.send("GET /left \(get)")
    #expect(eventually { daemon.workQueueDepth == 1 })
    daemon.shutDown(grace: .milliseconds(10))
    let looks = responder.looks.wait(until: inAMinute()) { $0.isEmpty ? nil : $0 }
    same(looks, [true, false, true])
    try same(client.answer().body, "stopping")
  }

  @Test("deferred work that outlasts the grace is answered as it would be without a worker")
  func graceIsOverForEither() throws {
    let (daemon, responder, working) = try daemonAtWork()
    let waiting = try RawClient(port: daemon.port)
    waiting.send("GET /either \(get)")
    #expect(eventually { daemon.workQueueDepth == 2 })
    daemon.shutDown(grace: .milliseconds(10))
    try same(working.answer().body, "stopping")
    try same(waiting.answer().body, "at once")
    responder.gate.open()
  }

  /// A daemon whose only worker is at work for a client, as long as the responder's gate is closed.
  private func daemonAtWork(
    queueLength: Int = 64
  ) throws -> (daemon: Daemon, responder: TestResponder, client: RawClient) {
    let responder = TestResponder()
    let daemon = try Daemon(
      configuration: DaemonConfiguration(
        port: 0, threads: 1, workers: 1, queueLength: queueLength), responder: responder)
    let client = try RawClient(port: daemon.port)
    client.send("GET /gate \(get)")
    #expect(responder.gate.wait(for: 1))
    return (daemon, responder, client)
  }

  /// Shuts down on another thread; returns when no connection is accepted any more.
  private func beginShutDown(of daemon: Daemon, grace: Duration) -> BackgroundThread {
    let port = daemon.port
    let thread = BackgroundThread { daemon.shutDown(grace: grace) }
    #expect(eventually { (try? RawClient(port: port)) == nil })
    return thread
  }

  @Test("a second call cuts the grace short")
  func secondShutDown() throws {
    let (daemon, responder, client) = try daemonAtWork()
    let first = beginShutDown(of: daemon, grace: .seconds(3600))
    daemon.shutDown(grace: .zero)
    first.join()
    try same(client.answer().status, 503)
    responder.gate.open()
  }

  @Test("work that finds no place while the daemon stops is told so")
  func noPlaceWhileDraining() throws {
    let (daemon, responder, working) = try daemonAtWork(queueLength: 0)
    let late = try RawClient(port: daemon.port)
    late.send("GET / \(get)")
    try same(late.answer().status, 200)
    let thread = beginShutDown(of: daemon, grace: .seconds(20))
    late.send("GET /gate \(get)")
    try same(late.answer().body, "stopping")
    responder.gate.open()
    thread.join()
    try same(working.answer().body, "through")
  }

  @Test("a second shutdown does not prolong the first")
  func laterSecondShutDown() throws {
    let (daemon, responder, client) = try daemonAtWork()
    let first = beginShutDown(of: daemon, grace: .seconds(1))
    let second = BackgroundThread { daemon.shutDown(grace: .seconds(3600)) }
    #expect(client.isReadable(withinMilliseconds: 10_000))
    responder.gate.open()
    first.join()
    second.join()
    try same(client.answer().body, "stopping")
  }
}
