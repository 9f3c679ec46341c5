import Foundation
import LayoutSessions
import RedisStore
import TestSupport
import Testing

/// A sentinel that watches a store.
private final class Sentinel {
  let port: Int
  private let directory: URL
  private let process = Process()

  init(watching store: RedisServer) throws {
    port = try RedisServer.freePort()
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("layoutd-sentinel-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let file = directory.appendingPathComponent("sentinel.conf")
    try """
    port \(port)
    bind 127.0.0.1
    dir \(directory.path)
    sentinel monitor main 127.0.0.1 \(store.port) 1
    sentinel down-after-milliseconds main 2000
    sentinel failover-timeout main 5000
    """.write(to: file, atomically: true, encoding: .utf8)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/redis-server")
    process.arguments = [file.path, "--sentinel"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: directory)
  }

  func says(_ text: String) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/redis-cli")
    process.arguments = ["-p", "\(port)", "SENTINEL", "MASTER", "main"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    guard (try? process.run()) != nil else { return false }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).contains(text)
  }
}

@Suite("A store that sentinels watch")
struct SentinelTests {
  private static let list = #"{"bounds": {"width": 100}, "sections": [{"items": 3}]}"#

  @Test("servers find the store, and the replica that takes its place")
  func failover() throws {
    let store = try RedisServer(hasPort: true)
    let replica = try RedisServer(
      ["--replicaof", "127.0.0.1", "\(store.port)"], hasPort: true)
    #expect(
      eventually {
        (try? replica.command("INFO", "replication"))?.contains("link_status:up") == true
      })
    let sentinel = try Sentinel(watching: store)
    #expect(eventually { sentinel.says("num-slaves\n1\n") })
    // Nobody answers at the first of them.
    let nobody = try RedisServer.freePort()
    let address = try StoreAddress(
      "redis+sentinel://127.0.0.1:\(nobody),127.0.0.1:\(sentinel.port)/main")
    let servers = try (0..<2).map { _ in try ServiceInstance(address) }
    let (a, b) = (servers[0], servers[1])
    let path = a.path("list", Self.list)
    same(b.touch(path).version, 2)
    #expect(eventually { a.get(path).version == 2 })
    #expect(store.isRead(by: replica))
    store.kill()
    #expect(eventually { (try? replica.command("ROLE"))?.hasPrefix("master") == true })
    #expect(
      eventually { servers.allSatisfy { $0.sessions.isHeard } && a.touch(path).version == 3 }
    )
    #expect(eventually { b.get(path).version == 3 })
    #expect(eventually { b.prepare("list", Self.list).status == 201 })
  }

  @Test("a name that no sentinel knows is told")
  func unknownName() throws {
    let store = try RedisServer(hasPort: true)
    let sentinel = try Sentinel(watching: store)
    // What redis-cli says of a sentinel that is not there yet has its address, too.
    #expect(eventually { sentinel.says("name\nmain\n") })
    let error = #expect(throws: LogError.self) {
      try RedisLog(
        StoreAddress("redis+sentinel://127.0.0.1:\(sentinel.port)/other"), timeout: .seconds(60),
        probeInterval: .seconds(120), timeToLive: .seconds(100))
    }
    same(error?.cause, .unavailable)
    same(error?.reason.contains("knows no master other"), true)
  }
}
