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

  @Test("what the new kind knows stays, the rest is dropped, of the layout and of its sections")
  func keptAndDropped() {
    let path = test.path("grid", Self.grid)
    let answer = test.patch(path, #"{"kind": "list"}"#)
    #expect(answer.status == 200, "\(answer.text)")
    answer.expectLayoutHeaders(version: 2)
    #expect(answer.json["kind"] == "list")
    #expect(answer.json["invalidated"] == true)
    let collection = test.get("\(path)/collection").json
    #expect(
      collection["options"] == [
        "rowSpacing": 4, "headerHeight": 20, "sectionSpacing": 6, "layoutDirection": "rightToLeft",
      ])
    #expect(
      collection["sections"] == [
        ["id": "a", "items": ["id": ["x", nil], "height": [30, nil], "x": [5, nil]]],
        ["items": 2, "options": ["headerHeight": 7, "background": "section"]],
      ])
    let fresh = test.path("list", collection.text)
    #expect(test.allElements(path) == test.allElements(fresh))
    #expect(test.get("\(path)/items/0/0").json["frame"] == [0, 20, 320, 30])

    // What was dropped does not come back.
    #expect(test.patch(path, #"{"kind": "grid"}"#).json["kind"] == "grid")
    #expect(test.get("\(path)/collection").json["options"] == collection["options"])
  }

  @Test("an option stays only where the new kind takes its value")
  func values() {
    // A list's itemHeight may be 0, a gallery's may not.
    let path = test.path(
      "list",
      #"{"bounds": {"width": 320}, "options": {"itemHeight": 0}, "sections": [{"items": 1}]}"#)
    #expect(test.patch(path, #"{"kind": "gallery"}"#).json["kind"] == "gallery")
    #expect(test.get("\(path)/items/0/0").json["frame"][3] == 250)
    #expect(test.patch(path, #"{"options": {"itemHeight": 40}}"#).status == 200)
    #expect(test.patch(path, #"{"kind": "list"}"#).status == 200)
    #expect(test.get("\(path)/items/0/0").json["frame"] == [0, 0, 320, 40])
    #expect(test.patch(path, #"{"kind": "waterfall"}"#).status == 200)
    #expect(test.get("\(path)/items/0/0").json["frame"] == [6, 6, 148, 40])
  }

  @Test("options of the same request are merged in after it")
  func withOptions() {
    let path = test.path("grid", Self.grid)
    let answer = test.patch(
      path,
      """
      {"kind": "waterfall", "options": {"columns": 1, "headerHeight": null},
       "bounds": {"width": 100}}
      """)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(
      test.get("\(path)/collection").json["options"] == [
        "columns": 1, "sectionSpacing": 6, "layoutDirection": "rightToLeft", "rowSpacing": 4,
      ])
    #expect(test.get(path).json["bounds"] == ["width": 100])
    // In either order, and checked by the new kind.
    for body in cases("ChangesKind.withOptions", String.self) {
      let path = test.path("grid", Self.grid)
      #expect(test.patch(path, body).status == 200)
      #expect(test.get("\(path)/items/1/0").json["frame"][3] == 9)
    }
    let faults = test.patch(path, #"{"options": {"columns": 1}, "kind": "list"}"#).faults
    #expect(faults.map(\.pointer) == ["/options/columns"])
  }

  @Test("a group comes with its pattern")
  func group() {
    let path = test.path("grid", Self.grid)
    #expect(test.patch(path, #"{"kind": "group"}"#).status == 422)
    let group =
      #"{"direction": "vertical", "width": {"absolute": 50}, "height": {"absolute": 30}, "#
      + #""subitems": [{"width": {"fractionalWidth": 1}, "height": {"fractionalHeight": 1}}]}"#
    let answer = test.patch(path, #"{"kind": "group", "options": {"group": \#(group)}}"#)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(test.get("\(path)/items/0/1").json["frame"] == [270, 54, 50, 30])
    #expect(test.patch(path, #"{"kind": "list"}"#).status == 200)
    #expect(test.get("\(path)/collection").json["options"]["group"] == .null)
  }

  @Test("the kind that there is changes nothing")
  func same() {
    let path = test.path("grid", Self.grid)
    let answer = test.patch(path, #"{"kind": "grid"}"#).json
    #expect(answer["invalidated"] == false)
    #expect(answer["version"] == 1)
  }

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

  // MARK: Transitions

  @Test("transitions of a kind's change: items and headers keep their identity")
  func transitions() {
    let path = test.path(
      "list",
      """
      {"bounds": {"width": 100}, "options": {"itemHeight": 10, "headerHeight": 5},
       "sections": [{"items": {"id": ["a", "b"]}}]}
      """)
    let answer = test.patch(
      "\(path)?rect=0,0,100,100",
      """
      {"kind": "grid", "options": {"columnSpacing": 0, "rowHeight": 20, "rowSpacing": 0,
       "headerHeight": 6}}
      """)
    #expect(answer.status == 200, "\(answer.text)")
    func cell(_ item: JSON, _ id: JSON, _ frame: JSON) -> JSON {
      ["category": "cell", "indexPath": [0, item], "frame": frame, "zIndex": 0, "id": id]
    }
    func header(_ height: JSON) -> JSON {
      [
        "category": "supplementary", "kind": "header", "indexPath": [0, 0],
        "frame": [0, 0, 100, height], "zIndex": 1,
      ]
    }
    #expect(
      answer.json["transitions"] == [
        "appearing": [], "disappearing": [],
        "moving": [
          ["from": cell(0, "a", [0, 5, 100, 10]), "to": cell(0, "a", [0, 6, 50, 20])],
          ["from": cell(1, "b", [0, 15, 100, 10]), "to": cell(1, "b", [50, 6, 50, 20])],
          ["from": header(5), "to": header(6)],
        ],
      ])
  }

  @Test("transitions of bounds and options, of what a rect shows before or after")
  func rotation() {
    let path = test.path(
      "list",
      #"{"bounds": {"width": 100}, "options": {"itemHeight": 10}, "sections": [{"items": 3}]}"#)
    let wider = test.patch("\(path)?rect=0,15,9,1", #"{"bounds": {"width": 200}}"#).json
    #expect(wider["transitions"]["moving"].array.map { $0["to"]["frame"] } == [[0, 10, 200, 10]])
    let header = test.patch("\(path)?rect=0,0,9,1", #"{"options": {"headerHeight": 4}}"#).json
    #expect(header["transitions"]["appearing"].array.map { $0["to"]["kind"] } == ["header"])
    #expect(header["transitions"]["moving"].array.map { $0["from"]["indexPath"] } == [[0, 0]])
    let nothing = test.patch("\(path)?rect=0,0,9,1", #"{"options": {"headerHeight": 4}}"#).json
    #expect(nothing["invalidated"] == false)
    #expect(nothing["transitions"] == ["appearing": [], "disappearing": [], "moving": []])
    #expect(test.patch(path, #"{"options": {"headerHeight": 3}}"#).json["transitions"] == .null)
    test.patch("\(path)?rect=0,0", "{}").expectProblem(400, "invalid-rect")
    test.patch("\(path)?limit=1", "{}").expectProblem(400, "invalid-parameter")
  }
}
