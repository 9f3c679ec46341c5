import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("options, sections and items that cannot be used")
struct OptionErrorTests {
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

  @Test(
    "each is pointed at, and nothing is kept",
    arguments: cases("OptionError.fault", String.self, String.self, String.self, String.self))
  func fault(kind: String, body: String, pointer: String, says: String) {
    let service = TestService()
    let answer = service.prepare(kind, body)
    answer.expectProblem(422, "invalid-body", saying: says)
    same(answer.faults.map(\.pointer), [pointer], "\(answer.text)")
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
    for (body, pointer) in cases("OptionError.patch", String.self, String.self) {
      let answer = service.patch(path, body)
      answer.expectProblem(422, "invalid-body")
      same(answer.faults.map(\.pointer), [pointer], "\(answer.text)")
    }
    same(service.get(path).json["version"], 1)
  }

  @Test(
    "more items than may be stored are refused, in whichever section they are",
    arguments: cases("OptionError.tooManyItems", String.self, String.self))
  func tooManyItems(kind: String, sections: String) {
    let service = TestService(limits: LayoutService.Limits(maxItems: kind == "list" ? 1 : 100))
    service.prepare(kind, Self.sections(sections)).expectProblem(413, "too-many-items")
    #expect(service.isUntouched)
  }
}
