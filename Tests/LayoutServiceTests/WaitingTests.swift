import LayoutSessions
import MicroHTTP
import Testing

@testable import LayoutService

/// Work that waits for a worker while its layout goes on.
@Suite struct WaitingTests {
  private let service = TestService(limits: LayoutService.Limits(visitBudget: 100))

  private func grid(items: Int = 2000) -> String {
    let names = (0..<items).map { "\"n\($0)\"" }.joined(separator: ",")
    return service.path(
      "grid",
      #"{"bounds": {"width": 320}, "sections": [{"items": {"id": [\#(names)]}}]}"#)
  }

  private func widen(_ path: String) {
    let answer = service.send(
      .patch, path, headers: [(.contentType, "application/json")],
      body: Array(#"{"bounds": {"width": 640}}"#.utf8))
    #expect(answer.status == 200)
  }

  @Test(
    "does not hold the version that was there when it came, and answers for the current one",
    arguments: [
      "/items?id=n7", "/elements?rect=0,0,1e9,1e9", "/elements?rect=0,0,1e9,1e9&limit=999",
    ])
  func currentVersion(question: String) throws {
    let path = grid()
    weak let first = service.version(at: path)
    let deferred = try #require(service.deferred(path + question))
    #expect(first != nil)
    widen(path)
    #expect(first == nil)
    let answer = Answer(deferred.work())
    #expect(answer.status == 200)
    #expect(answer["ETag"]?.hasPrefix("\"2.") == true)
    #expect(answer.body == service.get(path + question).body)
  }

  @Test("a query about one version is told when that is gone by then")
  func goneVersion() throws {
    let path = grid()
    let deferred = try #require(service.deferred("\(path)/elements?rect=0,0,1e9,1e9&version=1"))
    widen(path)
    Answer(deferred.work()).expectProblem(410, "version-gone")
  }

  @Test(
    "a query whose layout is gone by then is told so",
    arguments: ["/items?id=n7", "/elements?rect=0,0,1e9,1e9"])
  func goneLayout(question: String) throws {
    let path = grid()
    let deferred = try #require(service.deferred(path + question))
    #expect(service.send(.delete, path).status == 204)
    Answer(deferred.work()).expectProblem(404, "no-such-layout")
  }
}
