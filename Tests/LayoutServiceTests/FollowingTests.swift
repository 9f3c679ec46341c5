import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import LayoutSessions

@Suite("what has changed since a version that a viewer has")
struct FollowingTests {
  private let service = TestService()
  private static let list = """
    {"bounds": {"width": 300}, "options": {"itemHeight": 100},
     "sections": [{"items": {"id": ["harbour", "gull", "pier"]}}]}
    """
  private static let kite = #"[{"insert": {"at": [0, 0], "items": [{"id": "kite"}]}}]"#

  private func following(_ path: String, since version: Int, _ query: String) -> Answer {
    service.get("\(path)/elements?\(query)&since=\(version)&transitions=true")
  }

  @Test("a version that is not kept any more: all elements, and the word to drop the others")
  func reset() {
    let path = service.path("list", Self.list)
    _ = service.update(path, Self.kite)
    for _ in 0..<64 { _ = service.touch(path) }
    // What is known does not stay, and neither does it in the next pages.
    let query = "rect=0,0,300,400&since=1&transitions=true&known=0,0,300,400&limit=3"
    let answer = service.get("\(path)/elements?\(query)").json
    same(answer["reset"], true)
    same(answer["transitions"], .null)
    same(answer["elements"].array.map { $0["id"] }, ["kite", "harbour", "gull"])
    let next = service.get(answer["next"].string ?? "").json
    same(next["elements"].array.map { $0["id"] }, ["pier"])
  }

  @Test("too many transitions are a reset, as are those that are too long or too far to seek")
  func tooMany() {
    let many = #"{"bounds": {"width": 300}, "sections": [{"items": 10001}]}"#
    let path = service.path("list", many)
    _ = service.patch(path, #"{"options": {"itemHeight": 1}}"#)
    let all = following(path, since: 1, "rect=0,0,300,20000&limit=1")
    same(all.json["reset"], true)
    same(all.json["elements"].array.count, 1)
    #expect(all.wasDeferred)
    let few = following(path, since: 1, "rect=0,0,300,9000&limit=1")
    same(few.json["transitions"]["moving"].array.count, 9000)

    for limits in [
      LayoutService.Limits(maxResponseBytes: 500),
      LayoutService.Limits(visitBudget: 2, pageBudget: 3),
    ] {
      let test = TestService(limits: limits)
      let path = test.path("list", Self.list)
      _ = test.patch(path, #"{"options": {"itemHeight": 10}}"#)
      let query = "rect=0,0,300,400&since=1&transitions=true"
      same(test.get("\(path)/elements?\(query)").json["reset"], true)
    }
  }

  @Test("long work is left to the workers")
  func workers() {
    let sections = (0..<1200).map { #"{"id": "s\#($0)", "items": 2}"# }.joined(separator: ",")
    let path = service.path("list", #"{"bounds": {"width": 300}, "sections": [\#(sections)]}"#)
    _ = service.update(path, #"[{"deleteSections": {"at": 0}}]"#)
    let answer = following(path, since: 1, "rect=0,0,300,100&category=cell")
    #expect(answer.wasDeferred)
    same(answer.json["transitions"]["disappearing"].array.count, 2)
    same(answer.json["transitions"]["moving"].array.count, 3)
  }

  @Test("parameters that do not fit each other")
  func parameters() {
    let path = service.path("list", Self.list)
    for (query, name, words) in cases("Following.parameters", String.self, String.self, String.self)
    {
      service.get("\(path)/elements?rect=0,0,1,1&\(query)")
        .expectProblem(400, "invalid-\(name)", saying: words)
    }
    same(service.get("\(path)/elements?rect=0,0,1,1&transitions=false").status, 200)
  }

  @Test("views are followed, through changes of the source and of their own")
  func views() throws {
    let path = service.path("list", Self.list)
    let view = try #require(service.view(of: path, #"{"bounds": {"width": 200}}"#)["Location"])
    let equal = try #require(service.view(of: path, #"{"bounds": {"width": 200}}"#)["Location"])
    _ = service.update(path, Self.kite)
    func moved(_ view: String, since version: Int) -> JSON {
      following(view, since: version, "rect=0,0,300,1000").json["transitions"]
    }
    same(moved(view, since: 1)["moving"][0]["to"]["frame"], [0, 100, 200, 100])
    _ = service.patch(view, #"{"options": {"itemHeight": 10}}"#)
    _ = service.update(path, #"[{"delete": {"at": [0, 1]}}]"#)
    same(service.get(view).json["version"], 4)
    for version in 1...3 {
      let transitions = moved(view, since: version)
      same(transitions["disappearing"][0]["from"]["id"], "harbour")
      let gull = transitions["moving"].array.first { $0["to"]["id"] == "gull" } ?? .null
      let old = [[0, 100, 200, 100], [0, 200, 200, 100], [0, 20, 200, 10]][version - 1]
      same(gull["from"]["frame"], .array(old.map { .number(Double($0)) }))
      same(gull["to"]["frame"], [0, 10, 200, 10])
    }
    // A change of nothing does not cut the past off.
    _ = service.patch(view, #"{"options": {"itemHeight": 10}}"#)
    same(moved(view, since: 1)["disappearing"].array.count, 1)
    // A view that leaves its frames leaves the past of the others.
    same(moved(equal, since: 1)["disappearing"].array.count, 1)
    same(service.send(.delete, view).status, 204)
    same(moved(equal, since: 1)["disappearing"].array.count, 1)
  }
}

@Suite("random layouts and views, and clients that believe what they are told of changes")
struct RandomFollowingTests {
  @Test(
    "a client that believes transitions has what a full query gives",
    arguments: RandomLayouts.kinds, Extent.seeds(1, of: 5))
  func believing(kind: String, seed: Int) {
    var layouts = RandomLayouts(seed: seed &* 71 &+ kind.utf8.count &+ 3)
    let test = TestService()
    let body = layouts.body(of: kind)
    let path = test.path(kind, body.text)
    let isHorizontal = body["options"]["scrollDirection"] == "horizontal"
    var clients = [FollowingClient(path, test, isHorizontal)]
    for _ in 0..<2 {
      let view = test.view(of: path, layouts.patch(of: kind).text)["Location"] ?? ""
      for _ in 0...layouts.integer(0...1) {
        clients.append(FollowingClient(view, test, isHorizontal))
      }
    }
    for _ in 0..<12 {
      let changed = layouts.chance(30) ? clients[layouts.integer(0...clients.count - 1)].path : path
      let own = test.get(changed).json["kind"].string ?? ""
      if changed != path || layouts.chance(25) {
        _ = test.patch(changed, layouts.patch(of: own).text)
      } else if kind == "tree" {
        let all = test.get("\(path)/elements?rect=-1e7,-1e7,2e7,2e7&limit=100000").json
        _ = test.update(path, JSON.array([layouts.nodeUpdate(all["elements"].array)]).text)
      } else {
        let sections = test.get("\(path)/sections").json["sections"].array
        _ = test.update(path, JSON.array([layouts.update(of: own, sections)]).text)
      }
      for index in clients.indices where layouts.chance(50) {
        clients[index].follow(&layouts)
      }
    }
    #expect(clients.reduce(0) { $0 + $1.told } > 0)
  }
}

/// Holds what its window shows, and believes what it is told of changes.
private struct FollowingClient {
  let path: String
  private let test: TestService
  private let isHorizontal: Bool
  private var held: [String: JSON] = [:]
  private var window = Window(x: -2000, y: -2000, width: 6000, height: 6000)
  private var version: Int?
  /// How often it was told of changes.
  private(set) var told = 0

  init(_ path: String, _ test: TestService, _ isHorizontal: Bool) {
    self.path = path
    self.test = test
    self.isHorizontal = isHorizontal
  }

  mutating func follow(_ layouts: inout RandomLayouts) {
    let old = window
    if layouts.chance(60) {
      let start = Double(layouts.integer(-300...900))
      window =
        isHorizontal
        ? Window(x: start, y: -2000, width: 300, height: 6000)
        : Window(x: -2000, y: start, width: 6000, height: 300)
    }
    let full = test.get("\(path)/elements?rect=\(window.text)&limit=100000")
    // A view may not fit its collection for a while.
    guard full.status == 200 else { return }
    let all = byIdentity(full.json["elements"].array)
    defer {
      held = all
      version = full.json["version"].integer
    }
    guard let version else { return }
    // Who stays where it was needs no elements.
    let staysThere = old == window && layouts.chance(70)
    let known = staysThere ? "" : "&known=\(old.text)"
    let target =
      "\(path)/elements?rect=\(window.text)&since=\(version)&transitions=true\(known)&limit=100000"
    let answer = test.get(target).json
    same(answer["version"], full.json["version"])
    if answer["reset"] == true {
      same(answer["elements"], full.json["elements"])
      return
    }
    told += 1
    var mine = held.filter { window.meets($0.value, isHorizontal: isHorizontal) }
    let transitions = answer["transitions"]
    let moving = transitions["moving"].array
    for change in moving + transitions["disappearing"].array {
      let removed = mine.removeValue(forKey: change["from"].identity)
      #expect(removed == nil || removed == change["from"])
    }
    for change in moving + transitions["appearing"].array {
      same(mine[change["to"].identity], nil, "\(change)")
      mine[change["to"].identity] = change["to"]
    }
    if !staysThere {
      mine = mine.filter { !$0.value.isPinned }
      for (name, element) in byIdentity(answer["elements"].array) {
        #expect(mine[name] == nil || mine[name] == element)
        mine[name] = element
      }
    }
    mine = mine.filter { window.meets($0.value, isHorizontal: isHorizontal) }
    if mine != all {
      let names = Set(mine.keys).union(all.keys).filter { mine[$0] != all[$0] }.sorted()
      Issue.record("\(target): \(names.first.map { ($0, mine[$0], all[$0]) } ?? ("", nil, nil))")
    }
  }

  private func byIdentity(_ elements: [JSON]) -> [String: JSON] {
    Dictionary(elements.map { ($0.identity, $0) }) { first, _ in
      Issue.record("twice: \(first)")
      return first
    }
  }
}
