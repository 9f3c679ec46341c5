import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

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

  @Test("an item that the layout cannot have is named, as it is after all updates")
  func impossibleItem() {
    let path = test.path("list", #"{"bounds": {"width": 700}, "sections": [{"items": 3}]}"#)
    let updates = """
      [{"delete": {"at": [0, 0]}}, {"insert": {"at": [0, 1], "items": [{}, {"width": 3}]}},
       {"set": {"at": [0, 2], "items": [{"height": 3}]}},
       {"set": {"at": [0, 2], "items": [{"aspectRatio": 3}]}}]
      """
    let fault = test.update(path, updates).faults.first
    same(fault?.pointer, "/updates")
    same(fault?.detail.contains("item [0, 2]"), true, "\(fault?.detail ?? "")")
    let section = #"{"items": 1, "options": {"sectionInset": {"left": 700}}}"#
    let narrow = test.update(
      path, #"[{"insertSections": {"at": 0, "sections": [\#(section)]}}]"#
    ).faults.first
    same(narrow?.pointer, "/updates")
    same(narrow?.detail.hasPrefix("must suit the layout: sectionInset"), true)
  }

  @Test("a sequence whose last update is impossible changes nothing")
  func allOrNone() {
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": [{"items": 3}]}"#)
    let before = test.get(path).json
    let possible = Array(
      repeating: #"{"insert": {"at": [0, 0], "items": [{"id": "x"}]}}"#, count: 7)
    let updates = possible + [#"{"insert": {"at": [0, 11], "items": 1}}"#]
    let answer = test.update(path, "[\(updates.joined(separator: ","))]", rect: "0,0,100,100")
    answer.expectProblem(422, "invalid-body", saying: "/updates/7/insert/at", "11")
    same(answer.faults.map(\.pointer), ["/updates/7/insert/at"])
    same(test.get(path).json, before)
    same(test.get("\(path)/items?id=x").status, 404)
  }

  @Test("what is no update at all")
  func noUpdates() {
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": []}"#)
    func post(_ body: String, type: String = "application/json", query: String = "") -> Answer {
      test.send(
        .post, "\(path)/updates\(query)", headers: [(.contentType, type)], body: Array(body.utf8))
    }
    post("").expectProblem(400, "not-json")
    post(#"{"updates": [}"#).expectProblem(400, "not-json", saying: "13")
    post("{}").expectProblem(422, "invalid-body", saying: "/updates")
    post(#"{"updates": [], "rect": 1}"#).expectProblem(422, "invalid-body", saying: "/rect")
    post("[]").expectProblem(422, "invalid-body")
    post(#"{"updates": []}"#, type: "text/json").expectProblem(415, "unsupported-media-type")
    post(#"{"updates": []}"#, type: "application/merge-patch+json")
      .expectProblem(415, "unsupported-media-type")
    post(#"{"updates": []}"#, query: "?rect=0,0,1").expectProblem(400, "invalid-rect")
    post(#"{"updates": []}"#, query: "?rect=0,0,1,1&rect=0,0,1,1").expectProblem(
      400, "invalid-rect")
    post(#"{"updates": []}"#, query: "?limit=1").expectProblem(400, "invalid-parameter")
    same(test.get(path).json["version"], 1)
    let nothing = post(#"{"updates": []}"#, query: "?rect=0,0,1,1")
    same(nothing.status, 200)
    #expect(nothing.json.object.keys.contains("invalidatedRect"))
    same(nothing.json["invalidatedRect"], .null)
    same(nothing.json["transitions"], ["appearing": [], "disappearing": [], "moving": []])
    test.update("/layouts/0000000000000000000000", "[]").expectProblem(404, "no-such-layout")
  }

  // MARK: Versions

  @Test("every change moves version and entity tag; what was for the old one is gone")
  func versions() {
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": [{"items": 9}]}"#)
    let first = test.get("\(path)/elements?rect=0,0,100,1000&limit=4")
    let next = first.json["next"].string!
    same(test.get("\(path)/elements?rect=0,0,9,9&version=1").status, 200)
    let answer = test.update(path, #"[{"delete": {"at": [0, 0]}}]"#, ifMatch: "\"\(tag(1))\"")
    answer.expectLayoutHeaders(version: 2)
    test.get(next).expectProblem(410, "version-gone", saying: "1", "2")
    test.get("\(path)/elements?rect=0,0,9,9&version=1").expectProblem(410, "version-gone")
    let now = test.get("\(path)/elements?rect=0,0,9,9&version=2", ifNoneMatch: "\"\(tag(1))\"")
    now.expectLayoutHeaders(
      version: 2, cacheControl: "private, max-age=31536000, immutable")
    same(now.status, 200)
    for target in ["", "/elements?rect=0,0,9,9", "/items/0/0"] {
      let answer = test.get(path + target)
      answer.expectLayoutHeaders(
        version: 2, cacheControl: target == "" ? "no-store" : "private, no-cache")
      same(answer.status, 200)
      same(test.get(path + target, ifNoneMatch: "\"\(tag(1))\"").status, 200)
      same(test.get(path + target, ifNoneMatch: "\"\(tag(2))\"").status, (target == "" ? 200 : 304))
    }
    test.get("\(path)/items/0/8").expectProblem(404, "no-such-element")
    test.update(path, "[]", ifMatch: "\"\(tag(1))\"").expectProblem(
      412, "precondition-failed", saying: "2")
    test.update(path, "[]", ifMatch: "W/\"\(tag(2))\"").expectProblem(412, "precondition-failed")
    same(test.update(path, #"[{"delete": {"at": [0, 0]}}]"#, ifMatch: "*").status, 200)
    same(test.get(path).json["version"], 3)
  }

  @Test("since: the rest only, as long as no change has touched what is known")
  func since() {
    let path = test.path(
      "grid",
      """
      {"bounds": {"width": 100}, "options": {"columns": 1, "rowHeight": 10, "rowSpacing": 0},
       "sections": [{"items": 100}]}
      """)
    func query(_ since: Int) -> Answer {
      test.get("\(path)/elements?rect=0,50,100,100&known=0,0,100,100&since=\(since)")
    }
    query(2).expectProblem(400, "invalid-since", saying: "1")
    query(0).expectProblem(400, "invalid-since")
    test.get("\(path)/elements?rect=0,0,1,1&since=1").expectProblem(400, "invalid-since")
    func expect(_ since: Int, isReset: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
      let answer = query(since).json
      #expect(answer["reset"] == (isReset ? true : .null), sourceLocation: sourceLocation)
      #expect(
        answer["elements"].array.count == (isReset ? 10 : 5), sourceLocation: sourceLocation)
    }
    expect(1, isReset: false)
    same(test.update(path, #"[{"delete": {"at": [0, 50]}}]"#).status, 200)
    expect(1, isReset: false)
    same(test.patch(path, #"{"bounds": {"height": 5}}"#).json["version"], 2)
    expect(2, isReset: false)
    same(test.update(path, #"[{"move": {"from": [0, 3], "to": [0, 80]}}]"#).status, 200)
    expect(1, isReset: true)
    expect(2, isReset: true)
    expect(3, isReset: false)
    same(test.patch(path, #"{"options": {"background": "row"}}"#).json["version"], 4)
    same(query(3).json["reset"], true)
  }

  @Test("a list that grows leaves what was all of it as it is")
  func growingList() {
    let path = test.path(
      "grid",
      """
      {"bounds": {"width": 100}, "options": {"columns": 1, "rowHeight": 10, "rowSpacing": 0},
       "sections": [{"items": 4}]}
      """)
    let area = test.update(path, #"[{"insert": {"at": [0, 4], "items": 1}}]"#)
      .json["invalidatedRect"].window
    #expect(area.holds(Window(x: 0, y: 40, width: 100, height: 10)))
    same(area.y, 40)
    let answer = test.get("\(path)/elements?rect=0,0,100,90&known=0,0,100,40&since=1").json
    same(answer["reset"], .null)
    same(answer["elements"].array.map { $0["indexPath"] }, [[0, 4]])
  }

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

  @Test("transitions of the elements in the rect, before or after")
  func transitions() {
    let path = test.path(
      "grid",
      """
      {"bounds": {"width": 100}, "options": {"columns": 1, "rowHeight": 10, "rowSpacing": 0},
       "sections": [{"items": {"id": ["a", "b", "c", "d", "e"]}}]}
      """)
    let answer = test.update(
      path,
      #"[{"delete": {"at": [0, 0]}}, {"insert": {"at": [0, 1], "items": [{"id": "n"}]}}]"#,
      rect: "0,0,100,20"
    ).json
    func cell(_ item: Int, _ id: String) -> JSON {
      [
        "category": "cell", "indexPath": [0, .number(Double(item))],
        "frame": [0, .number(Double(item) * 10), 100, 10], "zIndex": 0, "id": .string(id),
      ]
    }
    same(
      answer["transitions"],
      [
        "appearing": [["to": cell(1, "n")]], "disappearing": [["from": cell(0, "a")]],
        "moving": [["from": cell(1, "b"), "to": cell(0, "b")]],
      ])
    // "c" to "e" have the places and index paths that they had.
    same(answer["invalidatedRect"], [0, 0, 100, 20])
    same(test.update(path, "[]").json["transitions"], .null)
  }

  @Test("more transitions than an answer may have are refused, and the change with them")
  func tooManyTransitions() {
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": [{"items": 30000}]}"#)
    let insert = #"[{"insert": {"at": [0, 0], "items": 1}}]"#
    test.update(path, insert, rect: "0,0,100,1e9").expectProblem(
      400, "invalid-rect", saying: "10000")
    same(test.get(path).json["version"], 1)
    let answer = test.update(path, insert, rect: "0,0,100,1000").json
    same(answer["version"], 2)
    same(answer["transitions"]["appearing"].array.count, 1)
    same(answer["transitions"]["moving"].array.count, 40)
  }

  @Test("transitions are left to the workers, however small the change")
  func deferredTransitions() {
    let path = test.path("group", Sample.group)
    let insert = #"[{"insert": {"at": [0, 0], "items": 1}}]"#
    #expect(!test.update(path, insert).wasDeferred)
    #expect(test.update(path, insert, rect: "0,0,100,100").wasDeferred)
  }

  @Test("transitions among more elements than are looked at are refused, and the change with them")
  func transitionsBeyondBudget() {
    // Before and after the change the rect shows ten rows.
    let body = """
      {"bounds": {"width": 100}, "options": {"columns": 1, "rowHeight": 10, "rowSpacing": 0},
       "sections": [{"items": 100}]}
      """
    let insert = #"[{"insert": {"at": [0, 0], "items": 1}}]"#
    for (budget, status) in [(19, 400), (20, 200)] {
      let test = TestService(limits: LayoutService.Limits(pageBudget: budget))
      let path = test.path("grid", body)
      let answer = test.update(path, insert, rect: "0,0,100,99")
      same(answer.status, status, "\(answer.text)")
      same(test.get(path).json["version"].integer, (status == 200 ? 2 : 1))
      if status == 400 { answer.expectProblem(400, "invalid-rect", saying: "at most 19 elements") }
    }
  }

  // MARK: Limits

  @Test("transitions that would make too long an answer are refused, and nothing is changed")
  func transitionBytes() {
    let test = TestService(limits: LayoutService.Limits(maxResponseBytes: 2000))
    let grid = test.path("grid", #"{"bounds": {"width": 320}, "sections": [{"items": 100}]}"#)
    let insert = #"[{"insert": {"at": [0, 0], "items": 1}}]"#
    test.update("\(grid)", insert, rect: "0,0,320,9999")
      .expectProblem(400, "invalid-rect", saying: "2000 bytes")
    same(test.get(grid).json["version"], 1)
    same(test.update(grid, insert, rect: "0,0,320,50").status, 200)
  }

  @Test("no update makes more items than a layout may have")
  func tooManyItems() {
    let test = TestService(limits: LayoutService.Limits(maxItems: 10))
    let photographs = test.path(
      "justified", #"{"bounds": {"width": 100}, "sections": [{"items": 8}]}"#)
    let insert = #"{"insert": {"at": [0, 0], "items": 2}}"#
    test.update(photographs, "[\(insert), \(insert)]").expectProblem(
      413, "too-many-items", saying: "10")
    test.update(photographs, #"[{"insert": {"at": [0, 0], "items": 11}}]"#)
      .expectProblem(413, "too-many-items")
    let section = #"{"items": [{}, {}, {}]}"#
    test.update(photographs, #"[{"insertSections": {"at": 0, "sections": [\#(section)]}}]"#)
      .expectProblem(413, "too-many-items")
    same(test.get(photographs).json["version"], 1)
    same(test.update(photographs, "[\(insert)]").status, 200)
    same(
      test.update(
        photographs, #"[{"delete": {"at": [0, 0]}}, {"insert": {"at": [0, 0], "items": 1}}]"#
      ).status, 200)
    test.update(photographs, #"[{"insert": {"at": [0, 0], "items": 1}}]"#)
      .expectProblem(413, "too-many-items")
    let grid = test.path("grid", #"{"bounds": {"width": 100}, "sections": [{"items": 8}]}"#)
    same(test.update(grid, #"[{"insert": {"at": [0, 0], "items": 1000000}}]"#).status, 200)
    let tree = test.path("tree", #"{"nodes": 9}"#)
    test.update(tree, #"[{"insertNode": {"at": 0, "node": {"children": [{}]}}}]"#)
      .expectProblem(413, "too-many-items")
    let three = #"{"insertNode": {"at": 0, "node": {"children": [{}, {}]}}}"#
    test.update(tree, "[\(three), \(three), \(three), \(three)]")
      .expectProblem(413, "too-many-items", saying: "at most 10 items")
    same(test.update(tree, #"[{"insertNode": {"at": 0, "node": {}}}]"#).status, 200)
  }

  @Test("a layout that would grow beyond what is kept at all is refused")
  func tooLarge() {
    let test = TestService(sessionLimits: .init(maxBytes: 20_000))
    let path = test.path("justified", #"{"bounds": {"width": 100}, "sections": [{"items": 8}]}"#)
    test.update(path, #"[{"insert": {"at": [0, 0], "items": 100000}}]"#)
      .expectProblem(413, "layout-too-large", saying: "20000")
    same(test.get(path).json["counts"]["cells"], 8)
  }

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

  // MARK: Items by id

  @Test("an item is found by its id, the first of several")
  func itemByID() {
    let path = test.path(
      "waterfall",
      """
      {"bounds": {"width": 100}, "sections": [{"items": 2},
       {"items": [{"id": "a"}, {"id": "é /?&+", "height": 7}, {"id": "a", "height": 3}]}]}
      """)
    let found = test.get("\(path)/items?id=a")
    same(found.json, test.get("\(path)/items/1/0").json)
    found.expectLayoutHeaders(version: 1)
    same(test.get("\(path)/items?id=a", ifNoneMatch: "\"\(tag(1))\"").status, 304)
    let escaped = test.get("\(path)/items?id=%C3%A9%20%2F%3F%26%2B")
    same(escaped.json["id"], "é /?&+", "\(escaped.text)")
    test.get("\(path)/items?id=b").expectProblem(404, "no-such-element", saying: "\"b\"")
    test.get("\(path)/items").expectProblem(400, "invalid-id")
    test.get("\(path)/items?id=").expectProblem(400, "invalid-id")
    test.get("\(path)/items?name=a").expectProblem(400, "invalid-parameter")

    same(test.update(path, #"[{"move": {"from": [1, 0], "to": [1, 2]}}]"#).status, 200)
    same(test.get("\(path)/items?id=a").json["indexPath"], [1, 1])
    same(test.update(path, #"[{"replace": {"at": [1, 1], "items": 1}}]"#).status, 200)
    same(test.get("\(path)/items?id=a").json["indexPath"], [1, 2])
    same(test.update(path, #"[{"moveSection": {"from": 1, "to": 0}}]"#).status, 200)
    same(test.get("\(path)/items?id=a").json["indexPath"], [0, 2])
    same(test.update(path, #"[{"replace": {"at": [0, 0], "items": 3}}]"#).status, 200)
    test.get("\(path)/items?id=a").expectProblem(404, "no-such-element")
  }

  @Test("so is a node, wherever it goes")
  func nodeByID() {
    let path = test.path(
      "tree", #"{"root": {"id": "NSObject", "children": [{"id": "NSString"}, {"id": "NSArray"}]}}"#)
    same(test.get("\(path)/items?id=NSString").json["indexPath"], [1, 0])
    let move = #"[{"moveNode": {"from": [1, 0], "parent": [1, 1], "at": 0}}]"#
    same(test.update(path, move).status, 200)
    same(test.get("\(path)/items?id=NSString").json["indexPath"], [2, 0])
    let nameless = test.path("tree", #"{"nodes": 3}"#)
    test.get("\(nameless)/items?id=NSString").expectProblem(404, "no-such-element")
    let none = test.get("\(nameless)/items?id=NSString&id=NSArray")
    same(none.status, 200)
    same(none.json["elements"], [])
    same(none.json["missing"], ["NSString", "NSArray"])
  }

  @Test("10,000 transitions are too many, 9,999 are not", arguments: [(9998, 200), (9999, 400)])
  func mostTransitions(items: Int, status: Int) {
    let path = test.path(
      "grid", #"{"bounds": {"width": 100}, "sections": [{"items": \#(items)}]}"#)
    // One item appears, all others move.
    let insert = #"[{"insert": {"at": [0, 0], "items": 1}}]"#
    same(test.update(path, insert, rect: "0,0,100,1e9").status, status)
  }
}
