import LayoutSessions
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("updates that name items by their ids")
struct UpdatesByIDTests {
  private let service = TestService()
  private static let lists = """
    {"bounds": {"width": 300}, "options": {"itemHeight": 100}, "sections": [
     {"items": {"id": ["harbour", "gull", "pier"]}}, {"items": [{"id": "buoy"}, {}]},
     {"items": [{"id": "twin"}, {"id": "twin"}]}]}
    """

  /// The ids of the items of each section; "-" for an item without one.
  private func ids(_ path: String) -> [[String]] {
    let cells = service.get("\(path)/elements?rect=-1e6,-1e6,2e6,2e6&category=cell").json
    return cells["elements"].array.reduce(into: []) { sections, cell in
      let section = cell["indexPath"][0].integer ?? 0
      while sections.count <= section { sections.append([]) }
      sections[section].append(cell["id"].string ?? "-")
    }
  }

  @Test("the index of ids goes on with items that come, go and move, until two have one id")
  func keptIndex() throws {
    let path = service.path(
      "list", #"{"bounds": {"width": 9}, "sections": [{"items": {"id": ["a", "b"]}}]}"#)
    func expect(_ expected: [String]?, after updates: String, isKept: Bool = true) throws {
      let answer = service.update(path, updates)
      same(answer.status, (expected == nil ? 422 : 200), "\(answer.text)")
      if let expected { same(ids(path), [expected]) }
      try same(#require(service.version(at: path)).hasBuiltItemIDs, isKept, "\(updates)")
    }
    try expect(["b", "a"], after: #"[{"move": {"from": [0, 1], "to": [0, 0]}}]"#, isKept: false)
    try expect(
      ["b", "c", "a"], after: #"[{"insert": {"at": {"id": "a"}, "items": [{"id": "c"}]}}]"#)
    try expect(
      ["d", "c", "a"],
      after: #"[{"replace": {"at": {"id": "b"}, "items": [{"id": "d", "height": 1}]}}]"#)
    try expect(["d", "a"], after: #"[{"delete": {"at": {"id": "c"}}}]"#)
    try expect(nil, after: #"[{"delete": {"at": {"id": "c"}}}]"#)
    try expect(nil, after: #"[{"delete": {"at": {"id": "b"}}}]"#)
    try expect(["a", "d"], after: #"[{"move": {"from": {"id": "a"}, "to": {"id": "d"}}}]"#)
    for (id, item) in [("a", 0), ("d", 1)] {
      same(service.get("\(path)/items?id=\(id)").json["indexPath"], [0, .number(Double(item))])
    }
    service.get("\(path)/items?id=b").expectProblem(404, "no-such-element")
    try expect(
      ["a", "d", "a"], after: #"[{"insert": {"at": [0, 2], "items": [{"id": "a"}]}}]"#,
      isKept: false)
    try expect(nil, after: #"[{"delete": {"at": {"id": "a"}}}]"#)
  }

  @Test("an item stays where it is that is moved to its own id, named by id or by index path")
  func toItself() {
    let path = service.path("list", Self.lists)
    let before = ids(path)
    for from in [#"{"id": "gull"}"#, "[0, 1]"] {
      let update = #"[{"move": {"from": \#(from), "to": {"id": "gull"}}}]"#
      same(service.update(path, update).status, 200)
      same(ids(path), before)
    }
    let both = #"""
      [{"insert": {"at": [0, 0], "items": [{"id": "new"}]}},
       {"move": {"from": {"id": "new"}, "to": {"id": "new"}}}]
      """#
    same(service.update(path, both).json["counts"]["cells"], 8)
    same(ids(path)[0], ["new"] + before[0])
  }

  @Test("an id that no item or that several have is pointed to, and nothing is changed")
  func faults() {
    let path = service.path("list", Self.lists)
    for (updates, pointer, words) in cases(
      "UpdatesByID.faults", String.self, String.self, String.self)
    {
      let answer = service.update(path, updates)
      answer.expectProblem(422, "invalid-body")
      same(answer.faults.map(\.pointer), [pointer], "\(answer.text)")
      same(answer.faults.first?.detail.contains(words), true, "\(answer.text)")
    }
    same(service.get(path).json["version"], 1)
    let plain = service.path("list", #"{"bounds": {"width": 300}, "sections": [{"items": 9}]}"#)
    let answer = service.update(plain, #"[{"delete": {"at": {"id": "gull"}}}]"#)
    same(answer.faults.map(\.pointer), ["/updates/0/delete/at/id"])
    // Ids that came with the same request.
    let both =
      #"[{"insert": {"at": [0, 0], "items": [{"id": "a"}]}}, {"delete": {"at": {"id": "a"}}}]"#
    same(service.update(plain, both).json["counts"]["cells"], 9)
  }
}

@Suite("random updates by ids")
struct RandomUpdatesByIDTests {
  @Test(
    "ids and index paths lead to the same", arguments: RandomLayouts.kinds,
    Extent.seeds(1, of: 4))
  func agreement(kind: String, seed: Int) {
    var layouts = RandomLayouts(seed: seed &* 41 &+ kind.utf8.count &+ 11)
    let test = TestService()
    // A size belongs to the width that its cell has when it comes, so it matters when that is.
    let body = layouts.body(of: kind).unmeasured.text
    let (path, other) = (test.path(kind, body), test.path(kind, body))
    for _ in 0..<4 {
      // One by one with index paths here, and all at once with ids there.
      var updates: [JSON] = []
      for _ in 0...layouts.integer(0...7) {
        let cells = test.get("\(path)/elements?rect=-1e7,-1e7,2e7,2e7&limit=100000").json[
          "elements"
        ].array.filter { $0["category"] == "cell" }
        let update =
          kind == "tree"
          ? layouts.nodeUpdate(cells)
          : layouts.update(of: kind, test.get("\(path)/sections").json["sections"].array)
            .unmeasured
        guard test.update(path, JSON.array([update]).text).status == 200 else { continue }
        updates.append(Names(cells).naming(update, &layouts))
      }
      let answer = test.update(other, JSON.array(updates).text)
      same(answer.status, 200, "\(JSON.array(updates).text): \(answer.text)")
      for what in ["collection", "elements?rect=-1e7,-1e7,2e7,2e7&limit=100000"] {
        let (mine, theirs) = (test.get("\(path)/\(what)").json, test.get("\(other)/\(what)").json)
        let isSame = ["elements", "sections", "nodes"].allSatisfy { mine[$0] == theirs[$0] }
        #expect(isSame, "\(JSON.array(updates).text)")
      }
    }
  }

  /// The ids of items by their index paths.
  private struct Names {
    private var ids: [JSON: JSON] = [:]

    init(_ cells: [JSON]) {
      var counts: [String: Int] = [:]
      for cell in cells { counts[cell["id"].string ?? "", default: 0] += 1 }
      for cell in cells where counts[cell["id"].string ?? ""] == 1 && cell["id"] != .null {
        ids[cell["indexPath"]] = cell["id"]
      }
    }

    /// An update with ids in place of index paths, where items have ids.
    func naming(_ update: JSON, _ layouts: inout RandomLayouts) -> JSON {
      guard let (kind, value) = update.object.first else { return update }
      var members = value.object
      let from = members["from"] ?? .null
      for member in ["at", "from", "to", "parent"] {
        guard var path = members[member], path.array.count == 2 else { continue }
        // `to` counts after the removal.
        if member == "to", path[0] == from[0], path[1].number! >= from[1].number! {
          path = [path[0], .number(path[1].number! + 1)]
        }
        if let id = ids[path], layouts.chance(80) {
          members[member] = ["id": id]
        }
      }
      return .object([kind: .object(members)])
    }
  }
}
