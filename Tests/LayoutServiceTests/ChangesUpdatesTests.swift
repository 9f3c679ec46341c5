import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import LayoutSessions

@Suite("updates of what a collection holds")
struct ChangesUpdatesTests {
  private let test = TestService()

  private func elements(of kind: String, _ body: String) -> JSON {
    test.allElements(test.path(kind, body))
  }

  private func waterfall(_ sections: String) -> String {
    #"{"bounds": {"width": 100}, "options": {"cellPadding": 0}, "sections": \#(sections)}"#
  }

  // MARK: Every update

  /// What updates make of sections of items with the heights 1, 2, 3 and 4, 5.
  @Test(
    "updates are applied in order, each to the result of the one before",
    arguments: cases("ChangesUpdates.examples", String.self, String.self))
  func example(updates: String, sections: String) {
    let start = #"[{"items": {"height": [1, 2, 3]}}, {"items": {"height": [4, 5]}}]"#
    let path = test.path("waterfall", waterfall(start))
    let answer = test.update(path, updates)
    same(answer.status, 200, "\(answer.text)")
    answer.expectLayoutHeaders(version: 2)
    let expected = test.path("waterfall", waterfall(sections))
    same(test.allElements(path), test.allElements(expected))
    let (summary, fresh) = (answer.json, test.get(expected).json)
    same(summary["version"], 2)
    same(summary["invalidatedRect"].array.count, 4)
    same(summary["counts"], fresh["counts"])
    same(summary["contentSize"], fresh["contentSize"])
  }

  /// What updates make of a root with a leaf and a chain of two.
  @Test(
    "so are those of nodes",
    arguments: cases("ChangesUpdates.nodeExamples", String.self, String.self))
  func nodes(updates: String, nodes: String) {
    let start =
      #"[{"id": "r"}, {"id": "a", "parent": 0}, {"id": "b", "parent": 0}, {"id": "c", "parent": 2}]"#
    let path = test.path("tree", #"{"nodes": \#(start)}"#)
    let answer = test.update(path, updates)
    same(answer.status, 200, "\(answer.text)")
    same(test.allElements(path), elements(of: "tree", #"{"nodes": \#(nodes)}"#))
  }

  // MARK: Faults

  /// What cannot be done to sections of 2 and 0 items, and where it says so.
  @Test(
    "an impossible update is pointed at and nothing changes",
    arguments: cases("ChangesUpdates.impossibleBodies", String.self, [String].self))
  func impossible(updates: String, pointers: [String]) {
    let path = test.path(
      "waterfall", #"{"bounds": {"width": 100}, "sections": [{"items": 2}, {"items": 0}]}"#)
    let before = (test.get(path).json, test.allElements(path))
    let answer = test.update(path, updates)
    answer.expectProblem(422, "invalid-body")
    same(Set(answer.faults.map(\.pointer)), Set(pointers), "\(answer.text)")
    same(test.get(path).json, before.0)
    same(test.allElements(path), before.1)
  }

  @Test(
    "so is one of nodes",
    arguments: cases("ChangesUpdates.impossibleNodeBodies", String.self, [String].self))
  func impossibleOfNodes(updates: String, pointers: [String]) {
    let path = test.path("tree", #"{"nodes": [{}, {"parent": 0}]}"#)
    let answer = test.update(path, updates)
    answer.expectProblem(422, "invalid-body")
    same(Set(answer.faults.map(\.pointer)), Set(pointers), "\(answer.text)")
    same(test.get(path).json["version"], 1)
  }

  // MARK: Versions

  @Test("what is known from more than 64 changes ago is reset")
  func tooOld() {
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": [{"items": 100}]}"#)
    for version in 2...70 {
      let answer = test.update(path, #"[{"insert": {"at": [0, \#(98 + version)], "items": 1}}]"#)
      same(answer.json["version"].integer, version)
      let target = "\(path)/elements?rect=0,0,100,100&known=0,0,100,50&since="
      let oldest = max(1, version - 64)
      same(test.get("\(target)\(oldest)").json["reset"], .null)
      if oldest > 1 { same(test.get("\(target)\(oldest - 1)").json["reset"], true) }
    }
  }

  @Test("a reset that comes in pages is said once, so that nothing of it is dropped again")
  func resetInPages() {
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": [{"items": 20}]}"#)
    _ = test.update(path, #"[{"delete": {"at": [0, 0]}}]"#)
    var target = "\(path)/elements?rect=0,0,100,1000&known=0,0,100,40&since=1&limit=7"
    var held: [JSON] = []
    var isComplete = false
    while !isComplete {
      let answer = test.get(target).json
      if answer["reset"] == true { held = [] }
      held += answer["elements"].array
      isComplete = answer["next"] == .null
      target = answer["next"].string ?? ""
    }
    same(JSON.array(held), test.allElements(path))
  }

  // MARK: Transitions

  @Test("transitions are left to the workers, however small the change")
  func deferredTransitions() {
    let path = test.path("group", Sample.group)
    let insert = #"[{"insert": {"at": [0, 0], "items": 1}}]"#
    #expect(!test.update(path, insert).wasDeferred)
    #expect(test.update(path, insert, rect: "0,0,100,100").wasDeferred)
  }

  // MARK: Limits

  @Test("ten thousand updates at a time")
  func tooManyUpdates() {
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": [{"items": 3}]}"#)
    func updates(_ count: Int) -> String {
      "["
        + Array(repeating: #"{"moveSection":{"from":0,"to":0}}"#, count: count)
        .joined(separator: ",") + "]"
    }
    test.update(path, updates(10_001)).expectProblem(
      422, "invalid-body", saying: "/updates", "10000")
    same(test.update(path, updates(10_000)).status, 200)
  }

  // Both count up to their limit, which is the work of two minutes without the optimizer.
  @Test("fewer when each moves very many sections", .enabled(if: Extent.isWide))
  func tooManySectionMoves() {
    let sections = Array(repeating: #"{"items":0}"#, count: 100_000).joined(separator: ",")
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": [\#(sections)]}"#)
    func updates(_ count: Int) -> String {
      "["
        + Array(repeating: #"{"moveSection":{"from":0,"to":99999}}"#, count: count)
        .joined(separator: ",") + "]"
    }
    test.update(path, updates(5001)).expectProblem(422, "invalid-body", saying: "/updates", "5000")
    same(test.update(path, updates(2)).status, 200)
    let items = Array(repeating: #"{"insert":{"at":[0,0],"items":1}}"#, count: 5001)
    same(test.update(path, "[\(items.joined(separator: ","))]").status, 200)
  }

  @Test("also when the request itself brings them", .enabled(if: Extent.isWide))
  func tooManyMovesOfNewSections() {
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": []}"#)
    let sections = Array(repeating: #"{"items":0}"#, count: 100_000).joined(separator: ",")
    let insertion = #"{"insertSections":{"at":0,"sections":[\#(sections)]}}"#
    let move = #"{"moveSection":{"from":0,"to":99999}}"#
    let updates = [insertion] + Array(repeating: move, count: 5000)
    test.update(path, "[\(updates.joined(separator: ","))]")
      .expectProblem(422, "invalid-body", saying: "/updates/5000", "500000000")
    same(test.get(path).json["counts"]["sections"], 0)
  }
}
