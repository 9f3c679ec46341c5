import LayoutSessions
import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("Events of layouts that several servers share")
struct SharedEventTests {
  private static let list = """
    {"bounds": {"width": 300}, "options": {"itemHeight": 100}, "sections": [{"items": 3}]}
    """
  private static let insert = #"[{"insert": {"at": [0, 0], "items": 1}}]"#

  /// A stream of one layout from an instance, from its first event on.
  private final class Follower {
    private let client: RawClient

    init(_ path: String, port: UInt16) throws {
      client = try RawClient(port: port)
      client.send("GET \(path)/events HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer(hasBody: false).status, 200)
    }

    /// The next event; `nil` at the end.
    func event() throws -> String? {
      while let chunk = try client.chunk() {
        if chunk != ":\n\n" { return chunk }
      }
      return nil
    }
  }

  @Test("a change and an end that come about elsewhere are told, of a layout and of its view")
  func elsewhere() throws {
    let redis = try RedisServer()
    let (here, there) = (try ServiceInstance(redis), try ServiceInstance(redis))
    let path = there.path("list", Self.list)
    let view = there.viewPath(
      of: path, #"{"bounds": {"width": 640}, "options": {"itemHeight": 7}}"#)
    try withDaemon(here.gateway) { port in
      let followers = try [path, view].map { try Follower($0, port: port) }
      // Nobody has asked this server for the layout before.
      for follower in followers {
        try same(follower.event()?.contains(#""version":1,"#), true)
      }
      same(there.update(path, Self.insert).status, 200)
      try same(followers[0].event()?.contains(#""contentSize":{"width":300,"height":400}"#), true)
      try same(followers[1].event()?.contains(#""contentSize":{"width":640,"height":28}"#), true)
      same(there.send(.delete, path).status, 204)
      for follower in followers {
        try same(follower.event()?.hasPrefix("event: gone\n"), true)
        try same(follower.event(), nil)
      }
    }
  }

  @Test("a change of a view that comes about elsewhere is told with what it touches")
  func viewElsewhere() throws {
    let redis = try RedisServer()
    let (here, there) = (try ServiceInstance(redis), try ServiceInstance(redis))
    let path = there.path("list", Self.list)
    let view = there.viewPath(of: path, #"{"bounds": {"width": 640}}"#)
    try withDaemon(here.gateway) { port in
      let follower = try Follower(view, port: port)
      try same(follower.event()?.contains(#""version":1,"#), true)
      func expectEvent(_ number: Int, _ rects: String) throws {
        let event = try follower.event() ?? ""
        #expect(event.contains(#""version":\#(number),"#), "\(event)")
        #expect(event.contains(#""invalidatedRects":\#(rects)"#), "\(event)")
        #expect(!event.contains("recovered"), "\(event)")
      }
      same(there.patch(view, #"{"options": {"itemHeight": 50}}"#).status, 200)
      try expectEvent(2, "[[0,0,640,300]]")
      func measure(_ size: String) -> Answer {
        there.send(
          .post, "\(view)/measurements", json: #"{"sizes": [\#(size)]}"#)
      }
      same(measure(#"{"at": [0, 2], "height": 80}"#).status, 200)
      try expectEvent(3, "[[0,100,640,80]]")
      same(measure(#"{"at": [0, 2], "height": null}"#).status, 200)
      try expectEvent(4, "[[0,100,640,80]]")
      // With a change of the data between.
      same(there.update(path, #"[{"delete": {"at": [0, 2]}}]"#).status, 200)
      try expectEvent(5, "[[0,100,640,50]]")
      same(there.patch(view, #"{"kind": "grid", "options": {"columns": 2}}"#).status, 200)
      try same(follower.event()?.contains("recovered"), false)
      let query = "\(view)/elements?rect=0,0,640,500&known=0,0,640,40"
      for since in 2...4 {
        same(there.get("\(query)&since=\(since)").json["reset"], true)
      }
      let whole = there.get("\(view)/elements?rect=0,0,640,500").json
      same(here.get("\(view)/elements?rect=0,0,640,500").json, whole)
    }
  }

  @Test("a copy that makes room does not end the layout")
  func forgotten() throws {
    let redis = try RedisServer()
    let here = try ServiceInstance(redis)
    let path = here.path("list", Self.list)
    try withDaemon(here.gateway) { port in
      let follower = try Follower(path, port: port)
      try same(follower.event()?.contains(#""version":1,"#), true)
      here.sessions.forget(SessionID(path: path))
      same(here.update(path, Self.insert).status, 200)
      try same(follower.event()?.contains(#""version":2,"#), true)
    }
  }

  @Test("a layout that cannot be made here for now is not gone")
  func unreadable() throws {
    let redis = try RedisServer()
    let (here, there) = (try ServiceInstance(redis), try ServiceInstance(redis))
    let path = there.path("list", Self.list)
    let key = "layoutd:{\(SessionID(path: path))}"
    try withDaemon(here.gateway) { port in
      let follower = try Follower(path, port: port)
      try same(follower.event()?.contains(#""version":1,"#), true)
      // As if this server lacked what the others have: a font, a limit, a version.
      try redis.command("HSET", key, "kind", "nothing")
      here.sessions.forget(SessionID(path: path))
      #expect(eventually { here.get(path).status == 503 })
      try redis.command("HSET", key, "kind", "list")
      here.clock.advance(by: .seconds(60))
      same(there.update(path, Self.insert).status, 200)
      try same(follower.event()?.contains(#""version":2,"#), true)
    }
  }

  @Test("a layout that nobody has is gone")
  func nowhere() throws {
    let redis = try RedisServer()
    let here = try ServiceInstance(redis)
    let path = here.path("list", Self.list)
    let nowhere = "AAAAAAAAAAAAAAAAAAAAAA"
    try withDaemon(here.gateway) { port in
      func status(_ target: String, _ field: String = "") throws -> Int {
        let client = try RawClient(port: port)
        client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\(field)\r\n")
        return try client.answer(hasBody: false).status
      }
      for target in ["/layouts/\(nowhere)/events", "/events?layout=\(nowhere)"] {
        try same(status(target), 404)
        // An EventSource that comes back would come back for ever.
        try same(status(target, "Last-Event-ID: 1-000000\r\n"), 204)
      }
      let client = try RawClient(port: port)
      client.send(
        "GET /events?layout=\(nowhere)&layout=\(SessionID(path: path)) HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer(hasBody: false).status, 200)
      var events = ""
      while !events.contains("\"version\":1") { events += try client.chunk() ?? "\"version\":1" }
      #expect(events.contains("{\"layout\":\"\(nowhere)\",\"reason\":\"unknown\"}"))
    }
  }
}
