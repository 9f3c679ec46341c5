import LayoutSessions
import ServiceSupport
import TestSupport
import Testing
import TextMeasure

@testable import LayoutService

/// What `Tests/find` does not do at random.
@Suite("find: what Ctrl+F would look for")
struct FindTests {
  private func body(_ count: Int) -> String {
    let texts = (0..<count).map { "\"gull \($0)\"" }.joined(separator: ",")
    return #"{"bounds": {"width": 320}, "options": {"itemHeight": 10}, "#
      + #""sections": [{"items": {"text": {"t": [\#(texts)]}}}]}"#
  }

  @Test("an answer is that of a version: it has a tag, and its links are gone with the version")
  func versions() {
    let test = TestService()
    let path = test.path("list", body(30))
    let answer = test.get("\(path)/find?text=gull")
    same(OpenAPI.faults(of: answer.json, as: "FoundTexts"), [])
    let known = test.send(
      .get, "\(path)/find?text=gull", headers: [(.ifNoneMatch, answer["ETag"] ?? "")])
    same(known.status, 304)
    #expect(answer["Cache-Control"]?.contains("private") ?? false)
    let next = answer.json["next"].string ?? ""
    same(test.get(next).json["matches"].array.count, 20)
    same(test.update(path, #"[{"delete": {"at": [0, 0]}}]"#).status, 200)
    test.get(next).expectProblem(410, "version-gone")
    test.get("\(path)/find?text=gull&version=1").expectProblem(410, "version-gone")
    same(test.get("\(path)/find?text=gull&limit=0").json["count"], 29)
    test.get("\(path)/find?text=gull&from=x").expectProblem(404, "no-such-element")
    test.get("\(path)/find?text=gull&from=0,29").expectProblem(404, "no-such-element")
    test.get("\(path)/find?text=\(String(repeating: "a", count: 257))")
      .expectProblem(400, "invalid-text")
  }

  @Test("what takes too long is answered in part, and nobody keeps that")
  func late() {
    let test = TestService(limits: .init(maxFindTime: .seconds(-1)))
    let path = test.path("list", body(5000))
    let answer = test.get("\(path)/find?text=gull&limit=2&back=true")
    same(answer.json["complete"], false)
    let count = answer.json["count"].number ?? 0
    #expect(count > 0 && count < 5000)
    same(answer.json["matches"][0]["number"].number, count)
    same(answer["ETag"], nil)
    same(answer["Cache-Control"], "no-store")
    // What is done at once is complete.
    same(test.get("\(test.path("list", body(9)))/find?text=gull").json["complete"], true)
  }

  @Test("the clock is looked at after some bytes, however long the texts are")
  func hostile() {
    // Each place of a text begins 255 letters of a match.
    let letters = String(repeating: "a", count: 65_535)
    let texts = (0..<12).map { _ in "\"\(letters)b\"" }.joined(separator: ",")
    let pattern = String(repeating: "a", count: 255) + "b"
    let body =
      #"{"bounds": {"width": 9}, "sections": [{"items": {"text": {"t": [\#(texts)]}}}]}"#
    let late = TestService(limits: .init(maxFindTime: .seconds(-1)))
    let part = late.get("\(late.path("list", body))/find?text=\(pattern)&limit=1000").json
    same(part["complete"], false)
    same(part["count"], 1)
    same(part["matches"].array.count, 1)
    let test = TestService()
    same(test.get("\(test.path("list", body))/find?text=\(pattern)").json["count"], 12)
  }

  @Test("a search that nobody waits for ends")
  func abandoned() throws {
    let test = TestService()
    let id = SessionID(
      Array(test.path("list", body(9)).utf8.dropFirst("/layouts/".utf8.count)).span)
    let version = try #require(id.flatMap { test.sessions.version(of: $0) })
    let question = FoundTexts.Question(pattern: TextPattern("gull"), name: nil)
    #expect(FoundTexts(question, in: version.collection, within: nil) { .isAbandoned } == nil)
    let found = try #require(FoundTexts(question, in: version.collection, within: nil) { nil })
    let next = FoundTexts.Question(pattern: TextPattern("gull 3"), name: nil)
    #expect(FoundTexts(next, in: version.collection, within: found) { .isAbandoned } == nil)
    same(FoundTexts(next, in: version.collection, within: found) { nil }?.count, 1)
  }
}
