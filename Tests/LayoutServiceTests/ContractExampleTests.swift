import MicroHTTP
import ServiceSupport
import TestSupport
import Testing
import WireFormat

@testable import LayoutService

@Suite struct ContractExampleTests {
  private static let id = "3q2-8Zr0TfKcX5uBnJ7sYg"
  private static let preparation = OpenAPI.document["paths"]["/layouts/{kind}/prepare"]["post"]
  static let bodies: [String: JSON] =
    preparation["requestBody"]["content"]["application/json"]["examples"].object
  private static let summaries: JSON =
    preparation["responses"]["201"]["content"]["application/json"]["examples"]
  private static let updates: JSON =
    OpenAPI.document["paths"]["/layouts/{id}/updates"]["post"]["requestBody"]["content"][
      "application/json"]["examples"]
  static let queries: [OpenAPI.Operation] = OpenAPI.operations.filter {
    $0.method == "GET" && !examples(of: $0).isEmpty
  }
  static let changes: [OpenAPI.Operation] = OpenAPI.operations.filter {
    $0.path.hasPrefix("/layouts/{id}") && $0.path != "/layouts/{id}/views"
      && $0.description["requestBody"] != .null
  }

  private static func examples(of operation: OpenAPI.Operation) -> [String: JSON] {
    operation.response("200")["content"]["application/json"]["examples"].object
      .mapValues { OpenAPI.resolved($0) }
  }

  /// The path of the layout that examples of a name are about.
  private func layout(for example: String, _ service: TestService) -> String {
    let kind = Self.summaries[example]["value"]["kind"].string
    let body = Self.bodies[example] ?? Self.bodies["grid"]!
    return service.path(kind ?? "grid", body["value"].text)
  }

  @Test(
    "the bodies are answered with the summaries of their names", arguments: bodies.keys.sorted())
  func prepare(name: String) throws {
    let summary = Self.summaries[name]["value"]
    let kind = try #require(summary["kind"].string)
    let body = Self.bodies[name]!["value"]
    let schema = "Prepare" + kind.prefix(1).uppercased() + kind.dropFirst()
    same(OpenAPI.faults(of: body, as: schema), [])
    same(OpenAPI.faults(of: summary, as: "Summary"), [])

    let answer = TestService().prepare(kind, body.text)
    same(answer.status, 201, "\(answer.text)")
    answer.expectLayoutHeaders()
    let id = try #require(answer.json["id"].string)
    same(answer["Location"], "/layouts/\(id)")
    same(answer["ETag"], "\"\(tag(1))\"")
    same(OpenAPI.faults(of: answer.json, as: "Summary"), [])
    same(withExampleID(answer.json, id), withExampleID(summary, Self.id))
  }

  @Test("every query is answered as written", arguments: queries)
  func query(operation: OpenAPI.Operation) throws {
    for (name, example) in Self.examples(of: operation) {
      let service = TestService()
      let path = layout(for: name, service)
      let updates = Self.updates[name]["value"]["updates"]
      if updates != .null { same(service.update(path, updates.text).status, 200) }
      let answer = service.get(target(of: operation, example: name, path: path))
      expect(answer, describedBy: operation, example: example["value"], path: path, name: name)
    }
  }

  @Test("every change is answered as written", arguments: changes)
  func change(operation: OpenAPI.Operation) throws {
    let answers = Self.examples(of: operation)
    for (type, content) in operation.description["requestBody"]["content"].object {
      same(Set(content["examples"].object.keys), Set(answers.keys))
      for (name, example) in content["examples"].object {
        let service = TestService()
        let path = layout(for: name, service)
        same(OpenAPI.faults(of: example["value"], against: content["schema"], at: ""), [])
        let answer = service.send(
          Method(rawValue: operation.method), target(of: operation, example: name, path: path),
          headers: [(.contentType, type), (.ifMatch, "\"\(tag(1))\"")],
          body: Array(example["value"].text.utf8))
        let expected = try #require(answers[name])["value"]
        expect(answer, describedBy: operation, example: expected, path: path, name: name)
        same(answer["ETag"], "\"\(expected["versionTag"].string ?? "")\"")
      }
    }
  }

  /// That an answer is the example, and both are what the operation describes.
  private func expect(
    _ answer: Answer, describedBy operation: OpenAPI.Operation, example: JSON, path: String,
    name: String
  ) {
    let response = operation.response("200")
    let schema = response["content"]["application/json"]["schema"]
    let id = String(path.dropFirst("/layouts/".count))
    same(OpenAPI.faults(of: example, against: schema, at: ""), [], "\(name)")
    same(answer.status, 200, "\(name): \(answer.text)")
    expectHeaders(of: answer, described: response)
    same(OpenAPI.faults(of: answer.json, against: schema, at: ""), [], "\(name)")
    same(withExampleID(answer.json, id), withExampleID(example, Self.id), "\(name)")
  }

  private func expectHeaders(of answer: Answer, described response: JSON) {
    let described = response["headers"].object.keys.map { $0.lowercased() } + ["content-type"]
    #expect(Set(described).isSuperset(of: answer.headers.keys), "\(answer.headers)")
    for (name, header) in response["headers"].object {
      let header = OpenAPI.resolved(header)
      guard let value = answer[name] else {
        #expect(header["required"] != true, "no \(name)")
        continue
      }
      let schema = header["schema"]
      same(OpenAPI.faults(of: .string(value), against: schema, at: name), [])
    }
  }

  /// The operation's path with the parameters' examples of one name.
  private func target(
    of operation: OpenAPI.Operation, example: String, path layout: String
  ) -> String {
    var path = operation.path.replacing("/layouts/{id}", with: layout)
    var query: [String] = []
    for parameter in operation.parameters {
      let value = parameter["examples"][example]["value"]
      guard let name = parameter["name"].string, value != .null else { continue }
      let values = value.array.isEmpty ? [value] : value.array
      let texts = values.map { $0.string ?? $0.integer.map { "\($0)" } ?? $0.text }
      if parameter["in"] == "path" {
        path = path.replacing("{\(name)}", with: texts[0])
      } else if parameter["explode"] == false {
        query.append("\(name)=\(texts.joined(separator: ","))")
      } else {
        query += texts.map { "\(name)=\($0)" }
      }
    }
    return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
  }

  /// An answer without what may differ from the example's, and with its id in place of another.
  private func withExampleID(_ answer: JSON, _ id: String) -> JSON {
    switch answer.removing("memoryBytes") {
    case .string(let text): .string(text.replacing(id, with: Self.id))
    case .array(let elements): .array(elements.map { withExampleID($0, id) })
    case .object(let members): .object(members.mapValues { withExampleID($0, id) })
    case let other: other
    }
  }

  // MARK: Problems

  /// How each type of problem comes about, but for those of the connection.
  private static let causes: [String: @Sendable (TestService, String) -> Answer] = [
    "unknown-host": { _, _ in
      TestService(configuration: .init(allowedHosts: .loopback)).send(
        .get, "/metrics", headers: [(.host, "evil.example")])
    },
    "no-such-path": { service, _ in service.get("/layout") },
    "unknown-kind": { service, _ in service.prepare("table", "{}") },
    "no-such-layout": { service, _ in service.get("/layouts/\(id)") },
    "no-such-element": { $0.get("\($1)/items/1/7") },
    "method-not-allowed": { $0.send(.post, $1) },
    "not-acceptable": { service, _ in
      service.send(.get, "/kinds", headers: [(.accept, "text/html")])
    },
    "unsupported-media-type": { service, _ in
      service.send(.post, "/layouts/grid/prepare", headers: [(.contentType, "text/plain")])
    },
    "invalid-rect": { $0.get("\($1)/elements?rect=0,0,320") },
    "invalid-known": { $0.get("\($1)/elements?rect=0,0,320,480&known=0,0,-1,480") },
    "invalid-anchor": { $0.get("\($1)/elements?rect=0,0,320,480&anchor=") },
    "invalid-transitions": { $0.get("\($1)/elements?rect=0,0,320,480&transitions=true") },
    "invalid-parts": { $0.get("\($1)/elements?rect=0,0,320,480&parts=1") },
    "invalid-summary": { $0.get("\($1)/elements?rect=0,0,320,480&summary=1") },
    "invalid-arrange": { $0.get("\($1)?arrange=1") },
    "invalid-data": { $0.get("\($1)/elements?rect=0,0,320,480&data=1") },
    "invalid-from": { $0.get("\($1)/ids?to=a") },
    "invalid-key": { $0.get("\($1)/items?key=a") },
    "invalid-upTo": { $0.get("\($1)/items?key=a&upTo=%FF") },
    "invalid-to": { $0.get("\($1)/ids?from=a") },
    "invalid-section": { $0.get("\($1)/ids?section=first") },
    "invalid-marks": { $0.get("\($1)/sections?marks=0") },
    "invalid-text": { $0.get("\($1)/find?text=") },
    "invalid-name": { $0.get("\($1)/find?text=a&name=") },
    "invalid-exact": { $0.get("\($1)/find?text=a&exact=1") },
    "invalid-back": { $0.get("\($1)/find?text=a&back=1") },
    "invalid-since": { $0.get("\($1)/elements?rect=0,0,320,480&since=1") },
    "invalid-lastEventId": { $0.get("\($1)/events?lastEventId=x") },
    "invalid-layout": { service, _ in service.get("/events?layout=1") },
    "invalid-version": { $0.get("\($1)/elements?rect=0,0,320,480&version=2") },
    "invalid-category": { $0.get("\($1)/elements?rect=0,0,320,480&category=header") },
    "invalid-limit": { $0.get("\($1)/elements?rect=0,0,320,480&limit=0") },
    "invalid-cursor": { $0.get("\($1)/elements?rect=0,0,320,480&cursor=2") },
    "invalid-id": { $0.get("\($1)/items?id=") },
    "invalid-changes": { service, _ in service.get("/readyz?changes=1") },
    "invalid-ordinal": { $0.get("\($1)/items?ordinal=-1") },
    "invalid-parameter": { service, _ in service.get("/kinds?pretty") },
    "invalid-f": { service, _ in service.get("/?f=xml") },
    "precondition-failed": { $0.send(.delete, $1, headers: [(.ifMatch, "\"\(tag(2))\"")]) },
    "not-json": { service, _ in service.prepare("grid", #"{"bounds": {"width": 320,}}"#) },
    "invalid-body": { service, _ in
      service.prepare(
        "waterfall",
        #"{"bounds": {"width": 320}, "sections": [{"items": [{"height": -3}]}]}"#)
    },
    "too-many-items": { service, _ in
      service.prepare("gallery", #"{"bounds": {"width": 320}, "sections": [{"items": 10000001}]}"#)
    },
    "version-gone": { service, path in
      _ = service.touch(path)
      return service.get("\(path)/elements?rect=0,0,320,480&version=1")
    },
    "read-only-view": { service, path in
      service.update(service.view(of: path, "{}")["Location"] ?? "", "[]")
    },
    "impossible-view": { service, path in
      let view = service.view(of: path, #"{"bounds": {"width": 50}}"#)["Location"] ?? ""
      _ = service.update(
        path, #"[{"setSection": {"at": 0, "options": {"sectionInset": {"left": 60}}}}]"#)
      return service.get(view)
    },
    "layout-too-large": { service, _ in
      var response = service.service.response(
        to: Problem.layoutTooLarge(bytes: 1_080_000_784, limit: 1 << 30))
      response.requestID = "1"
      Problem.add(requestID: "1", to: &response.body)
      return Answer(response)
    },
    "unauthorized": { _, _ in
      TestService(configuration: .init(apiKeys: try? APIKeys("key"))).get("/metrics")
    },
    "unsupported-content-coding": { service, _ in
      service.send(
        .post, "/layouts/grid/prepare",
        headers: [(.contentType, "application/json"), (.contentEncoding, "br")])
    },
    "not-gzip": { service, _ in
      service.send(
        .post, "/layouts/grid/prepare",
        headers: [(.contentType, "application/json"), (.contentEncoding, "gzip")],
        body: Array(Sample.grid.utf8))
    },
    "store-unavailable": { _, _ in
      TestService(sessionLog: AbsentLog()).get("/readyz?changes=true")
    },
    "not-ready": { _, _ in
      TestService(probes: .init(isReady: { false })).get("/readyz")
    },
  ]

  private static let transportProblems: [String: TransportProblem] = [
    "content-too-large": .contentTooLarge(limit: 64 << 20),
    "length-required": .lengthRequired,
    "malformed-request": .malformedRequest(
      reason: "the request target has to begin with a slash"),
    "header-fields-too-large": .headerFieldsTooLarge(limit: 16384),
    "uri-too-long": .targetTooLong(limit: 8192),
    "request-timeout": .requestTimeout,
    "overloaded": .overloaded(retryAfterSeconds: 1),
    "buffers-full": .buffersFull,
    "stopping": .stopping,
    "too-many-connections": .tooManyConnections,
    "too-many-event-streams": .tooManyStreams,
  ]

  static let problems: [String: JSON] = OpenAPI.document["components"]["examples"].object.filter {
    $0.value["value"]["type"] != .null
  }

  @Test("there is an example of each type of problem")
  func problemTypes() {
    let known = Set(Self.causes.keys).union(Self.transportProblems.keys)
    same(Set(Self.problems.keys), known)
    same(Set(ProblemType.all.map(\.code)), known)
    same(ProblemType.all.count, known.count)
    // A status without a phrase would not be counted.
    for type in ProblemType.all {
      #expect(Status.named.contains(Status(rawValue: type.status)))
    }
  }

  @Test("a problem's type is the address of what it means", arguments: problems.keys.sorted())
  func problemType(code: String) throws {
    let example = Self.problems[code]!["value"]
    let service = TestService()
    let answer = service.get(try #require(example["type"].string))
    same(answer.status, 200)
    same(OpenAPI.faults(of: answer.json, as: "ProblemType"), [])
    for member in ["type", "title", "status"] { same(answer.json[member], example[member]) }
    service.get("/problems/\(code)-not").expectProblem(404, "no-such-path")
  }

  @Test("every problem is told as written", arguments: problems.keys.sorted())
  func problem(code: String) throws {
    let service = TestService()
    let path = service.path("grid", Sample.grid)
    let example = Self.problems[code]!["value"]
    let answer: Answer
    if let problem = Self.transportProblems[code] {
      answer = Answer(service.gateway.response(to: problem, request: nil))
    } else {
      let cause = try #require(Self.causes[code])
      answer = cause(service, path)
    }
    answer.expectProblem(try #require(example["status"].integer), code)
    same(OpenAPI.faults(of: example, as: "Problem"), [])
    same(answer.json.removing("requestId"), example.removing("requestId"))
    same((answer["Retry-After"] != nil), answer.status == 503)
  }

  @Test("an operation's problems have the status under which they stand")
  func statuses() {
    for operation in OpenAPI.operations {
      for (status, response) in operation.description["responses"].object {
        // An answer is counted under the statuses that have a phrase.
        if let code = Int(status) { #expect(!Status(rawValue: code).reasonPhrase.isEmpty) }
        let content = OpenAPI.resolved(response)["content"]["application/problem+json"]
        for (code, example) in content["examples"].object {
          let problem = OpenAPI.resolved(example)["value"]
          same(problem["type"].string, "/problems/\(code)")
          guard let status = Int(status) else { continue }
          same(problem["status"].integer, status, "\(operation.testDescription): \(code)")
        }
      }
    }
  }
}
