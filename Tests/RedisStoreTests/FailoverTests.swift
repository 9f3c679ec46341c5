import Foundation
import LayoutService
import LayoutSessions
import MicroHTTP
import RedisStore
import ServiceSupport
import TestSupport
import Testing

/// A store and its replica under one address. The replica takes over without the last change that
/// the store has acknowledged.
@Suite("A failover that loses a change")
struct FailoverTests {
  private let old: RedisServer
  private let new: RedisServer
  private let address: StoreProxy
  private let a: ServiceInstance
  private let b: ServiceInstance

  private static let list = #"""
    {"bounds": {"width": 100}, "options": {"itemHeight": 10},
     "sections": [{"items": {"id": ["a", "b", "c"]}}]}
    """#
  private static let everything = "/elements?rect=0,0,1e6,1e9"

  init() throws {
    old = try RedisServer(hasPort: true)
    new = try RedisServer()
    address = try StoreProxy(to: old.socket)
    let place = StoreAddress(.unix(path: address.socket))
    a = try ServiceInstance(place)
    b = try ServiceInstance(place)
    try new.command("REPLICAOF", "127.0.0.1", "\(old.port)")
    #expect(
      eventually {
        (try? new.command("INFO", "replication"))?.contains("link_status:up") == true
      })
  }

  /// Makes the replica a store of its own, with all that was acknowledged up to now.
  private func promote() throws {
    #expect(old.isRead(by: new))
    try new.command("REPLICAOF", "NO", "ONE")
  }

  /// Leads all servers to the new store.
  private func moveAddress() {
    address.lead(to: new.socket)
    address.cut()
    #expect(eventually { !a.sessions.isHeard || !b.sessions.isHeard })
    #expect(eventually { a.sessions.isHeard && b.sessions.isHeard })
  }

  /// The ids of all items, in their order.
  private func items(_ answer: Answer) -> [String] {
    answer.json["elements"].array.compactMap { $0["id"].string }
  }

  /// That a client that has seen lost versions is never told that it still knows something.
  private func expectLost(_ names: [String], _ tag: String, _ path: String, items kept: [String]) {
    let query = "\(path)\(Self.everything)"
    for server in [a, b] {
      for name in names {
        let since = server.get("\(query)&known=0,0,1e6,1e9&since=\(name)")
        same(since.json["reset"], true, "\(name): \(since.text)")
        same(items(since), kept)
        let transitions = server.get("\(query)&known=0,0,1e6,1e9&since=\(name)&transitions=true")
        same(transitions.json["reset"], true, "\(name): \(transitions.text)")
        same(server.get("\(query)&version=\(name)").status, 410, "\(name)")
      }
      same(server.get("\(query)&cursor=\(tag)-0-0-0").status, 410)
      same(server.get(path, ifNoneMatch: "\"\(tag)\"").status, 200)
      same(server.touch(path, ifMatch: "\"\(tag)\"").status, 412)
      same(server.send(.delete, path, headers: [(.ifMatch, "\"\(tag)\"")]).status, 412)
    }
  }

  @Test("a client of the lost history begins anew, whether another change has its number or not")
  func forks() throws {
    let path = a.path("list", Self.list)
    same(b.touch(path).version, 2)
    try promote()
    let lost = a.update(path, #"[{"delete": {"at": [0, 0]}}]"#)
    let tag = try #require(lost.versionTag)
    same(lost.version, 3)
    // Both servers have shown the version that is lost.
    same(items(b.get("\(path)\(Self.everything)&version=\(tag)")), ["b", "c"])
    moveAddress()

    // Nothing is in its place yet.
    #expect(b.get(path).version == 2 && a.get(path).version == 2)
    expectLost(["3", tag], tag, path, items: ["a", "b", "c"])

    let other = b.update(path, #"[{"delete": {"at": [0, 1]}}]"#)
    let otherTag = try #require(other.versionTag)
    #expect(other.version == 3 && otherTag != tag)
    same(a.get("\(path)\(Self.everything)&version=\(otherTag)").status, 200)
    expectLost(["3", tag], tag, path, items: ["a", "c"])

    // From the next version on, the number is enough.
    let next = a.touch(path)
    let nextTag = try #require(next.versionTag)
    same(next.version, 4)
    for server in [a, b] {
      same(server.get("\(path)\(Self.everything)&version=\(nextTag)").status, 200)
      same(server.get("\(path)\(Self.everything)&version=4").status, 200)
      let since = server.get("\(path)\(Self.everything)&known=0,0,1e6,1e9&since=4")
      #expect(since.json["reset"] == .null && items(since) == [])
    }
    expectLost(["3", tag], tag, path, items: ["a", "c"])
  }

  @Test("a view whose source has lost a change begins anew, too")
  func view() throws {
    let path = a.path("list", Self.list)
    let view = a.viewPath(of: path, #"{"kind": "grid", "bounds": {"width": 50}}"#)
    same(b.get(view).version, 1)
    try promote()
    let change = try #require(a.update(path, #"[{"delete": {"at": [0, 0]}}]"#).versionTag)
    same(b.get("\(path)\(Self.everything)&version=\(change)").status, 200)
    let tags = [a, b].map { $0.get(view).versionTag }
    let tag = try #require(tags[0])
    #expect(tags[1] == tag && tag.hasPrefix("2-"))
    moveAddress()
    same(b.update(path, #"[{"delete": {"at": [0, 1]}}]"#).version, 2)
    #expect(eventually { a.get(path).version == 2 && a.get(path).versionTag != change })
    let query = "\(view)\(Self.everything)"
    for server in [a, b] {
      for name in ["2", tag] {
        let since = server.get("\(query)&known=0,0,1e6,1e9&since=\(name)")
        same(since.json["reset"], true, "\(name): \(since.text)")
        same(items(since), ["a", "c"])
        same(server.get("\(query)&version=\(name)").status, 410)
      }
    }
  }

  @Test("what the lost history alone had is gone")
  func prepare() throws {
    try promote()
    let path = a.path("list", Self.list)
    same(b.get(path).status, 200)
    moveAddress()
    for server in [a, b] { #expect(eventually { server.get(path).status == 404 }) }
    same(b.touch(path).status, 404)
  }

  @Test("a store that has become a replica is left, by who writes and by who only listens")
  func demoted() throws {
    let reader = try ServiceInstance(
      StoreAddress(.unix(path: address.socket)), probeInterval: .seconds(1))
    let path = a.path("list", Self.list)
    #expect(eventually { reader.get(path).version == 1 })
    try promote()
    address.lead(to: new.socket)
    // The old one has no news, but connections to it stay.
    try old.command("REPLICAOF", "127.0.0.1", "1")
    // Who stays with the old one gets 503 for ever.
    #expect(eventually { a.touch(path).status == 200 })
    same(a.get(path).version, 2)
    #expect(eventually { reader.get(path).version == 2 })
  }

  @Test("an address that leads nowhere without a word is noticed, and nothing is missed")
  func swallows() throws {
    let impatient = try ServiceInstance(
      StoreAddress(.unix(path: address.socket)), timeout: .seconds(1))
    let other = try ServiceInstance(old)
    let path = other.path("list", Self.list)
    #expect(eventually { impatient.get(path).status == 200 })
    address.isSwallowing = true
    same(other.touch(path).version, 2)
    #expect(eventually { !impatient.sessions.isHeard })
    let answer = impatient.get(path + Self.everything)
    #expect(answer.status == 200 && answer.version == 1)
    same(answer["Layoutd-Store"], "unreachable")
    let withSummary = impatient.get("\(path)\(Self.everything)&summary=true")
    same(withSummary["Layoutd-Store"], "unreachable")
    same(withSummary["Cache-Control"], "no-store")
    same(impatient.get("/readyz?changes=true").status, 503)
    same(impatient.touch(path).status, 503)
    address.isSwallowing = false
    #expect(eventually { impatient.sessions.isHeard && impatient.get(path).version == 2 })
    #expect(eventually { impatient.get(path)["Layoutd-Store"] == nil })
  }
}
