import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("the updates set, setSection and setNode")
struct ChangesSettingTests {
  private let test = TestService()

  /// Sections of an image that was measured and one that was not, and of a nameless one.
  private func list() -> String {
    test.path(
      "list",
      """
      {"bounds": {"width": 100}, "options": {"itemHeight": 10, "headerHeight": 5},
       "sections": [{"items": [{"id": "a", "height": 20, "x": 1}, {"id": "b", "aspectRatio": 2}]},
        {"id": "s", "items": 1,
         "options": {"itemHeight": 7, "sectionInset": {"top": 3, "left": 2}}}]}
      """)
  }

  private func collection(_ path: String) -> JSON {
    test.get("\(path)/collection").json["sections"]
  }

  private func frame(_ path: String, _ section: Int, _ item: Int) -> JSON {
    test.get("\(path)/items/\(section)/\(item)").json["frame"]
  }

  // MARK: set

  @Test(
    "set changes the fields that are given; others and the id stay, null takes one away",
    arguments: cases("ChangesSetting.set", String.self))
  func set(items: String) {
    let path = list()
    let answer = test.update(path, #"[{"set": {"at": [0, 0], "items": \#(items)}}]"#)
    same(answer.status, 200, "\(answer.text)")
    same(collection(path)[0], ["items": ["id": ["a", "c"], "height": [30, 8], "x": [1, nil]]])
    same(frame(path, 0, 0), [0, 5, 100, 30])
    same(frame(path, 0, 1), [0, 35, 100, 8])
    // From the first to what lies behind both.
    let area = answer.json["invalidatedRect"].window
    #expect(area.holds(Window(x: 0, y: 5, width: 100, height: 85)), "\(area)")
    #expect(Window(x: 0, y: 5, width: 102, height: 87).holds(area), "\(area)")
  }

  // MARK: Faults

  static let impossible = cases("ChangesSetting.impossible", String.self, String.self, String.self)

  @Test("an impossible one is pointed at, and nothing changes", arguments: impossible)
  func faults(kind: String, update: String, pointer: String) {
    let section = kind == "compositional" ? #"{"kind": "list", "items": 2}"# : #"{"items": 2}"#
    let body =
      kind == "tree"
      ? #"{"nodes": 2}"# : #"{"bounds": {"width": 100}, "sections": [\#(section), \#(section)]}"#
    let path = test.path(kind, body)
    let before = (test.get(path).json, test.allElements(path))
    // Behind one that is possible.
    let first =
      kind == "tree"
      ? #"{"moveNode": {"from": [0, 0], "at": 0}}"# : #"{"insert": {"at": [0, 0], "items": 0}}"#
    let answer = test.update(path, "[\(first), \(update)]")
    answer.expectProblem(422, "invalid-body")
    same(answer.faults.map(\.pointer), ["/updates/1" + pointer], "\(answer.text)")
    same(test.get(path).json, before.0)
    same(test.allElements(path), before.1)
  }

  @Test("options that do not fit each other in the end are refused")
  func unfitting() {
    let path = test.path(
      "grid", #"{"bounds": {"width": 100}, "sections": [{"items": 2}, {"items": 1}]}"#)
    func set(_ options: String...) -> Answer {
      let updates = options.map { #"{"setSection": {"at": 1, "options": \#($0)}}"# }
      return test.update(path, "[\(updates.joined(separator: ","))]")
    }
    for options in cases("ChangesSetting.set2", String.self) {
      let answer = set(options)
      answer.expectProblem(422, "invalid-body", saying: "section 1")
      same(answer.faults.first?.pointer.hasPrefix("/updates"), true)
    }
    same(test.get(path).json["version"], 1)
    same(set(#"{"rowHeight": 3}"#, #"{"rowSpacing": 1}"#).status, 200)
  }

  @Test(
    "of options that exclude each other, one that is given displaces the other",
    arguments: cases("ChangesSetting.displacement", String.self, String.self, String.self))
  func displacement(kind: String, old: String, new: String) {
    func body(_ options: String, _ own: String) -> String {
      #"{"bounds": {"width": 330}, "options": {\#(options)},"#
        + #" "sections": [{"items": 9, "options": {\#(own)}}]}"#
    }
    func patch(_ path: String, _ options: String) -> Answer {
      test.patch(path, #"{"options": {\#(options)}}"#)
    }
    func set(_ path: String, _ options: String) -> Answer {
      test.update(path, #"[{"setSection": {"at": 0, "options": {\#(options)}}}]"#)
    }
    func view(_ path: String, _ options: String) -> Answer {
      test.view(of: path, #"{"options": {\#(options)}}"#)
    }
    let (wanted, ownWanted) = (test.path(kind, body(new, "")), test.path(kind, body("", new)))
    let (path, own) = (test.path(kind, body(old, "")), test.path(kind, body("", old)))
    for answer in [patch(path, "\(old), \(new)"), view(path, "\(old), \(new)")] {
      answer.expectProblem(422, "invalid-body")
    }
    set(own, "\(old), \(new)").expectProblem(422, "invalid-body")
    let made = view(path, new)
    #expect(made.status == 201 && patch(path, new).status == 200 && set(own, new).status == 200)
    for (path, wanted) in [(made["Location"] ?? "", wanted), (path, wanted), (own, ownWanted)] {
      same(test.allElements(path), test.allElements(wanted))
      same(test.get("\(path)/collection").json, test.get("\(wanted)/collection").json)
    }
  }
}
