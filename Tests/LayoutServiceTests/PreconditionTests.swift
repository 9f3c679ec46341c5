import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

/// If-Match and If-None-Match where they refuse; the 304 is `QueryTests`' matter.
@Suite struct PreconditionTests {
  private let service = TestService()
  private let path: String

  init() {
    path = service.path("grid", Sample.grid)
    // At version 2 from here on.
    same(service.update(path, "[]").status, 200)
  }

  private func change(
    _ method: Method, _ target: String, _ body: String, _ condition: (FieldName, String)
  ) -> Answer {
    service.send(
      method, target, headers: [(.contentType, "application/json"), condition],
      body: Array(body.utf8))
  }

  @Test(
    "a change that is wanted of any version but this one is refused, and nothing is changed",
    arguments: [
      "*", "\"\(tag(2))\"", "W/\"\(tag(2))\"", "\"\(tag(1))\", \"\(tag(2)).300\"",
      "\"\(tag(2)).300.gzip\"",
    ])
  func ifNoneMatchOnChanges(field: String) {
    let before = service.get(path).json
    for (method, target, body) in [
      (Method.patch, path, #"{"options": {"columns": 9}}"#),
      (.post, "\(path)/updates", #"{"updates": [{"delete": {"at": [0, 0]}}]}"#),
      (.delete, path, ""),
    ] {
      change(method, target, body, (.ifNoneMatch, field))
        .expectProblem(412, "precondition-failed", saying: "If-None-Match", "2")
    }
    same(service.get(path).json, before)
  }

  @Test("a change that is wanted of this version, as of no other, is made")
  func changesWithoutMatch() {
    same(change(.patch, path, "{}", (.ifNoneMatch, "\"\(tag(1))\"")).status, 200)
    same(
      change(.post, "\(path)/updates", #"{"updates": []}"#, (.ifNoneMatch, "\"\(tag(1))\"")).status,
      200)
    same(change(.delete, path, "", (.ifNoneMatch, "\"\(tag(2))\"")).status, 204)
  }

  @Test("a change of another version is refused before its body is read")
  func refusalBeforeBody() {
    for (method, target, type) in [
      (Method.patch, path, "application/merge-patch+json"),
      (.post, "\(path)/updates", "application/json"),
    ] {
      func rejection(ifMatch tag: String) -> Response? {
        service.gateway.rejection(
          of: Request(
            method: method, target: RequestTarget(target),
            headers: HeaderFields([(.contentType, type), (.ifMatch, tag)])))
      }
      same(rejection(ifMatch: "\"\(tag(1))\"")?.status.rawValue, 412)
      #expect(rejection(ifMatch: "\"\(tag(2))\"") == nil)
    }
  }

  private var resources: [String] {
    [
      path, "\(path)/elements?rect=0,0,320,480", "\(path)/elements?rect=0,0,320,480&version=2",
      "\(path)/items?id=a", "\(path)/items/0/0", "\(path)/supplementary/header/0/0",
      "\(path)/decorations/background/0/0",
    ]
  }

  @Test(
    "what is asked for of another version is refused",
    arguments: [
      "\"\(tag(1))\"", "W/\"\(tag(2))\"", "\"\(tag(1))\", \"\(tag(3)).20\"", "", "\"a,*,b\"",
      "\"\(tag(1))\", *", "\"2", "2\"",
      "\"\(tag(2))\"x", "\"\(tag(2))\" \"\(tag(3))\"", "\"\(tag(2))\";\"\(tag(3))\"",
    ])
  func ifMatchOnQueries(field: String) {
    for target in resources {
      for method in [Method.get, .head] {
        service.send(method, target, headers: [(.ifMatch, field)])
          .expectProblem(412, "precondition-failed", saying: "If-Match", "2")
        // If-Match comes first.
        service.send(
          method, target, headers: [(.ifMatch, field), (.ifNoneMatch, "\"\(tag(2)).300\"")]
        )
        .expectProblem(412, "precondition-failed", saying: "If-Match", "2")
      }
    }
  }

  @Test(
    "what is asked for of this version is answered",
    arguments: [
      "*", "\"\(tag(2))\"", "\"\(tag(2))-gzip\"", "\"\(tag(2)).1.gzip\"", "\"a,b\",\"\(tag(2))\"",
      ",, W/\"\(tag(2))\" ,\t\"\(tag(2))\",", "?, \"\(tag(2))\"",
    ])
  func ifMatchThatHolds(field: String) {
    for target in resources {
      same(service.send(.get, target, headers: [(.ifMatch, field)]).status, 200)
      same(
        service.send(.get, target, headers: [(.ifMatch, field), (.ifNoneMatch, "\"\(tag(2))\"")])
          .status, (target == path ? 200 : 304))
    }
  }

  @Test(
    "what a proxy that compresses puts at the end of a tag does not count",
    arguments: ["-gzip", "--gzip", "-br", "-zstd"])
  func suffixOfProxy(suffix: String) throws {
    for target in ["\(path)/items/0/0", "\(path)/sections", "/openapi.yaml", "/", "/kinds"] {
      let answer = service.get(target)
      let tag = try #require(answer["ETag"])
      for field in [tag.dropLast() + suffix + "\"", "W/" + tag.dropLast() + suffix + "\""] {
        let again = service.send(.get, target, headers: [(.ifNoneMatch, String(field))])
        #expect(again.status == 304 && again["ETag"] == tag, "\(target) \(field)")
      }
    }
    let match = (FieldName.ifMatch, "\"\(tag(2))\(suffix)\"")
    same(change(.patch, path, "{}", match).status, 200)
    for field in ["\"\(suffix)\"", "\"\(tag(1))\(suffix)\"", "\"\(tag(2))-gzi\"", "\"-\"", "\"\""] {
      change(.patch, path, "{}", (.ifMatch, field)).expectProblem(412, "precondition-failed")
    }
  }

  @Test("who sends a tag that a proxy made weak is told so")
  func weakened() {
    for field in ["W/\"\(tag(2))\"", "W/\"\(tag(2)).300.gzip\", \"\(tag(1))\""] {
      service.send(.get, "\(path)/items/0/0", headers: [(.ifMatch, field)])
        .expectProblem(412, "precondition-failed", saying: "W/\"\(tag(2))", "proxy")
      change(.patch, path, "{}", (.ifMatch, field))
        .expectProblem(412, "precondition-failed", saying: "W/\"\(tag(2))", "proxy")
    }
    let old = service.send(.get, path, headers: [(.ifMatch, "W/\"\(tag(1))\"")])
    old.expectProblem(412, "precondition-failed")
    #expect(!old.text.contains("proxy"))
  }

  @Test("what is wrong with a request is told before its conditions")
  func order() {
    let old = (FieldName.ifMatch, "\"\(tag(1))\"")
    for (target, code) in [
      ("\(path)?x", "invalid-parameter"), ("\(path)/elements?rect=0", "invalid-rect"),
      ("\(path)/items?id=", "invalid-id"),
    ] {
      service.send(.get, target, headers: [old]).expectProblem(400, code)
    }
    service.send(.get, "\(path)/items/9/9", headers: [old]).expectProblem(404, "no-such-element")
    service.send(.get, "\(path)/elements?rect=0,0,1,1&version=1", headers: [old])
      .expectProblem(410, "version-gone")
    change(.patch, "\(path)?x", "{}", old).expectProblem(400, "invalid-parameter")
    change(.post, "\(path)/updates?rect=0", "{}", old).expectProblem(400, "invalid-rect")
    service.send(.delete, "\(path)?x", headers: [old]).expectProblem(400, "invalid-parameter")
  }

  @Test("what has no versions heeds no conditions")
  func unversioned() {
    for target in ["/healthz", "/metrics"] {
      let headers = [(FieldName.ifMatch, "\"\(tag(1))\""), (.ifNoneMatch, "*")]
      same(service.send(.get, target, headers: headers).status, 200)
    }
  }
}
