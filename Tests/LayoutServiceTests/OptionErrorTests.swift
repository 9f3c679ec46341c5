import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("options, sections and items that cannot be used")
struct OptionErrorTests {
  typealias Case = BodyErrorTests.Case

  /// A layout with these options and one section of an item.
  private static func options(_ options: String, height: Int? = 200) -> String {
    """
    {"bounds": {"width": 320\(height.map { ", \"height\": \($0)" } ?? "")},
     "options": \(options), "sections": [{"items": 1}]}
    """
  }

  /// A layout of these sections.
  private static func sections(_ sections: String, options: String = "{}") -> String {
    #"{"bounds": {"width": 320, "height": 200}, "options": \#(options), "sections": \#(sections)}"#
  }

  /// A layout whose items are of this group.
  private static func group(_ group: String, height: Int? = 200) -> String {
    options(#"{"group": \#(group)}"#, height: height)
  }

  private static func row(_ subitems: String, _ members: String = "") -> String {
    """
    {"direction": "horizontal", "width": {"absolute": 100}, "height": {"absolute": 50}\(members),
     "subitems": [\(subitems)]}
    """
  }

  private static let item = #"{"width": {"absolute": 10}, "height": {"absolute": 10}}"#

  static let common: [Case] = [
    Case("list", options(#"{"headerHeight": -1}"#), "/options/headerHeight", "≥ 0, was -1"),
    Case("flow", options(#"{"footerHeight": "1"}"#), "/options/footerHeight", "≥ 0"),
    Case("grid", options(#"{"pinHeaders": 1}"#), "/options/pinHeaders", "true or false"),
    Case("frames", options(#"{"pinFooters": "no"}"#), "/options/pinFooters", "true or false"),
    Case("list", options(#"{"integral": 0}"#), "/options/integral", "true or false"),
    Case("list", options(#"{"sectionInset": 3}"#), "/options/sectionInset", "an object"),
    Case(
      "list", options(#"{"sectionInset": {"top": -1}}"#), "/options/sectionInset/top", "≥ 0"),
    Case(
      "list", options(#"{"sectionInset": {"start": 1}}"#), "/options/sectionInset/start",
      "top, left, bottom, right"),
    Case(
      "list", options(#"{"sectionInset": {"left": 200, "right": 120}}"#), "/options/sectionInset",
      "width"),
    Case(
      "list", options(#"{"contentInset": {"left": 200, "right": 120}}"#), "/options/contentInset",
      "width"),
    Case("list", options(#"{"sectionSpacing": -1}"#), "/options/sectionSpacing", "≥ 0"),
    Case(
      "list", options(#"{"scrollDirection": "up"}"#), "/options/scrollDirection",
      #""vertical", "horizontal""#),
    Case(
      "list", options(#"{"layoutDirection": "rtl"}"#), "/options/layoutDirection",
      #""leftToRight", "rightToLeft""#),
    Case(
      "list", options(#"{"scrollDirection": "horizontal"}"#, height: nil), "/bounds/height", "> 0"),
    Case(
      "list", options(#"{"scrollDirection": "horizontal"}"#, height: 0), "/bounds/height", "> 0"),
    Case(
      "list", options(#"{"background": "item"}"#), "/options/background", #""none", "section""#),
    Case(
      "compositional", sections("[]", options: #"{"columns": 3}"#), "/options/columns",
      "is unknown"),
  ]

  static let ofKinds: [Case] = [
    Case("grid", options(#"{"minimumColumnWidth": 0}"#), "/options/minimumColumnWidth", "> 0"),
    Case("grid", options(#"{"itemAspectRatio": 0}"#), "/options/itemAspectRatio", "> 0"),
    Case(
      "grid", options(#"{"columns": 2, "minimumColumnWidth": 9}"#), "/options/minimumColumnWidth",
      "columns"),
    Case(
      "grid", options(#"{"itemAspectRatio": 2, "rowHeight": 9}"#), "/options/itemAspectRatio",
      "rowHeight"),
    Case("grid", options(#"{"background": "cell"}"#), "/options/background", #""item", "row""#),
    Case("list", options(#"{"itemHeight": -1}"#), "/options/itemHeight", "≥ 0"),
    Case("list", options(#"{"columns": 1}"#), "/options/columns", "is unknown"),
    Case(
      "waterfall", options(#"{"minimumColumnWidth": -9}"#), "/options/minimumColumnWidth", "> 0"),
    Case(
      "waterfall", options(#"{"columns": 2, "minimumColumnWidth": 9}"#),
      "/options/minimumColumnWidth", "columns"),
    Case(
      "waterfall", options(#"{"minimumColumnWidth": 10}"#), "/options/cellPadding", "half"),
    Case("waterfall", options(#"{"placement": "random"}"#), "/options/placement", "roundRobin"),
    Case(
      "gallery", options(#"{"horizontalInset": 76}"#), "/options/horizontalInset",
      "maximumItemWidth"),
    Case(
      "gallery", options(#"{"horizontalInset": 160, "maximumItemWidth": 1000}"#),
      "/options/horizontalInset", "half"),
    Case("gallery", options(#"{"minimumItemWidth": 0}"#), "/options/minimumItemWidth", "> 0"),
    Case("gallery", options(#"{"itemHeight": 0}"#), "/options/itemHeight", "> 0"),
    Case(
      "gallery", options(#"{"seed": 9007199254740992}"#), "/options/seed", "9007199254740991"),
    Case("flow", options(#"{"itemSize": {"width": 0}}"#), "/options/itemSize/width", "> 0"),
    Case("flow", options(#"{"itemSize": [1, 2]}"#), "/options/itemSize", "an object"),
    Case("flow", options(#"{"alignment": "left"}"#), "/options/alignment", "justified"),
    Case("flow", options(#"{"lineAlignment": "start"}"#), "/options/lineAlignment", "top"),
    Case(
      "flow", options(#"{"minimumLineSpacing": -1}"#), "/options/minimumLineSpacing", "≥ 0"),
    Case(
      "flow", options(#"{"minimumInteritemSpacing": -1}"#), "/options/minimumInteritemSpacing",
      "≥ 0"),
    Case("justified", options(#"{"targetRowHeight": 0}"#), "/options/targetRowHeight", "> 0"),
    Case(
      "justified", options(#"{"targetRowHeightTolerance": 1.5}"#),
      "/options/targetRowHeightTolerance", "0 to 1"),
    Case("justified", options(#"{"lastRow": "right"}"#), "/options/lastRow", "justify"),
    Case("justified", options(#"{"itemSpacing": -1}"#), "/options/itemSpacing", "≥ 0"),
    Case("frames", options(#"{"itemSize": {"height": -1}}"#), "/options/itemSize/height", "> 0"),
    Case("tree", #"{"options": {"direction": "north"}, "nodes": 1}"#, "/options/direction", "up"),
    Case(
      "tree", #"{"options": {"headerHeight": 1}, "nodes": 1}"#, "/options/headerHeight", "known"),
  ]

  static let groups: [Case] = [
    Case("group", options("{}"), "/options/group", "given"),
    Case("group", group("3"), "/options/group", "object"),
    Case("group", group("{}"), "/options/group/width", "absolute"),
    Case(
      "group",
      group(#"{"width": {"absolute": 1}, "height": {"absolute": 1}, "subitems": [\#(item)]}"#),
      "/options/group/direction", "horizontal"),
    Case("group", options(#"{"groupSpacing": -1}"#), "/options/groupSpacing", "≥ 0"),
    Case("group", group(row("")), "/options/group/subitems", "one"),
    Case("group", group(row("7")), "/options/group/subitems/0", "object"),
    Case("group", group(row(item, #", "spacing": -1"#)), "/options/group/spacing", "≥ 0"),
    Case("group", group(row(item, #", "color": 1"#)), "/options/group/color", "known"),
    Case(
      "group", group(row(#"{"width": {"absolute": 0}, "height": {"absolute": 1}}"#)),
      "/options/group/subitems/0/width/absolute", "> 0"),
    Case(
      "group", group(row(#"{"width": 5, "height": {"absolute": 1}}"#)),
      "/options/group/subitems/0/width", "absolute"),
    Case(
      "group",
      group(row(#"{"width": {"absolute": 1, "flexible": 1}, "height": {"absolute": 1}}"#)),
      "/options/group/subitems/0/width", "or"),
    Case(
      "group", group(row(#"{"width": {"absolute": 1}, "height": {"absolute": 1}, "count": 0}"#)),
      "/options/group/subitems/0/count", "1"),
    Case(
      "group", group(row(#"{"width": {"absolute": 1}, "height": {"absolute": 1}, "count": 1001}"#)),
      "/options/group/subitems/0/count", "1000"),
    Case(
      "group",
      group(
        row(
          Array(
            repeating: #"{"width": {"absolute": 1}, "height": {"absolute": 1}, "count": 501}"#,
            count: 2
          ).joined(separator: ","))), "/options/group", "1000"),
    Case(
      "group", group(row(#"{"width": {"absolute": 1}, "height": {"flexible": 1}}"#)),
      "/options/group/subitems/0/height", "absolute"),
    Case(
      "group",
      group(
        #"{"direction": "vertical", "width": {"absolute": 9}, "height": {"flexible": 1}, "#
          + #""subitems": [\#(item)]}"#), "/options/group/height", "absolute"),
    Case(
      "group",
      group(
        row(
          #"{"width": {"absolute": 10}, "height": {"absolute": 10}, "insets": {"left": 6, "right": 5}}"#
        )), "/options/group/subitems/0/insets", "no larger"),
    Case(
      "group",
      group(row(#"{"width": {"absolute": 30}, "height": {"absolute": 9}, "count": 4}"#)),
      "/options/group", "large enough"),
    Case(
      "group", group(row(#"{"width": {"absolute": 30}, "height": {"absolute": 51}}"#)),
      "/options/group", "large enough"),
    Case(
      "group",
      group(
        row(
          #"{"width": {"absolute": 100}, "height": {"absolute": 9}}, "#
            + #"{"width": {"flexible": 1}, "height": {"absolute": 9}}"#)),
      "/options/group", "flexible"),
    Case(
      "group",
      group(
        #"{"direction": "vertical", "width": {"absolute": 9}, "height": {"fractionalHeight": 1}, "#
          + #""subitems": [\#(item)]}"#, height: nil), "/bounds/height", "> 0"),
  ]

  static let ofSections: [Case] = [
    Case("list", sections(#"[{"items": 1, "id": ""}]"#), "/sections/0/id", "1 to 128 bytes"),
    Case("list", sections(#"[{"items": 1, "id": 7}]"#), "/sections/0/id", "was 7"),
    Case("list", sections(#"[{"items": 1, "kind": "grid"}]"#), "/sections/0/kind", "known"),
    Case(
      "list", sections(#"[{"items": 1, "orthogonal": {"height": 1}}]"#), "/sections/0/orthogonal",
      "known"),
    Case("list", sections(#"[{"items": 1, "options": 3}]"#), "/sections/0/options", "an object"),
    Case(
      "list", sections(#"[{"items": 1}, {"items": 1, "options": {"itemHeight": -1}}]"#),
      "/sections/1/options/itemHeight", "≥ 0"),
    Case(
      "list", sections(#"[{"items": 1, "options": {"sectionSpacing": 1}}]"#),
      "/sections/0/options/sectionSpacing", "is unknown"),
    Case(
      "list", sections(#"[{"items": 1, "options": {"sectionInset": {"left": "a"}}}]"#),
      "/sections/0/options/sectionInset/left", "≥ 0"),
    Case(
      "grid", sections(#"[{"items": 1}, {"items": 0, "options": {"columns": 99}}]"#),
      "/sections/1/options/columns", "few enough"),
    Case(
      "grid", sections(#"[{"items": 1, "options": {"columns": 1, "minimumColumnWidth": 9}}]"#),
      "/sections/0/options/minimumColumnWidth", "columns"),
    Case(
      "list", sections(#"[{"items": 1, "options": {"sectionInset": {"left": 320}}}]"#),
      "/sections/0/options/sectionInset", "width"),
    Case("compositional", sections(#"[{"items": 1}]"#), "/sections/0/kind", "must be given"),
    Case(
      "compositional", sections(#"[{"items": 1, "kind": "tree"}]"#), "/sections/0/kind", "grid"),
    Case(
      "compositional", sections(#"[{"items": 1, "kind": "compositional"}]"#), "/sections/0/kind",
      "grid"),
    Case(
      "compositional", sections(#"[{"items": 1, "kind": "list", "orthogonal": {"height": 0}}]"#),
      "/sections/0/orthogonal/height", "> 0"),
    Case(
      "compositional", sections(#"[{"items": 1, "kind": "list", "orthogonal": true}]"#),
      "/sections/0/orthogonal", "an object"),
    Case(
      "compositional", sections(#"[{"items": 1, "kind": "list", "options": {"columns": 2}}]"#),
      "/sections/0/options/columns", "is unknown"),
    Case(
      "compositional", sections(#"[{"items": 1, "kind": "group"}]"#), "/sections/0/options/group",
      "given"),
    // What the layout says does not suit every section.
    Case(
      "compositional",
      sections(
        #"[{"kind": "list", "items": 0}, {"kind": "grid", "items": 0, "options": {"columns": 99}}]"#
      ), "/sections/1/options/columns", "few enough"),
  ]

  static let items: [Case] = [
    Case(
      "list", sections(#"[{"items": [{"width": 2, "height": 1, "aspectRatio": 2}]}]"#),
      "/sections/0/items/0/aspectRatio", "width"),
    Case(
      "grid", sections(#"[{"items": {"width": [2], "height": [1], "aspectRatio": [2]}}]"#),
      "/sections/0/items/aspectRatio/0", "width"),
    Case("grid", sections(#"[{"items": [{"width": -1}]}]"#), "/sections/0/items/0/width", "≥ 0"),
    Case("list", sections(#"[{"items": [{"x": "1"}]}]"#), "/sections/0/items/0/x", "finite"),
    Case(
      "frames", sections(#"[{"items": {"y": [1, 1e999]}}]"#), "/sections/0/items/y/1", "finite"),
    Case("flow", sections(#"[{"items": [{"size": 1}]}]"#), "/sections/0/items/0/size", "known"),
    Case(
      "justified", sections(#"[{"items": [{"aspectRatio": -2}]}]"#),
      "/sections/0/items/0/aspectRatio", "> 0"),
    Case("frames", sections(#"[{"items": [{"x": 1e301}]}]"#), "", "1e300"),
    Case("tree", #"{"nodes": [{"width": 3}]}"#, "/options/spacing", "compact"),
    Case(
      "tree", #"{"options": {"spacing": "compact"}, "nodes": [{"height": 0}]}"#,
      "/nodes/0/height", "> 0"),
  ]

  @Test(
    "each is pointed at, and nothing is kept",
    arguments: common + ofKinds + groups + ofSections + items)
  func fault(_ example: Case) {
    let service = TestService()
    let answer = service.prepare(example.kind, example.body)
    answer.expectProblem(422, "invalid-body", saying: example.says)
    same(answer.faults.map(\.pointer), [example.pointer], "\(answer.text)")
    #expect(service.isUntouched)
  }

  @Test("what of two options that exclude each other a section gives displaces the layout's")
  func displacing() {
    let body = Self.sections(
      #"[{"items": 1, "options": {"minimumColumnWidth": 100, "itemAspectRatio": 1}}]"#,
      options: #"{"columns": 1, "rowHeight": 9, "columnSpacing": 0}"#)
    let service = TestService()
    let path = service.path("grid", body)
    // 320 / 3 points are 109,226.67 steps.
    same(service.get("\(path)/items/0/0").json["frame"], [0, 0, 106.667, 106.667])
  }

  @Test("a group that no layout option gives is asked of every section")
  func groupOfSections() {
    let group = #"{"group": \#(Self.row(Self.item))}"#
    let service = TestService()
    same(
      service.prepare("group", Self.sections(#"[{"items": 1, "options": \#(group)}]"#)).status, 201)
    service.prepare(
      "group", Self.sections(#"[{"items": 1, "options": \#(group)}, {"items": 1}]"#)
    ).expectProblem(422, "invalid-body", saying: "group")
  }

  @Test("only so many groups may lie in each other", arguments: [(16, 201), (17, 422)])
  func depth(count: Int, status: Int) {
    var group = Self.item
    for _ in 0..<count { group = Self.row(group) }
    same(TestService().prepare("group", Self.group(group)).status, status)
  }

  @Test("a PATCH points at the option in it")
  func patch() {
    let service = TestService()
    let path = service.path("grid", Self.sections(#"[{"items": 1}]"#))
    for (body, pointer) in [
      (#"{"options": {"pinHeaders": 3}}"#, "/options/pinHeaders"),
      (#"{"options": {"sectionInset": {"left": -3}}}"#, "/options/sectionInset/left"),
      (#"{"options": {"sectionInset": {"left": 330}}}"#, "/options/sectionInset"),
      (#"{"options": {"columns": 1, "minimumColumnWidth": 3}}"#, "/options/minimumColumnWidth"),
      (
        #"{"options": {"scrollDirection": "horizontal"}, "bounds": {"height": null}}"#,
        "/bounds/height"
      ),
    ] {
      let answer = service.patch(path, body)
      answer.expectProblem(422, "invalid-body")
      same(answer.faults.map(\.pointer), [pointer], "\(answer.text)")
    }
    same(service.get(path).json["version"], 1)
  }

  @Test(
    "more items than may be stored are refused, in whichever section they are",
    arguments: [
      ("justified", #"[{"items": 60}, {"items": 41}]"#),
      ("list", #"[{"items": {"height": [1]}}, {"items": 1}, {"items": [{"height": 1}]}]"#),
      ("compositional", #"[{"kind": "gallery", "items": 101}, {"kind": "grid", "items": 9}]"#),
    ])
  func tooManyItems(kind: String, sections: String) {
    let service = TestService(limits: LayoutService.Limits(maxItems: kind == "list" ? 1 : 100))
    service.prepare(kind, Self.sections(sections)).expectProblem(413, "too-many-items")
    #expect(service.isUntouched)
  }

  @Test("max-items counts what is stored, whatever is changed")
  func countedItems() {
    let service = TestService(limits: LayoutService.Limits(maxItems: 100))
    let path = service.path("list", Self.sections(#"[{"items": 1000}]"#))
    // As long as the list is uniform, only items with fields or ids count.
    same(service.update(path, #"[{"set": {"at": [0, 5], "items": [{"id": "a"}]}}]"#).status, 200)
    service.update(path, #"[{"set": {"at": [0, 5], "items": [{"height": 3}]}}]"#)
      .expectProblem(413, "too-many-items", saying: "100")
    service.patch(path, #"{"kind": "justified"}"#).expectProblem(413, "too-many-items")
    same(service.patch(path, #"{"kind": "grid"}"#).status, 200)
    // A grid never stores frames: the field of an item alone counts.
    same(service.update(path, #"[{"set": {"at": [0, 5], "items": [{"height": 3}]}}]"#).status, 200)
    service.patch(path, #"{"kind": "list"}"#).expectProblem(413, "too-many-items")
    let ids = (0..<101).map { #"{"id": "\#($0)"}"# }.joined(separator: ",")
    service.update(path, #"[{"insert": {"at": [0, 0], "items": [\#(ids)]}}]"#)
      .expectProblem(413, "too-many-items")
    same(service.get(path).json["version"], 4)
  }
}
