import Foundation
import LayoutSessions
import ServiceSupport
import TestSupport
import Testing

@testable import RedisStore

/// What is read from a store is input: a fault of one layout is that layout's alone.
@Suite("A store that holds something else")
struct CorruptStoreTests {
  private static let list = #"""
    {"bounds": {"width": 100}, "options": {"itemHeight": 10},
     "sections": [{"items": {"id": ["a", "b", "c"], "height": [10, null, 30]}}]}
    """#
  private static let insert = #"[{"insert": {"at": [0, 0], "items": 1}}]"#

  /// One fault of a layout's keys.
  struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @Sendable (RedisServer, _ key: String) throws -> Void

    init(
      _ description: String, _ make: @escaping @Sendable (RedisServer, _ key: String) throws -> Void
    ) {
      testDescription = description
      self.make = make
    }

    static func field(_ name: String, _ value: String) -> Fault {
      Fault("\(name) is \(value)") { try $0.command("HSET", $1, name, value) }
    }

    static func snapshot(_ name: String, _ bytes: [UInt8]) -> Fault {
      Fault("the snapshot is \(name)") { try $0.set($1, "snapshot", bytes) }
    }

    static let all: [Fault] = [
      Fault("the hash is a text") {
        try $0.command("DEL", $1)
        try $0.command("SET", $1, "text")
      },
      Fault("the log is a text") {
        try $0.command("DEL", $1 + ":log")
        try $0.command("SET", $1 + ":log", "text")
      },
      Fault("the log is gone") { try $0.command("DEL", $1 + ":log") },
      Fault("the log lacks its first change") { try $0.command("XDEL", $1 + ":log", "1-0") },
      Fault("the log lacks its last change") { try $0.command("XDEL", $1 + ":log", "2-0") },
      Fault("the log does not continue the snapshot") {
        let other = HistoryPosition.beginning(.random()).advanced(by: .random(), isOfData: true)
          .advanced(by: .random(), isOfData: true).advanced(by: .random(), isOfData: true)
        try $0.command(
          "XADD", $1 + ":log", "3-0", "position", "\(other)", "id", "1", "operation", "updates",
          "body", "x")
        try $0.command("HSET", $1, "head", "\(other)")
      },
      Fault("an option moves the data on") { redis, key in
        let text = try redis.command("HGET", key, "head").dropLast()
        let head = try #require(HistoryPosition(String(text)))
        var other = HistoryPosition.beginning(.random())
        for _ in 0..<9 { other = other.advanced(by: .random(), isOfData: true) }
        let next = head.advanced(
          by: HistoryPosition.ChangeID(bits: 2), isOfData: false, over: other.data)
        try redis.add(
          PackedBytes.pack(Array(#"{"options": {"itemHeight": 12}}"#.utf8)), as: "patch", id: "2",
          leadingTo: next, key)
      },
      Fault("the log has no changes") {
        try $0.command("XADD", $1 + ":log", "3-0", "a", "b")
        try $0.command("HSET", $1, "head", "3-0-1-1-1-1")
      },
      field("created", "9223372036854775807"), field("created", "-9223372036854775808"),
      field("created", "253402300800"), field("created", ""),
      field("base", "9223372036854775807-0-1-1-0-1"),
      field("base", "1-9223372036854775807-1-1-0-1"),
      field("base", "1-0-1-1-9223372036854775807-1"), field("base", "0-0-1-1-0-1"),
      field("base", "9007199254740991-9007199254740991-1-1-9007199254740991-1"),
      field("base", "nonsense"), field("head", "9223372036854775807-0-1-1-0-1"),
      field("head", "9007199254740991-0-1-1-0-1"), field("head", ""), field("kind", "nothing"),
      field("kind", "tree"), field("kind", "view"),
      field("kind", String(repeating: "k", count: 99)),
      field("parts", "1"), field("parts", "-1"), field("parts", "9223372036854775807"),
      field("format", "1"), field("length", "many"),
      snapshot("empty", []), snapshot("short", [1, 2, 3]),
      snapshot("said to be long", [1, 0, 0, 0, 0, 255, 255, 255, 127, 1, 2, 3]),
      snapshot("said to be of the largest length", [1] + [UInt8](repeating: 255, count: 8) + [3]),
      snapshot("nonsense", PackedBytes.pack(Array("{nonsense".utf8))),
      snapshot(
        "a layout that cannot be",
        PackedBytes.pack(Array(#"{"bounds":{"width":-1},"sections":[]}"#.utf8))),
      snapshot(
        "deeper than memory",
        PackedBytes.pack(Array(String(repeating: "[", count: 1_000_000).utf8))),
      snapshot(
        "longer than a body may be",
        PackedBytes.pack([UInt8](repeating: 0x20, count: 3 << 20))),
      Fault("a view of itself") { redis, key in
        try redis.set(key, "kind", Array("view".utf8))
        try redis.set(key, "snapshot", view(of: key))
      },
      Fault("a view of a view of it") { redis, key in
        let other = "AAAAAAAAAAAAAAAAAAAAAA"
        try redis.command("COPY", key, "layoutd:{\(other)}")
        for (one, source) in [(key, "layoutd:{\(other)}"), ("layoutd:{\(other)}", key)] {
          try redis.set(one, "kind", Array("view".utf8))
          try redis.set(one, "snapshot", view(of: source))
        }
      },
      Fault("a view of a revision that never was") { redis, key in
        try redis.set(key, "kind", Array("view".utf8))
        try redis.set(key, "snapshot", view(of: key, revision: "9223372036854775807"))
      },
    ]

    private static func view(of key: String, revision: String = "0") -> [UInt8] {
      let id = key.dropFirst("layoutd:{".count).dropLast()
      return PackedBytes.pack(Array("\(id) \(revision) list\n{\"bounds\":{\"width\":9}}".utf8))
    }
  }

  @Test("it harms one layout alone", arguments: Fault.all)
  func fault(_ fault: Fault) throws {
    let redis = try RedisServer()
    let (a, b) = (try ServiceInstance(redis), try ServiceInstance(redis))
    let (broken, whole) = (a.path("list", Self.list), a.path("list", Self.list))
    let view = a.viewPath(of: broken, #"{"bounds": {"width": 50}}"#)
    for path in [broken, broken, whole] { same(a.update(path, Self.insert).status, 200) }
    #expect(b.get(broken).status == 200 && b.get(view).status == 200)
    try fault.make(redis, "layoutd:{\(SessionID(path: broken))}")
    // A server that begins now, two that have a copy, and two that look at all that they have.
    let c = try ServiceInstance(redis)
    func look() {
      for server in [a, b, c] {
        for answer in [
          server.get(broken), server.get(view + "/elements?rect=0,0,9,9"),
          server.update(broken, Self.insert), server.patch(broken, #"{"bounds": {"width": 60}}"#),
          server.get(broken + "/elements?rect=0,0,9,9&since=9-123456&known=0,0,9,9"),
        ] {
          // Who has a copy may not look.
          #expect(
            [200, 404, 409, 410, 503].contains(answer.status), "\(answer.status) \(answer.text)")
        }
        same(server.get(whole).status, 200)
        // Who notices only now that its listener is gone refuses changes until it listens again.
        #expect(eventually { server.update(whole, Self.insert).status == 200 })
      }
    }
    look()
    try redis.command("CLIENT", "KILL", "TYPE", "pubsub")
    for server in [a, b, c] {
      #expect(eventually { server.get("/readyz?changes=true").status == 200 })
    }
    for server in [a, b, c] { server.clock.advance(by: .seconds(10)) }
    look()
    #expect(eventually { a.sessions.isHeard && b.sessions.isHeard && c.sessions.isHeard })
    #expect(eventually { Set([a, b, c].map { $0.get(whole)["ETag"] }).count == 1 })
  }

  @Test("a store that dropped the changes of a layout has lost it")
  func droppedChanges() throws {
    let redis = try RedisServer()
    let (a, b) = (try ServiceInstance(redis), try ServiceInstance(redis))
    let path = a.path("list", Self.list)
    same(a.update(path, Self.insert).status, 200)
    try redis.command("DEL", "layoutd:{\(SessionID(path: path))}:log")
    same(b.get(path).status, 404)
    #expect(eventually { a.get(path).status == 404 })
    try same(redis.command("KEYS", "*"), "\n")
  }

  @Test("no more is unpacked than is wanted")
  func unpacks() {
    let text = [UInt8](repeating: 65, count: 1 << 20)
    let packed = PackedBytes.pack(text)
    #expect(packed.count < 10_000)
    same(PackedBytes.unpack(packed, limit: 1 << 20), text)
    same(PackedBytes.unpack(packed, limit: 1 << 20 - 1), nil)
    same(PackedBytes.unpack(PackedBytes.pack([1, 2, 3]), limit: 3), [1, 2, 3])
    same(PackedBytes.unpack(PackedBytes.pack([1, 2, 3]), limit: 2), nil)
    for length in 0..<packed.count {
      same(PackedBytes.unpack(Array(packed[..<length]), limit: 1 << 20), nil)
    }
  }
}

extension RedisServer {
  private static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Adds a change to a layout's log.
  func add(
    _ body: [UInt8], as operation: String, id: String, leadingTo next: HistoryPosition,
    _ key: String
  ) throws {
    try command(
      "EVAL",
      """
      local body = ARGV[5]:gsub('..', function(pair) return string.char(tonumber(pair, 16)) end)
      redis.call('HSET', KEYS[1], 'head', ARGV[2])
      return redis.call('XADD', KEYS[1] .. ':log', ARGV[1], 'position', ARGV[2], 'id', ARGV[3],
        'operation', ARGV[4], 'body', body)
      """, "1", key, "\(next.serial)-0", "\(next)", id, operation, Self.digits(body))
  }

  /// Sets a field to any bytes.
  func set(_ key: String, _ field: String, _ bytes: [UInt8]) throws {
    try command(
      "EVAL",
      """
      local text = ARGV[2]:gsub('..', function(pair) return string.char(tonumber(pair, 16)) end)
      return redis.call('HSET', KEYS[1], ARGV[1], text)
      """, "1", key, field, Self.digits(bytes))
  }
}
