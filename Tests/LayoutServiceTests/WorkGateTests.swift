import MicroHTTP
import ServiceSupport
import System
import TestSupport
import Testing

@testable import LayoutService

/// Each case stands for some mebibytes while it is done. Others have all the memory and nobody
/// waits, so it is refused where it asks for its memory, and done where it does not.
@Suite("work asks for its memory before it begins")
struct WorkGateTests {
  private static let fields = String(repeating: "1,", count: 59_999) + "1"
  private static let ids = (0..<60_000).map { "\"i\($0)\"" }.joined(separator: ",")
  private static let items = """
    {"id": [\(ids)], "height": [\(fields)], "keys": {"a": [\(fields)]}}
    """
  private static let source = """
    {"bounds": {"width": 300, "height": 300}, "sections": [{"items": \(items)}]}
    """

  private let test = TestService(limits: .init(maxWorkBytes: 1))

  /// What a request gets while others have all memory.
  private func refused(_ ask: () -> Answer) -> Answer {
    test.service.work.during {
      do throws(WorkRefusal) {
        try CurrentWork.reserve(2 << 20)
      } catch {
        Issue.record("the oldest work gets its memory: \(error)")
      }
      return CurrentWork.with(abandonedIf: { true }) { ask() }
    }
  }

  @Test("every operation that takes a body asks for what the body may become")
  func bodies() {
    let path = test.path("list", #"{"bounds": {"width": 300}, "sections": [{"items": 3}]}"#)
    let long = String(repeating: " ", count: 300_000)
    for route in Route.all where !route.bodyTypes.isEmpty {
      let target = route.path.text.replacing("{kind}", with: "list")
        .replacing("/layouts/{id}", with: path)
      let answer = refused {
        test.send(route.method, target, json: "{\(long)}", type: route.bodyTypes[0])
      }
      answer.expectProblem(503, "overloaded")
    }
  }

  @Test(
    "small bodies ask for what they make of a large collection",
    arguments: [
      #"{"kind": "waterfall"}"#, #"{"kind": "justified"}"#, #"{"kind": "gallery"}"#,
      #"{"kind": "flow"}"#, #"{"kind": "grid", "options": {"rowSizing": "tallest"}}"#,
      #"{"options": {"itemHeight": 9}, "arrange": {"sortBy": [{"key": "a"}]}}"#,
      #"{"arrange": {"groupBy": {"key": "a"}}}"#, #"{"arrange": {"ids": ["i3"]}}"#,
      #"{"arrange": {"sections": [{"ids": ["i3"]}]}}"#,
    ])
  func views(body: String) {
    let path = test.path("list", Self.source)
    refused { test.view(of: path, body) }.expectProblem(503, "overloaded")
    let view = test.viewPath(of: path, #"{"options": {"itemHeight": 5}}"#)
    refused { test.patch(view, body) }.expectProblem(503, "overloaded")
  }
}
