import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite struct ParameterErrorTests {
  private let service = TestService()
  private let path: String

  init() {
    path = service.path("grid", Sample.grid)
  }

  @Test(
    "a malformed rect is refused", arguments: cases("ParameterError.malformedRect", String.self))
  func malformedRect(text: String) {
    service.get("\(path)/elements?rect=\(text)")
      .expectProblem(400, "invalid-rect", saying: "rect")
    service.get("\(path)/elements?rect=0,0,1,1&known=\(text)")
      .expectProblem(400, "invalid-known", saying: "known")
  }

  @Test(
    "a wrong percent-encoding is refused, of a name as of a value",
    arguments: ["rect=%", "rect=0,0,1,%zz", "rect=0,0,1,1%2", "rect=0,0,1,1&%6=1", "%zz"])
  func malformedEncoding(query: String) {
    service.get("\(path)/elements?\(query)")
      .expectProblem(400, "invalid-parameter", saying: "percent sign")
    service.get("\(path)?\(query)").expectProblem(400, "invalid-parameter")
    service.get("\(path)/items?\(query)").expectProblem(400, "invalid-parameter")
  }

  @Test(
    "a rect may be written in any way that JSON has for its numbers, percent-encoded or not",
    arguments: [
      ("0,0,320,480", [0, 0, 320, 480]), ("0%2C0%2c320%2C480", [0, 0, 320, 480]),
      ("%30,%30,32%30,480", [0, 0, 320, 480]), ("-0,-0.0,0,0", [0, 0, 0, 0]),
      ("-1.5,2.25,1e2,1E+2", [-1.5, 2.25, 100, 100]), ("1e-3,0,0.1,0.30", [0.001, 0, 0.1, 0.3]),
      ("-1e308,0,1e308,0", [-1e308, 0, 1e308, 0]),
      ("5e-324,0,0,0", [.leastNonzeroMagnitude, 0, 0, 0]),
      ("0.1000000000000000055511151231257827,0,1,1", [0.1, 0, 1, 1]),
      ("123456789012345678,0,1,1", [123_456_789_012_345_680, 0, 1, 1]),
    ])
  func rect(text: String, expected: [Double]) {
    let answer = service.get("\(path)/elements?rect=\(text)")
    same(answer.status, 200, "\(answer.text)")
    same(answer.json["rect"], .array(expected.map { .number($0) }))
  }

  @Test("the names of parameters may be percent-encoded, and empty parameters do nothing")
  func encodedNames() {
    let answer = service.get("\(path)/elements?&r%65ct=0,0,1,1&&limit=1&")
    same(answer.status, 200, "\(answer.text)")
  }

  @Test("a query without a rect is refused")
  func noRect() {
    service.get("\(path)/elements").expectProblem(400, "invalid-rect", saying: "must be given")
    service.get("\(path)/elements?").expectProblem(400, "invalid-rect", saying: "must be given")
    service.get("\(path)/elements?rect")
      .expectProblem(400, "invalid-rect", saying: "four finite numbers")
  }

  @Test(
    "integers out of range or malformed are refused",
    arguments: cases("ParameterError.integers", String.self))
  func integers(parameter: String) {
    let name = String(parameter.prefix { $0 != "=" })
    service.get("\(path)/elements?rect=0,0,1,1&known=0,0,1,1&\(parameter)")
      .expectProblem(400, "invalid-\(name)", saying: "parameter \(name) must be")
  }

  @Test("a rect that reaches too far, and an id that is no text, are told so")
  func words() {
    service.get("\(path)/elements?rect=1e308,0,1e308,1")
      .expectProblem(400, "invalid-rect", saying: "finite far edges")
    service.get("\(path)/items?id=%FF")
      .expectProblem(400, "invalid-id", saying: "1 to 128 bytes of UTF-8")
  }

  @Test("the bounds of limit are within it", arguments: [1, 100_000])
  func limitBounds(limit: Int) {
    let answer = service.get("\(path)/elements?rect=0,0,320,480&limit=\(limit)")
    same(answer.status, 200)
    same(answer.json["elements"].array.count, min(limit, 29))
    same((answer.json["next"] != .null), (limit == 1))
  }

  @Test("10,000 elements are given unless limit says otherwise")
  func defaultLimit() {
    let path = service.path("grid", #"{"bounds": {"width": 9}, "sections": [{"items": 20000}]}"#)
    let answer = service.get("\(path)/elements?rect=0,0,9,1e9").json
    same(answer["elements"].array.count, 10_000)
    #expect(answer["next"] != .null)
  }

  @Test("since needs known, and a version that there is")
  func since() {
    service.get("\(path)/elements?rect=0,0,1,1&since=1")
      .expectProblem(400, "invalid-since", saying: "needs known")
    same(service.get("\(path)/elements?rect=0,0,1,1&known=0,0,1,1&since=1").status, 200)
    service.get("\(path)/elements?rect=0,0,1,1&known=0,0,1,1&since=2")
      .expectProblem(400, "invalid-since", saying: "since")
  }

  @Test(
    "a category that there is not is refused",
    arguments: ["", "cells", "Cell", "cell,supplementary", "header", "cell&category=x"])
  func category(value: String) {
    service.get("\(path)/elements?rect=0,0,1,1&category=\(value)")
      .expectProblem(400, "invalid-category", saying: "decoration, cell, supplementary")
  }

  @Test(
    "a cursor that came in no link is refused",
    arguments: [
      "", "1", "1-0-0-0", tag(1), "\(tag(1))-0", "\(tag(1))-0-0", "\(tag(1))-0-0-0-0",
      "-\(tag(1))-0-0-0", "\(tag(1))-0-0-", "a-952f14-0-0-0", "0-952f14-0-0-0", "1-952f1-0-0-0",
      "1-952F14-0-0-0", "1-952f1g-0-0-0", "1-0952f14-0-0-0", "\(tag(1))-0-0-01",
      "\(tag(1))-0-0-9007199254740992", "1 952f14 0 0 0", "\(tag(1))-9-0-0",
      "\(tag(1))-9007199254740991-0-0", "\(tag(1))-0-0-0&category=supplementary",
    ])
  func malformedCursor(cursor: String) {
    service.get("\(path)/elements?rect=0,0,1,1&cursor=\(cursor)")
      .expectProblem(400, "invalid-cursor", saying: "next link")
  }

  @Test("a cursor of another version is gone")
  func goneCursor() {
    service.get("\(path)/elements?rect=0,0,1,1&cursor=\(tag(7))-0-0-0")
      .expectProblem(410, "version-gone", saying: "version \(tag(7))", "version \(tag(1))")
  }

  @Test("a cursor may lie behind a series's last element", arguments: Sample.all.map(\.kind))
  func cursorBehind(kind: String) {
    let path = service.path(kind, Sample.all.first { $0.kind == kind }!.body)
    let largest = 9_007_199_254_740_991
    for (section, item) in [(largest, 0), (largest, largest), (0, largest), (2, 1_000_000)] {
      let answer = service.get(
        "\(path)/elements?rect=0,0,1e9,1e9&cursor=\(tag(1))-0-\(section)-\(item)")
      same(answer.status, 200, "\(section) \(item)")
    }
  }

  @Test(
    "a parameter given twice is refused, where it is not category",
    arguments: [
      "rect=0,0,1,1", "known=0,0,1,1", "since=1", "version=1", "limit=1", "cursor=\(tag(1))-0-0-0",
    ])
  func repeated(parameter: String) {
    let name = parameter.prefix { $0 != "=" }
    let rest = name == "rect" ? "" : "rect=0,0,1,1&"
    let known = name == "since" ? "known=0,0,1,1&" : ""
    service.get("\(path)/elements?\(rest)\(known)\(parameter)&\(parameter)")
      .expectProblem(400, "invalid-\(name)", saying: "once only")
  }

  @Test("a parameter that is unknown is refused everywhere")
  func unknown() {
    service.get("\(path)/elements?rect=0,0,1,1&Rect=0,0,1,1")
      .expectProblem(400, "invalid-parameter", saying: "\"Rect\" is unknown", "known: rect, known")
    let paths = [
      "/healthz", "/readyz", "/metrics", "/openapi.yaml", "/problems/not-json",
      "\(path)/collection",
    ]
    let formattedPaths = [
      "/", path, "\(path)/items/0/0", "\(path)/supplementary/header/0/0",
      "\(path)/decorations/background/0/0", "\(path)/sections/0",
    ]
    for path in paths + formattedPaths {
      let known =
        switch path {
        case "/readyz": "known: changes"
        case "\(self.path)/items/0/0": "known: parts, data, f"
        case self.path: "known: arrange, f"
        default: formattedPaths.contains(path) ? "known: f" : "there are none"
        }
      service.get("\(path)?pretty=1")
        .expectProblem(400, "invalid-parameter", saying: "\"pretty\" is unknown; \(known)")
      same(service.get("\(path)?").status, 200)
    }
    service.send(.delete, "\(path)?force").expectProblem(400, "invalid-parameter", saying: "force")
    same(service.get(path).status, 200)
    service.patch("\(path)?dry", "{}").expectProblem(400, "invalid-parameter", saying: "dry")
    service.get("\(path)/items?id=a&name=b")
      .expectProblem(400, "invalid-parameter", saying: "\"name\" is unknown; known: id")
    let prepared = service.send(
      .post, "/layouts/grid/prepare?columns=3", json: Sample.grid)
    prepared.expectProblem(400, "invalid-parameter", saying: "there are none here")
    same(service.sessions.statistics.sessions, 1)
  }
}
