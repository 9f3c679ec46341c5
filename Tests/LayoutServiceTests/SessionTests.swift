import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import LayoutSessions

@Suite struct SessionTests {
  private let service = TestService(
    sessionLimits: SessionStore.Limits(maxSessions: 3, idleTimeout: .seconds(900)))

  @Test("a deleted layout is gone")
  func delete() {
    let path = service.path("grid", Sample.grid)
    let answer = service.send(.delete, path)
    same(answer.status, 204)
    same(answer.body, [])
    service.get(path).expectProblem(404, "no-such-layout")
    service.send(.delete, path).expectProblem(404, "no-such-layout")
    #expect(service.isUntouched)
  }

  @Test("If-Match deletes only the version meant")
  func ifMatch() {
    let path = service.path("grid", Sample.grid)
    for field in ["\"\(tag(2))\"", "W/\"\(tag(1))\"", "1", "\"\"", "\"0\", \"\(tag(2))\""] {
      let said =
        field.hasPrefix("W/") ? "without W/, or \"\(tag(1))\"" : "entity tag, \"\(tag(1))\""
      service.send(.delete, path, headers: [(.ifMatch, field)])
        .expectProblem(412, "precondition-failed", saying: said)
      same(service.get(path).status, 200)
    }
    same(
      service.send(.delete, path, headers: [(.ifMatch, "\"\(tag(7))\", \"\(tag(1))\"")]).status, 204
    )
    let created = service.prepare("grid", Sample.grid)
    let own = service.send(
      .delete, created["Location"] ?? "", headers: [(.ifMatch, created["ETag"] ?? "")])
    same(own.status, 204)
    let other = service.path("grid", Sample.grid)
    same(service.send(.delete, other, headers: [(.ifMatch, "*")]).status, 204)
  }

  @Test("expiresAt moves on at every use")
  func expiresAt() {
    let created = service.prepare("grid", Sample.grid)
    let path = created["Location"] ?? ""
    same(created.json["createdAt"], "2026-11-21T02:00:00Z")
    same(created.json["expiresAt"], "2026-11-21T02:15:00Z")
    service.clock.advance(by: .seconds(899))
    same(service.get("\(path)/elements?rect=0,0,1,1").status, 200)
    service.clock.advance(by: .seconds(899))
    let summary = service.get(path).json
    same(summary["createdAt"], "2026-11-21T02:00:00Z")
    same(summary["expiresAt"], "2026-11-21T02:44:58Z")
  }

  @Test(
    "every operation on a layout is a use", arguments: ["", "/items/0/0", "/elements?rect=0,0,1,1"])
  func uses(operation: String) {
    let path = service.path("grid", Sample.grid)
    for _ in 0..<3 {
      service.clock.advance(by: .seconds(600))
      service.sessions.removeExpiredSessions()
      same(
        service.get(path + operation, ifNoneMatch: "\"\(tag(1))\"").status,
        (operation == "" ? 200 : 304))
    }
  }

  @Test("a layout that is not used expires, whether or not it has been swept")
  func expiry() {
    let path = service.path("grid", Sample.grid)
    service.clock.advance(by: .seconds(900))
    service.get(path).expectProblem(404, "no-such-layout", saying: "expired")
    service.send(.delete, path).expectProblem(404, "no-such-layout")
    service.sessions.removeExpiredSessions()
    same(service.sessions.statistics.sessions, 0)
    same(service.sessions.statistics.bytes, 0)
    same(service.sessions.statistics.expiries, 1)
  }

  @Test("the least recently used layout makes room for a new one")
  func eviction() {
    let paths = (0..<3).map { _ in service.path("grid", Sample.grid) }
    same(service.get(paths[0]).status, 200)
    let fourth = service.path("grid", Sample.grid)
    service.get(paths[1]).expectProblem(404, "no-such-layout", saying: "evicted")
    for path in [paths[0], paths[2], fourth] { same(service.get(path).status, 200) }
    same(service.sessions.statistics.evictions, 1)
  }

  @Test("ids are 22 characters of base64url and all different")
  func ids() {
    let paths = (0..<50).map { _ in service.path("grid", Sample.grid) }
    same(Set(paths).count, 50)
    for path in paths {
      let id = JSON.string(String(path.dropFirst("/layouts/".count)))
      same(OpenAPI.faults(of: id, as: "LayoutID"), [])
    }
  }
}
