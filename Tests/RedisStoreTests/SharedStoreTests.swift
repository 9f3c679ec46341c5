import Foundation
import LayoutService
import LayoutSessions
import MicroHTTP
import RedisStore
import ServiceSupport
import Synchronization
import TestSupport
import Testing

@Suite("A store that servers share")
struct SharedStoreTests {
  private let redis: RedisServer
  private let servers: [ServiceInstance]
  private var a: ServiceInstance { servers[0] }
  private var b: ServiceInstance { servers[1] }

  init() throws {
    redis = try RedisServer(["--appendonly", "yes", "--appendfsync", "always"])
    servers = try (0..<3).map { [redis] _ in try ServiceInstance(redis) }
  }

  private static let list = #"""
    {"bounds": {"width": 100}, "options": {"itemHeight": 10},
     "sections": [{"items": {"id": ["a", "b", "c"], "height": [10, null, 30]}}]}
    """#
  private static let everything = "/elements?rect=0,0,1e6,1e9"

  @Test("what one server makes, every server serves, byte by byte")
  func everywhere() {
    for kind in ["list", "waterfall"] {
      let path = a.path(kind, Self.list)
      for target in [Self.everything, "/sections", "/items?id=a&id=c", "/collection"] {
        let answers = servers.map { $0.get(path + target) }
        #expect(answers.allSatisfy { $0.status == 200 && $0.body == answers[0].body }, "\(target)")
        #expect(answers.allSatisfy { $0["ETag"] == answers[0]["ETag"] }, "\(target)")
      }
    }
    same(b.get("/layouts/AAAAAAAAAAAAAAAAAAAAAA").status, 404)
  }

  @Test("a change is heard of everywhere, and seen at once by who shows it")
  func changes() {
    let path = a.path("list", Self.list)
    same(b.get(path).version, 1)
    let changed = a.update(path, #"[{"delete": {"at": [0, 0]}}]"#)
    same(changed.status, 200)
    let tag = changed.versionTag ?? ""
    // Whether or not the news have come by now.
    let shown = b.get("\(path)\(Self.everything)&version=\(tag)")
    same(shown.status, 200)
    same(shown.body, a.get("\(path)\(Self.everything)&version=\(tag)").body)
    let third = servers[2]
    #expect(eventually { third.get(path).versionTag == tag })
    same(b.patch(path, #"{"options": {"itemHeight": 12}}"#).version, 3)
    #expect(eventually { a.get(path).version == 3 })
  }

  @Test("whoever changes data, ids and data are those of a plain list", arguments: 0..<2)
  func data(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var items = (0..<30).map { (id: "p\($0)", data: "{\"n\": \($0).50}") }
    func rows(_ items: [(id: String, data: String)]) -> String {
      "[\(items.map { #"{"id": "\#($0.id)", "data": \#($0.data)}"# }.joined(separator: ","))]"
    }
    let body =
      #"{"bounds": {"width": 100}, "options": {"itemHeight": 10}, "sections": [{"items": "#
    let path = a.path("list", body + rows(items) + "}]}")
    for step in 0..<25 {
      let at = random.integer(0...items.count - 1)
      let new = [(id: "q\(step)", data: "\(step)e3"), (id: "r\(step)", data: #""\ud800""#)]
      let update: String
      switch random.integer(0...3) {
      case 0:
        items[at].data = "[\(step), 1.0]"
        update = #"{"set": {"at": [0, \#(at)], "items": [{"data": \#(items[at].data)}]}}"#
      case 1:
        items.insert(contentsOf: new, at: at)
        update = #"{"insert": {"at": [0, \#(at)], "items": \#(rows(new))}}"#
      case 2:
        items.insert(items.remove(at: at), at: 0)
        update = #"{"move": {"from": [0, \#(at)], "to": [0, 0]}}"#
      default:
        items.remove(at: at)
        update = #"{"delete": {"at": [0, \#(at)]}}"#
      }
      let changed = random.element(of: servers).update(path, "[\(update)]")
      same(changed.status, 200, "\(seed), \(step): \(changed.text)")
      for server in servers {
        #expect(eventually { server.get(path).versionTag == changed.versionTag })
        let told = server.get("\(path)\(Self.everything)&data=true").text
        let data = items.map { #""id":"\#($0.id)","data":\#($0.data)}"# }
        let places = data.map { told.range(of: $0)?.lowerBound }
        same(places.compactMap { $0 }.count, items.count, "\(seed), \(step): \(update)")
        same(places.compactMap { $0 }, places.compactMap { $0 }.sorted())
        same(server.get("\(path)/ids").json["ids"].array.map(\.string), items.map(\.id))
      }
    }
  }

  @Test("whoever arranges, measures and changes, all servers show the same", arguments: 0..<2)
  func arranged(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let stars = (0..<40).map { "\($0 * 7 % 6)" }.joined(separator: ",")
    let ids = (0..<40).map { "\"p\($0)\"" }.joined(separator: ",")
    let items = #"{"id": [\#(ids)], "keys": {"stars": [\#(stars)]}}"#
    let path = a.path(
      "list", #"{"bounds": {"width": 100}, "sections": [{"items": \#(items)}]}"#)
    let view = a.viewPath(of: path, #"{"arrange": {"groupBy": {"key": "stars"}}}"#)
    for step in 0..<20 {
      let server = random.element(of: servers)
      let item = random.integer(0...39)
      let number = random.integer(0...5)
      let changed: Answer
      switch random.integer(0...3) {
      case 0:
        let set = #"{"at": [0, \#(item)], "items": [{"keys": {"stars": \#(number)}}]}"#
        changed = server.update(path, "[{\"set\": \(set)}]")
      case 1:
        let condition = #"{"key": "stars", "from": \#(number)}"#
        changed = server.patch(view, #"{"arrange": {"where": [\#(condition)]}}"#)
      case 2:
        let order = #"{"key": "stars", "order": "descending"}"#
        changed = server.patch(view, #"{"arrange": {"groupBy": \#(order)}}"#)
      default:
        changed = server.send(
          .post, "\(view)/measurements",
          json: #"{"sizes": [{"id": "p\#(item)", "height": \#(step + 50)}]}"#)
        // What is left out is not measured.
        guard changed.status == 200 else { continue }
      }
      same(changed.status, 200, "\(seed), \(step): \(changed.text)")
      let shown = server.get(view + Self.everything)
      for other in servers {
        #expect(
          eventually { other.get(view).versionTag == shown.json["versionTag"].string },
          "\(seed), \(step)")
        same(other.get(view + Self.everything).text, shown.text, "\(seed), \(step)")
      }
    }
  }

  @Test("of two who mean the same version, on two servers, one wins")
  func race() {
    let path = a.path("list", Self.list)
    for _ in 0..<10 {
      let tag = a.get(path)["ETag"] ?? ""
      let statuses = Mutex<[Int]>([])
      onThreads(2) { [servers] number in
        let answer = servers[number].touch(path, ifMatch: tag)
        statuses.withLock { $0.append(answer.status) }
      }
      same(statuses.withLock { $0.sorted() }, [200, 412])
      // What this server answers next is not before what was acknowledged.
      #expect(eventually { a.get(path)["ETag"] == b.get(path)["ETag"] })
    }
  }

  @Test("changes from all servers at once are all made, each once, in one order")
  func concurrent() throws {
    let path = a.path("list", Self.list)
    let versions = Mutex<[Int]>([])
    let rounds = 15
    onThreads(3) { [servers] number in
      for round in 0..<rounds {
        let item = "\(number)-\(round)"
        let answer =
          round % 5 == 4
          ? servers[number].patch(path, #"{"options": {"itemHeight": \#(number * 100 + round)}}"#)
          : servers[number].update(
            path, #"[{"insert": {"at": [0, 0], "items": [{"id": "\#(item)"}]}}]"#)
        same(answer.status, 200, "\(answer.text)")
        versions.withLock { $0.append(answer.version ?? 0) }
      }
    }
    same(versions.withLock { $0.sorted() }, Array(2...3 * rounds + 1))
    let fourth = try ServiceInstance(redis)
    let exports = (servers + [fourth]).map { server in
      #expect(
        eventually { server.get(path).version == 3 * rounds + 1 })
      return server.get("\(path)/collection").text
    }
    same(Set(exports).count, 1)
    for number in 0..<3 {
      for round in 0..<rounds where round % 5 != 4 {
        #expect(exports[0].contains("\"\(number)-\(round)\""))
      }
    }
  }

  @Test("a copy can go at any time")
  func forgotten() {
    let path = a.path("list", Self.list)
    let expected = a.get(path + Self.everything)
    same(a.touch(path).status, 200)
    same(a.patch(path, #"{"bounds": {"width": 100, "height": 9}}"#).status, 200)
    let changed = a.get(path + Self.everything)
    #expect(changed.body != expected.body)
    a.sessions.forget(SessionID(path: path))
    same(a.get(path + Self.everything).body, changed.body)
    same(a.sessions.logStatistics.loads, 1)
  }

  @Test("what is deleted on one server is gone on all")
  func deleted() {
    let path = a.path("list", Self.list)
    let view = a.viewPath(of: path, #"{"bounds": {"width": 50}}"#)
    #expect(b.get(path).status == 200 && b.get(view).status == 200)
    same(b.send(.delete, path, headers: [(.ifMatch, "\"1-000000\"")]).status, 412)
    same(servers[2].send(.delete, path).status, 204)
    for server in servers {
      #expect(eventually { server.get(path).status == 404 })
      #expect(eventually { server.get(view).status == 404 })
    }
    same(a.send(.delete, path).status, 404)
  }

  @Test("a view has the same numbers, tags and elements on every server")
  func views() {
    let path = a.path("list", Self.list)
    same(a.touch(path).status, 200)
    let view = a.viewPath(of: path, #"{"kind": "grid", "bounds": {"width": 60}}"#)
    func expectEqual(version: Int) {
      let expected = a.get(view + Self.everything)
      same(expected.version, version)
      for server in servers {
        #expect(
          eventually { server.get(view + Self.everything).body == expected.body }, "\(version)")
        same(server.get(view + Self.everything)["ETag"], expected["ETag"])
      }
    }
    expectEqual(version: 1)
    same(b.patch(view, #"{"options": {"columns": 3}}"#).version, 2)
    #expect(eventually { a.get(view).version == 2 })
    expectEqual(version: 2)
    same(servers[2].update(path, #"[{"delete": {"at": [0, 1]}}]"#).status, 200)
    #expect(eventually { a.get(view).version == 3 })
    expectEqual(version: 3)
    // Nothing depends on the height.
    let amended = b.patch(view, #"{"bounds": {"height": 7}}"#)
    same(amended.json["invalidated"], false)
    expectEqual(version: 3)
    a.sessions.forget(SessionID(path: path))
    expectEqual(version: 3)
    same(b.touch(view).status, 403)
  }

  @Test("a view and its source have locks of their own, whatever their ids")
  func locks() {
    let path = a.path("list", Self.list)
    func lock(_ path: String) -> ObjectIdentifier {
      ObjectIdentifier(b.sessions.lock(for: SessionID(path: path)))
    }
    // About one of 64 views has an id with the lock of the source's.
    let views = (0..<5_000).lazy.map { _ in
      a.viewPath(of: path, #"{"bounds": {"width": 60}}"#)
    }
    guard let view = views.first(where: { lock($0) == lock(path) }) else {
      Issue.record("no view of 5,000")
      return
    }
    same(b.get(view + Self.everything).version, 1)
    same(a.update(path, #"[{"delete": {"at": [0, 1]}}]"#).status, 200)
    same(a.patch(view, #"{"options": {"itemHeight": 50}}"#).status, 200)
    #expect(eventually { b.get(view + Self.everything).version == 3 })
    same(b.get(view + Self.everything).body, a.get(view + Self.everything).body)
  }

  private func heights(_ layout: String, on server: ServiceInstance) -> [Double] {
    server.get(layout + Self.everything).json["elements"].array.map {
      $0["frame"][3].number ?? -1
    }
  }

  @Test("a change of a view is in the log as it was asked for")
  func changeOfView() throws {
    let path = a.path("list", Self.list)
    let view = a.viewPath(of: path, #"{"kind": "grid", "options": {"columns": 3}}"#)
    let body = #"{"kind": "waterfall", "bounds": {"width": 60}}"#
    same(a.patch(view, body).status, 200)
    let log = "\(StoreAddress.defaultPrefix){\(SessionID(path: view))}:log"
    let entries = try redis.command("XRANGE", log, "-", "+")
    #expect(entries.contains("patch") && entries.contains(body), "\(entries)")
    let fourth = try ServiceInstance(redis)
    for server in servers + [fourth] {
      #expect(
        eventually { server.get(view + Self.everything).body == a.get(view + Self.everything).body }
      )
      #expect(eventually { server.get(view).json["kind"] == "waterfall" })
    }
  }

  @Test("what was measured on one server, in a source or a view, every server has")
  func measurements() {
    let path = a.path("list", Self.list)
    let view = a.viewPath(of: path, #"{"bounds": {"width": 60}}"#)
    func expectEqual(_ layout: String, version: Int, heights: [Double]) {
      for server in servers {
        #expect(eventually { server.get(layout).version == version })
        same(self.heights(layout, on: server), heights)
      }
      let bodies = servers.map { $0.get(layout + Self.everything).body }
      #expect(bodies.allSatisfy { $0 == bodies[0] })
    }
    same(b.measure(view, #"{"sizes": [{"id": "b", "height": 21.5}]}"#).version, 2)
    expectEqual(view, version: 2, heights: [10, 21.5, 30])
    expectEqual(path, version: 1, heights: [10, 10, 30])
    same(a.measure(path, #"{"sizes": [{"at": [0, 0], "height": 7}]}"#).version, 2)
    expectEqual(path, version: 2, heights: [7, 10, 30])
    expectEqual(view, version: 2, heights: [10, 21.5, 30])
    // The sizes follow their items, though the copy that measured is another.
    same(servers[2].update(path, #"[{"delete": {"at": [0, 0]}}]"#).status, 200)
    expectEqual(view, version: 3, heights: [21.5, 30])
    same(a.measure(view, #"{"sizes": [{"id": "c", "height": 5}]}"#).version, 4)
    expectEqual(view, version: 4, heights: [21.5, 5])
    // Copies that are made anew are the same.
    for server in servers { server.sessions.forget(SessionID(path: path)) }
    expectEqual(path, version: 3, heights: [10, 30])
  }

  @Test("sizes of which nobody knows what became are gone on all servers alike")
  func lostMeasurements() {
    let path = a.path("list", Self.list)
    let view = a.viewPath(of: path, "{}")
    same(a.measure(view, #"{"sizes": [{"id": "b", "height": 21.5}]}"#).status, 200)
    same(a.update(path, #"[{"delete": {"at": [0, 0]}}]"#).status, 200)
    // These copies are made of what the log has by now: not all know the way of the data.
    for server in servers { server.sessions.forget(SessionID(path: path)) }
    #expect(
      eventually {
        let answers = servers.map { $0.get(view + Self.everything) }
        return answers.allSatisfy { $0.status == 200 && $0.body == answers[0].body }
      })
    let possible: [[Double]] = [[21.5, 30], [10, 30]]
    #expect(possible.contains(heights(view, on: b)))
  }

  @Test("a long log becomes a snapshot, and is taken over")
  func compaction() throws {
    let path = a.path("list", Self.list)
    for _ in 0..<260 { same(a.touch(path).status, 200) }
    #expect(eventually { a.sessions.logStatistics.compactions == 1 })
    same(b.get(path).version, 261)
    same(b.get(path + Self.everything).body, a.get(path + Self.everything).body)
  }

  @Test("while the store is away reads go on and say so, changes do not; then all is well")
  func away() throws {
    let path = a.path("list", Self.list)
    same(a.touch(path).status, 200)
    redis.kill()
    #expect(eventually { !a.sessions.isHeard && !b.sessions.isHeard })
    let answer = a.get(path + Self.everything)
    #expect(answer.status == 200 && answer["Layoutd-Store"] == "unreachable")
    for refused in [
      a.touch(path), a.prepare("list", Self.list), b.get(path),
      a.get("/readyz?changes=true"),
      a.send(.delete, path),
    ] {
      #expect(refused.status == 503 && refused["Retry-After"] == "1", "\(refused.text)")
      #expect(refused.text.contains("store-unavailable"))
    }
    same(answer["Cache-Control"], "no-store")
    let version = answer.versionTag ?? ""
    let named = a.get("\(path)\(Self.everything)&version=\(version)")
    #expect(named.status == 200 && named["Cache-Control"] == "no-store")
    // Reads go on, so the server is ready for them.
    same(a.get("/readyz").text, #"{"status":"ready","store":"unreachable"}"#)
    try redis.start()
    #expect(eventually { a.sessions.isHeard && b.sessions.isHeard })
    same(a.get("/readyz?changes=true").text, #"{"status":"ready","store":"reachable"}"#)
    same(b.get(path).version, 2)
    same(b.touch(path).version, 3)
    #expect(eventually { a.get(path).version == 3 })
    same(a.get(path)["Layoutd-Store"], nil)
  }

  @Test("a store that comes back empty has no layouts", arguments: [false, true])
  func empty(isKilled: Bool) throws {
    let redis = try RedisServer()
    let servers = try (0..<2).map { _ in try ServiceInstance(redis) }
    let (a, b) = (servers[0], servers[1])
    let path = a.path("list", Self.list)
    if isKilled {
      redis.kill()
      #expect(eventually { servers.allSatisfy { !$0.sessions.isHeard } })
      try redis.start()
    } else {
      try redis.command("FLUSHALL")
      try redis.command("CLIENT", "KILL", "TYPE", "pubsub")
    }
    for server in servers { #expect(eventually { server.get(path).status == 404 }) }
    same(a.touch(path).status, 404)
    same(b.get(a.path("list", Self.list)).status, 200)
  }

  @Test("who was shown a change that the store has lost is told so")
  func lostHistory() throws {
    let redis = try RedisServer()
    let (a, b) = (try ServiceInstance(redis), try ServiceInstance(redis))
    let path = a.path("list", Self.list)
    same(a.touch(path).status, 200)
    try redis.command("SAVE")
    let lost = a.update(path, #"[{"delete": {"at": [0, 0]}}]"#)
    let tag = lost.versionTag ?? ""
    #expect(tag.hasPrefix("3-"))
    redis.kill()
    #expect(eventually { !a.sessions.isHeard && !b.sessions.isHeard })
    try redis.start()
    #expect(eventually { a.sessions.isHeard && b.sessions.isHeard })
    let other = b.update(path, #"[{"delete": {"at": [0, 1]}}]"#)
    #expect(other.version == 3 && other.versionTag != tag)
    for server in [a, b] {
      let everything = server.get(path + Self.everything)
      same(everything.versionTag, other.versionTag)
      let query = "\(path)\(Self.everything)&known=0,0,1e6,1e9"
      let since = server.get("\(query)&since=\(tag)")
      same(since.json["reset"], true)
      same(since.json["elements"].array.count, 2)
      same(server.get("\(query)&version=\(tag)").status, 410)
      same(server.get("\(query)&cursor=\(tag)-0-0-0").status, 410)
      same(server.touch(path, ifMatch: "\"\(tag)\"").status, 412)
    }
  }

  @Test("news that stop without a word are noticed; nothing is missed")
  func silence() throws {
    let path = a.path("list", Self.list)
    same(b.get(path).status, 200)
    for version in 2...5 {
      try redis.command("CLIENT", "KILL", "TYPE", "pubsub")
      try redis.command("SCRIPT", "FLUSH")
      #expect(
        eventually { a.touch(path).version == version })
      #expect(eventually { b.get(path).version == version })
    }
  }

  @Test("a store that stands still makes nobody wait for long, and loses nothing")
  func paused() throws {
    let path = a.path("list", Self.list)
    let impatient = try ServiceInstance(
      StoreAddress(.unix(path: redis.socket)), timeout: .seconds(1))
    #expect(eventually { impatient.get(path).status == 200 })
    redis.standStill()
    same(impatient.touch(path).status, 503)
    same(impatient.get(path + Self.everything).status, 200)
    // Who has time waits.
    let version = Mutex(0)
    let patient = BackgroundThread { [a] in
      version.withLock { $0 = a.touch(path).version ?? 0 }
    }
    redis.goOn()
    patient.join()
    // What was refused may have been made all the same.
    #expect([2, 3].contains(version.withLock { $0 }))
    #expect(eventually { impatient.sessions.isHeard && impatient.get("/readyz").status == 200 })
    #expect(eventually { impatient.get(path)["ETag"] == a.get(path)["ETag"] })
    let last = a.get(path).version ?? 0
    same(b.touch(path).version, last + 1)
  }

  @Test("a store without memory refuses, and nothing is changed")
  func full() throws {
    let path = a.path("list", Self.list)
    try redis.command("CONFIG", "SET", "maxmemory", "1")
    for refused in [a.touch(path), b.prepare("list", Self.list)] {
      #expect(refused.status == 503 && refused.text.contains("no memory left"), "\(refused.text)")
    }
    same(b.get(path).version, 1)
    try redis.command("CONFIG", "SET", "maxmemory", "0")
    same(a.touch(path).version, 2)
  }

  @Test("a copy that the store has lost without a word goes at the next touch")
  func touched() throws {
    let path = a.path("list", Self.list)
    let view = a.viewPath(of: path, "{}")
    let other = a.path("list", Self.list)
    same(b.get(view).status, 200)
    try redis.command("DEL", "layoutd:{\(SessionID(path: path))}")
    for server in [a, b] {
      server.clock.advance(by: .seconds(400))
      same(server.get(other).status, 200)
      same(server.get(path).status, 200)
      server.sessions.keepHouse()
      #expect(eventually { server.get(path).status == 404 && server.get(view).status == 404 })
      same(server.get(other).status, 200)
    }
  }

  @Test("sessions end in the store by the idle timeout, moved on by use")
  func expiry() throws {
    let path = a.path("list", Self.list)
    let key = "layoutd:{\(SessionID(path: path))}"
    try redis.command("PEXPIRE", key, "5000")
    a.clock.advance(by: .seconds(400))
    same(a.get(path).status, 200)
    a.sessions.keepHouse()
    #expect(eventually { Int((try? redis.command("PTTL", key).trimmed) ?? "") ?? 0 > 5000 })
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
