import Foundation
import TestSupport
import Testing

/// Streams of events of the program itself.
@Suite("Streams of the program")
struct StreamProgramTests {
  /// The id of a layout that a server has prepared.
  private func layout(on server: Program) throws -> String {
    let client = try RawClient(port: server.port)
    let body = #"{"bounds": {"width": 300}, "sections": [{"items": 3}]}"#
    client.send(
      "POST /layouts/list/prepare HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    let text = try client.answer().body
    return String(text.dropFirst(#"{"id":""#.count).prefix(22))
  }

  private func update(_ id: String, with client: RawClient) throws -> Int {
    let body = #"{"updates": [{"insert": {"at": [0, 0], "items": 1}}]}"#
    client.send(
      "POST /layouts/\(id)/updates HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return try client.answer().status
  }

  private func follower(of id: String, at port: UInt16) throws -> RawClient {
    let client = try RawClient(port: port)
    client.send("GET /layouts/\(id)/events HTTP/1.1\r\nHost: a\r\n\r\n")
    try same(client.answer(hasBody: false).status, 200)
    try same(event(of: client)?.hasPrefix("retry: "), true)
    return client
  }

  /// The next event; `nil` at the end.
  private func event(of client: RawClient) throws -> String? {
    while let chunk = try client.chunk() {
      // Heartbeats come as they will.
      if chunk != ":\n\n" { return chunk }
    }
    return nil
  }

  @Test("160 streams of which some leave all the time cost no descriptor in the end")
  func descriptors() throws {
    let server = try Program()
    defer { server.stop() }
    let id = try layout(on: server)
    let editor = try RawClient(port: server.port)
    try same(update(id, with: editor), 200)
    let before = server.descriptorCount
    let port = server.port
    onThreads(4) { thread in
      var random = SeededGenerator(seed: thread)
      do {
        var followers = try (0..<40).map { _ in try follower(of: id, at: port) }
        let editor = try RawClient(port: port)
        for _ in 0..<60 {
          try same(update(id, with: editor), 200)
          for index in followers.indices where random.chance(10) {
            if random.chance(50) { followers[index].reset() }
            followers[index] = try follower(of: id, at: port)
          }
        }
        // Each hears of the last change, whatever it has heard of before.
        try same(update(id, with: editor), 200)
        for follower in followers {
          try same(event(of: follower)?.hasPrefix("id: "), true)
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(eventually { server.descriptorCount <= before })
  }

  @Test("SIGTERM ends streams after their last event, and then the program")
  func stopping() throws {
    let server = try Program()
    defer { server.stop() }
    let id = try layout(on: server)
    let clients = try (0..<20).map { _ in try follower(of: id, at: server.port) }
    try same(update(id, with: RawClient(port: server.port)), 200)
    server.send(signal: SIGTERM)
    for client in clients {
      try same(event(of: client)?.hasPrefix("id: 2-"), true)
      try same(event(of: client), nil)
      #expect(try client.isClosed())
    }
    same(server.exitStatus, 0)
  }
}
