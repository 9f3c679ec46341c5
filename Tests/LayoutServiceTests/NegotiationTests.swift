import Foundation
import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite struct NegotiationTests {
  private let service = TestService()
  private let path: String

  init() {
    path = service.path("grid", Sample.grid)
  }

  // MARK: Paths

  @Test(
    "a path that there is not is told so", arguments: cases("Negotiation.noSuchPath", String.self))
  func noSuchPath(path: String) {
    for method in [Method.get, .head, .post, .delete, .options, Method(rawValue: "BREW")] {
      service.send(method, path).expectProblem(404, "no-such-path", saying: path, "GET /")
    }
  }

  @Test("a slash behind a layout's path is another path")
  func trailingSlash() {
    for path in ["\(path)/", "\(path)/elements/?rect=0,0,1,1", "\(path)/items/0/0/"] {
      service.get(path).expectProblem(404, "no-such-path")
    }
  }

  @Test(
    "a kind that there is not is told so, with those that there are",
    arguments: ["table", "Grid", "grid%20", "%20", "%zz", "%ff", "tree%2F"])
  func unknownKind(kind: String) {
    let kept = service.sessions.statistics
    let answer = service.prepare(kind, Sample.grid)
    answer.expectProblem(404, "unknown-kind", saying: "grid, list, waterfall", "tree")
    same(service.sessions.statistics, kept)
  }

  @Test("a kind may be percent-encoded")
  func encodedKind() {
    same(service.prepare("%67rid", Sample.grid).status, 201)
  }

  @Test("a path is the same with its letters, digits and -._~ percent-encoded")
  func encodedPath() throws {
    func encoded(_ path: String) -> String {
      path.utf8.map {
        $0 == UInt8(ascii: "/")
          ? "/" : String(format: $0 % 2 == 0 ? "%%%02X" : "%%%02x", Int($0))
      }.joined()
    }
    for target in [
      "/healthz", "/readyz", "/metrics", "/openapi.yaml", "/problems/not-json", path,
      "\(path)/items/1/0",
      "\(path)/supplementary/header/0/0", "\(path)/decorations/background/0/0",
    ] {
      let answer = service.get(encoded(target))
      same(answer.status, 200, "\(encoded(target))")
      same(answer.body, service.get(target).body)
    }
    same(service.get("\(encoded(path))/%65lements?rect=0,0,1,1").status, 200)
    same(service.get("http://host\(encoded(path))").status, 200)
    service.send(.post, encoded(path)).expectProblem(405, "method-not-allowed")
    same(service.send(.delete, encoded(path)).status, 204)
  }

  @Test("an encoded slash stays inside its segment")
  func encodedSlash() {
    service.get("\(path)/items/0%2F0").expectProblem(404, "no-such-path", saying: "0%2F0")
    service.get("\(path)/decorations/back%2Fground/0/0").expectProblem(
      404, "no-such-element", saying: "back/ground")
    service.get("\(path)/supplementary/%zz/0/0").expectProblem(
      404, "no-such-element", saying: "\"%zz\"")
  }

  @Test(
    "a layout that there is not is told so",
    arguments: cases("Negotiation.noSuchLayout", String.self))
  func noSuchLayout(id: String) {
    for path in [
      "/layouts/\(id)", "/layouts/\(id)/elements?rect=bad", "/layouts/\(id)/items/0/0",
      "/layouts/\(id)/supplementary/header/0/0", "/layouts/\(id)/decorations/background/0/0",
      "/layouts/\(id)/items?id=a",
    ] {
      service.get(path).expectProblem(404, "no-such-layout", saying: "Prepare it again")
    }
    service.patch("/layouts/\(id)", "{}").expectProblem(404, "no-such-layout")
    service.update("/layouts/\(id)", "[]").expectProblem(404, "no-such-layout")
    service.send(.delete, "/layouts/\(id)").expectProblem(404, "no-such-layout")
  }

  @Test(
    "an element that there is not is told so",
    arguments: cases("Negotiation.noSuchElement", String.self))
  func noSuchElement(element: String) {
    service.get("\(path)/\(element)").expectProblem(404, "no-such-element", saying: "has no")
  }

  @Test("of several faults the first is told, in the contract's order")
  func order() {
    let none = "/layouts/AAAAAAAAAAAAAAAAAAAAAA"
    let (html, text) = ((FieldName.accept, "text/html"), (FieldName.contentType, "text/plain"))
    let (json, old) = (
      (FieldName.contentType, "application/json"), (FieldName.ifMatch, "\"\(tag(7))\"")
    )
    func send(_ method: Method, _ target: String, _ headers: [(FieldName, String)]) -> Answer {
      service.send(method, target, headers: headers, body: Array("?".utf8))
    }
    send(.post, "/nope?x", [html, text]).expectProblem(404, "no-such-path")
    send(.put, "\(none)?x", [html, text]).expectProblem(405, "method-not-allowed")
    send(.patch, "\(none)?x", [html, text, old]).expectProblem(406, "not-acceptable")
    send(.get, "\(none)?x", [html, old]).expectProblem(406, "not-acceptable")
    send(.patch, "\(none)?x", [text, old]).expectProblem(415, "unsupported-media-type")
    send(.post, "/layouts/table/prepare?x", [text]).expectProblem(415, "unsupported-media-type")
    send(.patch, "\(none)?x", [json, old]).expectProblem(404, "no-such-layout")
    send(.post, "/layouts/table/prepare?x", [json]).expectProblem(404, "unknown-kind")
    send(.patch, path, [json, old]).expectProblem(412, "precondition-failed")
    send(.patch, "\(path)?x", [json]).expectProblem(400, "invalid-parameter")
    send(.patch, path, [json]).expectProblem(400, "not-json")
  }

  // MARK: Methods

  @Test("a method that a path does not have is refused with those that it has")
  func methodNotAllowed() {
    let methods: [Method] = [.get, .head, .post, .put, .patch, .delete, Method(rawValue: "get")]
    for (path, operations) in Dictionary(grouping: OpenAPI.allOperations, by: \.path) {
      let allowed = Set(operations.map(\.method))
      let target = path.replacing("/layouts/{id}", with: self.path)
        .replacing("{kind}", with: "grid").replacing("{elementKind}", with: "header")
        .replacing("{section}", with: "0").replacing("{item}", with: "0")
      for method in methods where !allowed.contains(method.rawValue) {
        let answer = service.send(method, target)
        let told = answer["Allow"] ?? ""
        answer.expectProblem(405, "method-not-allowed", saying: told)
        same(Set(told.split(separator: ", ").map { String($0) }), allowed, "\(path)")
      }
      let options = service.send(.options, "\(target)?anything=goes")
      same(options.status, 204)
      let told = options["Allow"] ?? ""
      same(Set(told.split(separator: ", ").map { String($0) }), allowed, "\(path)")
      same(options.body, [])
    }
  }

  @Test("OPTIONS of an id that no layout can have is a 404")
  func optionsOfImpossibleID() {
    for path in Set(OpenAPI.operations.map(\.path)) where path.hasPrefix("/layouts/{id}") {
      for id in ["x", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAAAA"] {
        service.send(.options, path.replacing("{id}", with: id))
          .expectProblem(404, "no-such-layout")
      }
      let possible = path.replacing("{id}", with: "AAAAAAAAAAAAAAAAAAAAAA")
      same(service.send(.options, possible).status, 204, "\(path)")
    }
  }

  @Test("OPTIONS * gives the methods of the service")
  func optionsOfServer() throws {
    let answer = service.send(.options, "*")
    same(answer.status, 204)
    let allowed = try #require(answer["Allow"]).split(separator: ", ")
    for route in Route.all { #expect(allowed.contains(Substring(route.method.rawValue))) }
    #expect(allowed.contains("HEAD") && allowed.contains("OPTIONS"))
  }

  @Test("HEAD has the status and the header fields of GET")
  func head() {
    for target in [
      "/", "/?f=html", "/viewer/viewer.js", "/viewer/nothing.js", "/healthz", "/readyz", "/metrics",
      "/openapi.yaml", "/problems/not-json", path, "\(path)/elements?rect=0,0,320,480",
      "\(path)/items?id=a", "\(path)/items",
      "\(path)/elements?rect=0,0,320,480&version=1", "\(path)/elements?rect=bad",
      "\(path)/picture", "\(path)/picture?rect=bad", "\(path)/items/0/0", "\(path)/items/9/9",
      "\(path)/supplementary/header/0/0",
      "\(path)/decorations/background/0/0",
    ] {
      let headers = [(FieldName.xRequestID, "1"), (.acceptEncoding, "gzip")]
      let head = service.send(.head, target, headers: headers)
      let get = service.send(.get, target, headers: headers)
      same(head.status, get.status, "\(target)")
      same(head.headers, get.headers, "\(target)")
    }
  }

  // MARK: Media types

  @Test(
    "an Accept that lets JSON through is accepted",
    arguments: cases("Negotiation.accepted", String.self))
  func accepted(accept: String) {
    let answer = service.send(.get, path, headers: [(.accept, accept)])
    same(answer.status, 200)
    same(answer["Content-Type"], "application/json")
  }

  @Test(
    "an Accept that excludes what there is is refused, with a problem nonetheless",
    arguments: cases("Negotiation.notAcceptable", String.self))
  func notAcceptable(accept: String) {
    let headers = [(FieldName.accept, accept)]
    service.send(.get, path, headers: headers)
      .expectProblem(406, "not-acceptable", saying: "application/json")
    service.send(.delete, path, headers: headers).expectProblem(406, "not-acceptable")
    same(service.get(path).status, 200)
  }

  @Test("the contract is offered as YAML")
  func yaml() {
    for accept in ["application/yaml", "*/*"] {
      let answer = service.send(.get, "/openapi.yaml", headers: [(.accept, accept)])
      same(answer.status, 200)
    }
    service.send(.get, "/openapi.yaml", headers: [(.accept, "application/json")])
      .expectProblem(406, "not-acceptable", saying: "application/yaml")
  }

  @Test(
    "a body that is not declared as JSON is refused",
    arguments: cases("Negotiation.unsupportedMediaType", String?.self))
  func unsupportedMediaType(type: String?) {
    let kept = service.sessions.statistics
    let answer = service.send(
      .post, "/layouts/grid/prepare", headers: type.map { [(.contentType, $0)] } ?? [],
      body: Array(Sample.grid.utf8))
    answer.expectProblem(415, "unsupported-media-type", saying: "Content-Type: application/json")
    same(answer["Accept"], "application/json")
    same(service.sessions.statistics, kept)
  }

  @Test("what a PATCH may be is told by its refusal and by OPTIONS")
  func acceptPatch() {
    let types = "application/merge-patch+json, application/json"
    let refused = service.send(.patch, path, headers: [(.contentType, "text/plain")])
    refused.expectProblem(415, "unsupported-media-type")
    same(refused["Accept-Patch"], types)
    same(service.send(.options, path)["Accept-Patch"], types)
    let other = service.send(.post, "\(path)/updates", headers: [(.contentType, "text/plain")])
    same(other.status, 415)
    same(other["Accept-Patch"], nil)
    for target in ["*", "/", "\(path)/updates"] {
      same(service.send(.options, target)["Accept-Patch"], nil)
    }
  }

  @Test(
    "a body that is declared as JSON in any spelling is taken",
    arguments: ["application/json;charset=utf-8", "Application/JSON", " application/json ; a=b"])
  func jsonMediaType(type: String) {
    let answer = service.send(
      .post, "/layouts/grid/prepare", headers: [(.contentType, type)],
      body: Array(Sample.grid.utf8))
    same(answer.status, 201)
  }

  // MARK: Where there is nothing to go wrong

  @Test("the index lists every kind and route")
  func index() {
    let answer = service.get("/")
    same(answer.status, 200)
    same(answer["Content-Type"], "application/json")
    same(OpenAPI.faults(of: answer.json, as: "Index"), [])
    same(answer.json["operations"].array.count, Route.all.count)
  }

  @Test("health is not kept by caches")
  func health() {
    let answer = service.get("/healthz")
    same(answer.json, ["status": "ok"])
    same(answer["Cache-Control"], "no-store")
  }
}
