import LayoutSessions
import ServiceSupport
import TestSupport
import Testing

@testable import RedisStore

/// Layouts that grow by changes, up to the limit of the store for one layout and beyond.
@Suite("Layouts that grow too long for their store")
struct LongLayoutTests {
  private static let limit = 3000

  private let redis: RedisServer
  private let servers: [ServiceInstance]
  private var a: ServiceInstance { servers[0] }
  private var b: ServiceInstance { servers[1] }

  init() throws {
    redis = try RedisServer()
    servers = try (0..<2).map { [redis] _ in
      try ServiceInstance(
        StoreAddress(.unix(path: redis.socket)),
        limits: RedisLog.Limits(maxSnapshotBytes: Self.limit))
    }
  }

  private static let list = #"""
    {"bounds": {"width": 100}, "options": {"itemHeight": 10},
     "sections": [{"items": {"id": ["a", "b"], "height": [10, null]}}, {"items": 9}]}
    """#
  private static let everything = "/elements?rect=0,0,1e6,1e9"

  /// What all servers and the store have of a layout.
  private func state(_ path: String) throws -> [String] {
    let key = "\(StoreAddress.defaultPrefix){\(SessionID(path: path))}"
    // HGETALL has the fields in another order each time.
    let record = try redis.command(
      "HMGET", key, "kind", "created", "head", "base", "changes", "length", "parts", "snapshot")
    #expect(record.contains("-"))
    return try servers.flatMap { [$0.get(path).text, $0.get(path + Self.everything).text] }
      + [record, redis.command("XRANGE", key + ":log", "-", "+")]
  }

  @Test(
    "a change that makes a layout too long is refused, and changes nothing on any server",
    arguments: cases("LongLayout.refused", String.self))
  func refused(updates: String) throws {
    let path = a.path("list", Self.list)
    same(b.get(path).status, 200)
    let before = try state(path)
    for server in servers {
      let answer = server.update(path, updates)
      same(answer.status, 413, "\(answer.text)")
      same(answer.json["type"].string, "/problems/layout-too-large")
      #expect(answer.text.contains("\(Self.limit)"))
    }
    try same(state(path), before)
    // What fits is made all the same.
    same(a.update(path, #"[{"insert": {"at": [1, 0], "items": 2000}}]"#).status, 200)
  }

  @Test("options that make a layout too long are refused, those of a view, too")
  func options() throws {
    let path = a.path("list", Self.list)
    let view = a.viewPath(of: path, "{}")
    let subitem = #"{"width": {"absolute": 5}, "height": {"absolute": 5}}"#
    let subitems = [String](repeating: subitem, count: 80).joined(separator: ",")
    let group = #"""
      {"kind": "group", "options": {"group": {"direction": "horizontal",
       "width": {"absolute": 900}, "height": {"absolute": 5}, "subitems": [\#(subitems)]}}}
      """#
    for path in [path, view] {
      let before = try state(path)
      let answer = b.patch(path, group)
      same(answer.status, 413, "\(answer.text)")
      try same(state(path), before)
    }
  }

  @Test(
    "random changes of two servers: no export is ever too long, and what fits is made",
    arguments: Extent.seeds(4, of: 12))
  func random(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let path = a.path("list", Self.list)
    var count = 2
    var tag = a.get(path).versionTag
    for step in 0..<150 {
      let server = random.element(of: servers)
      let item = random.integer(0...count)
      let (update, growth) =
        switch random.integer(0...9) {
        case 0: (#"{"insert": {"at": [0, \#(item)], "items": [{"height": 0.1}]}}"#, 1)
        case 1: (#"{"insert": {"at": [0, \#(item)], "items": 250}}"#, 250)
        case 2:
          (#"{"insert": {"at": [0, \#(item)], "items": [{"id": "\u0001\u0001\#(step)"}]}}"#, 1)
        case 3: (#"{"set": {"at": [1, 0], "items": [{"aspectRatio": 1e-7}]}}"#, 0)
        case 4 where count > 0: (#"{"replace": {"at": [0, 0], "items": \#(count)}}"#, 0)
        case 5: (#"{"insertSections": {"at": 2, "sections": [{"items": 3}]}}"#, 0)
        case 6: (#"{"setSection": {"at": 1, "options": {"itemHeight": 12.3}}}"#, 0)
        case 7 where count > 0: (#"{"move": {"from": [0, 0], "to": [1, 0]}}"#, -1)
        case 7..<10 where count > 1:
          (#"{"delete": {"at": [0, 0], "count": \#(count / 2)}}"#, -(count / 2))
        default: (#"{"insert": {"at": [0, \#(item)], "items": 2}}"#, 2)
        }
      #expect(eventually { server.get(path).versionTag == tag }, "seed \(seed), step \(step)")
      let before = server.get("\(path)/collection").body
      let answer = server.update(path, "[\(update)]")
      let export = server.get("\(path)/collection").body
      #expect(export.count <= Self.limit, "seed \(seed), step \(step)")
      if answer.status == 413 {
        same(export, before, "seed \(seed), step \(step)")
      } else {
        same(answer.status, 200, "seed \(seed), step \(step): \(update) \(answer.text)")
        count += growth
        tag = answer.versionTag
      }
    }
    let tooMany =
      #"[{"insert": {"at": [0, 0], "items": [{"height": 5}]}}, {"insert": {"at": [0, 0], "items": 2000}}]"#
    #expect(eventually { a.get(path).versionTag == tag }, "seed \(seed)")
    same(a.update(path, tooMany).status, 413, "seed \(seed)")
    let witness = try ServiceInstance(redis)
    same(witness.get(path + Self.everything).body, a.get(path + Self.everything).body)
  }
}
