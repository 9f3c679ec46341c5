import System
import TestSupport
import Testing

@testable import MicroHTTP

@Suite("Warnings")
struct WarningTests {
  @Test("each message is written at most once a second")
  func pause() {
    let time = Monitor<Nanoseconds>(0)
    let written = Monitor<[String]>([])
    let log = WarningLog(
      now: { time.withLock { $0 } }, write: { text in written.withLock { $0.append(text) } })
    for (moment, messages) in [(0, ["a", "a", "b"]), (999_999_999, ["a"]), (1_000_000_000, ["a"])] {
      time.withLock { $0 = Nanoseconds(moment) }
      for message in messages { log.warn(message) }
    }
    same(written.withLock { $0 }, ["a", "b", "a"])
  }

  @Test("a field that can't be sent is told, what clients do is not")
  func transport() throws {
    let written = Monitor<[String]>([])
    let configuration = DaemonConfiguration.changed {
      $0.warn = { text in written.withLock { $0.append(text) } }
    }
    try withDaemon(configuration) { daemon, _ in
      for text in ["NONSENSE\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"] {
        let client = try RawClient(port: daemon.port)
        client.send(text)
        client.finishSending()
        #expect(try !client.rest().contains(" 200 "))
      }
      let client = try RawClient(port: daemon.port)
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
      #expect(eventually { daemon.requestsInFlight == 1 })
      client.reset()
      #expect(eventually { daemon.connectionCount == 0 })
      let proper = try RawClient(port: daemon.port)
      proper.send("GET /broken-field HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(proper.answer().status, 200)
      same(written.withLock { $0 }, ["a header field can't be sent: X-Broken"])
    }
  }
}
