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

  // MARK: Options

  @Test("sideways a layout from right to left goes on to the left of 0")
  func rightToLeft() {
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
    test.get("\(path)/sections?id=").expectProblem(404, "no-such-element")
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
}
