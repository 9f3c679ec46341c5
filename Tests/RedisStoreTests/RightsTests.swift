import LayoutSessions
import RedisStore
import TestSupport
import Testing

/// What a user of a store must be allowed, as Documentation/scaling.md lists it.
@Suite("A user of a store with few rights")
struct RightsTests {
  private static let rights = [
    "hget", "hmget", "hset", "del", "unlink", "exists", "rename", "pexpire", "xadd", "xrange",
    "xtrim", "eval", "publish", "subscribe",
  ]
  private static let list = #"{"bounds": {"width": 100}, "sections": [{"items": 3}]}"#

  private func log(
    _ server: RedisServer, without missing: String = "", and more: [String] = [],
    parameters: String = "?"
  ) throws -> RedisLog {
    let rights = Self.rights.filter { $0 != missing } + more
    try server.command("ACL", "SETUSER", "me", "reset")
    for rule in ["on", ">pw", "~layoutd:*", "&layoutd:*"] + rights.map({ "+\($0)" }) {
      try server.command("ACL", "SETUSER", "me", rule)
    }
    return try RedisLog(
      StoreAddress("unix://me:pw@\(server.socket)\(parameters)"), timeout: .seconds(60),
      probeInterval: .seconds(120), timeToLive: .seconds(100))
  }

  @Test("these are enough")
  func enough() throws {
    let redis = try RedisServer()
    _ = try log(redis, and: ["info"])
    _ = try log(redis, parameters: "?eviction=any")
    let address = try StoreAddress("unix://me:pw@\(redis.socket)?eviction=any")
    let (a, b) = (try ServiceInstance(address), try ServiceInstance(address))
    let path = a.path("list", Self.list)
    same(b.touch(path).version, 2)
    let view = b.viewPath(of: path, "{}")
    same(a.get(view).status, 200)
    #expect(eventually { a.get(path).version == 2 })
    a.clock.advance(by: .seconds(400))
    same(a.get(path).status, 200)
    a.sessions.keepHouse()
    same(b.send(.delete, path).status, 204)
    #expect(eventually { a.get(path).status == 404 })
  }

  @Test("the start says which one is missing", arguments: rights)
  func missing(_ right: String) throws {
    let error = #expect(throws: LogError.self) {
      try log(RedisServer(), without: right, parameters: "?eviction=any")
    }
    same(error?.cause, .unsuitable, "\(error?.reason ?? "")")
    same(error?.reason.lowercased().contains(right), true, "\(error?.reason ?? "")")
  }

  @Test("without INFO it is not known whether the store drops layouts")
  func noInformation() throws {
    let error = #expect(throws: LogError.self) { try log(RedisServer()) }
    #expect(error?.cause == .unsuitable && error?.reason.contains("eviction=any") == true)
  }

  @Test("a change that nobody may be told of is made all the same")
  func silent() throws {
    let redis = try RedisServer()
    let log = try log(redis, and: ["info"])
    let (id, start) = (SessionID.random(), HistoryPosition.beginning(.random()))
    try log.create(
      id, SessionSnapshot(position: start, kind: "grid", createdUnixTime: 0, body: [1]))
    try redis.command("ACL", "SETUSER", "me", "-publish")
    let change = HistoryPosition.ChangeID.random()
    let next = start.advanced(by: change, isOfData: true)
    let outcome = try log.append(
      LoggedChange(id: change, position: next, operation: "patch", body: []), to: id, after: start)
    same(outcome, .done(isLong: false))
  }
}
