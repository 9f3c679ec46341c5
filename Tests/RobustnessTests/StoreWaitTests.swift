import Foundation
import TestSupport
import Testing

/// The program where its store is not there yet.
@Suite("a store that is not there yet", .serialized)
struct StoreWaitTests {
  @Test("a server waits for its store, and says so")
  func waits() throws {
    let redis = try RedisServer(isStarted: false)
    let program = try Program(
      ["--store", "unix://\(redis.socket)", "--store-wait", "3600"],
      waiting: ("waiting for the store", { try redis.start() }))
    defer { program.stop() }
    let client = try RawClient(port: program.port)
    // It serves reads before it hears of others' changes.
    #expect(
      eventually {
        client.send("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n")
        guard let answer = try? client.answer() else { return false }
        return answer.status == 200 && answer.body.contains(#""store":"reachable""#)
      })
  }

  @Test("a server whose store does not come ends with a sentence")
  func endsWithout() throws {
    let redis = try RedisServer(isStarted: false)
    let (status, errors) = try Program.run(
      ["--port", "0", "--store", "unix://\(redis.socket)", "--store-wait", "0"])
    same(status, 1)
    #expect(errors.contains(redis.socket), "\(errors)")
    #expect(!errors.contains("waiting for the store"), "\(errors)")
  }

  @Test("a signal ends the wait")
  func signal() throws {
    let redis = try RedisServer(isStarted: false)
    let (status, errors) = try Program.run(
      ["--port", "0", "--store", "unix://\(redis.socket)", "--store-wait", "3600"],
      onLine: ("waiting for the store", SIGTERM))
    same(status, 0)
    #expect(errors.contains("waiting for the store"), "\(errors)")
  }
}
