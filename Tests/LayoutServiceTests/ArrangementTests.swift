import LayoutSessions
import ServiceSupport
import TestSupport
import Testing

/// What `Tests/arrangements` does not do at random.
@Suite("arrangements: views that filter, group and sort")
struct ArrangementTests {
  private let test = TestService()

  /// Four photographs of two albums, with stars, and one without any key.
  private static let library = """
    {"bounds": {"width": 300}, "options": {"itemHeight": 10}, "sections": [{"items": {
      "id": ["a", "b", "c", "d", "e"],
      "keys": {"stars": [5, 3, 4, 5, null], "album": ["sea", "port", "sea", "5", null]}}}]}
    """

  private func ids(_ path: String) -> [String?] {
    test.get("\(path)/ids").json["ids"].array.map(\.string)
  }

  private func sections(_ path: String) -> [String?] {
    test.get("\(path)/sections").json["sections"].array.map(\.["id"].string)
  }

  @Test(
    "what no view can have is refused where it stands",
    arguments: cases("Arrangement.refusals", String.self, String.self))
  func refusals(body: String, pointer: String) {
    let path = test.path("list", Self.library)
    let statistics = test.sessions.statistics
    let answer = test.view(of: path, body)
    answer.expectProblem(422, "invalid-body")
    same(answer.faults.map(\.pointer), [pointer], "\(answer.text)")
    same(test.sessions.statistics, statistics)
  }

  @Test("keys that no item may have are refused where they stand")
  func keys() {
    func faults(_ items: String) -> [String] {
      let answer = test.prepare(
        "list", #"{"bounds": {"width": 9}, "sections": [{"items": \#(items)}]}"#)
      answer.expectProblem(422, "invalid-body")
      return answer.faults.map(\.pointer)
    }
    let items = "/sections/0/items"
    same(faults(#"[{"keys": {"a": true}}]"#), ["\(items)/0/keys/a"])
    same(faults(#"[{"keys": {"a": 1e400}}, {"keys": {"": 1}}]"#).count, 2)
    same(faults(#"{"keys": {"a": [1, ""]}}"#), ["\(items)/keys/a/1"])
    same(faults(#"[{"keys": [1]}]"#), ["\(items)/0/keys"])
    let nine = (0..<9).map { "\"k\($0)\": 1" }.joined(separator: ",")
    same(faults("[{\"keys\": {\(nine)}}]"), ["\(items)/0/keys/k8"])
    let long = String(repeating: "é", count: 65)
    same(faults("[{\"keys\": {\"a\": \"\(long)\"}}]"), ["\(items)/0/keys/a"])
    // Names are equal if their bytes are.
    let accents = #"[{"keys": {"\u00e9": 1, "e\u0301": 2}}]"#
    let path = test.path("list", #"{"bounds": {"width": 9}, "sections": [{"items": \#(accents)}]}"#)
    same(test.get("\(path)/collection").text.contains("\"e\u{301}\":[2],\"é\":[1]"), true)
  }

  @Test("only views are arranged, and not those of a tree")
  func first() {
    let path = test.path("list", Self.library)
    for body in [#"{"arrange": {"ids": ["a"]}}"#, #"{"arrange": {"groupBy": {"key": "a"}}}"#] {
      same(test.patch(path, body).faults.map(\.pointer), ["/arrange"])
    }
    same(test.patch(path, #"{"arrange": {}}"#).status, 200)
    let tree = test.path("tree", #"{"nodes": {"parent": [null, 0]}}"#)
    same(test.view(of: tree, #"{"arrange": {"ids": ["a"]}}"#).faults.map(\.pointer), ["/arrange"])
    let node = #"{"nodes": [{"parent": null, "keys": {"a": 1}}]}"#
    test.prepare("tree", node).expectProblem(422, "invalid-body")
  }

  @Test("a view of a compositional layout needs another kind as long as it is arranged")
  func compositional() {
    let path = test.path(
      "compositional", #"{"bounds": {"width": 9}, "sections": [{"kind": "grid", "items": 3}]}"#)
    let arrange = #""arrange": {"sortBy": [{"key": "a"}]}"#
    same(test.view(of: path, "{\(arrange)}").faults.map(\.pointer), ["/kind"])
    same(test.view(of: path, #"{"kind": "list"}"#).faults.map(\.pointer), ["/kind"])
    let view = test.viewPath(of: path, "{\"kind\": \"list\", \(arrange)}")
    same(test.patch(view, #"{"kind": "grid"}"#).status, 200)
    same(test.patch(view, #"{"arrange": null}"#).faults.map(\.pointer), ["/kind"])
    let whole = test.patch(view, #"{"arrange": null, "kind": "compositional"}"#)
    same(whole.json["kind"], "compositional")
    same(whole.json["arrange"], .null)
    same(test.get("\(view)/sections").json["sections"][0]["kind"], "grid")
  }

  @Test("it stays until another one replaces it whole, and a new view copies it")
  func replaced() {
    let path = test.path("list", Self.library)
    let arrange =
      #"{"where": [{"key": "stars", "from": 4}], "sortBy": [{"key": "album", "order": "descending"}]}"#
    let view = test.viewPath(of: path, "{\"arrange\": \(arrange)}")
    same(ids(view), ["a", "c", "d"])
    let changed = test.patch(view, #"{"options": {"itemHeight": 20}}"#)
    same(changed.json["arrange"]["where"][0]["from"], 4)
    same(test.patch(view, "{\"arrange\": \(arrange)}").json["version"], 2)
    same(test.patch(view, "{\"arrange\": \(arrange)}").json["invalidated"], false)
    let copy = test.viewPath(of: view, #"{"bounds": {"width": 200}}"#)
    same(ids(copy), ["a", "c", "d"])
    same(ids(test.viewPath(of: view, #"{"arrange": {}}"#)), ["a", "b", "c", "d", "e"])
    // Nothing else is left of it, and the change makes a version though nobody sees it.
    let sorted = test.patch(view, #"{"arrange": {"ids": ["a", "c", "d"]}}"#)
    same(sorted.json["version"], 3)
    same(test.patch(view, #"{"arrange": {"where": [{"key": "none"}]}}"#).json["counts"]["cells"], 0)
    same(sections(view), [nil])
  }

  @Test("groups are sections with their values as ids; those of numbers and of words are two")
  func groups() {
    let path = test.path("list", Self.library)
    let album = test.viewPath(of: path, #"{"arrange": {"groupBy": {"key": "album"}}}"#)
    same(sections(album), ["5", "port", "sea", nil])
    same(ids(album), ["d", "b", "a", "c", "e"])
    let set = #"[{"set": {"at": [0, 4], "items": [{"keys": {"album": 5}}]}}]"#
    same(test.update(path, set).status, 200)
    same(sections(album), ["5", "5", "port", "sea"])
    same(ids(album), ["e", "d", "b", "a", "c"])
    for (value, id) in [("-0", "0"), ("0.1", "0.1"), ("1e-9", "1e-09"), ("5e20", "5e+20")] {
      let set = "[{\"set\": {\"at\": [0, 4], \"items\": [{\"keys\": {\"album\": \(value)}}]}}]"
      same(test.update(path, set).status, 200)
      same(sections(album)[0], id)
    }
  }

  @Test("what it leaves out is not there, for nobody who asks by id, ordinal or place")
  func leftOut() {
    let path = test.path("list", Self.library)
    let view = test.viewPath(of: path, #"{"arrange": {"where": [{"key": "stars", "from": 4}]}}"#)
    test.get("\(view)/items?id=b").expectProblem(404, "no-such-element")
    test.get("\(view)/ids?from=b&to=a").expectProblem(404, "no-such-element")
    test.get("\(view)/items?ordinal=3").expectProblem(404, "no-such-element")
    test.get("\(view)/elements?rect=0,0,9,9&anchor=b").expectProblem(404, "no-such-element")
    same(test.get("\(view)/items?id=b&id=d").json["missing"], ["b"])
    let sizes = #"{"sizes": [{"id": "b", "height": 7}]}"#
    let answer = test.send(.post, "\(view)/measurements", json: sizes)
    same(answer.faults.map(\.pointer), ["/sizes/0/id"])
    #expect(!test.get("\(view)/collection").text.contains("\"b\""))
  }

  @Test("a measured size stays with its item, also while the item is left out")
  func measured() {
    let path = test.path("list", Self.library)
    let view = test.viewPath(of: path, #"{"arrange": {"sortBy": [{"key": "album"}]}}"#)
    func heights() -> [String: Double] {
      let elements = test.get("\(view)/elements?rect=0,0,300,999").json["elements"].array
      return Dictionary(
        uniqueKeysWithValues: elements.map { ($0["id"].string!, $0["frame"][3].number!) })
    }
    let sizes = #"{"sizes": [{"id": "c", "height": 33}, {"at": [0, 0], "height": 44}]}"#
    same(test.send(.post, "\(view)/measurements", json: sizes).status, 200)
    same(heights(), ["a": 10, "b": 10, "c": 33, "d": 44, "e": 10])
    let few = #"{"arrange": {"where": [{"key": "stars", "to": 5}]}}"#
    same(test.patch(view, few).status, 200)
    same(heights(), ["b": 10, "c": 33])
    same(test.update(path, #"[{"delete": {"at": [0, 1]}}]"#).status, 200)
    same(test.patch(view, #"{"arrange": null}"#).status, 200)
    same(heights(), ["a": 10, "c": 33, "d": 44, "e": 10])
    // Nobody else sees it.
    same(test.get("\(path)/items?id=c").json["frame"][3], 10)
  }

  @Test(
    "more groups than a collection may have sections are refused, and later they are a conflict")
  func manyGroups() {
    let test = TestService(limits: .init(maxItems: 5000))
    func body(_ count: Int) -> String {
      let keys = (0..<1500).map { "\($0 % count)" }.joined(separator: ",")
      return #"{"bounds": {"width": 9}, "sections": [{"items": {"keys": {"a": [\#(keys)]}}}]}"#
    }
    let arrange = #"{"arrange": {"groupBy": {"key": "a"}}}"#
    test.view(of: test.path("grid", body(1001)), arrange)
      .expectProblem(413, "too-many-items", saying: "1000 sections")
    let path = test.path("grid", body(1000))
    let view = test.viewPath(of: path, arrange)
    let one = #"[{"set": {"at": [0, 0], "items": [{"keys": {"a": "x"}}]}}]"#
    same(test.update(path, one).status, 200)
    test.get(view).expectProblem(409, "impossible-view", saying: "1000 sections")
    test.patch(view, #"{"options": {"rowHeight": 5}}"#).expectProblem(409, "impossible-view")
  }

  @Test("frames of arranged views make room, and are made again as they were")
  func memory() throws {
    let test = TestService(sessionLimits: SessionStore.Limits(maxBytes: 300_000))
    let keys = (0..<3000).map { "\($0 * 7919 % 3001)" }.joined(separator: ",")
    let path = test.path(
      "grid", #"{"bounds": {"width": 90}, "sections": [{"items": {"keys": {"a": [\#(keys)]}}}]}"#)
    let views = (0..<20).map {
      test.viewPath(
        of: path,
        #"{"arrange": {"where": [{"key": "a", "from": \#($0)}], "sortBy": [{"key": "a"}]}}"#)
    }
    #expect(test.sessions.statistics.framesDropped > 0)
    #expect(test.sessions.statistics.bytes <= 300_000)
    for (number, view) in views.enumerated() {
      same(test.get(view).json["counts"]["cells"].number, Double(3000 - number))
    }
  }
}
