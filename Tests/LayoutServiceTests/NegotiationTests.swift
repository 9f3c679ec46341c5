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

  // MARK: Where there is nothing to go wrong

  @Test("the index lists every kind and route")
  func index() {
    let answer = service.get("/")
    same(answer.status, 200)
    same(answer["Content-Type"], "application/json")
    same(OpenAPI.faults(of: answer.json, as: "Index"), [])
    same(answer.json["operations"].array.count, Route.all.count)
  }
}
