import Foundation
import LayoutService
import LayoutSessions
import ServiceSupport
import TestSupport
import Testing

@testable import RedisStore

/// A cluster of three masters, each with a third of the slots.
@Suite("A store that is a cluster")
struct ClusterTests {
  private let masters: [RedisServer]
  private static let starts = [0, 5461, 10_923, 16_384]

  private static let list = #"""
    {"bounds": {"width": 100}, "options": {"itemHeight": 10},
     "sections": [{"items": {"id": ["a", "b", "c"]}}]}
    """#
  private static let everything = "/elements?rect=0,0,1e6,1e9"

  init() throws {
    masters = try (0..<3).map { _ in
      // Masters talk with each other on another port.
      let port = try RedisServer.freePort()
      return try RedisServer(
        ["--cluster-enabled", "yes", "--cluster-port", "\(port)"], hasPort: true, clusterPort: port)
    }
    for (index, master) in masters.enumerated() {
      try master.command(
        "CLUSTER", "ADDSLOTSRANGE", "\(Self.starts[index])", "\(Self.starts[index + 1] - 1)")
    }
    for master in masters.dropFirst() {
      try masters[0].command(
        "CLUSTER", "MEET", "127.0.0.1", "\(master.port)", "\(master.clusterPort)")
    }
    for master in masters {
      #expect(
        eventually {
          let information = (try? master.command("CLUSTER", "INFO")) ?? ""
          return information.contains("cluster_state:ok")
            && information.contains("cluster_known_nodes:3")
        })
    }
  }

  /// A server that is led to one of the masters.
  private func instance(at index: Int) throws -> ServiceInstance {
    try ServiceInstance(StoreAddress(.tcp(host: "127.0.0.1", port: masters[index].port)))
  }

  private func slot(_ path: String) -> Int {
    Int(HashSlot.number(of: SessionID(path: path).text))
  }

  @Test("layouts are spread over all masters, and every server has all of them")
  func spreads() throws {
    let servers = try (0..<3).map { try instance(at: $0) }
    let paths = (0..<30).map { servers[$0 % 3].path("list", Self.list) }
    let views = paths.map {
      servers[2].viewPath(of: $0, #"{"kind": "grid", "bounds": {"width": 50}}"#)
    }
    for (number, path) in paths.enumerated() {
      let changed = servers[(number + 1) % 3].update(path, #"[{"delete": {"at": [0, 0]}}]"#)
      same(changed.version, 2, "\(changed.text)")
      let tag = try #require(changed.versionTag)
      for server in servers {
        same(server.get("\(path)\(Self.everything)&version=\(tag)").status, 200)
      }
    }
    for view in views {
      same(servers[0].patch(view, #"{"bounds": {"width": 60}}"#).status, 200)
      for server in servers { #expect(eventually { server.get(view).version == 3 }) }
    }
    for (index, master) in masters.enumerated() {
      let own = (paths + views).filter {
        (Self.starts[index]..<Self.starts[index + 1]).contains(slot($0))
      }
      // A hash and a stream of each that has changed.
      try same(master.command("DBSIZE").trimmingCharacters(in: .newlines), "\(own.count * 2)")
      #expect(!own.isEmpty)
    }
    for path in paths { same(servers[1].send(.delete, path).status, 204) }
    for server in servers {
      for path in paths + views { #expect(eventually { server.get(path).status == 404 }) }
    }
  }

  @Test("news of every master are heard by a server that listens at one")
  func hears() throws {
    let (writer, reader) = (try instance(at: 0), try instance(at: 2))
    let paths = (0..<30).map { _ in writer.path("list", Self.list) }
    same(Set(paths.map { path in Self.starts.lastIndex { $0 <= slot(path) } }).count, 3)
    for path in paths { same(reader.get(path).version, 1) }
    for path in paths { same(writer.touch(path).version, 2) }
    // Nothing that is shown leads to the store.
    for path in paths { #expect(eventually { reader.get(path).version == 2 }) }
  }

  @Test("a slot that moves to another master takes its layout with it")
  func moves() throws {
    let servers = try (0..<2).map { try instance(at: $0) }
    let path = servers[0].path("list", Self.list)
    same(servers[1].touch(path).version, 2)
    let slot = slot(path)
    let source = try #require(Self.starts.lastIndex { $0 <= slot })
    let (from, to) = (masters[source], masters[(source + 1) % 3])
    let (fromID, toID) = try (
      from.command("CLUSTER", "MYID").trimmingCharacters(in: .newlines),
      to.command("CLUSTER", "MYID").trimmingCharacters(in: .newlines)
    )
    try to.command("CLUSTER", "SETSLOT", "\(slot)", "IMPORTING", fromID)
    try from.command("CLUSTER", "SETSLOT", "\(slot)", "MIGRATING", toID)
    let keys = try from.command("CLUSTER", "GETKEYSINSLOT", "\(slot)", "10").split(separator: "\n")
    same(keys.count, 2)
    for key in keys {
      #expect(
        try from.command("MIGRATE", "127.0.0.1", "\(to.port)", String(key), "0", "10000")
          .hasPrefix("OK"))
    }
    // The slot is where it was, its keys are not: one master asks to ask the other.
    same(servers[0].touch(path).version, 3)
    #expect(eventually { servers[1].get(path).version == 3 })
    for master in [to, from] { try master.command("CLUSTER", "SETSLOT", "\(slot)", "NODE", toID) }
    for (number, server) in servers.enumerated() {
      same(server.touch(path).version, 4 + number)
    }
    #expect(eventually { servers[0].get(path).version == 5 })
  }

  @Test("a master that goes takes its layouts with it for as long as it is away, and no others")
  func loses() throws {
    let server = try instance(at: 0)
    let paths = (0..<30).map { _ in server.path("list", Self.list) }
    // The others do not wait for the missing one to be reached again by a vote.
    for master in masters {
      try master.command("CONFIG", "SET", "cluster-require-full-coverage", "no")
    }
    let lost = masters[2]
    lost.kill()
    for path in paths {
      let isLost = slot(path) >= Self.starts[2]
      #expect(
        eventually { server.touch(path).status == (isLost ? 503 : 200) }, "\(slot(path))")
      // A copy is a copy.
      same(server.get(path + Self.everything).status, 200)
    }
  }
}
