import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("pinned headers and footers")
struct PinnedTests {
  private let test = TestService()

  /// Sections of three items and of one, 100 high, between headers of 20 and footers of 10.
  private func list(
    _ options: String = "", isPinned: Bool = true, bounds: String = #"{"width": 320}"#
  ) -> String {
    test.path(
      "list",
      """
      {"bounds": \(bounds),
       "options": {"itemHeight": 100, "headerHeight": 20, "footerHeight": 10,
        "pinHeaders": \(isPinned), "pinFooters": \(isPinned)\(options)},
       "sections": [{"items": 3}, {"items": 1}]}
      """)
  }

  private func elements(_ target: String) -> [JSON] {
    test.get(target).json["elements"].array
  }

  private static let footer: JSON = [
    "category": "supplementary", "kind": "footer", "indexPath": [0, 0],
    "frame": [0, 320, 320, 10], "zIndex": 1, "pinRange": [20, 320],
  ]
  private static let header: JSON = [
    "category": "supplementary", "kind": "header", "indexPath": [0, 0],
    "frame": [0, 0, 320, 20], "zIndex": 1, "pinRange": [0, 300],
  ]

  @Test("they say between what they may lie, wherever their section is seen")
  func ranges() {
    let path = list()
    let shown = elements("\(path)/elements?rect=0,200,320,50&category=supplementary")
    same(shown, [Self.footer, Self.header])
    same(test.get("\(path)/supplementary/header/0/0").json, Self.header)
    same(test.get("\(path)/supplementary/footer/1/0").json["pinRange"], [350, 450])
    same(test.get("\(path)/supplementary/header/1/0").json["pinRange"], [330, 430])
    same(test.get("\(path)/items/0/0").json["pinRange"], .null)
  }

  @Test("a section that is not as high as its header holds it where it is")
  func lowSection() {
    let path = test.path(
      "list",
      """
      {"bounds": {"width": 9}, "options": {"headerHeight": 20, "footerHeight": 5,
       "pinHeaders": true, "pinFooters": true}, "sections": [{"items": 0}]}
      """)
    let ranges = elements("\(path)/elements?rect=0,0,9,25").map { $0["pinRange"] }
    same(ranges, [[20, 20], [0, 0]])
  }

  @Test("they are in every answer, whatever is known")
  func known() {
    let path = list()
    let rect = "rect=0,200,320,50"
    for known in ["0,200,320,50", "0,0,320,1000", "-1e9,-1e9,2e9,2e9"] {
      same(elements("\(path)/elements?\(rect)&known=\(known)&since=1"), [Self.footer, Self.header])
    }
    // What is not pinned is left out.
    let unpinned = test.path(
      "list",
      """
      {"bounds": {"width": 320}, "options": {"headerHeight": 20},
       "sections": [{"items": 1}, {"items": 1, "options": {"pinHeaders": true}}]}
      """)
    let shown = elements("\(unpinned)/elements?rect=0,0,320,100&known=0,0,320,100")
    same(shown.map { $0["indexPath"] }, [[1, 0]])
  }

  @Test("a rect meets them where they may lie, and only there")
  func sweptFrames() {
    let path = list()
    func sections(_ rect: String) -> [JSON] {
      elements("\(path)/elements?rect=\(rect)&category=supplementary").map { $0["indexPath"] }
    }
    same(sections("0,319,320,1"), [[0, 0], [0, 0]])
    // The header of the first section ends at 320, its footer at 330.
    same(sections("0,320,320,10"), [[0, 0]])
    same(sections("0,330,320,1"), [[1, 0]])
    same(sections("320,0,10,500"), [])
    same(sections("0,5,0,0"), [[0, 0]])
  }

  @Test("an append resets nobody who reads above it, though header and footer change")
  func append() {
    let path = list()
    let known = "known=0,0,320,300&since=1"
    let answer = test.update(path, #"[{"insert": {"at": [0, 3], "items": 2}}]"#).json
    // The header's swept frame begins at 0.
    same(answer["invalidatedRect"][1], 0)
    let query = test.get("\(path)/elements?rect=0,200,320,50&\(known)").json
    same(query["reset"], .null)
    same(query["elements"].array.map { $0["pinRange"] }, [[20, 520], [0, 500]])
    // Who knows where the new items lie is reset.
    let below = test.get("\(path)/elements?rect=0,200,320,50&known=0,0,320,330&since=1").json
    same(below["reset"], true)
  }

  @Test("an append without pins resets nobody above it either; what moves does")
  func appendUnpinned() {
    let path = list(isPinned: false)
    _ = test.update(path, #"[{"insert": {"at": [0, 3], "items": 2}}]"#)
    let above = test.get("\(path)/elements?rect=0,0,320,50&known=0,0,320,320&since=1").json
    same(above["reset"], .null)
    same(above["elements"], [])
    let footer = test.get("\(path)/elements?rect=0,0,320,50&known=0,0,320,321&since=1").json
    same(footer["reset"], true)
  }

  @Test("a header that is pinned no longer, or is from now on, is a change where it lies")
  func pinning() {
    let path = list()
    let known = "known=0,0,320,15&since="
    same(test.patch(path, #"{"options": {"pinHeaders": false}}"#).json["invalidated"], true)
    same(test.get("\(path)/elements?rect=0,0,320,15&\(known)1").json["reset"], true)
    same(test.patch(path, #"{"options": {"pinHeaders": true}}"#).json["invalidated"], true)
    same(test.get("\(path)/elements?rect=0,0,320,15&\(known)2").json["reset"], true)
  }

  @Test("sideways the range is along x, and from right to left it is mirrored")
  func sideways() {
    let bounds = #"{"width": 320, "height": 50}"#
    let path = list(#", "scrollDirection": "horizontal""#, bounds: bounds)
    let header = test.get("\(path)/supplementary/header/1/0").json
    same(header["frame"], [330, 0, 20, 50])
    same(header["pinRange"], [330, 430])
    same(
      elements("\(path)/elements?rect=440,0,5,5&category=supplementary").map { $0["kind"] },
      ["footer", "header"])
    same(test.patch(path, #"{"options": {"layoutDirection": "rightToLeft"}}"#).status, 200)
    let mirrored = test.get("\(path)/supplementary/header/1/0").json
    same(mirrored["frame"], [-30, 0, 20, 50])
    same(mirrored["pinRange"], [-130, -30])
    same(
      elements("\(path)/elements?rect=-125,0,5,5&category=supplementary").map { $0["kind"] },
      ["footer", "header"])
  }
}
