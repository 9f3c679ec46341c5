import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import LayoutSessions

@Suite struct SessionTests {
  private let service = TestService(
    sessionLimits: SessionStore.Limits(maxSessions: 3, idleTimeout: .seconds(900)))

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
