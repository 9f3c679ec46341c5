import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import LayoutSessions

@Suite("Events of layouts")
struct EventTests {
  private let service = TestService()
  private static let list = """
    {"bounds": {"width": 300}, "options": {"itemHeight": 100},
     "sections": [{"id": "album", "items": {"id": ["harbour", "gull", "pier"]}}]}
    """
  private static let insert = #"[{"insert": {"at": [0, 0], "items": [{"id": "kite"}]}}]"#

  private func id(_ path: String) -> String { String(path.dropFirst("/layouts/".count)) }

  private func view(_ path: String, _ body: String = "{}") -> String {
    let answer = service.view(of: path, body)
    guard let view = answer["Location"] else { preconditionFailure(answer.text) }
    return view
  }

  /// The least rect around two.
  private func union(_ a: JSON, _ b: JSON) -> JSON {
    let (a, b) = (a.array.compactMap(\.number), b.array.compactMap(\.number))
    let (x, y) = (min(a[0], b[0]), min(a[1], b[1]))
    return [
      .number(x), .number(y), .number(max(a[0] + a[2], b[0] + b[2]) - x),
      .number(max(a[1] + a[3], b[1] + b[3]) - y),
    ]
  }

  @Test("first comes where things are, then each new version")
  func versions() throws {
    let path = service.path("list", Self.list)
    try withDaemon(service.gateway) { port in
      let client = try EventClient(port: port, "\(path)/events")
      same(client.head.headers["content-type"], "text/event-stream")
      // Proxies that compress would keep events for themselves.
      same(client.head.headers["cache-control"], "no-store, no-transform")
      same(client.head.headers["x-accel-buffering"], "no")
      same(client.head.headers["content-encoding"], nil)
      #expect(client.head.headers["x-request-id"] != nil)
      let first = try #require(try client.event())
      same(
        first,
        .init(
          data: [
            "version": 1, "versionTag": .string(tag(1)), "recovered": false,
            "contentSize": ["width": 300, "height": 300],
          ], id: tag(1)))
      #expect((1000...3000).contains(client.retryMilliseconds ?? 0))

      let answer = service.update(path, Self.insert).json
      let second = try #require(try client.event())
      same(
        second,
        .init(
          data: [
            "version": 2, "versionTag": .string(tag(2)),
            "contentSize": ["width": 300, "height": 400],
            "invalidatedRect": answer["invalidatedRect"],
            "invalidatedRects": answer["invalidatedRects"],
          ], id: tag(2)))
      // Bounds that change no element are no new version.
      same(service.patch(path, #"{"bounds": {"width": 300, "height": 50}}"#).json["version"], 2)
      same(service.patch(path, #"{"options": {"itemHeight": 10}}"#).json["version"], 3)
      let third = try #require(try client.event())
      same(third.data["version"], 3)
      same(third.data["contentSize"], ["width": 300, "height": 40])
    }
  }

  @Test("Last-Event-ID and since resume, and tell what has changed since")
  func resuming() throws {
    let path = service.path("list", Self.list)
    let rects = [
      service.update(path, Self.insert).json["invalidatedRect"],
      service.update(path, #"[{"delete": {"at": [0, 3]}}]"#).json["invalidatedRect"],
    ]
    try withDaemon(service.gateway) { (port) throws in
      func first(_ query: String = "", lastEventID: String? = nil) throws -> JSON {
        try EventClient(port: port, "\(path)/events\(query)", lastEventID: lastEventID)
          .event()?.data ?? .null
      }
      let recovered: JSON = [
        "version": 3, "versionTag": .string(tag(3)), "recovered": true,
        "contentSize": ["width": 300, "height": 300],
        "invalidatedRect": union(rects[0], rects[1]),
        "invalidatedRects": [union(rects[0], rects[1])],
      ]
      try same(first(lastEventID: "1"), recovered)
      try same(first("?since=1"), recovered)
      // Some clients cannot send fields.
      try same(first("?lastEventId=1"), recovered)
      try same(first("?since=3&lastEventId=1"), recovered)
      try same(first("?since=1&lastEventId="), recovered)
      try same(first("?lastEventId=3", lastEventID: "1"), recovered)
      try same(first("?since=\(tag(1))"), recovered)
      try same(first(lastEventID: tag(1)), recovered)
      try same(first("?since=\(id(path)):1"), recovered)
      // A browser that comes again sends its first URL once more.
      try same(first("?since=1", lastEventID: "2")["invalidatedRect"], rects[1])
      try same(first("?since=3")["invalidatedRect"], .null)
      try same(first("?since=3")["recovered"], true)
      let lost: JSON = [
        "version": 3, "versionTag": .string(tag(3)), "recovered": false,
        "contentSize": ["width": 300, "height": 300],
      ]
      for unknown in [
        "4", "1-000000", "3-000000", "\(tag(1))0", "one", "AAAAAAAAAAAAAAAAAAAAAA:1", "",
      ] {
        try same(first(lastEventID: unknown), lost, "\(unknown)")
      }
      for _ in 0..<ChangeHistory.capacity { _ = service.touch(path) }
      try same(first("?since=3")["recovered"], true)
      try same(first("?since=2")["recovered"], false)
    }
  }

  @Test("the end of a layout is told with its reason, and ends the stream")
  func ends() throws {
    func reason(
      ofEndOf path: String, _ service: TestService, by end: () -> Void
    ) throws -> JSON {
      var reason = JSON.null
      try withDaemon(service.gateway) { port in
        let client = try EventClient(port: port, "\(path)/events")
        try same(client.event()?.data["version"], 1)
        end()
        let gone = try #require(try client.event())
        same(gone.name, "gone")
        reason = gone.data
        try same(client.event(), nil)
        // The browser comes again, and gives up.
        let again = try HTTPClient(port: port).send("GET", "\(path)/events")
        again.expectProblem(404, "no-such-layout")
      }
      return reason
    }
    let deleted = service.path("list", Self.list)
    try same(
      reason(ofEndOf: deleted, service) { _ = service.send(.delete, deleted) },
      ["reason": "deleted"])
    let expired = service.path("list", Self.list)
    try same(
      reason(ofEndOf: expired, service) {
        service.clock.advance(by: .seconds(900))
        service.sessions.removeExpiredSessions()
      }, ["reason": "expired"])
    let small = TestService(sessionLimits: .init(maxSessions: 1))
    let evicted = small.path("list", Self.list)
    try same(
      reason(ofEndOf: evicted, small) { _ = small.path("list", Self.list) }, ["reason": "evicted"])
    let source = service.path("list", Self.list)
    try same(
      reason(ofEndOf: view(source), service) { _ = service.send(.delete, source) },
      ["reason": "source-ended"])
  }

  @Test("a view is followed like any layout, with its own versions and frames")
  func views() throws {
    let path = service.path("list", Self.list)
    let wide = view(path, #"{"bounds": {"width": 640}, "options": {"itemHeight": 7}}"#)
    try withDaemon(service.gateway) { port in
      let client = try EventClient(port: port, "\(wide)/events")
      try same(client.event()?.data["contentSize"], ["width": 640, "height": 21])
      _ = service.update(path, Self.insert)
      let changed = try #require(try client.event())
      #expect(changed.id.hasPrefix("2-"))
      same(changed.data["versionTag"], .string(changed.id))
      same(service.get(wide).json["versionTag"], .string(changed.id))
      same(changed.data["contentSize"], ["width": 640, "height": 28])
      same(changed.data["invalidatedRect"], [0, 0, 640, 28])
      // Its own options.
      same(service.patch(wide, #"{"options": {"itemHeight": 8}}"#).json["version"], 3)
      try same(client.event()?.data["contentSize"], ["width": 640, "height": 32])
      // Those of the source do not reach it.
      _ = service.patch(path, #"{"options": {"itemHeight": 9}}"#)
      _ = service.update(path, #"[{"delete": {"at": [0, 0]}}]"#)
      try same(client.event()?.data["version"], 4)
    }
  }

  @Test("a view that does not fit its collection has no size until it does")
  func impossibleView() throws {
    let path = service.path("list", Self.list)
    let narrow = view(path, #"{"bounds": {"width": 100}}"#)
    try withDaemon(service.gateway) { port in
      let client = try EventClient(port: port, "\(narrow)/events")
      try same(client.event()?.data["version"], 1)
      _ = service.update(
        path, #"[{"setSection": {"at": 0, "options": {"sectionInset": {"left": 120}}}}]"#)
      try same(client.event()?.data.removing("versionTag"), ["version": 2, "recovered": false])
      _ = service.update(path, #"[{"setSection": {"at": 0, "options": null}}]"#)
      let fitting = try #require(try client.event())
      same(fitting.data["version"], 3)
      same(fitting.data["contentSize"], ["width": 100, "height": 300])
    }
  }

  @Test("who is told of the hundredth version is not deeper in the stack than for the first")
  func depthOfViews() throws {
    let path = service.path("list", Self.list)
    let watch = StackWatch()
    service.sessions.listen { [service] news in
      watch.note()
      service.service.events.hear(news)
    }
    let seen = view(path)
    try withDaemon(service.gateway) { port in
      let client = try EventClient(port: port, "\(seen)/events")
      try same(client.event()?.data["version"], 1)
      for version in 2...100 {
        _ = service.update(path, #"[{"move": {"from": [0, 0], "to": [0, 1]}}]"#)
        try same(client.event()?.data["version"], .number(Double(version)))
      }
    }
    #expect(watch.span < 50)
  }

  @Test("several layouts are followed on one stream, which resumes all")
  func several() throws {
    let paths = (0..<3).map { _ in service.path("list", Self.list) }
    let ids = paths.map(id)
    try withDaemon(service.gateway) { port in
      let target = "/events?" + ids.map { "layout=\($0)" }.joined(separator: "&")
      let client = try EventClient(port: port, target)
      for index in 0..<3 {
        let event = try #require(try client.event())
        same(event.data["layout"].string, ids[index])
        same(event.data["version"], 1)
        same(event.data["recovered"], false)
        same(event.id, ids[...index].map { "\($0):\(tag(1))" }.joined(separator: ","))
      }
      _ = service.update(paths[1], Self.insert)
      let event = try #require(try client.event())
      same(event.data["layout"].string, ids[1])
      same(event.data["version"], 2)
      same(event.id, "\(ids[0]):\(tag(1)),\(ids[1]):\(tag(2)),\(ids[2]):\(tag(1))")
      // The end of one is not the end of all.
      same(service.send(.delete, paths[0]).status, 204)
      let gone = try #require(try client.event())
      same(gone.name, "gone")
      same(gone.data, ["layout": .string(ids[0]), "reason": "deleted"])
      client.reset()

      _ = service.update(paths[2], Self.insert)
      let again = try EventClient(port: port, target, lastEventID: gone.id)
      let events = try (0..<3).map { _ in try again.event()?.data ?? .null }
      same(events[0], ["layout": .string(ids[0]), "reason": "unknown"])
      same(events[1]["recovered"], true)
      same(events[1]["invalidatedRect"], .null)
      same(events[2]["version"], 2)
      same(events[2]["recovered"], true)
      same(events[2]["invalidatedRect"], [0, 0, 300, 400])
      for path in paths[1...] { same(service.send(.delete, path).status, 204) }
      for _ in 0..<2 { try same(again.event()?.name, "gone") }
      try same(again.event(), nil)
    }
  }

  @Test("with many layouts, an id comes once for several events, and tells of all of them")
  func idsOfMany() throws {
    let paths = (0..<64).map { _ in service.path("list", Self.list) }
    let target = "/events?" + paths.map { "layout=\(id($0))" }.joined(separator: "&")
    try withDaemon(service.gateway) { port in
      let client = try RawClient(port: port)
      client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer(hasBody: false).status, 200)
      var text = ""
      while text.components(separatedBy: "data: ").count < 65 {
        text += try #require(try client.chunk())
      }
      let ids = text.matches(of: #/(?m)^id: (.*)$/#).map { String($0.1) }
      #expect((1...16).contains(ids.count), "\(ids.count) ids for 64 events")
      same(ids.last?.split(separator: ",").count, 64)
      client.reset()
      // Whoever comes back with the last one is told nothing that is not new.
      _ = service.update(paths[7], Self.insert)
      let again = try EventClient(port: port, target, lastEventID: ids.last)
      var versions: [JSON] = []
      for _ in 0..<64 { versions.append(try again.event()?.data["version"] ?? .null) }
      same(versions.filter { $0 == 2 }.count, 1)
    }
  }

  @Test("whoever cannot follow is told why")
  func refusals() throws {
    let path = service.path("list", Self.list)
    let target = "\(path)/events"
    service.get("/layouts/AAAAAAAAAAAAAAAAAAAAAA/events").expectProblem(404, "no-such-layout")
    service.get("/layouts/x/events").expectProblem(404, "no-such-layout")
    // An EventSource that comes back would come back for ever.
    for target in [
      "/layouts/AAAAAAAAAAAAAAAAAAAAAA/events", "/events?layout=AAAAAAAAAAAAAAAAAAAAAA",
    ] {
      let answer = service.send(.get, target, headers: [("Last-Event-ID", "1-000000")])
      same(answer.status, 204)
    }
    service.get("/events").expectProblem(400, "invalid-layout")
    service.get("/events?layout=x").expectProblem(400, "invalid-layout")
    service.get("/events?layout=AAAAAAAAAAAAAAAAAAAAAA").expectProblem(404, "no-such-layout")
    let many = (0..<65).map { _ in "layout=\(SessionID.random())" }.joined(separator: "&")
    service.get("/events?\(many)").expectProblem(400, "invalid-layout", saying: "64")
    // One that is named twice counts once.
    let twice = Array(repeating: "layout=\(id(path))", count: 65).joined(separator: "&")
    same(service.get("/events?\(twice)").status, 200)
    for since in ["0", "-1", "x", "1,", "1,2", ":1", "\(id(path)):", "\(id(path)):1,x:2"] {
      service.get("\(target)?since=\(since)").expectProblem(400, "invalid-since")
      service.get("\(target)?lastEventId=\(since)").expectProblem(400, "invalid-lastEventId")
    }
    service.get("\(target)?layout=\(id(path))").expectProblem(400, "invalid-parameter")
    service.send(.get, target, headers: [(.accept, "application/json")])
      .expectProblem(406, "not-acceptable", saying: "text/event-stream")
    service.send(.post, target).expectProblem(405, "method-not-allowed")
    same(service.send(.head, target).status, 200)
    let locked = TestService(configuration: .init(apiKeys: try APIKeys("secret")))
    locked.get("/events?layout=x").expectProblem(401, "unauthorized")
    let cors = service.send(.get, target, headers: [("Origin", "https://example.com")])
    same(cors["Access-Control-Allow-Origin"], "*")
  }

  @Test("a layout that is followed is in use, until nobody follows it")
  func use() throws {
    let path = service.path("list", Self.list)
    let other = service.path("list", Self.list)
    let seen = view(other)
    func pass() {
      service.clock.advance(by: .seconds(600))
      service.service.useFollowedLayouts()
      service.sessions.removeExpiredSessions()
    }
    try withDaemon(service.gateway) { port in
      let clients = try [path, seen].map { try EventClient(port: port, "\($0)/events") }
      for client in clients { try same(client.event()?.data["version"], 1) }
      for _ in 0..<4 { pass() }
      same(service.sessions.statistics.sessions, 2)
      same(service.sessions.statistics.views, 1)
      for client in clients { client.reset() }
      #expect(eventually { service.service.events.followedCount == 0 })
      for _ in 0..<2 { pass() }
      same(service.sessions.statistics.sessions, 0)
    }
  }
}
