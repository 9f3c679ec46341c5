import ServiceSupport
import TestSupport
import Testing
import WireFormat

@testable import LayoutService

@Suite("Problems")
struct ProblemTests {
  private func members(_ problem: Problem) -> JSON {
    Answer(TestService().service.response(to: problem)).json
  }

  @Test("a problem has type, title, status and detail")
  func plain() {
    let type = ProblemType("invalid-rect", 400, "Invalid \"rect\"", "It is no rect.")
    same(
      members(Problem(type, "line\none ≥ 0")),
      .object([
        "type": .string("/problems/invalid-rect"), "title": .string("Invalid \"rect\""),
        "status": .number(400), "detail": .string("line\none ≥ 0"),
      ]))
    same(members(Problem(type))["detail"].string, "It is no rect.")
  }

  @Test("a problem with a body points to its members")
  func errors() {
    let errors = [
      InvalidMember(
        pointer: "/sections/2/items/17/height", detail: "must be a finite number ≥ 0, was -3"),
      InvalidMember(pointer: "/a\"b~1", detail: "was \"\\u\u{1}\""),
    ]
    let problem = Problem(ProblemType("invalid-body", 422, "t", "m"), "d", errors: errors)
    same(
      members(problem)["errors"],
      .array(
        errors.map {
          .object(["pointer": .string($0.pointer), "detail": .string($0.detail)])
        }))
  }
}
