import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

/// If-Match and If-None-Match, beside the conversations of conditions.
@Suite struct PreconditionTests {
  private let service = TestService()
  private let path: String

  init() {
    path = service.path("grid", Sample.grid)
    // At version 2 from here on.
    same(service.touch(path).status, 200)
  }

  @Test("a change of another version is refused before its body is read")
  func refusalBeforeBody() {
    for (method, target, type) in [
      (Method.patch, path, "application/merge-patch+json"),
      (.post, "\(path)/updates", "application/json"),
    ] {
      func rejection(ifMatch tag: String) -> Response? {
        service.gateway.rejection(
          of: Request(
            method: method, target: RequestTarget(target),
            headers: HeaderFields([(.contentType, type), (.ifMatch, tag)])))
      }
      same(rejection(ifMatch: "\"\(tag(1))\"")?.status.rawValue, 412)
      #expect(rejection(ifMatch: "\"\(tag(2))\"") == nil)
    }
  }

  @Test(
    "what a proxy that compresses puts at the end of a tag does not count",
    arguments: ["-gzip", "--gzip", "-br", "-zstd"])
  func suffixOfProxy(suffix: String) throws {
    for target in ["\(path)/items/0/0", "\(path)/sections", "/openapi.yaml", "/", "/kinds"] {
      let answer = service.get(target)
      let tag = try #require(answer["ETag"])
      for field in [tag.dropLast() + suffix + "\"", "W/" + tag.dropLast() + suffix + "\""] {
        let again = service.send(.get, target, headers: [(.ifNoneMatch, String(field))])
        #expect(again.status == 304 && again["ETag"] == tag, "\(target) \(field)")
      }
    }
  }
}
