import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("sections: what they say of themselves, and where they are")
struct SectionsTests {
  private let test = TestService()

  private func frames(_ path: String, _ query: String = "rect=-1e6,-1e6,2e6,2e6") -> [JSON] {
    test.get("\(path)/elements?\(query)").json["elements"].array.map { $0["frame"] }
  }

  private func frames(of kind: String, _ body: String) -> [JSON] { frames(test.path(kind, body)) }

  // MARK: Options

  @Test("a section's options are merged over the layout's, objects member by member")
  func ownOptions() {
    let body = """
      {"bounds": {"width": 320},
       "options": {"columns": 2, "columnSpacing": 0, "rowSpacing": 0, "rowHeight": 10,
        "sectionInset": {"left": 20, "top": 5}},
       "sections": [{"items": 1},
        {"items": 1, "options": {"minimumColumnWidth": 130, "sectionInset": {"right": 20}}}]}
      """
    same(frames(of: "grid", body), [[20, 5, 150, 10], [20, 20, 140, 10]])
  }

  @Test("headers, footers, backgrounds, insets and spacing stand around bodies")
  func frameOfSection() {
    let body = """
      {"bounds": {"width": 100},
       "options": {"headerHeight": 10, "footerHeight": 5, "sectionSpacing": 7,
        "contentInset": {"left": 6, "right": 4, "top": 99}, "background": "section",
        "sectionInset": {"top": 1, "left": 2, "bottom": 3, "right": 4}},
       "sections": [{"items": 1}, {"items": 0}]}
      """
    let path = test.path("list", body)
    same(
      frames(path),
      [
        [0, 0, 90, 63], [0, 70, 90, 19], [2, 11, 84, 44], [0, 58, 90, 5], [0, 84, 90, 5],
        [0, 0, 90, 10], [0, 70, 90, 10],
      ])
    same(test.get(path).json["contentSize"], ["width": 90, "height": 89])
  }

  @Test("integral lengths are whole points, and integral frames begin and end at them")
  func integral() {
    let body = """
      {"bounds": {"width": 100.5}, "options": {"itemHeight": 10.25, "integral": true,
       "headerHeight": 2.5}, "sections": [{"items": 2}]}
      """
    same(frames(of: "list", body), [[0, 3, 101, 10], [0, 13, 101, 10], [0, 0, 100.5, 3]])
  }

  @Test("a horizontal layout is the vertical one with its axes exchanged")
  func horizontal() {
    let path = test.path(
      "list",
      """
      {"bounds": {"width": 320, "height": 100},
       "options": {"scrollDirection": "horizontal", "headerHeight": 20, "sectionInset": {"top": 8}},
       "sections": [{"items": [{}, {"width": 30}, {"aspectRatio": 2}]}]}
      """)
    same(frames(path), [[20, 8, 44, 92], [64, 8, 30, 92], [94, 8, 184, 92], [0, 0, 20, 100]])
    same(test.get(path).json["contentSize"], ["width": 278, "height": 100])
  }

  @Test("right to left mirrors in the layout's width; sideways it goes on to the left of 0")
  func rightToLeft() {
    let grid = """
      {"bounds": {"width": 100}, "options": {"layoutDirection": "rightToLeft", "columnSpacing": 0,
       "rowHeight": 10, "rowSpacing": 0, "contentInset": {"left": 20}}, "sections": [{"items": 3}]}
      """
    same(frames(of: "grid", grid), [[40, 0, 40, 10], [0, 0, 40, 10], [40, 10, 40, 10]])
    let list = test.path(
      "list",
      """
      {"bounds": {"width": 100, "height": 30}, "options": {"layoutDirection": "rightToLeft",
       "scrollDirection": "horizontal", "itemHeight": 60}, "sections": [{"items": 2}]}
      """)
    same(frames(list), [[40, 0, 60, 30], [-20, 0, 60, 30]])
    // Appending moves nothing.
    let answer = test.update(list, #"[{"insert": {"at": [0, 2], "items": 1}}]"#).json
    let area = answer["invalidatedRect"].window
    #expect(area.holds(Window(x: -80, y: 0, width: 60, height: 30)), "\(area)")
    #expect(Window(x: -82, y: -2, width: 64, height: 34).holds(area), "\(area)")
    same(frames(list), [[40, 0, 60, 30], [-20, 0, 60, 30], [-80, 0, 60, 30]])
  }

  // MARK: Compositional

  private static let compositional = """
    {"bounds": {"width": 200}, "options": {"sectionSpacing": 4},
     "sections": [
      {"kind": "list", "orthogonal": {"height": 50}, "id": "shelf", "items": 3,
       "options": {"itemHeight": 120, "sectionInset": {"left": 10}}},
      {"kind": "grid", "options": {"columns": 1, "rowHeight": 20, "rowSpacing": 0}, "items": 1}]}
    """

  @Test("an orthogonal section goes on beyond the content's width")
  func orthogonal() {
    let path = test.path("compositional", Self.compositional)
    same(
      frames(path), [[10, 0, 120, 50], [130, 0, 120, 50], [250, 0, 120, 50], [0, 54, 200, 20]])
    same(frames(path, "rect=255,0,10,60"), [[250, 0, 120, 50]])
    same(test.get(path).json["contentSize"], ["width": 200, "height": 74])
    same(
      test.get("\(path)/sections").json["sections"],
      [
        [
          "section": 0, "id": "shelf", "kind": "list", "items": 3, "frame": [0, 0, 200, 50],
          "body": [10, 0, 360, 50], "contentSize": ["width": 370, "height": 50],
        ],
        [
          "section": 1, "kind": "grid", "items": 1, "frame": [0, 54, 200, 20],
          "body": [0, 54, 200, 20],
        ],
      ])
    same(test.patch(path, #"{"options": {"layoutDirection": "rightToLeft"}}"#).status, 200)
    same(
      frames(path),
      [
        [70, 0, 120, 50], [-50, 0, 120, 50], [-170, 0, 120, 50], [0, 54, 200, 20],
      ])
  }

  // MARK: GET sections

  /// Five sections of 10, 20 … 50, of which the second and the fourth have one id.
  private func fiveSections() -> String {
    let sections = (1...5).map {
      #"{"items": \#($0)\#($0 % 2 == 0 ? #", "id": "even é""# : "")}"#
    }
    return test.path(
      "list",
      #"{"bounds": {"width": 100}, "options": {"itemHeight": 10}, "sections": ["#
        + sections.joined(separator: ",") + "]}")
  }

  @Test("a section is found by its index, and the first of an id by that")
  func section() {
    let path = fiveSections()
    let second: JSON = [
      "section": 1, "id": "even é", "kind": "list", "items": 2, "frame": [0, 10, 100, 20],
      "body": [0, 10, 100, 20],
    ]
    for target in ["\(path)/sections/1", "\(path)/sections?id=even%20%C3%A9"] {
      let answer = test.get(target)
      same(answer.json, second)
      answer.expectLayoutHeaders()
      same(test.get(target, ifNoneMatch: "\"\(tag(1))\"").status, 304)
      same(test.send(.head, target).status, 200)
    }
    for index in ["5", "9007199254740991", "-1", "01", "x", "1.0"] {
      test.get("\(path)/sections/\(index)").expectProblem(404, "no-such-element")
    }
    test.get("\(path)/sections?id=odd").expectProblem(404, "no-such-element", saying: "odd")
    test.get("\(path)/sections?id=").expectProblem(400, "invalid-id")
    test.get("\(path)/sections?id=a&rect=0,0,1,1").expectProblem(400, "invalid-id")
    test.get("\(path)/sections/1?limit=1").expectProblem(400, "invalid-parameter")
  }

  @Test("the list comes in pages; each gives what there is once", arguments: [1, 2, 5, 6])
  func pages(limit: Int) {
    let path = fiveSections()
    let whole = test.get("\(path)/sections")
    whole.expectLayoutHeaders()
    same(whole.json["version"], 1)
    same(whole.json["id"].string, String(path.dropFirst("/layouts/".count)))
    let sections = whole.json["sections"].array
    same(sections.count, 5)
    for (index, section) in sections.enumerated() {
      same(section, test.get("\(path)/sections/\(index)").json)
    }
    var pages: [JSON] = []
    var next: String? = "\(path)/sections?limit=\(limit)"
    while let target = next {
      let page = test.get(target).json
      next = page["next"].string
      same(page["sections"].array.count, (next == nil ? (5 - 1) % limit + 1 : limit))
      pages += page["sections"].array
    }
    same(pages, sections)
  }

  @Test("a cursor belongs to one version")
  func goneCursor() {
    let path = fiveSections()
    let next = test.get("\(path)/sections?limit=2").json["next"].string ?? ""
    same(test.get(next).json["sections"].array.count, 2)
    same(test.update(path, #"[{"deleteSections": {"at": 0}}]"#).status, 200)
    test.get(next).expectProblem(410, "version-gone", saying: "1", "2")
    same(test.get("\(path)/sections").json["version"], 2)
  }

  @Test("of a rect only those whose frame intersects it")
  func rect() {
    let path = fiveSections()
    func indexes(_ query: String) -> [Int] {
      test.get("\(path)/sections?\(query)").json["sections"].array.map { $0["section"].integer! }
    }
    same(indexes("rect=0,0,100,10"), [0])
    same(indexes("rect=0,9,1,2"), [0, 1])
    same(indexes("rect=0,30,100,31"), [2, 3])
    same(indexes("rect=0,150,100,10"), [])
    same(indexes("rect=100,0,10,150"), [])
    same(indexes("rect=0,0,100,1000&limit=3"), [0, 1, 2])
    let next = test.get("\(path)/sections?rect=0,30,100,31&limit=1").json["next"].string ?? ""
    same(test.get(next).json["sections"].array.map { $0["section"] }, [3])
    for query in ["rect=0,0,1", "rect=", "limit=0", "limit=100001", "cursor=1", "known=0,0,1,1"] {
      let name = query.prefix { $0 != "=" }
      test.get("\(path)/sections?\(query)")
        .expectProblem(400, name == "known" ? "invalid-parameter" : "invalid-\(name)")
    }
  }

  @Test("a tree has none")
  func tree() {
    let path = test.path("tree", #"{"nodes": 3}"#)
    for target in ["sections", "sections/0", "sections?id=a"] {
      test.get("\(path)/\(target)").expectProblem(404, "no-such-element", saying: "tree")
    }
  }
}
