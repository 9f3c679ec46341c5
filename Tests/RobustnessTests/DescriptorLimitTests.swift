import Glibc
import TestSupport
import Testing

/// The program itself with few descriptors.
@Suite("The limit of descriptors")
struct DescriptorLimitTests {
  @Test("with 64 descriptors it answers whom it can, turns others away, and recovers")
  func few() throws {
    let server = try Program(descriptors: 64)
    defer { server.stop() }
    let regular = try RawClient(port: server.port)
    func ask(_ client: RawClient) throws -> Int {
      client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
      return try client.answer().status
    }
    try same(ask(regular), 200)

    var crowd: [RawClient] = []
    var statuses: [Int: Int] = [:]
    for _ in 0..<100 {
      let client = try RawClient(port: server.port)
      // One that is turned away may be told so, or find the connection closed.
      statuses[(try? ask(client)) ?? 0, default: 0] += 1
      crowd.append(client)
      try same(ask(regular), 200)
    }
    #expect(statuses[200] ?? 0 >= 20, "\(statuses)")
    #expect(Set(statuses.keys).isSubset(of: [0, 200, 503]), "\(statuses)")
    #expect(statuses[503] ?? 0 > 0, "\(statuses)")

    crowd.removeAll()
    #expect(
      eventually {
        guard let client = try? RawClient(port: server.port) else { return false }
        return (try? ask(client)) == 200
      })
    try same(ask(regular), 200)
  }

  @Test("that there is none is only told where somebody was turned away")
  func nobodyTurnedAway() throws {
    // So few that nobody could be let in; at its end it looks who waits.
    let server = try Program(descriptors: 13)
    server.send(signal: SIGTERM)
    let lines = server.logLinesToTheEnd()
    same(lines.last?.contains("stopped"), true, "\(lines)")
    #expect(!lines.contains { $0.contains("no descriptor") }, "\(lines)")
    same(server.exitStatus, 0)
  }

  @Test("with hardly any it does not start, or it answers", arguments: 6..<17)
  func hardlyAny(descriptors: Int) throws {
    let server: Program
    do {
      server = try Program(descriptors: descriptors)
    } catch let error as RawClient.Broken {
      #expect(error.description.contains("Too many open files"), "\(error)")
      // The standard streams, the socket, two for each thread, the wake-up and the reserve, and
      // three for streams.
      #expect(descriptors < 13)
      return
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
    let answer = try client.answer()
    #expect([200, 503].contains(answer.status))
  }
}
