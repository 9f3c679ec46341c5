import MicroHTTP
import ServiceSupport
import Synchronization
import TestSupport
import Testing

@testable import LayoutService

@Suite struct ProbeTests {
  @Test("readiness is what the process says of itself, asked anew each time")
  func readiness() {
    let life = Life()
    let service = TestService(probes: .init(isReady: { life.isReady.load(ordering: .relaxed) }))
    for isReady in [true, false, true] {
      life.isReady.store(isReady, ordering: .relaxed)
      for method in [Method.get, .head] {
        let answer = service.send(method, "/readyz")
        same(answer["Cache-Control"], "no-store")
        if isReady {
          same(answer.status, 200)
          same(answer.json, ["status": "ready"])
        } else {
          answer.expectProblem(503, "not-ready", saying: "stopping")
          same(answer["Retry-After"], "1")
        }
      }
      // Whoever still asks is answered.
      same(service.get("/healthz").json, ["status": "ok"])
      same(service.prepare("grid", Sample.grid).status, 201)
    }
  }

  private final class Life: Sendable {
    let isReady = Atomic(true)
  }

  @Test("the metrics are the process's own text")
  func metrics() {
    let service = TestService(probes: .init(metricsText: { "# TYPE a counter\na 1\n" }))
    let answer = service.get("/metrics")
    same(answer.status, 200)
    same(answer.text, "# TYPE a counter\na 1\n")
    same(answer["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
    same(answer["Cache-Control"], "no-store")
    for accept in ["text/plain", "application/openmetrics-text;q=0.9, text/plain;q=0.5", "*/*"] {
      same(service.send(.get, "/metrics", headers: [(.accept, accept)]).status, 200)
    }
    service.send(.get, "/metrics", headers: [(.accept, "application/json")])
      .expectProblem(406, "not-acceptable", saying: "text/plain")
  }
}
