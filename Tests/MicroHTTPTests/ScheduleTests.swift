import Glibc
import TestSupport
import Testing

@testable import MicroHTTP

@Suite("How the system schedules threads")
struct ScheduleTests {
  @Test("workers have a lower priority than whoever started them")
  func workerPriority() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("GET /worker-priority HTTP/1.1\r\nHost: a\r\n\r\n")
      let priority = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
      try same(client.answer().body, "\(min(priority + 5, 19))")
    }
  }

  @Test("network threads are scheduled in batches, and nobody else is")
  func batches() throws {
    /// `SCHED_BATCH`, which Glibc hides.
    let batch = 3
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      for (path, policy) in [("/policy", batch), ("/worker-policy", Int(SCHED_OTHER))] {
        client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        try same(client.answer().body, "\(policy)")
      }
      same(sched_getscheduler(0), SCHED_OTHER)
    }
  }
}
