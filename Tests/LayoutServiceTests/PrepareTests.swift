import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite struct PrepareTests {
  private let service = TestService()

  @Test("a small body is answered at once, a large body or layout is left to the workers")
  func deferral() {
    func grid(items: Int, padding: Int = 0) -> String {
      #"{"bounds": {"width": 320}, "sections": [{"items": \#(items)}]}"#
        + String(repeating: " ", count: padding)
    }
    #expect(!service.prepare("grid", grid(items: 900)).wasDeferred)
    #expect(service.prepare("grid", grid(items: 900, padding: 5000)).wasDeferred)
    #expect(service.prepare("justified", grid(items: 100_000)).wasDeferred)
    same(service.sessions.statistics.sessions, 3)
  }

  @Test("a large body gives its memory back before its layout is kept")
  func discardedBody() {
    let text = #"{"bounds": {"width": 320}, "sections": [{"items": 9}]}"#
    let body = RequestBody.copying(Array((text + String(repeating: " ", count: 5000)).utf8))
    let request = Request(
      method: .post, target: RequestTarget("/layouts/grid/prepare"),
      headers: HeaderFields([(.contentType, "application/json")]), body: body)
    guard case .deferred(let deferred) = service.gateway.respond(to: request) else {
      Issue.record("a large body is not left to the workers")
      return
    }
    same(deferred.work().status, .created)
    same(body.count, 0)
  }

  @Test("deferred work that fails is told as a problem")
  func deferredProblems() {
    let padding = String(repeating: " ", count: 5000)
    let syntax = service.prepare("grid", "{" + padding + "]")
    #expect(syntax.wasDeferred)
    syntax.expectProblem(400, "not-json", saying: "5001")
    let impossible = service.prepare(
      "gallery", #"{"bounds": {"width": 1}, "sections": [{"items": 5000}]}"#)
    #expect(impossible.wasDeferred)
    impossible.expectProblem(422, "invalid-body", saying: "horizontalInset")
    #expect(service.isUntouched)
  }

  @Test("counts, rows and columns of items say the same")
  func forms() throws {
    func answer(_ kind: String, _ data: String) -> JSON {
      let path = service.path(kind, #"{"bounds": {"width": 640}, \#(data)}"#)
      let elements = service.get("\(path)/elements?rect=0,0,1e6,1e6").json["elements"]
      #expect(elements.array.count > 2)
      return elements
    }
    for kind in RandomLayouts.sectionKinds where kind != "group" {
      let forms = ["3", "[{}, {}, {}]", #"[{"id": null}, {}, {}]"#, #"{"id": [null, null, null]}"#]
        .map { answer(kind, #""sections": [{"items": \#($0)}]"#) }
      for form in forms { same(form, forms[0], "\(kind)") }
    }
    same(
      answer(
        "waterfall",
        #""sections": [{"items": [{"id": "a"}, {"height": 7}, {"aspectRatio": 2, "height": null}]}]"#
      ),
      answer(
        "waterfall",
        """
        "sections": [{"items": {"height": [null, 7, null], "id": ["a", null, null],
         "aspectRatio": [null, null, 2]}}]
        """))
    let trees = [
      #""nodes": [{"id": "a"}, {"parent": 0}, {"parent": 0, "id": "b"}]"#,
      #""nodes": {"parent": [null, 0, 0], "id": ["a", null, "b"]}"#,
      #""nodes": [{"parent": 2}, {"id": "b", "parent": 2}, {"id": "a", "parent": null}]"#,
      #""root": {"children": [{}, {"children": [], "id": "b"}], "id": "a"}"#,
    ].map { answer("tree", $0) }
    for tree in trees { same(tree, trees[0]) }
    same(answer("tree", #""nodes": 3"#), answer("tree", #""nodes": {"id": [null, null, null]}"#))
  }

  @Test("the order of a body's members does not matter")
  func memberOrder() {
    let bodies = [
      #"{"bounds": {"width": 320}, "options": {"itemHeight": 9}, "sections": [{"items": 5}]}"#,
      #"{"sections": [{"items": 5}], "options": {"itemHeight": 9}, "bounds": {"width": 320}}"#,
    ].map { service.prepare("waterfall", $0).json.removing("id") }
    same(bodies[0], bodies[1])
    same(bodies[0]["contentSize"], ["width": 320, "height": 63])
  }

  @Test("null puts an option, or all options of an object, to the default")
  func nullOptions() {
    let bodies = [
      "{}", #"{"cellPadding": null, "placement": null, "contentInset": null}"#,
      #"{"contentInset": {"top": null, "left": 0}}"#,
    ].map {
      service.prepare(
        "waterfall", #"{"bounds": {"width": 320}, "options": \#($0), "sections": [{"items": 5}]}"#
      ).json.removing("id", "memoryBytes")
    }
    for body in bodies { same(body, bodies[0]) }
  }

  @Test("a collection of nothing is laid out")
  func empty() {
    for kind in RandomLayouts.kinds where kind != "tree" && kind != "group" {
      let body = #"{"bounds": {"width": 320}, "sections": []}"#
      let answer = service.prepare(kind, body)
      same(answer.status, 201, "\(answer.text)")
      same(answer.json["counts"]["cells"], 0)
      same(answer.json["contentSize"], ["width": 320, "height": 0])
    }
    let answer = service.prepare("tree", #"{"nodes": []}"#)
    same(answer.json["contentSize"], ["width": 0, "height": 0])
  }

  @Test("a million nodes in a chain are laid out")
  func chain() {
    let parents = (0..<1_000_000).map { $0 == 0 ? "null" : "\($0 - 1)" }.joined(separator: ",")
    let answer = service.prepare("tree", #"{"nodes": {"parent": [\#(parents)]}}"#)
    same(answer.status, 201)
    same(answer.json["contentSize"], ["width": 220_000_000, "height": 88])
  }

  @Test("nodes nested to a depth of 100,000 are laid out")
  func nested() {
    let depth = 100_000
    let answer = service.prepare(
      "tree",
      #"{"options": {"spacing": "compact"}, "root": "#
        + String(repeating: #"{"children":["#, count: depth) + "{}"
        + String(repeating: "]}", count: depth) + "}")
    same(answer.status, 201)
    same(answer.json["counts"]["cells"].integer, depth + 1)
  }

  @Test("ids come back byte for byte")
  func ids() throws {
    let ids = ["\"\\/\n\u{7F}", "ü€😀", "\u{0}\u{1F}", String(repeating: "é", count: 64)]
    let items = JSON.array(ids.map { ["id": .string($0)] })
    let path = service.path(
      "grid", #"{"bounds": {"width": 320}, "sections": [{"items": \#(items.text)}]}"#)
    for (index, id) in ids.enumerated() {
      same(service.get("\(path)/items/0/\(index)").json["id"].string, id)
    }
    let escaped = service.path(
      "tree", #"{"root": {"id": "\ud83d\ude00\u00fc\/"}}"#)
    same(service.get("\(escaped)/items/0/0").json["id"], "😀ü/")
  }

  @Test("the bounds come back as they were given, a tree's too")
  func bounds() {
    let tree = service.prepare("tree", #"{"bounds": {"width": 0.1, "height": 0}, "nodes": 1}"#)
    same(tree.json["bounds"], ["width": 0.1, "height": 0])
    let grid = service.prepare(
      "grid", #"{"bounds": {"width": 320, "height": null}, "sections": []}"#)
    same(grid.json["bounds"], ["width": 320])
  }

  @Test(
    "null counts as not given wherever a member may be left out",
    arguments: cases("Prepare.nulls", String.self, String.self))
  func nulls(kind: String, body: String) throws {
    // Between two marks stands what may be left out.
    let parts = body.split(separator: "~", omittingEmptySubsequences: false)
    let without = stride(from: 0, to: parts.count, by: 2).map { parts[$0] }.joined()
    let (service, other) = (TestService(), TestService())
    let given = service.prepare(kind, parts.joined())
    let left = other.prepare(kind, without)
    #expect(given.status == 201 && left.status == 201, "\(given.text) \(left.text)")
    let (path, otherPath) = (try #require(given["Location"]), try #require(left["Location"]))
    same(given.json["contentSize"], left.json["contentSize"])
    same(service.allElements(path), other.allElements(otherPath))
    let export = service.get("\(path)/collection").json
    let otherExport = other.get("\(otherPath)/collection").json
    same(export.removing("bounds"), otherExport.removing("bounds"))
  }

  @Test("null counts as not given in updates and measurements of texts, too")
  func nullsElsewhere() {
    let service = TestService()
    let path = service.path("list", #"{"bounds": {"width": 9}, "sections": [{"items": 3}]}"#)
    let answer = service.update(path, #"[{"delete": {"at": [0, 0], "count": null}}]"#)
    #expect(answer.status == 200 && answer.json["counts"]["cells"] == 2, "\(answer.text)")
    // Only of fonts there is something to complain.
    let measured = service.send(
      .post, "/text/measure",
      json:
        #"{"font": "a", "size": 9, "lineHeight": 9, "texts": ["a"], "width": null, "lines": null, "letterSpacing": null, "language": null, "whiteSpace": null, "maxLines": null}"#
    )
    same(measured.faults.map(\.pointer), ["/font"], "\(measured.text)")
  }
}
