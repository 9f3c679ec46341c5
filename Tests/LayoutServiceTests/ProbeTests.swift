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
        #expect(answer["Cache-Control"] == "no-store")
        if isReady {
          #expect(answer.status == 200)
          #expect(answer.json == ["status": "ready"])
        } else {
          answer.expectProblem(503, "not-ready", saying: "stopping")
          #expect(answer["Retry-After"] == "1")
        }
      }
      // Whoever still asks is answered.
      #expect(service.get("/healthz").json == ["status": "ok"])
      #expect(service.prepare("grid", Sample.grid).status == 201)
    }
  }

  private final class Life: Sendable {
    let isReady = Atomic(true)
  }

  @Test("the metrics are the process's own text")
  func metrics() {
    let service = TestService(probes: .init(metricsText: { "# TYPE a counter\na 1\n" }))
    let answer = service.get("/metrics")
    #expect(answer.status == 200)
    #expect(answer.text == "# TYPE a counter\na 1\n")
    #expect(answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    #expect(answer["Cache-Control"] == "no-store")
    for accept in ["text/plain", "application/openmetrics-text;q=0.9, text/plain;q=0.5", "*/*"] {
      #expect(service.send(.get, "/metrics", headers: [(.accept, accept)]).status == 200)
    }
    service.send(.get, "/metrics", headers: [(.accept, "application/json")])
      .expectProblem(406, "not-acceptable", saying: "text/plain")
  }
}
