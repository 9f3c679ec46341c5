import LayoutSessions
import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

extension TestService {
  fileprivate static func fields(
    _ key: String, _ more: [(FieldName, String)] = []
  ) -> [(FieldName, String)] {
    [(.contentType, "application/json"), ("Idempotency-Key", key)] + more
  }

  /// Sends a PATCH with a key.
  func keyed(
    _ path: String, _ key: String, _ body: String, _ more: [(FieldName, String)] = []
  ) -> Answer {
    send(.patch, path, headers: Self.fields(key, more), body: Array(body.utf8))
  }

  /// Sends a POST with a key.
  fileprivate func post(
    _ target: String, _ key: String, _ body: String, _ more: [(FieldName, String)] = []
  ) -> Answer {
    send(.post, target, headers: Self.fields(key, more), body: Array(body.utf8))
  }

  /// Begins a PATCH with a key as another thread would, and does not end it.
  func beingMade(_ path: String, _ key: String, _ body: String) {
    let request = Request(
      method: .patch, target: RequestTarget(path), headers: HeaderFields(Self.fields(key)),
      body: .copying(Array(body.utf8)))
    guard let answers = service.answers, let key = IdempotencyKey(key) else { return }
    #expect(throws: Never.self) { try answers.begin(key.request(request, request.body)) }
  }
}

/// Requests that are sent again with the same key.
@Suite struct RepeatedRequestTests {
  private let service = TestService()
  private let key = "\"8e03978e-40d5-43e8-bc93-6894a57f9324\""
  private let list = #"{"bounds": {"width": 100}, "sections": [{"items": 3}]}"#
  private let insertion = #"{"updates": [{"insert": {"at": [0, 0], "items": 1}}]}"#

  private func expectSame(_ a: Answer, _ b: Answer) {
    same(a.status, b.status)
    same(a.body, b.body, "\(a.text) \(b.text)")
    for name in ["ETag", "Location", "Content-Type", "Cache-Control", "Vary"] {
      same(a[name], b[name], "\(name)")
    }
  }

  @Test("a prepare that is sent again makes nothing, and gives the same layout")
  func prepare() {
    let first = service.post("/layouts/list/prepare", key, list)
    same(first.status, 201)
    service.clock.advance(by: .seconds(1))
    expectSame(service.post("/layouts/list/prepare", key, list), first)
    same(service.sessions.statistics.sessions, 1)
    #expect(service.post("/layouts/list/prepare", "another", list)["Location"] != first["Location"])
  }

  @Test("updates, PATCH and views that are sent again are made once")
  func changes() throws {
    let path = service.path("list", list)
    let updated = service.post("\(path)/updates?rect=0,0,9,9", key, insertion)
    same(updated.json["version"], 2)
    expectSame(service.post("\(path)/updates?rect=0,0,9,9", key, insertion), updated)
    let patched = service.keyed(path, key, #"{"bounds": {"width": 50}}"#)
    same(patched.json["version"], 3)
    let view = service.post("\(path)/views", key, "{}")
    same(view.status, 201)
    // Whatever has become of the layout.
    same(service.send(.delete, path).status, 204)
    expectSame(service.keyed(path, key, #"{"bounds": {"width": 50}}"#), patched)
    expectSame(service.post("\(path)/views", key, "{}"), view)
    service.post("\(path)/views", "other", "{}").expectProblem(404, "no-such-layout")
  }

  @Test("conditions are those of the first time")
  func conditions() {
    let path = service.path("list", list)
    let condition: [(FieldName, String)] = [(.ifMatch, "\"\(tag(1))\"")]
    let first = service.post("\(path)/updates", key, insertion, condition)
    same(first.status, 200)
    expectSame(service.post("\(path)/updates", key, insertion, condition), first)
    service.post("\(path)/updates", "other", insertion, condition)
      .expectProblem(412, "precondition-failed")
    same(service.get(path).json["version"], 2)
  }

  @Test("another body, or other parameters, with the same key are refused")
  func reuse() {
    let path = service.path("list", list)
    _ = service.keyed(path, key, "{}")
    service.keyed(path, key, #"{"bounds": {"width": 50}}"#)
      .expectProblem(422, "idempotency-key-reused")
    service.keyed("\(path)?rect=0,0,1,1", key, "{}").expectProblem(422, "idempotency-key-reused")
    // For another path, it is another key.
    same(service.post("\(path)/updates", key, insertion).status, 200)
    same(service.keyed(service.path("list", list), key, #"{"kind": "grid"}"#).status, 200)
  }

  @Test("a body that was compressed anew, or is not compressed now, is the same")
  func compressedAgain() throws {
    func prepare(_ body: [UInt8], _ coding: String = "gzip") -> Answer {
      service.send(
        .post, "/layouts/list/prepare",
        headers: TestService.fields(key, [(.contentEncoding, coding)]), body: body)
    }
    var bytes = try #require(Gzip.compress(Array(list.utf8)))
    let first = prepare(bytes)
    same(first.status, 201)
    // The time at which it was compressed (RFC 1952, section 2.3).
    bytes.replaceSubrange(4..<8, with: [1, 2, 3, 4])
    expectSame(prepare(bytes), first)
    expectSame(prepare(Array(list.utf8), "identity"), first)
    prepare(try #require(Gzip.compress(Array(insertion.utf8))))
      .expectProblem(422, "idempotency-key-reused")
  }

  @Test("clients with other keys of the service have keys of their own")
  func clients() {
    let service = TestService(configuration: .init(apiKeys: try? APIKeys("one\ntwo")))
    func prepare(_ token: String) -> Answer {
      service.post("/layouts/list/prepare", key, list, [(.authorization, "Bearer \(token)")])
    }
    let first = prepare("one")
    same(first.status, 201)
    expectSame(prepare("one"), first)
    #expect(prepare("two")["Location"] != first["Location"])
    same(prepare("three").status, 401)
  }

  @Test("a request that is still under way is not made a second time")
  func underWay() {
    let path = service.path("list", list)
    service.beingMade(path, key, "{}")
    let answer = service.keyed(path, key, "{}")
    answer.expectProblem(409, "request-under-way")
    same(answer["Retry-After"], "1")
    service.keyed(path, key, #"{"kind": "grid"}"#).expectProblem(422, "idempotency-key-reused")
  }

  @Test("what is refused has changed nothing, and is made again")
  func refused() {
    let path = service.path("list", list)
    service.post("\(path)/updates", key, "{}").expectProblem(422, "invalid-body")
    same(service.post("\(path)/updates", key, insertion).status, 200)
    service.post("/layouts/table/prepare", key, list).expectProblem(404, "unknown-kind")
    service.post("/layouts/list/prepare?a=b", key, list).expectProblem(400, "invalid-parameter")
    same(service.post("/layouts/list/prepare", key, list).status, 201)
  }

  @Test(
    "keys are strings, with or without quotes",
    arguments: cases("RepeatedRequest.syntax", String.self, String?.self))
  func syntax(value: String, text: String?) {
    same(IdempotencyKey(value)?.text, text)
    let answer = service.post("/layouts/list/prepare", value, list)
    if text == nil {
      answer.expectProblem(400, "invalid-idempotency-key")
      #expect(service.isUntouched)
    } else {
      same(answer.status, 201)
    }
  }

  @Test("answers go when their time is over")
  func lifetime() {
    let service = TestService(limits: .init(keyLifetime: .seconds(60)))
    let first = service.post("/layouts/list/prepare", key, list)
    service.clock.advance(by: .seconds(59))
    expectSame(service.post("/layouts/list/prepare", key, list), first)
    service.clock.advance(by: .seconds(1))
    #expect(service.post("/layouts/list/prepare", key, list)["Location"] != first["Location"])
  }

  @Test("without a lifetime, keys mean nothing")
  func off() {
    let service = TestService(limits: .init(keyLifetime: .zero))
    let first = service.post("/layouts/list/prepare", key, list)
    #expect(service.post("/layouts/list/prepare", key, list)["Location"] != first["Location"])
    same(service.post("/layouts/list/prepare", "", list).status, 201)
  }

  @Test("pages of all origins may send keys")
  func preflight() {
    for policy in [CORSPolicy.anyOrigin, .origins(["https://a.example"])] {
      let answer = TestService(configuration: .init(cors: policy)).send(
        .options, "/layouts/list/prepare",
        headers: [
          (.origin, "https://a.example"), (.accessControlRequestMethod, "POST"),
          ("Access-Control-Request-Headers", "idempotency-key"),
        ])
      let allowed = answer["Access-Control-Allow-Headers"] ?? ""
      #expect(allowed == "idempotency-key" || allowed.hasPrefix("*"), "\(allowed)")
    }
  }

  @Test("a long body is hashed and prepared by a worker")
  func longBody() {
    let sections = String(repeating: #"{"items": 1},"#, count: 40_000) + #"{"items": 1}"#
    let body = #"{"bounds": {"width": 100}, "sections": [\#(sections)]}"#
    let first = service.post("/layouts/list/prepare", key, body)
    #expect(first.status == 201 && first.wasDeferred)
    expectSame(service.post("/layouts/list/prepare", key, body), first)
  }

  // MARK: The memory

  private func request(_ number: Int, content: Int = 0) -> KeyedRequest {
    KeyedRequest(key: Array("\(number)".utf8), content: Array("\(content)".utf8))
  }

  private func answer(_ bytes: Int) -> KeptAnswer {
    KeptAnswer(
      status: 200, entityTag: "\"1\"", location: "", body: [UInt8](repeating: 0, count: bytes))
  }

  @Test("the oldest go when there are too many bytes, and what is under way stays")
  func bound() {
    let answers = KeptAnswers(lifetime: .seconds(60), maxBytes: 10_000) { .zero }
    let underWay = request(-1)
    same(answers.begin(underWay), .begun)
    for number in 0..<1000 {
      let request = request(number)
      same(answers.begin(request), .begun)
      answers.end(request, with: answer(1488))
      #expect(answers.statistics.bytes <= 10_000)
    }
    // Of 2,000 bytes each.
    same(answers.statistics.requests, 6)
    same(answers.begin(request(995)), .answered(answer(1488)))
    same(answers.begin(request(994)), .begun)
    same(answers.begin(request(-1)), .isUnderWay)
    answers.abandon(underWay)
    same(answers.begin(request(-1)), .begun)
  }

  @Test("of an answer that takes much, only that it was made is kept")
  func longAnswer() {
    let answers = KeptAnswers(lifetime: .seconds(60), maxBytes: 10_000) { .zero }
    let first = request(1)
    same(answers.begin(first), .begun)
    answers.end(first, with: answer(2501))
    same(answers.begin(request(1)), .answered(nil))
    same(answers.begin(request(1, content: 1)), .isAnother)
    same(answers.statistics.bytes, KeptAnswers.entryBytes)
  }

  @Test("it agrees with a model of it, whatever comes", arguments: 0..<50)
  func model(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let clock = ManualSessionClock()
    let answers = KeptAnswers(lifetime: .seconds(100), maxBytes: 1 << 30) { clock.now() }
    var underWay: [Int: KeyedRequest] = [:]
    var answered: [Int: (content: Int, time: Duration)] = [:]
    for _ in 0..<500 {
      let number = random.integer(0...9)
      let content = random.integer(0...1)
      let request = request(number, content: content)
      switch random.integer(0...3) {
      case 0, 1:
        if let known = answered[number], clock.now() - known.time >= .seconds(100) {
          answered[number] = nil
        }
        let expected: KeyedRequest.Beginning =
          if let known = answered[number] {
            known.content == content ? .answered(answer(number)) : .isAnother
          } else if let other = underWay[number] {
            other.content == request.content ? .isUnderWay : .isAnother
          } else {
            .begun
          }
        same(answers.begin(request), expected)
        if expected == .begun { underWay[number] = request }
      case 2:
        guard let begun = underWay.removeValue(forKey: number) else { continue }
        if content == 0 {
          answers.abandon(begun)
        } else {
          answers.end(begun, with: answer(number))
          answered[number] = (
            begun.content == self.request(0, content: 0).content ? 0 : 1,
            clock.now()
          )
        }
      default: clock.advance(by: .seconds(random.integer(0...30)))
      }
    }
  }

  @Test("a kept answer is read back as it was, and nothing else is read")
  func coding() {
    let kept = KeptAnswer(
      status: 201, entityTag: "\"1-952f14\"", location: "/layouts/a", body: Array("{\n}".utf8))
    same(KeptAnswer(kept.encoded), kept)
    for text in [
      "", "201", "201\n\n", "99\n\n\n", "404\n\n\n", "x\n\n\n", "200\n\u{1}\n\n", "200\n\n\u{e9}\n",
    ] {
      same(KeptAnswer(Array(text.utf8)), nil, "\(text)")
    }
    same(KeptAnswer([UInt8](repeating: 10, count: 2 << 20)), nil)
  }
}
