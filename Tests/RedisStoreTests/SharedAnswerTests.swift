import LayoutSessions
import MicroHTTP
import RedisStore
import ServiceSupport
import TestSupport
import Testing

/// Requests that are sent again to another server.
@Suite("Answers that servers share")
struct SharedAnswerTests {
  private static let list = #"{"bounds": {"width": 100}, "sections": [{"items": 3}]}"#
  private static let insertion = #"{"updates": [{"insert": {"at": [0, 0], "items": 1}}]}"#
  private let redis: RedisServer

  init() throws {
    redis = try RedisServer()
  }

  private func answers(maxBytes: Int = 1 << 24) throws -> RedisAnswers {
    let log = try RedisLog(
      StoreAddress(.unix(path: redis.socket)), timeout: .seconds(60), probeInterval: .seconds(120),
      timeToLive: .seconds(100))
    return RedisAnswers(log, lifetime: .seconds(900), maxBytes: maxBytes)
  }

  private func post(_ instance: ServiceInstance, _ target: String, _ body: String) -> Answer {
    instance.send(
      .post, target, headers: [(.contentType, "application/json"), ("Idempotency-Key", "\"a\"")],
      body: Array(body.utf8))
  }

  @Test("another server gives the same answer, and makes nothing")
  func sameAnswer() throws {
    let (a, b) = (try ServiceInstance(redis), try ServiceInstance(redis))
    let first = post(a, "/layouts/list/prepare", Self.list)
    same(first.status, 201)
    let again = post(b, "/layouts/list/prepare", Self.list)
    #expect(again.status == 201 && again.body == first.body)
    same(again["Location"], first["Location"])
    let path = try #require(first["Location"])
    let updated = post(b, "\(path)/updates", Self.insertion)
    same(updated.version, 2)
    same(post(a, "\(path)/updates", Self.insertion).body, updated.body)
    same(b.get(path).version, 2)
    same(post(a, "\(path)/updates", #"{"updates": []}"#).status, 422)
  }

  @Test("of many servers that get the same request at once, one makes it")
  func atOnce() throws {
    let instances = try (0..<3).map { _ in try ServiceInstance(redis) }
    let path = instances[0].path("list", Self.list)
    for number in 0..<20 {
      let target = "\(path)/updates?rect=0,0,\(number),1"
      let body = #"{"updates": [{"insert": {"at": [0, 0], "items": 1}}]}"#
      onThreads(3) { index in
        let answer = instances[index].send(
          .post, target,
          headers: [(.contentType, "application/json"), ("Idempotency-Key", "\"n\(number)\"")],
          body: Array(body.utf8))
        #expect([200, 409].contains(answer.status), "\(answer.text)")
      }
      #expect(eventually { instances.allSatisfy { $0.get(path).version == number + 2 } })
    }
  }

  @Test("begun, ended, abandoned: as in one server")
  func steps() throws {
    let (mine, other) = (try answers(), try answers())
    let request = KeyedRequest(key: [1, 2], content: [3])
    try same(mine.begin(request), .begun)
    try same(mine.begin(request), .begun)
    try same(other.begin(KeyedRequest(key: [1, 2], content: [3])), .isUnderWay)
    try same(other.begin(KeyedRequest(key: [1, 2], content: [4])), .isAnother)
    mine.abandon(request)
    let second = KeyedRequest(key: [1, 2], content: [4])
    try same(other.begin(second), .begun)
    // Whoever was too late changes nothing.
    mine.abandon(request)
    let answer = KeptAnswer(status: 200, entityTag: "\"1\"", location: "", body: [0, 10, 255])
    try mine.end(request, with: KeptAnswer(status: 201, entityTag: "", location: "", body: []))
    try other.end(second, with: answer)
    try same(mine.begin(KeyedRequest(key: [1, 2], content: [4])), .answered(answer))
    let long = KeyedRequest(key: [5], content: [])
    try same(mine.begin(long), .begun)
    try mine.end(long, with: nil)
    try same(other.begin(long), .answered(nil))
  }

  @Test("when there are too many bytes, the oldest answers of this server go")
  func bound() throws {
    let (mine, other) = (try answers(maxBytes: 100_000), try answers())
    func make(_ key: UInt8, _ answers: RedisAnswers, _ count: Int) throws {
      let request = KeyedRequest(key: [key], content: [])
      try same(answers.begin(request), .begun)
      try answers.end(
        request,
        with: KeptAnswer(
          status: 200, entityTag: "", location: "", body: Array(repeating: 1, count: count)))
    }
    try make(200, other, 50_000)
    for key in 0..<20 { try make(UInt8(key), mine, 20_000) }
    try make(100, mine, 90_000)
    let kept = try (0..<20).filter { key in
      guard
        case .answered(let answer?) = try mine.begin(KeyedRequest(key: [UInt8(key)], content: []))
      else { return false }
      return answer.body.count == 20_000
    }
    same(kept, [16, 17, 18, 19])
    try same(mine.begin(KeyedRequest(key: [100], content: [])), .answered(nil))
    guard case .answered(_?) = try other.begin(KeyedRequest(key: [200], content: [])) else {
      Issue.record("the answer of another server is gone")
      return
    }
  }

  @Test("what is kept goes by itself, and so does what nobody ends")
  func expiry() throws {
    let answers = try answers()
    let request = KeyedRequest(key: [1], content: [2])
    try same(answers.begin(request), .begun)
    let key = "layoutd:{01}:answer"
    func milliseconds() throws -> Int {
      Int(try redis.command("PTTL", key).filter(\.isNumber)) ?? -1
    }
    #expect((1...60_000).contains(try milliseconds()))
    try answers.end(request, with: nil)
    #expect((60_001...900_000).contains(try milliseconds()))
  }

  @Test(
    "an answer that is none is nobody's answer",
    arguments: ["x", "200\n\n", "999\na\nb\n", "-1\n\n\n"])
  func corrupt(text: String) throws {
    let answers = try answers()
    try redis.command("HSET", "layoutd:{01}:answer", "content", "02", "answer", text)
    let error = #expect(throws: LogError.self) {
      try answers.begin(KeyedRequest(key: [1], content: [2]))
    }
    same(error?.cause, .unreadable)
    // A key of another type, too.
    try redis.command("SET", "layoutd:{03}:answer", "a")
    #expect(throws: LogError.self) {
      try answers.begin(KeyedRequest(key: [3], content: [2]))
    }
  }

  @Test("while the store is away, nothing is made")
  func away() throws {
    let instance = try ServiceInstance(redis)
    redis.kill()
    let answer = post(instance, "/layouts/list/prepare", Self.list)
    #expect(answer.status == 503 && answer["Retry-After"] != nil)
  }
}
