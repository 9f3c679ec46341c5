import Glibc
import System
import TestSupport
import Testing

@testable import MicroHTTP

@Suite("How the system schedules the network's threads")
struct ScheduleTests {
  private let clock = ManualClock()
  /// `SCHED_BATCH`, which Glibc hides.
  private let batch: Int32 = 3

  /// The policy of the one network thread, and so many more requests for its pace.
  private func policy(_ client: RawClient, after count: Int = 0) throws -> Int32? {
    for _ in 0..<count {
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try client.answer()
    }
    client.send("GET /policy HTTP/1.1\r\nHost: a\r\n\r\n")
    return Int32(try client.answer().body)
  }

  @Test("a thread with many requests is scheduled in batches, but not beside a worker")
  func batches() throws {
    try withDaemon(.changed { $0.threads = 1 }, clock: clock) { daemon, responder in
      let client = try RawClient(port: daemon.port)
      #expect(try policy(client) == SCHED_OTHER)
      #expect(try policy(client, after: RequestPace.count * 2) == batch)

      let other = try RawClient(port: daemon.port)
      other.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(responder.gate.wait(for: 1))
      #expect(try policy(client, after: 1) == SCHED_OTHER)
      responder.gate.open()
      _ = try other.answer()
      #expect(eventually { daemon.workQueueDepth == 0 })
      #expect(try policy(client, after: 1) == batch)
    }
  }

  @Test("a thread with few requests is scheduled normally again")
  func fewRequests() throws {
    try withDaemon(.changed { $0.threads = 1 }, clock: clock) { daemon, _ in
      let client = try RawClient(port: daemon.port)
      #expect(try policy(client, after: RequestPace.count * 2) == batch)
      for _ in 0..<2 {
        clock.advance(by: .seconds(1), of: daemon)
        _ = try policy(client, after: RequestPace.count)
      }
      #expect(try policy(client) == SCHED_OTHER)
    }
  }

  @Test("workers have a lower priority than whoever started them")
  func workerPriority() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("GET /worker-priority HTTP/1.1\r\nHost: a\r\n\r\n")
      let priority = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
      #expect(try client.answer().body == "\(min(priority + 5, 19))")
    }
  }

  @Test("pace is high at four thousand requests a second, and no less")
  func pace() {
    var pace = RequestPace()
    var now: Nanoseconds = 5_000_000_000
    func run(_ count: Int, every step: Nanoseconds) {
      for _ in 0..<count {
        now += step
        pace.noteRequest(at: now)
      }
    }
    run(64, every: 250_000)
    #expect(!pace.isHigh)
    run(63, every: 250_000)
    #expect(!pace.isHigh)
    run(1, every: 250_000)
    #expect(pace.isHigh)
    run(64, every: 250_001)
    #expect(!pace.isHigh)
  }
}
