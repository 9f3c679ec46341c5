import LayoutSessions
import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("The layouts that are kept")
struct ListingTests {
  private static let key: [(FieldName, String)] = [(.authorization, "Bearer key")]

  private static func service() throws -> TestService {
    TestService(configuration: .init(apiKeys: try APIKeys("key")))
  }

  private func prepare(_ service: TestService, items: Int) -> String {
    let heights = repeatElement("5", count: items).joined(separator: ",")
    return service.send(
      .post, "/layouts/list/prepare", headers: Self.key + [(.contentType, "application/json")],
      body: Array(
        """
        {"bounds": {"width": 100, "height": 100}, "sections": [{"items": {"height": [\(heights)]}}]}
        """.utf8)
    ).json["id"].string!
  }

  @Test("are listed with what they take, the largest first, and in pages")
  func list() throws {
    let service = try Self.service()
    let small = prepare(service, items: 10)
    let large = prepare(service, items: 2000)
    service.clock.advance(by: .seconds(60))
    let view = service.send(
      .post, "/layouts/\(small)/views", headers: Self.key + [(.contentType, "application/json")],
      body: Array(#"{"kind": "grid", "bounds": {"width": 300, "height": 100}}"#.utf8))
    let viewID = try #require(view.json["id"].string)
    let all = service.send(.get, "/layouts", headers: Self.key)
    same(all.status, 200)
    same(all["Cache-Control"], "no-store")
    same(all.json["count"], 3)
    same(all.json["memoryBytes"].integer, service.sessions.statistics.bytes)
    let layouts = all.json["layouts"].array
    same(layouts.map { $0["id"].string }.first, large)
    let memory: [Int] = layouts.compactMap { $0["memoryBytes"].integer }
    #expect(memory.count == 3 && memory == memory.sorted(by: >))
    for layout in layouts {
      let id = try #require(layout["id"].string)
      let summary = service.send(.get, "/layouts/\(id)", headers: Self.key).json
      for member in ["kind", "counts", "memoryBytes", "views"] {
        same(layout[member], summary[member], "\(member) of \(id)")
      }
      same(layout["viewOf"].string, (id == viewID ? small : nil))
    }
    let uses = Dictionary(
      uniqueKeysWithValues: layouts.map { ($0["id"].string!, $0["lastUsed"].string!) })
    same(uses[large], "2026-11-21T02:00:00Z")
    same(uses[viewID], "2026-11-21T02:01:00Z")

    var (next, pages): (String?, [JSON]) = ("/layouts?limit=2", [])
    while let page = next {
      let answer = service.send(.get, page, headers: Self.key)
      pages += answer.json["layouts"].array
      next = answer.json["next"].string
    }
    same(pages.map { $0["id"] }, layouts.map { $0["id"] })
    same(service.send(.get, "/layouts?start=3", headers: Self.key).json["layouts"], [])
  }

  @Test("a list is no use of them")
  func expiry() throws {
    let service = try Self.service()
    _ = prepare(service, items: 10)
    service.clock.advance(by: .seconds(899))
    same(service.send(.get, "/layouts", headers: Self.key).json["count"], 1)
    service.clock.advance(by: .seconds(2))
    service.sessions.removeExpiredSessions()
    same(service.send(.get, "/layouts", headers: Self.key).json["count"], 0)
  }

  @Test("where no keys are asked for, there is no list")
  func withoutKeys() {
    let service = TestService()
    service.get("/layouts").expectProblem(404, "no-such-path")
  }
}
