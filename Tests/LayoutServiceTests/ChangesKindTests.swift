import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("PATCH of kind")
struct ChangesKindTests {
  private let test = TestService()

  private static let grid = """
    {"bounds": {"width": 320},
     "options": {"columns": 3, "rowSpacing": 4, "headerHeight": 20, "background": "row",
      "sectionSpacing": 6, "layoutDirection": "rightToLeft"},
     "sections": [{"id": "a", "items": [{"id": "x", "height": 30, "x": 5}, {}]},
      {"items": 2, "options": {"columns": 5, "headerHeight": 7, "background": "section"}}]}
    """

  @Test(
    "what cannot be: another kind for compositional or tree, or one of those, or none",
    arguments: cases("ChangesKind.impossible", String.self, String.self))
  func impossible(kind: String, value: String) {
    let body =
      switch kind {
      case "tree": #"{"nodes": 2}"#
      case "compositional":
        #"{"bounds": {"width": 9}, "sections": [{"kind": "list", "items": 1}]}"#
      default: Self.grid
      }
    let path = test.path(kind, body)
    let before = test.get(path).json
    let answer = test.patch(path, #"{"kind": \#(value)}"#)
    answer.expectProblem(422, "invalid-body")
    #expect(answer.faults.map(\.pointer) == ["/kind"], "\(answer.text)")
    #expect(test.get(path).json == before)
  }
}
