import LayoutSessions
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("views: layouts of the same collection")
struct ViewTests {
  private let service = TestService()
  private static let list = """
    {"bounds": {"width": 300}, "options": {"itemHeight": 100},
     "sections": [{"id": "album", "items": {"id": ["harbour", "gull", "pier"]}}]}
    """

  private func view(_ path: String, _ body: String = "{}") -> String {
    let answer = service.view(of: path, body)
    guard answer.status == 201, let view = answer["Location"] else {
      preconditionFailure(answer.text)
    }
    return view
  }

  @Test("a view has its own kind, bounds and options, and the source's items")
  func create() {
    let path = service.path("list", Self.list)
    let answer = service.view(
      of: path, #"{"kind": "grid", "bounds": {"width": 210}, "options": {"columns": 2}}"#)
    same(answer.status, 201)
    let summary = answer.json
    same(answer["Location"], "/layouts/\(summary["id"].string ?? "")")
    #expect(answer["Location"] != path)
    same(OpenAPI.faults(of: summary, as: "Summary"), [])
    same(summary["kind"], "grid")
    same(summary["version"], 1)
    same(summary["bounds"], ["width": 210])
    let item = service.get("\(answer["Location"] ?? "")/items?id=gull").json
    same(item["indexPath"], [0, 1])
    // A grid of two columns with the default spacing of 5.
    same(item["frame"][0], 107.5)
    // The source stays as it is.
    same(service.get(path).json["kind"], "list")
    same(service.get(path).json["version"], 1)
  }

  @Test("a source says how many views it has, and a view does not")
  func count() {
    let path = service.path("list", Self.list)
    same(service.get(path).json["views"], 0)
    let first = view(path)
    // A view of a view is one of the same source.
    let second = view(first, #"{"bounds": {"width": 200}}"#)
    same(service.get(path).json["views"], 2)
    same(service.get(first).json.object["views"], nil)
    same(service.send(.delete, first).status, 204)
    same(service.get(path).json["views"], 1)
    same(service.get(first).status, 404)
    same(service.get(second).json["bounds"], ["width": 200])
  }

  @Test("updates of a view are refused before the body is read")
  func readOnly() {
    let view = view(service.path("list", Self.list))
    for updates in ["[]", #"[{"setSection": {"at": 0, "options": {"itemHeight": 9}}}]"#] {
      service.update(view, updates).expectProblem(403, "read-only-view", saying: "view")
    }
    let answer = service.send(
      .post, "\(view)/updates", headers: [(.contentType, "application/json")])
    answer.expectProblem(403, "read-only-view")
  }

  @Test("a change of the source is a new version of each view")
  func following() {
    let path = service.path("list", Self.list)
    let narrow = view(path, #"{"bounds": {"width": 200}}"#)
    let wide = view(path, #"{"bounds": {"width": 400}}"#)
    same(
      service.update(path, #"[{"insert": {"at": [0, 0], "items": [{"id": "kite"}]}}]"#).status, 200)
    for (view, width) in [(narrow, 200), (wide, 400)] {
      let summary = service.get(view).json
      same(summary["version"], 2)
      same(summary["counts"]["cells"], 4)
      same(service.get("\(view)/items/0/0").json["frame"], [0, 0, .number(Double(width)), 100])
    }
    // Two more, of which nobody asks for the first.
    for _ in 0..<2 { _ = service.update(path, #"[{"delete": {"at": [0, 3]}}]"#) }
    same(service.get(narrow).json["version"], 3)
    _ = service.update(path, #"[{"delete": {"at": [0, 0]}}]"#)
    _ = service.update(path, #"[{"delete": {"at": [0, 0]}}]"#)
    same(service.get(narrow).json["version"], 5)
    service.get("\(narrow)/elements?rect=0,0,1,1&version=4").expectProblem(410, "version-gone")
    same(service.get(path).json["version"], service.get(wide).json["version"])
  }

  @Test("PATCH of a view changes it alone, and PATCH of the source no view")
  func patch() {
    let path = service.path("list", Self.list)
    let (first, second) = (view(path), view(path))
    let answer = service.patch(first, #"{"options": {"itemHeight": 50}}"#)
    same(answer.status, 200)
    same(answer.json["version"], 2)
    same(answer.json["contentSize"]["height"], 150)
    same(service.get(second).json["contentSize"]["height"], 300)
    same(service.get(path).json["contentSize"]["height"], 300)
    same(service.patch(path, #"{"options": {"itemHeight": 10}}"#).status, 200)
    same(service.get(first).json["contentSize"]["height"], 150)
    same(service.get(second).json["version"], 1)
    // A height of the bounds moves nothing in a list.
    let unchanged = service.patch(first, #"{"bounds": {"height": 9}}"#)
    same(unchanged.json["invalidated"], false)
    same(unchanged.json["version"], 2)
    same(service.get(first).json["bounds"], ["width": 300, "height": 9])
  }

  @Test("a view of another kind has the options of sections again that its kind did not know")
  func kindThereAndBack() {
    let path = service.path(
      "list",
      #"{"bounds": {"width": 300}, "sections": [{"items": 2, "options": {"itemHeight": 70}}]}"#)
    let view = view(path)
    for kind in ["grid", "list"] {
      same(service.patch(view, "{\"kind\": \"\(kind)\"}").status, 200)
    }
    same(service.get(view).json["contentSize"]["height"], 140)
    same(service.get(path).json["contentSize"]["height"], 140)
  }

  @Test("known and since hold for a view")
  func since() {
    let path = service.path(
      "list", #"{"bounds": {"width": 300}, "sections": [{"items": {"height": [100, 100, 100]}}]}"#)
    let view = view(path, #"{"bounds": {"width": 200}}"#)
    _ = service.update(path, #"[{"replace": {"at": [0, 2], "items": [{"height": 120}]}}]"#)
    let query = "rect=0,50,200,100&known=0,0,200,100&since=1"
    let untouched = service.get("\(view)/elements?\(query)").json
    same(untouched["reset"], .null)
    same(untouched["elements"].array.map { $0["indexPath"] }, [[0, 1]])
    _ = service.update(path, #"[{"delete": {"at": [0, 0]}}]"#)
    same(service.get("\(view)/elements?\(query)").json["reset"], true)
  }

  @Test("a deleted, evicted or expired source ends its views")
  func ends() {
    let path = service.path("list", Self.list)
    let first = view(path)
    same(service.send(.delete, path).status, 204)
    service.get(first).expectProblem(404, "no-such-layout")
    same(service.sessions.statistics.views, 0)
    #expect(service.isUntouched)
    service.view(of: first, "{}").expectProblem(404, "no-such-layout")

    let few = TestService(sessionLimits: SessionStore.Limits(maxSessions: 1))
    let source = few.path("list", Self.list)
    let view = few.view(of: source, "{}")["Location"] ?? ""
    // A view is no layout more.
    same(few.get(source).status, 200)
    _ = few.path("list", Self.list)
    few.get(view).expectProblem(404, "no-such-layout")
  }

  @Test("a use of a view is a use of its source; an unused view expires alone")
  func expiry() {
    let path = service.path("list", Self.list)
    let (used, unused) = (view(path), view(path))
    for _ in 0..<3 {
      service.clock.advance(by: .seconds(600))
      service.sessions.removeExpiredSessions()
      same(service.get("\(used)/items/0/0").status, 200)
    }
    same(service.get(unused).status, 404)
    same(service.get(path).json["views"], 1)
    for _ in 0..<2 {
      service.clock.advance(by: .seconds(600))
      service.sessions.removeExpiredSessions()
      same(service.get(path).status, 200)
    }
    same(service.get(used).status, 404)
    same(service.sessions.statistics.expiries, 2)
  }

  @Test("what cannot be laid out like that is no view, and nothing is kept")
  func impossible() {
    let path = service.path("list", Self.list)
    let statistics = service.sessions.statistics
    for (body, pointer) in cases("View.impossible", String.self, String.self) {
      let answer = service.view(of: path, body)
      answer.expectProblem(422, "invalid-body")
      same(answer.faults.map(\.pointer), [pointer], "\(answer.text)")
    }
    same(service.sessions.statistics, statistics)
    service.send(
      .post, "\(path)/views?rect=0,0,1,1", headers: [(.contentType, "application/json")]
    ).expectProblem(400, "invalid-parameter")
  }

  @Test("a view that does not fit its collection any more says so until it does")
  func conflict() {
    let path = service.path("list", Self.list)
    let view = view(path, #"{"bounds": {"width": 100}}"#)
    let wide = #"[{"setSection": {"at": 0, "options": {"sectionInset": {"left": 120}}}}]"#
    same(service.update(path, wide).status, 200)
    service.get(view).expectProblem(409, "impossible-view", saying: "sectionInset")
    service.get("\(view)/elements?rect=0,0,1,1").expectProblem(409, "impossible-view")
    same(service.update(path, #"[{"setSection": {"at": 0, "options": null}}]"#).status, 200)
    same(service.get(view).json["version"], 3)
  }

  @Test("If-Match of a view means the view's version, made or not")
  func conditions() {
    let path = service.path("list", Self.list)
    let view = view(path)
    func tag() -> String { service.get(view).json["versionTag"].string ?? "" }
    let first = tag()
    #expect(first.hasPrefix("1-"))
    _ = service.update(path, "[]")
    let body = Array(#"{"options": {"itemHeight": 9}}"#.utf8)
    func patch(_ tag: String) -> Answer {
      service.send(
        .patch, view, headers: [(.contentType, "application/json"), (.ifMatch, tag)], body: body)
    }
    // Nobody has asked for it since.
    patch("\"\(first)\"").expectProblem(412, "precondition-failed", saying: "\"2-")
    same(patch("\"\(tag())\"").json["version"], 3)
    #expect(tag().hasPrefix("3-"))
  }

  @Test("frames of views make room first, and are made again for whoever asks")
  func memory() throws {
    let heights = (0..<2000).map { "\($0 % 90 + 10)" }.joined(separator: ",")
    let body = """
      {"bounds": {"width": 300}, "options": {"columns": 3},
       "sections": [{"items": {"height": [\(heights)]}}]}
      """
    let test = TestService(sessionLimits: SessionStore.Limits(maxBytes: 200_000))
    let path = test.path("waterfall", body)
    let widths = (0..<20).map { 200 + 10 * $0 }
    var views: [String] = []
    for width in widths {
      let answer = test.view(of: path, "{\"bounds\": {\"width\": \(width)}}")
      views.append(try #require(answer["Location"]))
      #expect(test.sessions.statistics.bytes <= 200_000)
    }
    #expect(test.sessions.statistics.framesDropped > 0)
    for (view, width) in zip(views, widths) {
      let answer = test.get("\(view)/elements?rect=0,0,1000,100")
      same(answer.status, 200)
      let alone = test.service(body.replacing("\"width\": 300", with: "\"width\": \(width)"))
      same(answer.json["elements"], alone["elements"])
      same(answer.json["version"], 1)
    }
    same(test.sessions.statistics.sessions, 1)
    same(test.sessions.statistics.evictions, 0)
  }

  @Test(
    "who makes frames or reads old versions keeps nobody from changing the collection",
    .timeLimit(.minutes(1)))
  func writers() throws {
    let path = service.path("list", Self.list)
    let view = view(path, #"{"bounds": {"width": 200}}"#)
    let kite = #"[{"insert": {"at": [0, 0], "items": [{"id": "kite"}]}}]"#
    same(service.update(path, kite).status, 200)
    let text = Array(view.utf8.dropFirst("/layouts/".utf8.count))
    guard let id = SessionID(text.span), case .unmade(let work)? = service.sessions.find(id),
      let lock = work.object as? ChangeLock
    else {
      Issue.record("the view need not be made")
      return
    }
    let source = try #require(service.version(at: path))
    // As they are held while somebody makes the frames, reads a version, and one before it.
    let statuses = lock.withLock {
      service.sessions.withVersion(of: source.id) { _ in
        service.sessions.withEarlierVersion(1, of: source) { earlier in
          #expect(earlier != nil)
          return [
            service.update(path, kite), service.patch(path, #"{"options": {"itemHeight": 9}}"#),
            service.get(path), service.view(of: path, "{}"),
          ].map(\.status)
        }
      }
    }
    same(statuses, [200, 200, 200, 201])
    same(service.get(view).json["version"], 3)
    same(service.get(view).json["counts"]["cells"], 5)
  }

  @Test("equal views share their frames")
  func sharing() {
    let heights = (0..<8000).map { "\($0 % 90 + 10)" }.joined(separator: ",")
    let path = service.path(
      "waterfall",
      #"{"bounds": {"width": 300}, "sections": [{"items": {"height": [\#(heights)]}}]}"#
    )
    let before = service.sessions.statistics.bytes
    // Of the source's own layout.
    for _ in 0..<10 { _ = view(path) }
    let small = service.sessions.statistics.bytes - before
    #expect(small < 30_000)
    _ = view(path, #"{"bounds": {"width": 200}}"#)
    let one = service.sessions.statistics.bytes - before - small
    for _ in 0..<10 { _ = view(path, #"{"bounds": {"width": 200}}"#) }
    let all = service.sessions.statistics.bytes - before - small
    #expect(one > 30_000)
    #expect(all < one + 30_000)
  }

  @Test("no more views than are permitted: the least recently used goes")
  func limit() {
    let few = TestService(sessionLimits: SessionStore.Limits(maxViews: 2))
    let path = few.path("list", Self.list)
    let views = (0..<3).map { _ in few.view(of: path, "{}")["Location"] ?? "" }
    same(few.get(views[0]).status, 404)
    same(few.get(views[1]).status, 200)
    same(few.get(path).json["views"], 2)
  }
}

@Suite("random views of random layouts under random changes")
struct RandomViewsTests {
  private static let everything = "rect=-1e7,-1e7,2e7,2e7&limit=100000"

  @Test(
    "a view is what a fresh prepare of the collection gives", arguments: RandomLayouts.kinds,
    Extent.seeds(1, of: 2))
  func fresh(kind: String, seed: Int) {
    var layouts = RandomLayouts(seed: seed &* 97 &+ kind.utf8.count)
    let test = TestService(
      sessionLimits: SessionStore.Limits(
        maxBytes: (seed + kind.utf8.count).isMultiple(of: 2) ? 60_000 : 1 << 30))
    let path = test.path(kind, layouts.body(of: kind).text)
    var views: [String] = []
    for _ in 0..<4 {
      let answer = test.view(of: path, layouts.patch(of: kind).text)
      #expect(answer.status == 201 || answer.status == 413, "\(answer.text)")
      if let view = answer["Location"] { views.append(view) }
    }
    for _ in 0..<Extent.count(3, of: 10) {
      let source = test.get(path).json["kind"].string ?? ""
      guard source != "" else { return }
      let updates: JSON =
        source == "tree"
        ? [
          layouts.nodeUpdate(test.get("\(path)/elements?\(Self.everything)").json["elements"].array)
        ]
        : [layouts.update(of: source, test.get("\(path)/sections").json["sections"].array)]
      if layouts.chance(20) {
        _ = test.patch(path, layouts.patch(of: source).text)
      } else {
        _ = test.update(path, updates.text)
      }
      for view in views where layouts.chance(50) {
        let own = test.get(view).json["kind"].string ?? ""
        if layouts.chance(15), own != "" { _ = test.patch(view, layouts.patch(of: own).text) }
        expectFresh(view, of: path, in: test)
      }
    }
  }

  /// That a view is what its own export gives, and what its source's export gives with the kind,
  /// bounds and options of the view.
  private func expectFresh(_ view: String, of path: String, in test: TestService) {
    let own = test.get("\(view)/collection")
    guard own.status == 200 else {
      #expect([404, 409, 413].contains(own.status), "\(own.text)")
      return
    }
    let export = test.get("\(path)/collection").text
    let (kind, sourceKind) = (test.get(view).json["kind"], test.get(path).json["kind"])
    let elements = test.get("\(view)/elements?\(Self.everything)").json["elements"]
    let size = test.get(view).json["contentSize"]
    let (bounds, options) = (own.json["bounds"], own.json["options"])

    let other = TestService()
    func expectSame(_ copy: String, _ text: String) {
      let expected = other.get("\(copy)/elements?\(Self.everything)").json["elements"]
      same(elements, expected, "\(text)")
      same(size, other.get(copy).json["contentSize"], "\(text)")
    }
    expectSame(other.path(kind.string ?? "", own.text), own.text)
    // What was measured in the source is the source's alone.
    let copy = other.path(
      sourceKind.string ?? "", test.get("\(path)/collection").json.unmeasured.text)
    // Options that the view does not have go back to their defaults, also those inside others.
    let known = Set(OpenAPI.options(of: kind.string ?? "").keys.map { $0.prefix { $0 != "." } })
    var all = options.object
    for (name, value) in other.get("\(copy)/collection").json["options"].object
    where known.contains(name[...]) {
      guard let own = all[name] else {
        all[name] = .null
        continue
      }
      guard name != "group", case .object(let members) = own else { continue }
      let nulls = value.object.mapValues { _ in JSON.null }
      all[name] = .object(nulls.merging(members) { $1 })
    }
    let changed = other.patch(
      copy,
      kind == "tree"
        ? JSON.object(["options": .object(all)]).text
        : JSON.object([
          "kind": kind, "options": .object(all),
          "bounds": ["width": bounds["width"], "height": bounds["height"]],
        ]).text)
    same(changed.status, 200, "\(export): \(changed.text)")
    expectSame(copy, export)
  }

  @Test(
    "a view of a view's known rect is told of every change", arguments: RandomLayouts.kinds,
    Extent.seeds(1, of: 4))
  func since(kind: String, seed: Int) {
    var layouts = RandomLayouts(seed: seed &* 53 &+ kind.utf8.count &+ 7)
    let test = TestService()
    let path = test.path(kind, layouts.body(of: kind).text)
    let view = test.view(of: path, layouts.patch(of: kind).text)["Location"] ?? ""
    for _ in 0..<12 {
      let rect = "-2000,\(layouts.integer(0...500)),6000,250"
      let before = test.get("\(view)/elements?rect=\(rect)").json
      for _ in 0...layouts.integer(0...2) {
        let updates: JSON =
          kind == "tree"
          ? [
            layouts.nodeUpdate(
              test.get("\(path)/elements?\(Self.everything)").json["elements"].array)
          ] : [layouts.update(of: kind, test.get("\(path)/sections").json["sections"].array)]
        _ = test.update(path, updates.text)
      }
      let answer = test.get(
        "\(view)/elements?rect=\(rect)&known=\(rect)&since=\(before["version"].integer ?? 0)")
      guard answer.status == 200 else { continue }
      let after = test.get("\(view)/elements?rect=\(rect)").json
      func unpinned(_ json: JSON) -> [JSON] { json["elements"].array.filter { !$0.isPinned } }
      if answer.json["reset"] == .null {
        same(unpinned(before), unpinned(after), "\(rect)")
      }
    }
  }
}

extension TestService {
  /// What a rect shows of a layout that is prepared by itself.
  fileprivate func service(_ body: String) -> JSON {
    let other = TestService()
    return other.get("\(other.path("waterfall", body))/elements?rect=0,0,1000,100").json
  }
}
