import Glibc
import TestSupport
import Testing

@testable import MicroHTTP

@Suite("How the system schedules workers")
struct ScheduleTests {
  @Test("workers have a lower priority than whoever started them")
  func workerPriority() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("GET /worker-priority HTTP/1.1\r\nHost: a\r\n\r\n")
      let priority = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
      #expect(try client.answer().body == "\(min(priority + 5, 19))")
    }
  }
}
