import Foundation
import LayoutSessions
import ServiceSupport
import Synchronization
import TestSupport
import Testing

@testable import RedisStore

/// A store that lies in every way that a seed makes up: on the way, and in what it keeps.
@Suite("A store that lies")
struct LyingStoreTests {
  private static let list = #"""
    {"bounds": {"width": 100}, "options": {"itemHeight": 10},
     "sections": [{"items": {"id": ["a", "b", "c"], "height": [10, null, 30]}}]}
    """#
  private static let insert = #"[{"insert": {"at": [0, 0], "items": 1}}]"#
  private static let everything = "/elements?rect=0,0,1e6,1e9"
  /// What a client may be told while its store lies.
  private static let statuses = [200, 201, 204, 403, 404, 409, 410, 412, 413, 503]

  /// Changes what a server sends.
  private static func lie(
    _ bytes: [UInt8], _ random: inout SeededGenerator
  ) -> StoreProxy.Lie {
    var bytes = bytes
    switch random.integer(0...9) {
    case 0: return .cut(Array(bytes.prefix(random.integer(0...bytes.count))))
    case 1: return .say(bytes + bytes)
    case 2: return .say([])
    case 3: return .say(Array(bytes.reversed()))
    case 4:
      for _ in 0..<3 { bytes[random.integer(0...bytes.count - 1)] = UInt8(random.integer(0...255)) }
    case 5:
      // Lengths, numbers and types of others.
      for index in bytes.indices where (48...57).contains(bytes[index]) && random.chance(20) {
        bytes[index] = UInt8(random.integer(48...57))
      }
    case 6:
      let types = Array("+-:$*".utf8)
      for index in bytes.indices where types.contains(bytes[index]) && random.chance(50) {
        bytes[index] = random.element(of: types)
      }
    case 7: bytes.insert(contentsOf: Array("*1000000000\r\n".utf8), at: 0)
    case 8: bytes.insert(contentsOf: Array("$2147483647\r\n".utf8), at: 0)
    default:
      let errors = [
        "-MOVED 1 127.0.0.1:4294967297\r\n", "-MOVED 1 :0\r\n", "-ASK 9 h:-1\r\n",
        "-READONLY x\r\n",
        "-WRONGTYPE x\r\n", "-OOM x\r\n", "-ERR x\r\n", "$-1\r\n", "*-1\r\n",
        ":9223372036854775807\r\n",
        "*2\r\n$-1\r\n*0\r\n",
      ]
      return .say(Array(random.element(of: errors).utf8))
    }
    return .say(bytes)
  }

  @Test(
    "answers are answers, and all is well when it tells the truth again",
    arguments: Extent.seeds(2, of: 6))
  func onTheWay(seed: Int) throws {
    let redis = try RedisServer()
    let proxy = try StoreProxy(to: redis.socket)
    let honest = try ServiceInstance(redis)
    let deceived = try ServiceInstance(
      StoreAddress(.unix(path: proxy.socket)), timeout: .seconds(1))
    let paths = (0..<4).map { _ in honest.path("list", Self.list) }
    for path in paths { #expect(eventually { deceived.get(path).status == 200 }) }
    var random = SeededGenerator(seed: seed)
    proxy.lie(SeededGenerator(seed: seed + 1000)) { bytes, random in
      random.chance(30) ? Self.lie(bytes, &random) : .say(bytes)
    }
    for _ in 0..<150 {
      let path = random.element(of: paths)
      let answer =
        switch random.integer(0...7) {
        case 0: deceived.update(path, Self.insert)
        case 1: honest.update(path, Self.insert)
        case 2: deceived.view(of: path, "{}")
        case 3: deceived.prepare("list", Self.list)
        case 4: deceived.patch(path, #"{"bounds": {"width": \#(random.integer(50...150))}}"#)
        case 5: deceived.get("/layouts/\(SessionID.random())")
        default: deceived.get(path + Self.everything)
        }
      #expect(Self.statuses.contains(answer.status), "seed \(seed): \(answer.text)")
      if random.chance(10) { deceived.sessions.forget(SessionID(path: path)) }
    }
    proxy.lie(nil)
    proxy.cut()
    deceived.clock.advance(by: .seconds(10))
    #expect(eventually { deceived.sessions.isHeard }, "seed \(seed)")
    // A lie may have been believed: then it stands in a copy, and nowhere else.
    for path in paths { deceived.sessions.forget(SessionID(path: path)) }
    let witness = try ServiceInstance(redis)
    for path in paths {
      let truth = witness.get(path + Self.everything)
      same(truth.status, 200, "seed \(seed): \(truth.text)")
      for server in [honest, deceived] {
        #expect(
          eventually { server.get(path + Self.everything).body == truth.body }, "seed \(seed)")
      }
    }
  }

  @Test(
    "what it keeps may be anything: others are not affected", arguments: Extent.seeds(4, of: 12))
  func inItsKeys(seed: Int) throws {
    let redis = try RedisServer()
    let (a, b) = (try ServiceInstance(redis), try ServiceInstance(redis))
    var random = SeededGenerator(seed: seed)
    let (broken, whole) = (a.path("list", Self.list), a.path("list", Self.list))
    let view = a.viewPath(of: broken, "{}")
    for _ in 0..<3 { same(a.update(broken, Self.insert).status, 200) }
    for _ in 0..<8 {
      let id = SessionID(path: random.chance(70) ? broken : view)
      try spoil("layoutd:{\(id)}", redis, &random)
      for server in [a, b] {
        if random.chance(50) { server.sessions.forget(SessionID(path: broken)) }
        server.clock.advance(by: .seconds(10))
        for answer in [
          server.get(broken + Self.everything), server.get(view + Self.everything),
          server.update(broken, Self.insert), server.patch(view, #"{"bounds": {"width": 60}}"#),
        ] {
          #expect(Self.statuses.contains(answer.status), "seed \(seed): \(answer.text)")
        }
        same(server.update(whole, Self.insert).status, 200, "seed \(seed)")
      }
    }
    try redis.command("CLIENT", "KILL", "TYPE", "pubsub")
    #expect(eventually { a.sessions.isHeard && b.sessions.isHeard }, "seed \(seed)")
    #expect(eventually { a.get(whole)["ETag"] == b.get(whole)["ETag"] }, "seed \(seed)")
  }

  /// Does one thing to the keys of a layout.
  private func spoil(
    _ key: String, _ redis: RedisServer, _ random: inout SeededGenerator
  ) throws {
    let fields = ["format", "head", "base", "kind", "created", "parts", "snapshot", "length"]
    let field = random.element(of: fields)
    let log = key + ":log"
    let entry = "\(random.integer(1...9))-\(random.integer(0...1))"
    switch random.integer(0...9) {
    case 0: try redis.command("HDEL", key, field)
    case 1: try redis.command("DEL", random.chance(50) ? key : log)
    case 2:
      let victim = random.chance(50) ? key : log
      try redis.command("DEL", victim)
      try redis.command("SET", victim, "text")
    case 3: try redis.command("XDEL", log, entry)
    case 4: try redis.command("XTRIM", log, "MAXLEN", "1")
    case 5:
      try redis.command(
        "XADD", log, "\(random.integer(4...99))-0", "position", "9-0-1-1-1-1", "id", "1",
        "operation", random.element(of: ["updates", "patch", "layout", "x"]), "body", "y")
    case 6:
      let number = random.element(of: [0, -1, 1, Int.max, Int.min, 1 << 53, 1 << 31])
      try redis.command("HSET", key, field, "\(number)")
    case 7:
      let numbers = (0..<6).map { _ in
        "\(random.element(of: [0, 1, 2, Int.max, 1 << 53 - 1, 1 << 53]))"
      }
      try redis.command(
        "HSET", key, random.element(of: ["head", "base"]), numbers.joined(separator: "-"))
    case 8:
      let bytes = (0..<random.integer(0...40)).map { _ in UInt8(random.integer(0...255)) }
      try redis.set(key, field, bytes)
    default:
      // A record that is right but for some bytes of its body.
      var body = Array(Self.list.utf8)
      for _ in 0..<random.integer(1...4) {
        body[random.integer(0...body.count - 1)] = UInt8(random.integer(32...126))
      }
      var packed = PackedBytes.pack(body)
      if random.chance(30) { packed.removeLast(random.integer(1...packed.count)) }
      if random.chance(30), packed.count > 8 { packed[random.integer(1...8)] = 255 }
      try redis.set(key, "snapshot", packed)
    }
  }
}
