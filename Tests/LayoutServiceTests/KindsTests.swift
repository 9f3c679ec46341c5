import ServiceSupport
import TestSupport
import Testing

@testable import CollectionLayout

@Suite struct KindsTests {
  private let service = TestService()

  @Test("the kinds are told with what their bodies have, as the contract describes it")
  func kinds() {
    let answer = service.get("/kinds")
    same(answer.status, 200)
    same(answer["Content-Type"], "application/json")
    same(OpenAPI.faults(of: answer.json, as: "Kinds"), [])
    let told = answer.json["kinds"].array.map { [$0["name"].string, $0["form"].string] }
    same(
      told,
      [
        ["grid", "sections"], ["list", "sections"], ["waterfall", "sections"],
        ["gallery", "sections"], ["flow", "sections"], ["justified", "sections"],
        ["group", "sections"], ["frames", "sections"], ["compositional", "compositional"],
        ["tree", "forest"], ["outline", "forest"],
      ])
  }

  @Test(
    "an option's type, range, choices and default are those of the contract",
    arguments: LayoutKind.all.map(\.name))
  func options(kind: String) throws {
    let described = OpenAPI.options(of: kind)
    let options = try options(told: kind)
    same(Set(options.compactMap { $0["name"].string }), Set(described.keys))
    for option in options {
      let name = try #require(option["name"].string)
      let schema = try #require(described[name])
      // A schema of what may be put back to its default allows null.
      let types = (schema["type"].array + [schema["type"]]).compactMap(\.string)
      switch option["type"].string {
      case "group": same(name, "group")
      case "card": same(name, "card")
      case "choice":
        same(option["choices"].array, schema["enum"].array.filter { $0 != .null }, "\(name)")
      default: #expect(types.contains(option["type"].string ?? ""), "\(name): \(schema)")
      }
      for word in ["minimum", "exclusiveMinimum", "maximum"] {
        same(option[word], schema[word], "\(kind) \(name): \(word)")
      }
      same(option["default"], schema["x-default"], "\(kind) \(name)")
    }
  }

  private static let ofLayout = [
    "contentAlignment", "contentInset", "emptySections", "estimates", "layoutDirection",
    "minimumSectionWidth", "scrollDirection", "sectionColumnSpacing", "sectionPlacement",
    "sectionSpacing",
  ]
  private static let ofSections = [
    "background", "backgroundInset", "footerHeight", "headerHeight", "integral", "pinFooters",
    "pinHeaders",
    "sectionInset",
  ]

  @Test(
    "an option says whose it may be: what a section refuses is the layout's alone",
    arguments: LayoutKind.all.map(\.name))
  func scopes(kind: String) throws {
    for option in try options(told: kind) {
      let name = option["name"].string?.split(separator: ".").first.map(String.init) ?? ""
      let isTree = ["tree", "outline"].contains(kind)
      let scope =
        !isTree && Self.ofLayout.contains(name)
        ? "layout" : !isTree && Self.ofSections.contains(name) ? "section" : "kind"
      same(option["scope"].string, scope, "\(name)")
    }
  }

  @Test("two options of which one excludes the other name each other")
  func rivals() throws {
    for (kind, pairs) in [
      "grid": [["columns", "minimumColumnWidth"], ["rowHeight", "itemAspectRatio"]],
      "waterfall": [["columns", "minimumColumnWidth"]], "list": [],
    ] {
      var expected: [String: String] = [:]
      for pair in pairs { (expected[pair[0]], expected[pair[1]]) = (pair[1], pair[0]) }
      var told: [String: String] = [:]
      for option in try options(told: kind) {
        told[option["name"].string ?? ""] = option["excludes"].string
      }
      same(told, expected, "\(kind)")
    }
  }

  private func options(told kind: String) throws -> [JSON] {
    let kinds = service.get("/kinds").json["kinds"].array
    return try #require(kinds.first { $0["name"].string == kind })["options"].array
  }
}
