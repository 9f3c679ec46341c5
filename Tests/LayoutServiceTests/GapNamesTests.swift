import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("gaps have one name in all kinds")
struct GapNamesTests {
  private static let group = """
    {"direction": "horizontal", "width": {"absolute": 100}, "height": {"absolute": 100},
     "subitems": [{"width": {"absolute": 100}, "height": {"absolute": 100}}]}
    """

  private let test = TestService()

  @Test("a change of kind keeps the gaps: PATCH, a section's kind, a view of another kind")
  func kept() {
    let options = #""options": {"columnSpacing": 3, "rowSpacing": 4}"#
    let grid = test.path(
      "grid", #"{"bounds": {"width": 640}, \#(options), "sections": [{"items": 13}]}"#)
    let named = test.path(
      "compositional",
      #"{"bounds": {"width": 640}, "sections": [{"kind": "grid", \#(options), "items": 13}]}"#)
    var view = grid
    for (kind, item, frame) in [
      // 12 items of 50 with gaps of at least 3 fit, the 13th begins the second line.
      ("flow", 12, [0, 54, 50, 50]),
      // Two squares fill a row: (640 − 3) / 2.
      ("justified", 3, [321.5, 322.5, 318.5, 318.5]),
      ("waterfall", 3, [321.5, 184, 318.5, 180]),
      ("group", 1, [0, 104, 100, 100]),
    ] as [(String, Int, JSON)] {
      let options = kind == "group" ? "\"group\": \(Self.group)" : ""
      let body = #"{"kind": "\#(kind)", "options": {\#(options)}}"#
      view = test.viewPath(of: view, body)
      same(test.get("\(view)/items/0/\(item)").json["frame"], frame, "view, \(kind)")
      let update = #"[{"setSection": {"at": 0, \#(body.dropFirst())}]"#
      same(test.update(named, update).status, 200)
      same(test.get("\(named)/items/0/\(item)").json["frame"], frame, "section, \(kind)")
    }
    for kind in ["flow", "justified", "waterfall"] {
      same(test.patch(grid, #"{"kind": "\#(kind)"}"#).status, 200)
      same(test.get("\(grid)/collection").json["options"], ["columnSpacing": 3, "rowSpacing": 4])
    }
    // A group has no gap across.
    same(test.patch(grid, #"{"kind": "group", "options": {"group": \#(Self.group)}}"#).status, 200)
    same(test.get("\(grid)/collection").json["options"].removing("group"), ["rowSpacing": 4])
    same(test.get("\(grid)/items/0/1").json["frame"], [0, 104, 100, 100])
  }

  @Test("UIKit's names, and others that gaps had, are unknown")
  func unknown() {
    for (kind, name) in ConformanceTests.gaps.keys.map({ ($0.kind, $0.name) }) {
      let body = #"{"bounds": {"width": 9}, "options": {"\#(name)": 1}, "sections": []}"#
      let faults = test.prepare(kind, body).faults
      #expect(faults.contains { $0.pointer == "/options/\(name)" }, "\(kind) \(name)")
    }
  }
}
