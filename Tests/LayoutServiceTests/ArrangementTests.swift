import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import LayoutSessions

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

  @Test("conditions times items are at most 20,000,000")
  func manyConditions() {
    let condition = #"{"key": "stars", "from": 1}"#
    let conditions = Array(repeating: condition, count: 99).joined(separator: ",")
    let where99 = #"{"arrange": {"where": [\#(conditions)]}}"#
    let where100 = #"{"arrange": {"where": [\#(condition), \#(conditions)]}}"#
    let path = test.path("list", #"{"bounds": {"width": 9}, "sections": [{"items": 200001}]}"#)
    same(test.view(of: path, where99).status, 201)
    test.view(of: path, where100).expectProblem(422, "invalid-body", saying: "99 conditions")
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
    same(faults(#"[{"keys": {"a": {}}}]"#), ["\(items)/0/keys/a"])
    same(faults(#"[{"keys": {"a": 1e400}}, {"keys": {"": 1}}]"#).count, 2)
    same(faults(#"{"keys": {"a": [1, {}]}}"#), ["\(items)/keys/a/1"])
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

  @Test("a summary has an arrangement of at most 1,024 bytes as it is written, and true for others")
  func longArrangements() throws {
    let path = test.path("list", Self.library)
    func arrangement(bytes: Int) -> String {
      let ids = (0..<(bytes - 60) / 7).map { "\"p\($0 + 100)\"," }.joined()
      let last = bytes - ids.utf8.count - #"{"ids":[""]}"#.utf8.count
      return #"{"ids":[\#(ids)"\#(String(repeating: "z", count: last))"]}"#
    }
    let many = (0..<1025).map { _ in "5" }.joined(separator: ",")
    for (arrange, isShort) in [
      (arrangement(bytes: 700), true), (arrangement(bytes: 1024), true),
      (arrangement(bytes: 1025), false),
      (#"{"where":[{"key":"k","in":[\#(many.dropLast(50))]}]}"#, false),
    ] {
      let whole = try JSON(parsing: Array(arrange.utf8))
      let told: JSON = isShort ? whole : true
      let made = test.view(of: path, #"{"arrange": \#(arrange)}"#)
      same(made.json["arrange"], told)
      let view = try #require(made["Location"])
      same(test.get(view).json["arrange"], told)
      same(test.get("\(view)?arrange=false").json["arrange"], told)
      same(test.get("\(view)?arrange=true").json["arrange"], whole)
      same(test.patch(view, #"{"options": {"itemHeight": 9}}"#).json["arrange"], told)
      let elements = test.get("\(view)/elements?rect=0,0,1,1&summary=true").json
      same(elements["summary"]["arrange"], told)
    }
    same(test.get("\(path)?arrange=true").json["arrange"], .null)
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
