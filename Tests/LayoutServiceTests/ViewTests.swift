import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import LayoutSessions

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

  @Test("If-Match of a view means the view's version, made or not")
  func conditions() {
    let path = service.path("list", Self.list)
    let view = view(path)
    func tag() -> String { service.get(view).json["versionTag"].string ?? "" }
    let first = tag()
    #expect(first.hasPrefix("1-"))
    _ = service.touch(path)
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
    guard let id = SessionID(text.span), case .pending(let work)? = service.sessions.find(id),
      let lock = work.object as? ChangeLock
    else {
      Issue.record("the view need not be made")
      return
    }
    let source = try #require(service.version(at: path))
    let earlier = service.sessions.earlierVersion(1, of: source)
    #expect(earlier != nil)
    // As it is held while somebody makes the frames.
    let statuses = lock.withLock {
      [
        service.update(path, kite), service.patch(path, #"{"options": {"itemHeight": 9}}"#),
        service.get(path), service.view(of: path, "{}"),
      ].map(\.status)
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
