import LayoutSessions
import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

/// Work that waits for a worker while its layout goes on.
@Suite struct WaitingTests {
  private let service = TestService(limits: LayoutService.Limits(visitBudget: 100))

  private func grid(items: Int = 2000) -> String {
    let names = (0..<items).map { "\"n\($0)\"" }.joined(separator: ",")
    return service.path(
      "grid",
      #"{"bounds": {"width": 320}, "sections": [{"items": {"id": [\#(names)]}}]}"#)
  }

  private func widen(_ path: String) {
    let answer = service.patch(path, #"{"bounds": {"width": 640}}"#)
    same(answer.status, 200)
  }

  @Test(
    "does not hold the version that was there when it came, and answers for the current one",
    arguments: [
      "/items?id=n7", "/elements?rect=0,0,1e9,1e9", "/elements?rect=0,0,1e9,1e9&limit=999",
    ])
  func currentVersion(question: String) throws {
    let path = grid()
    weak let first = service.version(at: path)
    let deferred = try #require(service.deferred(path + question))
    #expect(first != nil)
    widen(path)
    #expect(first == nil)
    let answer = Answer(deferred.work())
    same(answer.status, 200)
    same(answer["ETag"], "\"\(tag(2))\"")
    same(answer.body, service.get(path + question).body)
  }

  @Test("a view that waits for its frames holds no version either")
  func waitingView() throws {
    let path = grid()
    weak let first = service.version(at: path)
    let deferred = try #require(
      work("\(path)/views", #"{"kind": "gallery", "bounds": {"width": 500}}"#))
    #expect(first != nil)
    widen(path)
    #expect(first == nil)
    let answer = Answer(deferred.work())
    same(answer.status, 201)
    same(answer.json["bounds"]["width"], 500)
  }

  private func work(_ target: String, _ body: String) -> DeferredWork? {
    let request = Request(
      method: .post, target: RequestTarget(target),
      headers: HeaderFields([(.contentType, "application/json")]),
      body: .copying(Array(body.utf8)))
    guard case .deferred(let deferred) = service.gateway.respond(to: request) else { return nil }
    return deferred
  }

  @Test("a find waits for the index once, and again only when names may be elsewhere")
  func indexStays() throws {
    let path = grid()
    let find = "\(path)/items?id=n7"
    func update(_ update: String) {
      let answer = service.send(
        .post, "\(path)/updates", json: "{\"updates\": [\(update)]}")
      same(answer.status, 200)
    }
    same(Answer(try #require(service.deferred(find)).work()).json["indexPath"], [0, 7])
    for harmless in cases("Waiting.update", String.self) {
      update(harmless)
      #expect(service.deferred(find) == nil, "\(harmless)")
      same(service.get(find).json["indexPath"], [0, 7])
    }
    widen(path)
    #expect(service.deferred(find) == nil)
    update(#"{"set": {"at": [0, 3], "items": [{"id": "n7"}]}}"#)
    same(Answer(try #require(service.deferred(find)).work()).json["indexPath"], [0, 3])
    update(#"{"delete": {"at": [0, 0]}}"#)
    same(Answer(try #require(service.deferred(find)).work()).json["indexPath"], [0, 2])
  }

  @Test("a query about one version is told when that is gone by then")
  func goneVersion() throws {
    let path = grid()
    let deferred = try #require(service.deferred("\(path)/elements?rect=0,0,1e9,1e9&version=1"))
    widen(path)
    Answer(deferred.work()).expectProblem(410, "version-gone")
  }

  @Test("a query goes to the workers by the bytes of its answer, too, who go on where it stopped")
  func byBytes() throws {
    let service = TestService(limits: LayoutService.Limits(bytesAtOnce: 5000))
    let path = service.path(
      "grid",
      #"{"bounds": {"width": 320}, "options": {"headerHeight": 9}, "sections": [{"items": 500}, {"items": 7}]}"#
    )
    for query in ["", "&limit=200", "&limit=507", "&category=cell&known=0,0,320,300"] {
      let target = "\(path)/elements?rect=0,0,1e9,1e9\(query)"
      let deferred = try #require(service.deferred(target))
      #expect(deferred.heldBytes > 5000 && deferred.heldBytes < 6000)
      let answer = Answer(deferred.work())
      let whole = TestService()
      let other = whole.path(
        "grid",
        #"{"bounds": {"width": 320}, "options": {"headerHeight": 9}, "sections": [{"items": 500}, {"items": 7}]}"#
      )
      let expected = whole.get("\(other)/elements?rect=0,0,1e9,1e9\(query)")
      #expect(!expected.wasDeferred)
      same(answer.json["elements"], expected.json["elements"])
      same((answer.json["next"] == nil), (expected.json["next"] == nil))
    }
    #expect(service.deferred("\(path)/elements?rect=0,0,320,10") == nil)
  }

  @Test("no cache keeps a summary, whose tag stays where it changes")
  func summaryCaching() {
    let path = grid()
    same(service.get(path)["Cache-Control"], "no-store")
    same(service.get(path, ifNoneMatch: "\"\(tag(1))\"")["Cache-Control"], "no-store")
    same(service.get("\(path)/items/0/0")["Cache-Control"], "private, no-cache")
  }

  @Test("a prepare is short work if it has few items")
  func shortPrepare() throws {
    func shortWork(_ body: String) throws -> Answer? {
      let shortWork = try #require(work("/layouts/tree/prepare", body)?.shortWork)
      return shortWork().map { Answer($0) }
    }
    try same(shortWork(#"{"nodes": 3}"#)?.status, 201)
    try same(shortWork(#"{"nodes": 20000}"#)?.status, 201)
    try #expect(shortWork(#"{"nodes": 20001}"#) == nil)
    same(service.sessions.statistics.sessions, 2)
  }

  @Test("a find is short work in little text, and in none that must be made first")
  func shortFind() throws {
    func path(_ count: Int, _ length: Int) -> String {
      let text = String(repeating: "a", count: length) + " gull"
      let texts = repeatElement("\"\(text)\"", count: count).joined(separator: ",")
      return service.path(
        "list",
        #"{"bounds": {"width": 9}, "sections": [{"items": {"text": {"t": [\#(texts)]}}}]}"#)
    }
    func shortAnswer(_ path: String) throws -> Answer? {
      let deferred = try #require(service.deferred("\(path)/find?text=gull"))
      return deferred.shortWork.flatMap { $0() }.map { Answer($0) }
    }
    let little = path(3, 60_000)
    try same(shortAnswer(little)?.json["count"], 3)
    try #expect(shortAnswer(path(5, 60_000)) == nil)
    try #expect(shortAnswer(path(20_001, 0)) == nil)
    // The next version of a view must be made.
    let view = service.viewPath(of: little, #"{"bounds": {"width": 5}}"#)
    try same(shortAnswer(view)?.json["count"], 3)
    let deferred = try #require(service.deferred("\(view)/find?text=gull"))
    same(service.update(little, #"[{"delete": {"at": [0, 0]}}]"#).status, 200)
    #expect(deferred.shortWork?() == nil)
    same(Answer(deferred.work()).json["count"], 2)
  }

  @Test(
    "a query whose layout is gone by then is told so",
    arguments: ["/items?id=n7", "/elements?rect=0,0,1e9,1e9"])
  func goneLayout(question: String) throws {
    let path = grid()
    let deferred = try #require(service.deferred(path + question))
    same(service.send(.delete, path).status, 204)
    Answer(deferred.work()).expectProblem(404, "no-such-layout")
  }
}
