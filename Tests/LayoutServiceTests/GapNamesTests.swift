import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("gaps have one name in all kinds, and their older names are read")
struct GapNamesTests {
  /// An option that is a gap, and its older name.
  struct Gap: Sendable {
    let kind: String
    let older: String
    let name: String
  }

  /// Where options are given.
  enum Place: CaseIterable, Sendable {
    case prepare, section, insertedSection, setSection
    case namedSection, setNamedSection, setKind
    case patch, patchKind, view, patchView

    /// The pointer to the options in the body.
    var pointer: String {
      switch self {
      case .prepare, .patch, .patchKind, .view, .patchView: "/options"
      case .section, .namedSection: "/sections/0/options"
      case .insertedSection: "/updates/0/insertSections/sections/0/options"
      case .setSection, .setNamedSection, .setKind: "/updates/0/setSection/options"
      }
    }
  }

  static let gaps = [
    Gap(kind: "flow", older: "minimumInteritemSpacing", name: "columnSpacing"),
    Gap(kind: "flow", older: "minimumLineSpacing", name: "rowSpacing"),
    Gap(kind: "justified", older: "itemSpacing", name: "columnSpacing"),
    Gap(kind: "group", older: "groupSpacing", name: "rowSpacing"),
  ]

  private static let group = """
    {"direction": "horizontal", "width": {"absolute": 100}, "height": {"absolute": 100},
     "subitems": [{"width": {"absolute": 100}, "height": {"absolute": 100}}]}
    """
  private static let items = #""items": {"aspectRatio": [1.5, 0.7, 1, 2, 1, 0.5, 1.2, 1, 1, 3]}"#

  private let test = TestService()

  /// A layout of one section.
  private func body(_ options: String, ofSection own: String = "", kind: String? = nil) -> String {
    """
    {"bounds": {"width": 500}, "options": {\(options)},
     "sections": [{\(kind.map { "\"kind\": \"\($0)\", " } ?? "")"options": {\(own)}, \(Self.items)}]}
    """
  }

  /// Gives options at a place of a layout.
  ///
  /// - Parameter members: Of the object of options.
  /// - Returns: The answer, and the path of the layout.
  private func give(_ members: String, at place: Place, of kind: String) -> (Answer, String) {
    let required = kind == "group" ? "\"group\": \(Self.group)" : ""
    let all = [required, members].filter { !$0.isEmpty }.joined(separator: ", ")
    func prepared(_ kind: String, _ body: String) -> (Answer, String) {
      let answer = test.prepare(kind, body)
      return (answer, answer["Location"] ?? "")
    }
    func changed(_ path: String, _ change: (String) -> Answer) -> (Answer, String) {
      (change(path), path)
    }
    func viewed(_ path: String, _ body: String) -> (Answer, String) {
      let answer = test.view(of: path, body)
      return (answer, answer["Location"] ?? "")
    }
    let plain = body(required)
    let list = body("", kind: "list")
    switch place {
    case .prepare: return prepared(kind, body(all))
    case .section: return prepared(kind, body(required, ofSection: members))
    case .namedSection: return prepared("compositional", body("", ofSection: all, kind: kind))
    case .insertedSection:
      let section = "{\"options\": {\(members)}, \(Self.items)}"
      return changed(test.path(kind, plain)) {
        test.update($0, #"[{"insertSections": {"at": 1, "sections": [\#(section)]}}]"#)
      }
    case .setSection:
      return changed(test.path(kind, plain)) {
        test.update($0, #"[{"setSection": {"at": 0, "options": {\#(members)}}}]"#)
      }
    case .setNamedSection:
      return changed(test.path("compositional", body("", ofSection: required, kind: kind))) {
        test.update($0, #"[{"setSection": {"at": 0, "options": {\#(members)}}}]"#)
      }
    case .setKind:
      return changed(test.path("compositional", list)) {
        test.update($0, #"[{"setSection": {"options": {\#(all)}, "at": 0, "kind": "\#(kind)"}}]"#)
      }
    case .patch:
      return changed(test.path(kind, plain)) { test.patch($0, #"{"options": {\#(members)}}"#) }
    case .patchKind:
      return changed(test.path("list", body(""))) {
        test.patch($0, #"{"options": {\#(all)}, "kind": "\#(kind)"}"#)
      }
    case .view:
      return viewed(test.path("list", body("")), #"{"options": {\#(all)}, "kind": "\#(kind)"}"#)
    case .patchView:
      return changed(test.viewPath(of: test.path(kind, plain), "{}")) {
        test.patch($0, #"{"options": {\#(members)}}"#)
      }
    }
  }

  @Test(
    "an older name sets the option, wherever it is given; the export has the name",
    arguments: gaps, Place.allCases)
  func equal(gap: Gap, place: Place) {
    let (plain, older, name) = (
      give("", at: place, of: gap.kind), give("\"\(gap.older)\": 30", at: place, of: gap.kind),
      give("\"\(gap.name)\": 30", at: place, of: gap.kind)
    )
    for (answer, _) in [plain, older, name] { #expect(answer.status < 300, "\(answer.text)") }
    same(test.allElements(older.1), test.allElements(name.1))
    #expect(test.allElements(older.1) != test.allElements(plain.1))
    let export = test.get("\(older.1)/collection")
    same(export.json, test.get("\(name.1)/collection").json)
    #expect(export.text.contains(gap.name))
    #expect(!export.text.contains(gap.older))
  }

  @Test("both names are an error at the older one", arguments: gaps, Place.allCases)
  func both(gap: Gap, place: Place) {
    for members in [
      "\"\(gap.older)\": 7, \"\(gap.name)\": 7", "\"\(gap.name)\": 7, \"\(gap.older)\": 8",
    ] {
      let answer = give(members, at: place, of: gap.kind).0
      same(answer.status, 422)
      same(answer.faults.map(\.pointer), ["\(place.pointer)/\(gap.older)"])
      #expect(answer.faults.first?.detail.contains(gap.name) ?? false)
    }
  }

  @Test("null under either name takes the gap away, and counts as not given beside the other")
  func null() {
    for gap in Self.gaps {
      for place in [Place.patch, .patchView, .setSection, .setNamedSection] {
        let path = give("\"\(gap.name)\": 7", at: place, of: gap.kind).1
        func change(_ members: String) -> Answer {
          place == .patch || place == .patchView
            ? test.patch(path, "{\"options\": {\(members)}}")
            : test.update(path, "[{\"setSection\": {\"at\": 0, \"options\": {\(members)}}}]")
        }
        same(change("\"\(gap.older)\": null").status, 200)
        #expect(!test.get("\(path)/collection").text.contains("\"\(gap.name)\""))
        same(change("\"\(gap.older)\": 3, \"\(gap.name)\": null").status, 200)
        #expect(test.get("\(path)/collection").text.contains("\"\(gap.name)\":3"))
        same(change("\"\(gap.name)\": 4, \"\(gap.older)\": null").status, 200)
        #expect(test.get("\(path)/collection").text.contains("\"\(gap.name)\":4"))
      }
    }
  }

  @Test("no message and no list of options has an older name", arguments: gaps)
  func written(gap: Gap) {
    #expect(!test.get("/kinds").text.contains("\"\(gap.older)\""))
    let fault = test.prepare(gap.kind, body("\"gap\": 1")).faults.first?.detail ?? ""
    #expect(fault.contains(gap.name) && !fault.contains(gap.older))
    // Only where the kind had that name.
    same(
      test.prepare("grid", body("\"\(gap.older)\": 1")).faults.map(\.pointer),
      ["/options/\(gap.older)"])
  }

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

  @Test("in a horizontal layout the names mean the same gaps")
  func horizontal() {
    let names = [
      ("minimumLineSpacing", "minimumInteritemSpacing"), ("rowSpacing", "columnSpacing"),
    ]
    let frames = names.map { along, across in
      let path = test.path(
        "flow",
        """
        {"bounds": {"width": 9, "height": 110}, "sections": [{"items": 3}], "options":
         {"scrollDirection": "horizontal", "alignment": "start", "\(along)": 4, "\(across)": 3}}
        """)
      return (0..<3).map { test.get("\(path)/items/0/\($0)").json["frame"] }
    }
    same(frames[0], [[0, 0, 50, 50], [0, 53, 50, 50], [54, 0, 50, 50]])
    same(frames[1], frames[0])
  }

  @Test(
    "random layouts and changes are the same under older names",
    arguments: ["flow", "justified", "group", "compositional"], Extent.seeds(2, of: 25))
  func random(kind: String, seed: Int) {
    var layouts = RandomLayouts(seed: seed &* 37 &+ kind.utf8.count)
    let body = layouts.body(of: kind)
    let (path, older) = (
      test.path(kind, body.text), test.path(kind, body.withOlderNames(of: kind).text)
    )
    func expectEqual(_ context: String) {
      let (one, other) = (test.get("\(path)/collection").json, test.get("\(older)/collection").json)
      same(one, other, "\(kind), seed \(seed): \(context)")
      same(test.allElements(path), test.allElements(older), "\(kind), seed \(seed): \(context)")
    }
    expectEqual(body.text)
    for _ in 0..<8 {
      let kind = test.get(path).json["kind"].string ?? ""
      let change: JSON
      let answers: [Answer]
      if layouts.chance(40) {
        change = layouts.patch(of: kind)
        answers = [
          test.patch(path, change.text), test.patch(older, change.withOlderNames(of: kind).text),
        ]
      } else {
        let sections = test.get("\(path)/sections").json["sections"].array
        change = [layouts.update(of: kind, sections)]
        let kinds = sections.map { $0["kind"].string ?? "" }
        answers = [
          test.update(path, change.text),
          test.update(older, change.withOlderNames(of: kind, sections: kinds).text),
        ]
      }
      same(answers.map(\.status), [200, 200], "\(answers[1].text)")
      // The memory is that of the bodies, too.
      let told = answers.map { $0.json.removing("id", "memoryBytes") }
      same(told[0], told[1], "\(kind), seed \(seed)")
      expectEqual(change.text)
    }
  }
}

extension JSON {
  /// A body with the older names of gaps.
  ///
  /// - Parameters:
  ///   - kind: Of the options, where the body says no other.
  ///   - sections: The kinds of the sections that an update may name.
  fileprivate func withOlderNames(of kind: String, sections: [String] = []) -> JSON {
    switch self {
    case .array(let values):
      return .array(values.map { $0.withOlderNames(of: kind, sections: sections) })
    case .object(let members):
      let kind = self["kind"].string ?? self["at"].integer.map { sections[$0] } ?? kind
      var renamed: [String: JSON] = [:]
      for (name, value) in members {
        renamed[name] =
          name == "options"
          ? value.withOlderKeys(of: kind) : value.withOlderNames(of: kind, sections: sections)
      }
      return .object(renamed)
    default: return self
    }
  }

  private func withOlderKeys(of kind: String) -> JSON {
    guard case .object(var options) = self else { return self }
    for gap in GapNamesTests.gaps where gap.kind == kind {
      if let value = options.removeValue(forKey: gap.name) { options[gap.older] = value }
    }
    return .object(options)
  }
}
