import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("GET collection")
struct CollectionTests {
  private let test = TestService()

  @Test("prepared again it gives the same elements, bit for bit", arguments: Sample.all.map(\.kind))
  func again(kind: String) {
    let path = test.path(kind, Sample.all.first { $0.kind == kind }!.body)
    let body = test.get("\(path)/collection")
    let copy = test.path(kind, body.text)
    func elements(_ path: String) -> Substring? {
      let text = test.get("\(path)/elements?rect=-1e6,-1e6,2e6,2e6&limit=100000").text
      return text.range(of: #""elements""#).map { text[$0.upperBound...] }
    }
    let isSame = elements(copy) == elements(path)
    #expect(isSame)
    same(test.get("\(copy)/collection").text, body.text)
  }

  @Test("it is a version of the layout, and says of which")
  func caching() {
    let path = test.path("grid", Sample.grid)
    let head = test.send(.head, "\(path)/collection")
    same(head.status, 200)
    same(head["ETag"], test.get("\(path)/collection")["ETag"])
    _ = test.update(path, #"[{"deleteSections": {"at": 0}}]"#)
    let answer = test.get("\(path)/collection", ifNoneMatch: "\"\(tag(1))\"")
    same(answer.status, 200)
    answer.expectLayoutHeaders(version: 2)
    same(answer.json["sections"].array.count, 2)
    test.get("\(path)/collection?pretty").expectProblem(400, "invalid-parameter")
    test.get("/layouts/0000000000000000000000/collection").expectProblem(404, "no-such-layout")
    test.send(.delete, "\(path)/collection").expectProblem(405, "method-not-allowed")
  }

  @Test("a large one is left to the workers")
  func deferral() {
    let ids = (0..<2000).map { "\"\($0)\"" }.joined(separator: ",")
    let path = test.path(
      "grid", #"{"bounds": {"width": 9}, "sections": [{"items": {"id": [\#(ids)]}}]}"#)
    let answer = test.get("\(path)/collection")
    #expect(answer.wasDeferred)
    same(answer.json["sections"][0]["items"]["id"].array.count, 2000)
  }
}
