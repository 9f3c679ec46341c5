import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

/// What pages may do with credentials.
@Suite struct CredentialTests {
  private static let page = "https://app.example.com"

  private func service(_ origins: String, cors: CORSPolicy = .anyOrigin) -> TestService {
    TestService(configuration: .init(cors: cors, allowedOrigins: AllowedOrigins(origins)))
  }

  @Test("pages of allowed origins may send credentials, all others as before")
  func origins() {
    for (cors, other) in [(CORSPolicy.anyOrigin, "*"), (.off, nil)] {
      let service = service("https://*.example.com, https://a.example", cors: cors)
      for (origin, isAllowed) in [
        (Self.page, true), ("https://a.b.example.com", true), ("https://a.example", true),
        ("https://example.com", false), ("http://app.example.com", false),
        ("https://app.example.com:8443", false), ("https://evil-example.com", false),
        ("https://evil.example/.example.com", false), ("null", false),
      ] {
        let answer = service.send(.get, "/kinds", headers: [(.origin, origin)])
        same(answer["Access-Control-Allow-Origin"], (isAllowed ? origin : other))
        same(answer["Access-Control-Allow-Credentials"], (isAllowed ? "true" : nil))
        same(answer["Vary"]?.contains("Origin"), true)
      }
    }
  }

  @Test("a preflight with credentials allows the fields by name")
  func preflight() {
    let answer = service("https://*.example.com").send(
      .options, "/layouts/grid/prepare",
      headers: [
        (.origin, Self.page), (.accessControlRequestMethod, "POST"),
        ("Access-Control-Request-Headers", "content-type,baggage"),
      ])
    same(answer.status, 204)
    same(answer["Access-Control-Allow-Origin"], Self.page)
    same(answer["Access-Control-Allow-Credentials"], "true")
    same(answer["Access-Control-Allow-Headers"], "content-type,baggage")
  }

  @Test("origins are read from a text")
  func originList() {
    for text in ["https://a.example", "http://localhost:3000,https://*.b.example:8443"] {
      #expect(AllowedOrigins(text) != nil, "\(text)")
    }
    for text in cases("Credential.originList", String.self) {
      same(AllowedOrigins(text), nil, "\(text)")
    }
  }

  private static let keyed = Gateway.Configuration(
    apiKeys: try? APIKeys("a+key/=\nother"), apiKeyCookie: "layoutd")

  @Test(
    "a cookie may have the key of a request that only reads",
    arguments: cases("Credential.cookie", String.self, Bool.self))
  func cookie(field: String, isAdmitted: Bool) {
    let service = TestService(configuration: Self.keyed)
    for method in [MicroHTTP.Method.get, .head] {
      let answer = service.send(method, "/metrics", headers: [("Cookie", field)])
      same(answer.status, (isAdmitted ? 200 : 401))
    }
    // Another site's form could send this with the cookie.
    service.send(
      .post, "/layouts/grid/prepare",
      headers: [("Cookie", field), (.contentType, "application/json")],
      body: Array(Sample.grid.utf8)
    ).expectProblem(401, "unauthorized")
    #expect(service.isUntouched)
    let without = TestService(configuration: .init(apiKeys: try? APIKeys("other")))
    same(without.send(.get, "/metrics", headers: [("Cookie", field)]).status, 401)
  }

  @Test("pages that are isolated may show pictures and load the client")
  func embedding() {
    let service = TestService()
    let path = service.path("grid", Sample.grid)
    for target in ["\(path)/picture", "/client/layoutd.js"] {
      same(service.get(target)["Cross-Origin-Resource-Policy"], "cross-origin", "\(target)")
    }
    same(service.get(path)["Cross-Origin-Resource-Policy"], nil)
  }
}
