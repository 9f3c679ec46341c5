import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("a billion items without fields of their own")
struct HugeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var kind: String
    var options = "{}"
    /// Of the last item.
    var frame: JSON

    var testDescription: String { "\(kind) \(options)" }
  }

  static let cases = [
    Case(kind: "grid", frame: [162.5, 24_999_999_950, 157.5, 45]),
    Case(kind: "list", frame: [0, 43_999_999_956, 320, 44]),
    Case(kind: "waterfall", frame: [166, 95_999_999_814, 148, 180]),
    Case(
      kind: "waterfall", options: #"{"placement": "shortestColumn"}"#,
      frame: [166, 95_999_999_814, 148, 180]),
    Case(kind: "flow", frame: [270, 11_999_999_940, 50, 50]),
    Case(
      kind: "flow", options: #"{"alignment": "end", "lineAlignment": "top"}"#,
      frame: [270, 11_999_999_940, 50, 50]),
    Case(
      kind: "group",
      options: """
        {"group": {"direction": "horizontal", "width": {"fractionalWidth": 1},
         "height": {"absolute": 40}, "subitems": [{"width": {"fractionalWidth": 0.5},
         "height": {"fractionalHeight": 1}, "count": 2}]}}
        """, frame: [160, 19_999_999_960, 160, 40]),
    Case(kind: "frames", frame: [0, 0, 50, 50]),
    Case(
      kind: "list",
      options: """
        {"scrollDirection": "horizontal", "layoutDirection": "rightToLeft", "headerHeight": 20,
         "pinHeaders": true}
        """, frame: [-43_999_999_700, 0, 44, 200]),
    Case(
      kind: "grid",
      options: #"{"background": "item", "integral": true, "sectionInset": {"top": 50}}"#,
      frame: [163, 25_000_000_000, 157, 45]),
  ]

  private static func body(_ example: Case, items: Int) -> String {
    """
    {"bounds": {"width": 320, "height": 200}, "options": \(example.options),
     "sections": [{"items": \(items)}]}
    """
  }

  @Test("cost what ten do, and are found at the far end", arguments: cases)
  func farEnd(_ example: Case) {
    let test = TestService()
    let ten = test.prepare(example.kind, Self.body(example, items: 10)).json
    let path = test.path(example.kind, Self.body(example, items: 1_000_000_000))
    same(test.get(path).json["memoryBytes"], ten["memoryBytes"])
    same(test.get(path).json["counts"]["cells"], 1_000_000_000)

    let last: JSON = [
      "category": "cell", "indexPath": [0, 999_999_999], "frame": example.frame, "zIndex": 0,
    ]
    let single = test.get("\(path)/items/0/999999999").json
    same(single.removing("ordinal"), last)
    same(single["ordinal"], 999_999_999)
    test.get("\(path)/items/0/1000000000").expectProblem(404, "no-such-element")
    let frame = example.frame.commaSeparated
    // All frames of the kind `frames` are in one place.
    let start = example.kind == "frames" ? "&cursor=\(tag(1))-0-0-999999995" : ""
    let shown = test.get("\(path)/elements?rect=\(frame)&category=cell\(start)")
    #expect(!shown.wasDeferred)
    same(shown.json["elements"].array.last, last)
    #expect(shown.json["elements"].array.count <= 5)
    let known = test.get("\(path)/elements?rect=\(frame)&known=\(frame)&category=cell\(start)")
    same(known.json["elements"], [])
  }

  @Test("cost nothing more after changes", arguments: cases)
  func changes(_ example: Case) {
    let test = TestService()
    let path = test.path(example.kind, Self.body(example, items: 1_000_000_000))
    let updates = """
      [{"insert": {"at": [0, 1000000000], "items": 5}}, {"delete": {"at": [0, 0], "count": 6}},
       {"insert": {"at": [0, 500000000], "items": 1}}]
      """
    let answer = test.update(path, updates)
    same(answer.status, 200, "\(answer.text)")
    same(test.get("\(path)/items/0/999999999").json["frame"], example.frame)
    let bytes = answer.json["memoryBytes"].integer ?? .max
    let fresh = test.get(test.path(example.kind, Self.body(example, items: 10))).json
    #expect(bytes <= fresh["memoryBytes"].integer! + 1000)
    let collection = test.get("\(path)/collection").json
    same(collection["sections"], [["items": 1_000_000_000]])
  }

  @Test("go from kind to kind, but not to one that lays out each item")
  func kinds() {
    let test = TestService()
    let path = test.path(
      "grid", #"{"bounds": {"width": 320}, "sections": [{"items": 1000000000}]}"#)
    for kind in ["list", "waterfall", "flow", "frames", "grid"] {
      same(test.patch(path, #"{"kind": "\#(kind)"}"#).json["kind"].string, kind)
      let example = Self.cases.first { $0.kind == kind }
      same(test.get("\(path)/items/0/999999999").json["frame"], example?.frame)
    }
    let before = test.get(path).json
    for kind in ["gallery", "justified"] {
      test.patch(path, #"{"kind": "\#(kind)"}"#).expectProblem(413, "too-many-items")
    }
    same(test.get(path).json, before)
    // One item with a height, and each has a place of its own.
    test.update(
      test.path("list", #"{"bounds": {"width": 320}, "sections": [{"items": 1000000000}]}"#),
      #"[{"set": {"at": [0, 7], "items": [{"height": 9}]}}]"#
    ).expectProblem(413, "too-many-items")
  }

  @Test("in sections of a compositional layout, sideways too")
  func compositional() {
    let test = TestService()
    func body(_ items: Int) -> String {
      """
      {"bounds": {"width": 320}, "sections": [
       {"kind": "list", "orthogonal": {"height": 50}, "options": {"itemHeight": 100},
        "items": \(items)}, {"kind": "grid", "items": \(items)}]}
      """
    }
    let path = test.path("compositional", body(1_000_000_000))
    same(
      test.get(path).json["memoryBytes"],
      test.prepare("compositional", body(10)).json["memoryBytes"])
    same(test.get("\(path)/items/0/999999999").json["frame"], [99_999_999_900, 0, 100, 50])
    same(
      test.get("\(path)/elements?rect=99999999900,0,100,50").json["elements"].array.map {
        $0["indexPath"]
      }, [[0, 999_999_999]])
    same(test.get("\(path)/sections/0").json["body"], [0, 0, 100_000_000_000, 50])
    same(test.get("\(path)/items/1/999999999").json["frame"], [162.5, 25_000_000_000, 157.5, 45])
  }
}
