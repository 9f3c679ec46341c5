import Foundation
import Logging
import ServiceSupport
import Synchronization
import TestSupport
import Testing

@testable import LayoutService
@testable import MicroHTTP

@Suite struct GatewayTests {
  // MARK: Request ids

  @Test(
    "a request's own id comes back, in the field and in a problem",
    arguments: ["1", "9c1b5f0e7a3d2468-1f", "\"}{,\\'~!", String(repeating: "x", count: 128)])
  func givenID(id: String) {
    let service = TestService()
    let path = service.path("grid", Sample.grid)
    let headers = [(FieldName.xRequestID, id)]
    same(service.send(.get, path, headers: headers)["X-Request-Id"], id)
    same(service.send(.options, path, headers: headers)["X-Request-Id"], id)
    same(service.send(.delete, path, headers: headers)["X-Request-Id"], id)
    let problem = service.send(.get, path, headers: headers)
    problem.expectProblem(404, "no-such-layout")
    same(problem.json["requestId"].string, id)
    let refused = service.send(.post, "/layouts/grid/prepare", headers: headers)
    refused.expectProblem(415, "unsupported-media-type")
    same(refused["X-Request-Id"], id)
    let work = service.send(
      .post, "/layouts/justified/prepare",
      headers: headers + [(.contentType, "application/json")],
      body: Array(#"{"bounds": {"width": 320}, "sections": [{"items": 5000}]}"#.utf8))
    #expect(work.wasDeferred)
    same(work["X-Request-Id"], id)
  }

  @Test(
    "a request without an id, or with one that cannot be one, is given one",
    arguments: [nil, "", "a b", "a\tb", "é", "\u{7F}", String(repeating: "x", count: 129)])
  func madeID(given: String?) throws {
    let service = TestService()
    let schema = OpenAPI.document["components"]["headers"]["RequestID"]["schema"]
    let ids = try (0..<5).map { _ in
      let headers = given.map { [(FieldName.xRequestID, $0)] } ?? []
      return try #require(service.send(.get, "/healthz", headers: headers)["X-Request-Id"])
    }
    for id in ids { same(OpenAPI.faults(of: .string(id), against: schema, at: ""), []) }
    same(Set(ids).count, ids.count)
    if let given { #expect(!ids.contains(given)) }
  }

  @Test("every answer of a daemon has an id, those of the connection too")
  func idOfEveryAnswer() throws {
    try withDaemon(TestService().gateway) { port in
      func id(_ answer: Answer) -> String { answer["X-Request-Id"] ?? "none" }
      let id = ("X-Request-Id", "mine")
      let client = try HTTPClient(port: port)
      let created = try client.send(
        "POST", "/layouts/grid/prepare", headers: [("Content-Type", "application/json"), id],
        body: Sample.grid)
      let path = try #require(created["Location"])
      var answers = [created]
      answers.append(
        try client.send("GET", "\(path)/items/0/0", headers: [id, ("If-None-Match", "*")]))
      answers.append(try client.send("HEAD", path, headers: [id]))
      answers.append(try client.send("DELETE", path, headers: [id]))
      same(answers.map(\.status), [201, 304, 200, 204])
      for answer in answers { same(answer["X-Request-Id"], "mine") }
      let lengthless = try HTTPClient(port: port).send(
        "POST", "/layouts/grid/prepare", headers: [("Content-Type", "application/json"), id])
      lengthless.expectProblem(411, "length-required")
      same(lengthless["X-Request-Id"], "mine")
      try HTTPClient(port: port).send("GET", "/\(String(repeating: "x", count: 9000))")
        .expectProblem(414, "uri-too-long")
    }
  }

  @Test("requests that take too long are answered, and logged, with an id each")
  func idsOfTimeouts() throws {
    let log = RecordingLog()
    let service = TestService(configuration: .init(logsAccess: true), log: log)
    let daemon = try Daemon(
      configuration: DaemonConfiguration(port: 0, requestTimeout: .milliseconds(40)),
      responder: service.gateway)
    defer { daemon.shutDown(grace: .seconds(5)) }
    let clients = try (0..<20).map { _ in try RawClient(port: daemon.port) }
    for (index, client) in clients.enumerated() {
      let fields = "HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine-\(index)\r\n"
      client.send(
        index % 2 == 0
          ? "GET /healthz \(fields)"
          : "POST /layouts/grid/prepare \(fields)Content-Type: application/json\r\n"
            + "Content-Length: 9\r\n\r\n")
    }
    let answers = try clients.map { try $0.answer() }
    #expect(answers.allSatisfy { $0.status == 408 })
    let ids = Set(answers.compactMap { $0.headers["x-request-id"] })
    same(ids.count, clients.count)
    #expect(eventually { log.entries.withLock { $0.count } == clients.count })
    let logged = log.entries.withLock { $0.compactMap { $0.metadata["request_id"] } }
    same(Set(logged.map { "\($0)" }), ids)
  }

  // MARK: CORS

  private static let page = "https://pages.example"
  private static let preflight: [(FieldName, String)] = [
    (.origin, page), (.accessControlRequestMethod, "PATCH"),
    ("Access-Control-Request-Headers", "content-type"),
  ]

  private func service(_ cors: CORSPolicy) -> TestService {
    TestService(configuration: .init(cors: cors))
  }

  @Test("an answer says which pages may read it, and which of its fields")
  func cors() {
    for (policy, expected) in [
      (CORSPolicy.anyOrigin, "*"), (.origins([Self.page, "http://localhost:1"]), Self.page),
      (.origins(["https://other.example"]), nil), (.off, nil),
    ] {
      let service = service(policy)
      let path = service.path("grid", Sample.grid)
      for target in [path, "/nope", "\(path)/elements", "/healthz"] {
        let answer = service.send(.get, target, headers: [(.origin, Self.page)])
        same(answer["Access-Control-Allow-Origin"], expected)
        same(
          answer["Access-Control-Expose-Headers"],
          expected.map { _ in "ETag, Layoutd-Store, Location, Retry-After, X-Request-Id" })
        same(answer["Access-Control-Allow-Methods"], nil)
        same(service.get(target)["Access-Control-Allow-Origin"], nil)
      }
    }
  }

  @Test(
    "answers to what is no proper request may be read, too, and are problem documents",
    arguments: [CORSPolicy.anyOrigin, .origins([page])])
  func corsOfTransport(policy: CORSPolicy) throws {
    let gateway = service(policy).gateway
    let known = Request(
      target: RequestTarget("/"),
      headers: HeaderFields([(.origin, Self.page), (.xRequestID, "mine")]))
    for problem in [
      TransportProblem.requestTimeout, .contentTooLarge(limit: 1), .headerFieldsTooLarge(limit: 1),
      .malformedRequest(reason: "no"), .tooManyConnections, .stopping, .buffersFull,
    ] {
      for request in [known, nil] {
        let answer = Answer(gateway.response(to: problem, request: request))
        // Of an unknown request, nobody knows the page.
        let allowed = policy == .anyOrigin ? "*" : request == nil ? nil : Self.page
        same(answer["Access-Control-Allow-Origin"], allowed)
        same((answer["Access-Control-Expose-Headers"] != nil), (allowed != nil))
        same(answer["Content-Type"], "application/problem+json")
        same(answer.json["status"], .number(Double(answer.status)))
        same(answer.json["requestId"].string, answer["X-Request-Id"])
        if request != nil { same(answer["X-Request-Id"], "mine") }
      }
    }
  }

  @Test(
    "so it is on a connection, while libmicrohttpd has room for the header section",
    arguments: [CORSPolicy.anyOrigin, .origins([page])])
  func corsOnConnection(policy: CORSPolicy) throws {
    let daemon = try Daemon(
      configuration: DaemonConfiguration(
        port: 0, maxBodyBytes: 100, maxConnections: 3, maxHeaderBytes: 4096, maxTargetBytes: 300),
      responder: service(policy).gateway)
    defer { daemon.shutDown(grace: .seconds(5)) }
    let head = "HTTP/1.1\r\nHost: a\r\nOrigin: \(Self.page)\r\n"
    let post = "POST /layouts/grid/prepare \(head)Content-Type: application/json\r\n"
    let long = String(repeating: "x", count: 4200)
    for (request, status) in [
      ("\(post)Content-Length: 101\r\n\r\n\(long.prefix(101))", 413),
      ("\(post)Content-Length: 99999999\r\n\r\n", 413),
      ("\(post)Transfer-Encoding: chunked\r\n\r\nFF\r\n\(long.prefix(255))\r\n0\r\n\r\n", 413),
      ("GET / \(head)X: \(long)\r\n\r\n", 431), ("GET /\(long.prefix(301)) \(head)\r\n", 414),
      ("GET / \(head)Host: b\r\n\r\n", 400), ("\(post)\r\n", 411),
    ] {
      let client = try RawClient(port: daemon.port)
      client.send(request)
      let answer = try client.answer()
      same(answer.status, status, "\(request.prefix(200))")
      let allowed = policy == .anyOrigin ? "*" : Self.page
      same(answer.headers["access-control-allow-origin"], allowed, "\(request.prefix(200))")
      same(answer.headers["content-type"], "application/problem+json")
    }
    #expect(eventually { daemon.connectionCount == 0 })
    let others = try (0..<3).map { _ in try RawClient(port: daemon.port) }
    #expect(eventually { daemon.connectionCount == 3 })
    let refused = try RawClient(port: daemon.port).answer()
    same(refused.status, 503)
    same(refused.headers["access-control-allow-origin"], (policy == .anyOrigin ? "*" : nil))
    #expect(refused.body.contains("too-many-connections"))
    withExtendedLifetime(others) {}
  }

  @Test("an answer that depends on the request's coding or origin says so")
  func vary() {
    let service = service(.origins([Self.page]))
    let path = service.path("grid", Sample.grid)
    let tag = service.get("\(path)/items/0/0", ifNoneMatch: "*")
    for answer in [service.get(path), tag, service.get("\(path)/elements?rect=0,0,320,480")] {
      same(answer["Vary"], "Accept, Accept-Encoding, Origin")
    }
  }

  @Test("a preflight is answered on any path, with what the operations take")
  func preflight() throws {
    for policy in [CORSPolicy.anyOrigin, .origins([Self.page])] {
      let service = service(policy)
      for target in ["/", "/nope", "/layouts/x", "*"] {
        let answer = service.send(.options, target, headers: Self.preflight)
        same(answer.status, 204)
        same(answer.body, [])
        same(answer["Access-Control-Allow-Origin"], (policy == .anyOrigin ? "*" : Self.page))
        let methods = try #require(answer["Access-Control-Allow-Methods"])
          .split(separator: ", ").map { String($0) }
        same(Set(methods), Set(OpenAPI.allOperations.map(\.method)))
        // The asterisk does not stand for Authorization.
        same(
          answer["Access-Control-Allow-Headers"],
          (policy == .anyOrigin ? "*, Authorization" : "content-type"))
        #expect(answer["Access-Control-Max-Age"].flatMap { Int($0) } ?? 0 > 0)
      }
    }
    let refused = service(.origins(["https://other.example"]))
      .send(.options, "/", headers: Self.preflight)
    same(refused["Access-Control-Allow-Origin"], nil)
  }

  @Test(
    "a page may send any field, those of tracing libraries too",
    arguments: cases("Gateway.preflightFields", String.self))
  func preflightFields(wanted: String) throws {
    let headers = Array(Self.preflight.dropLast()) + [("Access-Control-Request-Headers", wanted)]
    for policy in [CORSPolicy.anyOrigin, .origins([Self.page])] {
      let answer = service(policy).send(.options, "/layouts/grid/prepare", headers: headers)
      let allowed = try #require(answer["Access-Control-Allow-Headers"])
        .split(separator: ",").map { $0.drop { $0 == " " }.lowercased() }
      for field in wanted.split(separator: ",").map({ $0.drop { $0 == " " } }) {
        #expect(allowed.contains { $0 == field || $0 == "*" && field != "authorization" })
      }
    }
    let plain = service(.origins([Self.page])).send(
      .options, "/", headers: Array(Self.preflight.dropLast()))
    same(plain["Access-Control-Allow-Headers"], nil)
  }

  @Test("an OPTIONS that is no preflight is answered with what the path has")
  func plainOptions() {
    for (policy, headers) in [
      (CORSPolicy.off, Self.preflight), (.anyOrigin, [(.origin, Self.page)]),
      (.anyOrigin, Array(Self.preflight.dropFirst())),
    ] {
      let answer = service(policy).send(.options, "/healthz", headers: headers)
      same(answer.status, 204)
      same(answer["Allow"], "GET, HEAD, OPTIONS")
      same(answer["Access-Control-Allow-Methods"], nil)
    }
  }

  @Test("a policy is read from a text")
  func policy() {
    same(CORSPolicy("off"), .off)
    same(CORSPolicy("*"), .anyOrigin)
    same(CORSPolicy("https://a.example"), .origins(["https://a.example"]))
    same(
      CORSPolicy("https://a.example, http://b.example:8080"),
      .origins(["https://a.example", "http://b.example:8080"]))
    same(CORSPolicy("http://[::1]:8080"), .origins(["http://[::1]:8080"]))
    for text in cases("Gateway.policy", String.self) {
      same(CORSPolicy(text), nil, "\(text)")
    }
  }

  // MARK: Keys

  private static let keyed = Gateway.Configuration(apiKeys: try? APIKeys("first-key\nsecond-key\n"))

  @Test("without a key only what the contract leaves open is answered")
  func noKey() {
    let service = TestService(configuration: Self.keyed)
    for operation in OpenAPI.allOperations {
      let method = MicroHTTP.Method(rawValue: operation.method)
      let answer = service.send(method, operation.path)
      if operation.description["security"] == [] {
        #expect(answer.status != 401, "\(operation.testDescription)")
      } else {
        answer.expectProblem(401, "unauthorized", saying: "Authorization: Bearer")
        same(answer["WWW-Authenticate"], #"Bearer realm="layoutd""#)
      }
      let withKey = service.send(
        method, operation.path, headers: [(.authorization, "Bearer second-key")])
      #expect(withKey.status != 401, "\(operation.testDescription)")
    }
  }

  @Test(
    "only a request that has sent a token is told that it is wrong",
    arguments: cases("Gateway.challenge", String?.self, Bool.self))
  func challenge(authorization: String?, hasToken: Bool) {
    // RFC 6750, section 3.1.
    let service = TestService(configuration: Self.keyed)
    let headers = authorization.map { [(FieldName.authorization, $0)] } ?? []
    let answer = service.send(.get, "/metrics", headers: headers)
    answer.expectProblem(401, "unauthorized")
    let error = hasToken ? #", error="invalid_token""# : ""
    same(answer["WWW-Authenticate"], #"Bearer realm="layoutd""# + error)
    let schema = OpenAPI.document["components"]["responses"]["Unauthorized"]["headers"][
      "WWW-Authenticate"]["schema"]
    let challenge = JSON.string(answer["WWW-Authenticate"] ?? "")
    same(OpenAPI.faults(of: challenge, against: schema, at: ""), [])
  }

  @Test("what is open stays open however its path is encoded, and nothing else does")
  func encodedOpenPaths() {
    let service = TestService(configuration: Self.keyed)
    for path in cases("Gateway.encodedOpenPaths", String.self) {
      same(service.get(path).status, 200, "\(path)")
    }
    for path in ["/healthz%2F", "/%2Fhealthz", "/healthz%", "/%6Detrics", "/healthz/%2e%2e/"] {
      service.get(path).expectProblem(401, "unauthorized")
    }
  }

  @Test("a preflight carries no key and needs none")
  func keylessPreflight() {
    let service = TestService(configuration: Self.keyed)
    for target in ["/", "/layouts/AAAAAAAAAAAAAAAAAAAAAA"] {
      let answer = service.send(.options, target, headers: Self.preflight)
      same(answer.status, 204)
      #expect(answer["Access-Control-Allow-Methods"] != nil)
    }
    let closed = TestService(configuration: .init(cors: .off, apiKeys: try? APIKeys("key")))
    closed.send(.options, "/metrics", headers: Self.preflight).expectProblem(401, "unauthorized")
  }

  @Test(
    "one of the keys is needed, whole", arguments: cases("Gateway.key", String?.self, Bool.self))
  func key(authorization: String?, isAdmitted: Bool) {
    let service = TestService(configuration: Self.keyed)
    let headers = authorization.map { [(FieldName.authorization, $0)] } ?? []
    same(service.send(.get, "/metrics", headers: headers).status, (isAdmitted ? 200 : 401))
    let prepared = service.send(
      .post, "/layouts/grid/prepare", headers: headers + [(.contentType, "application/json")],
      body: Array(Sample.grid.utf8))
    same(prepared.status, (isAdmitted ? 201 : 401))
    same(service.isUntouched, !isAdmitted)
  }

  @Test("the refusal tells nothing of what there is, nor of how wrong the key is")
  func constantRefusal() {
    let service = TestService(configuration: Self.keyed)
    let created = service.send(
      .post, "/layouts/grid/prepare",
      headers: [(.contentType, "application/json"), (.authorization, "Bearer first-key")],
      body: Array(Sample.grid.utf8))
    let path = created["Location"] ?? ""
    var answers: [Answer] = []
    for target in [path, "/layouts/AAAAAAAAAAAAAAAAAAAAAA", "/nope", "/metrics?unknown"] {
      for authorization in ["Bearer first-kez", "Bearer x", "Bearer 1234567890"] {
        for method in [Method.get, .delete, .post] {
          answers.append(
            service.send(
              method, target, headers: [(.authorization, authorization), (.xRequestID, "1")]))
        }
      }
    }
    for answer in answers {
      same(answer.status, 401)
      same(answer.headers, answers[0].headers)
      same(answer.body, answers[0].body)
    }
  }

  @Test("keys are read from a text, a line each")
  func keys() throws {
    for text in ["", "\n \n", "# only a comment"] {
      #expect(throws: APIKeyError.noKey, "\(text)") { try APIKeys(text) }
    }
    for text in ["\nschlüssel", "\na\u{1}b", "a\r\nkey with space", "# mine\nkey\twith\ttab\nb"] {
      #expect(throws: APIKeyError.unusableKey(line: 2), "\(text)") { try APIKeys(text) }
    }
    same(
      APIKeyError.unusableKey(line: 2).description,
      "line 2 is not one key of visible ASCII characters")
    let keys = try APIKeys("# mine\r\n  a \r\n\n\tb\n")
    #expect(keys.admits("Bearer a") && keys.admits("Bearer b"))
    #expect(!keys.admits("Bearer # mine") && !keys.admits("Bearer ab"))
  }

  // MARK: Logs

  @Test("a request without an answer is logged with the client's own id")
  func logWithoutAnswer() {
    for (sent, expected) in [("mine", "mine"), ("not one", nil), (nil, nil)] as [(String?, String?)]
    {
      let log = RecordingLog()
      let service = TestService(configuration: .init(logsAccess: true), log: log)
      let fields = sent.map { [(FieldName.xRequestID, $0)] } ?? []
      service.gateway.requestCompleted(
        RequestRecord(
          request: Request(target: RequestTarget("/x"), headers: HeaderFields(fields)),
          status: nil, isComplete: false, bytesReceived: 1, bytesSent: 0,
          nanoseconds: 1))
      let entry = log.entries.withLock { $0.first }
      same(entry?.metadata["request_id"].map { "\($0)" }, expected)
    }
  }

  @Test("bytes of method and target that are not visible are logged percent-encoded")
  func logOfInvisibleBytes() {
    let log = RecordingLog()
    let service = TestService(configuration: .init(logsAccess: true), log: log)
    let target = Array("/a\r\n status=200\u{1B}[2J\u{9B}K\t\u{7F}%20\"é~!?x=1".utf8) + [0xFF]
    service.gateway.requestCompleted(
      RequestRecord(
        request: Request(
          method: Method(rawValue: "GET\rtarget=/x\u{85}"), target: RequestTarget(target)),
        status: 400, isComplete: true, bytesReceived: 1, bytesSent: 1, nanoseconds: 1))
    let entry = log.entries.withLock { $0.first }
    same(entry?.metadata["method"], "GET%0Dtarget=/x%C2%85")
    same(entry?.metadata["target"], "/a%0D%0A%20status=200%1B[2J%C2%9BK%09%7F%20\"%C3%A9~!?x=1%FF")
  }

  @Test("of a later version's traceparent what every version has is logged")
  func logOfLaterTrace() {
    let known = "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    for (sent, expected) in [
      (known, known), ("\(known)-", known), ("\(known)-a request_id=forged", known),
      ("\(known)a", nil), ("\(known) -a", nil),
    ] {
      let log = RecordingLog()
      let service = TestService(configuration: .init(logsAccess: true), log: log)
      service.gateway.requestCompleted(
        RequestRecord(
          request: Request(
            target: RequestTarget("/x"), headers: HeaderFields([(.traceparent, sent)])),
          status: .ok, isComplete: true, bytesReceived: 1, bytesSent: 1, nanoseconds: 1))
      let entry = log.entries.withLock { $0.first }
      same(entry?.metadata["traceparent"].map { "\($0)" }, expected)
    }
  }

  @Test("an answer that broke off is told from one that was sent")
  func logOfBrokenOff() {
    let log = RecordingLog()
    let service = TestService(configuration: .init(logsAccess: true), log: log)
    for isComplete in [true, false] {
      service.gateway.requestCompleted(
        RequestRecord(
          request: Request(target: RequestTarget("/x")), status: .ok, isComplete: isComplete,
          bytesReceived: 1, bytesSent: 2, nanoseconds: 1))
    }
    let entries = log.entries.withLock { $0 }
    same(entries.map { $0.metadata["complete"] }, [nil, .stringConvertible(false)])
  }

  @Test("requests are logged when that is asked for, failures of the server always")
  func log() {
    for logsAccess in [false, true] {
      let log = RecordingLog()
      let service = TestService(configuration: .init(logsAccess: logsAccess), log: log)
      for status in [Status.ok, 404, 500, .serviceUnavailable] {
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        service.gateway.requestCompleted(
          RequestRecord(
            request: Request(
              target: RequestTarget("/x"), headers: HeaderFields([(.traceparent, trace)])),
            requestID: "mine", status: status, isComplete: true, bytesReceived: 1, bytesSent: 2,
            nanoseconds: 3000))
      }
      let entries = log.entries.withLock { $0 }
      let levels: [Logger.Level] = logsAccess ? [.info, .info, .error, .error] : [.error, .error]
      same(entries.map(\.level), levels)
      #expect(entries.allSatisfy { $0.metadata["request_id"] == "mine" })
      #expect(entries.allSatisfy { $0.metadata["traceparent"] != nil })
      same(entries.last?.metadata["status"], .stringConvertible(503))
      same(entries.last.map { "\($0.metadata["microseconds"] ?? "")" }.flatMap(Double.init), 3)
    }
  }
}

/// Keeps what is logged.
private final class RecordingLog: LogHandler {
  struct Entry: Sendable {
    var level: Logger.Level
    var metadata: Logger.Metadata
  }

  let entries = Mutex<[Entry]>([])
  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    entries.withLock { $0.append(Entry(level: event.level, metadata: event.metadata ?? [:])) }
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
