import MicroHTTP
import ServiceSupport
import TestSupport
import Testing
import WireFormat

@testable import LayoutService

/// How much of a request its problem repeats.
@Suite struct EchoTests {
  private let service = TestService()
  private let path: String
  private static let long = String(repeating: "x", count: 8000)

  init() {
    path = service.path("grid", Sample.grid)
  }

  @Test("a problem does not grow with what it complains about")
  func bounded() {
    let long = Self.long
    let json = (FieldName.contentType, "application/json")
    let answers = [
      service.get("/\(long)"), service.prepare(long, "{}"), service.get("/?\(long)"),
      service.get("/?\(long)=%"), service.get("\(path)/decorations/\(long)/0/0"),
      service.get("\(path)/items/0/\(long)"), service.get("\(path)/items?id=\(long)"),
      service.get("\(path)/elements?rect=\(long)"), service.get("\(path)/elements?cursor=\(long)"),
      service.send(
        .post, "/layouts/grid/prepare", headers: [json, (.contentEncoding, long)], body: [0]),
    ]
    for answer in answers {
      #expect(answer.status >= 400)
      #expect(answer.body.count < 1500, "\(answer.text)")
    }
    answers[0].expectProblem(404, "no-such-path", saying: "/xxx", "x…. GET")
    answers[1].expectProblem(404, "unknown-kind", saying: "\"xxx", "x…\". The kinds are grid")
    answers[2].expectProblem(400, "invalid-parameter", saying: "x…\" is unknown")
  }

  private func problem(_ members: [InvalidMember]) -> Answer {
    var response = service.service.response(to: Problem(.invalid(members)))
    response.requestID = "1"
    Problem.add(requestID: "1", to: &response.body)
    return Answer(response)
  }

  @Test("a long pointer is told once, and cut")
  func longPointer() {
    let pointer = "/root" + String(repeating: "/children/0", count: 500)
    let answer = problem([InvalidMember(pointer: pointer, detail: "must be a number")])
    answer.expectProblem(422, "invalid-body", saying: "A member of the body", "See errors")
    same(answer.faults.map(\.pointer), [pointer.prefix(3072) + "…"])
    #expect(answer.body.count < 3500)
    let escaped = problem([
      InvalidMember(pointer: "/" + String(repeating: "~1", count: 2000), detail: "unknown member")
    ])
    same(escaped.faults.map(\.pointer), ["/" + String(repeating: "~1", count: 1535) + "…"])
    let short = problem([InvalidMember(pointer: "/bounds/width", detail: "must be a number")])
    short.expectProblem(422, "invalid-body", saying: "/bounds/width must be a number.")
  }

  @Test("where not all faults are looked for, the sentence does not claim so")
  func count() {
    func members(_ count: Int, _ pointer: String = "/a") -> [InvalidMember] {
      Array(repeating: InvalidMember(pointer: pointer, detail: "unknown member"), count: count)
    }
    problem(members(2)).expectProblem(422, "invalid-body", saying: "2 members of the body")
    problem(members(20)).expectProblem(422, "invalid-body", saying: "At least 20 members")
    problem(members(9, "/" + Self.long)).expectProblem(422, "invalid-body", saying: "At least 9")
    same(problem(members(19)).json["detail"].string?.hasPrefix("19 "), true)
  }

  @Test(
    "a text is cut between characters",
    arguments: cases("Echo.shortened", String.self, Int.self, String.self))
  func shortened(text: String, limit: Int, expected: String) {
    same(text.shortened(to: limit), expected)
  }
}
