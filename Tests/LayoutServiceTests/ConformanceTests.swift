import Foundation
import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("the cases of an independent implementation, through a daemon")
struct ConformanceTests {
  /// The kinds with cases of their own, and how many there are.
  static let kinds: [(name: String, count: Int)] = [
    ("grid", 36), ("list", 24), ("waterfall", 36), ("gallery", 24), ("flow", 24),
    ("justified", 24), ("group", 24), ("frames", 24), ("compositional", 40), ("tree", 24),
  ]

  /// What the cases call gaps, by kind, and their names.
  static let gaps = [
    Gap(kind: "flow", name: "minimumInteritemSpacing"): "columnSpacing",
    Gap(kind: "flow", name: "minimumLineSpacing"): "rowSpacing",
    Gap(kind: "justified", name: "itemSpacing"): "columnSpacing",
    Gap(kind: "group", name: "groupSpacing"): "rowSpacing",
  ]

  struct Gap: Hashable {
    let kind: String
    let name: String
  }

  @Test("a layout's summary, sections and elements", arguments: kinds)
  func layouts(kind: String, count: Int) throws {
    let cases = try Self.cases(kind)
    same(cases.count, count)
    try withDaemon(TestService().gateway) { port in
      let client = try HTTPClient(port: port)
      for example in cases { try check(example, client) }
    }
  }

  @Test("layouts that change")
  func changes() throws {
    let cases = try Self.cases("changes")
    same(cases.count, 60)
    try withDaemon(TestService().gateway) { port in
      let client = try HTTPClient(port: port)
      for example in cases { try checkChanges(example, client) }
    }
  }

  @Test("no file of cases is left out")
  func files() throws {
    let folder = try #require(
      Bundle.module.url(forResource: "Fixtures/conformance", withExtension: nil))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let expected = Self.kinds.map { $0.name + ".json" } + ["changes.json", "README.md"]
    same(names.sorted(), expected.sorted())
  }

  private static func cases(_ name: String) throws -> [JSON] {
    let file = try #require(
      Bundle.module.url(forResource: "Fixtures/conformance/\(name)", withExtension: "json"))
    return try JSON(parsing: Array(Data(contentsOf: file))).array
  }

  private func prepare(_ example: JSON, _ client: HTTPClient) throws -> (path: String, JSON) {
    let kind = try #require(example["kind"].string)
    let created = try client.prepare(
      kind, example["prepare"].withGapNames(of: kind).text)
    same(created.status, 201, "\(example["name"]): \(created.text)")
    same(created.json["kind"].string, kind)
    return (try #require(created["Location"]), created.json)
  }

  private func check(_ example: JSON, _ client: HTTPClient) throws {
    let name = "\(example["name"])"
    let (path, summary) = try prepare(example, client)
    expect(summary, toSay: example["expect"], name)
    if example["kind"] != "tree" {
      let answer = try client.send("GET", "\(path)/sections")
      same(answer.json["sections"], example["sections"].readable, "\(name)")
    }
    for query in example["queries"].array {
      var target = "\(path)/elements?rect=\(query["rect"].commaSeparated)"
      if query["known"] != .null { target += "&known=\(query["known"].commaSeparated)" }
      try expect(
        elements: query["elements"].array, at: target, of: example["kind"], client, name,
        near: [query["rect"], query["known"]])
    }
  }

  private func checkChanges(_ example: JSON, _ client: HTTPClient) throws {
    let (path, _) = try prepare(example, client)
    var kind = example["kind"].string!
    for (index, step) in example["steps"].array.enumerated() {
      if let next = step["patch"]["kind"].string {
        try takeGapsAway(from: path, of: kind, to: next, client)
        kind = next
      }
      let name = "\(example["name"]), step \(index)"
      let json = [("Content-Type", "application/json")]
      let answer =
        step["patch"] == .null
        ? try client.send(
          "POST", "\(path)/updates", headers: json,
          body: JSON.object(["updates": step["updates"]]).withGapNames(of: kind).text)
        : try client.send(
          "PATCH", path, headers: json, body: step["patch"].withGapNames(of: kind).text)
      try #require(answer.status == 200, "\(name): \(answer.text)")
      let expected = step["expect"]
      expect(answer.json, toSay: expected.removing("rect", "elements"), name)
      let rect = expected["rect"].commaSeparated
      try expect(
        elements: expected["elements"].array, at: "\(path)/elements?rect=\(rect)",
        of: expected["kind"], client, name)

      // What is exported gives the same once more.
      let collection = try client.send("GET", "\(path)/collection")
      let again = try client.prepare(expected["kind"].string!, collection.text)
      try #require(again.status == 201, "\(name): \(again.text)")
      try expect(
        elements: expected["elements"].array,
        at: "\(again["Location"] ?? "")/elements?rect=\(rect)", of: expected["kind"], client,
        name + ", exported")
    }
  }

  /// Takes away the gaps that the cases lose by a change of kind, because there they have another
  /// name in the other kind.
  private func takeGapsAway(
    from path: String, of kind: String, to next: String, _ client: HTTPClient
  ) throws {
    func name(_ name: String, in kind: String) -> String {
      Self.gaps.first { $0.key.kind == kind && $0.value == name }?.key.name ?? name
    }
    let lost = ["columnSpacing", "rowSpacing"].filter { name($0, in: kind) != name($0, in: next) }
    let collection = try client.send("GET", "\(path)/collection").json
    func change(_ options: JSON) -> JSON {
      let names = lost.filter { options[$0] != .null }
      return .object(Dictionary(uniqueKeysWithValues: names.map { ($0, .null) }))
    }
    let updates = collection["sections"].array.enumerated().map { index, section -> JSON in
      ["setSection": ["at": .number(Double(index)), "options": change(section["options"])]]
    }
    for (method, path, body) in [
      ("PATCH", path, ["options": change(collection["options"])]),
      ("POST", "\(path)/updates", ["updates": .array(updates)]),
    ] as [(String, String, JSON)] {
      let type = ("Content-Type", "application/json")
      try same(client.send(method, path, headers: [type], body: body.text).status, 200)
    }
  }

  private func expect(_ summary: JSON, toSay expected: JSON, _ name: String) {
    for (member, value) in expected.object {
      #expect(
        summary[member].isEqual(to: value, of: summary["kind"]),
        "\(name): \(member) was \(summary[member]), expected \(value)")
    }
  }

  private func expect(
    elements expected: [JSON], at target: String, of kind: JSON, _ client: HTTPClient,
    _ name: String, near rects: [JSON] = []
  ) throws {
    let answer = try client.send("GET", target)
    same(answer.status, 200, "\(name): \(answer.text)")
    func isClear(_ element: JSON) -> Bool {
      !rects.contains { element["frame"].touches(unsteppedEdgesOf: $0) }
    }
    let elements = answer.json["elements"].array.filter(isClear)
    let expected = expected.filter(isClear)
    same(elements.count, expected.count, "\(name): \(target)")
    for (element, expected) in zip(elements, expected.map(\.withFirstChild))
    where !element.isEqual(to: expected, of: kind) {
      Issue.record("\(name): \(target): was \(element), expected \(expected)")
    }
  }
}

extension JSON {
  /// Numbers as a query has them.
  var commaSeparated: String { array.map(\.text).joined(separator: ",") }

  /// A body of the cases with the names of gaps.
  ///
  /// - Parameter kind: Of the options, where the body says no other.
  fileprivate func withGapNames(of kind: String) -> JSON {
    switch self {
    case .array(let values): return .array(values.map { $0.withGapNames(of: kind) })
    case .object(let members):
      let kind = self["kind"].string ?? kind
      return .object(
        members.reduce(into: [:]) { renamed, member in
          let gap = ConformanceTests.Gap(kind: kind, name: member.key)
          renamed[ConformanceTests.gaps[gap] ?? member.key] = member.value.withGapNames(of: kind)
        })
    default: return self
    }
  }

  /// An element that says which its first child is, and how many there are, as the cases do not.
  fileprivate var withFirstChild: JSON {
    let children = self["children"].array
    guard let first = children.first, case .object(var members) = self else { return self }
    members["firstChild"] = first
    members["childCount"] = .number(Double(children.count))
    if children.count > 100 { members["children"] = nil }
    return .object(members)
  }

  /// Whether an edge of a frame is so near to one of a rect that the rounding of the rect to
  /// multiples of 1/1024 decides whether they meet.
  fileprivate func touches(unsteppedEdgesOf rect: JSON) -> Bool {
    let (frame, rect) = (array.compactMap(\.number), rect.array.compactMap(\.number))
    guard rect.count == 4 else { return false }
    return [0, 1].contains { axis in
      let isStepped = [rect[axis], rect[axis + 2]].allSatisfy { ($0 * 1024).rounded() == $0 * 1024 }
      let (start, end) = (frame[axis], frame[axis] + frame[axis + 2])
      return !isStepped
        && [rect[axis], rect[axis] + rect[axis + 2]].contains {
          abs($0 - start) < 0x1p-9 || abs($0 - end) < 0x1p-9
        }
    }
  }

  /// Whether an answer says what is expected to the last bit, as JSON says coordinates; of a tree,
  /// whose numbers are nearly those, up to one multiple of 1/1024.
  fileprivate func isEqual(to expected: JSON, of kind: JSON) -> Bool {
    kind == "tree" ? isClose(to: expected, within: 0x1p-10) : self == expected.readable
  }
}
