import LayoutSessions
import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("PATCH of bounds and options")
struct ChangesPatchTests {
  private let test = TestService()

  private static let sections = #""sections": [{"items": [{"height": 40}, {"height": 60}]}]"#

  /// A waterfall of two cells, 40 and 60 high.
  private func waterfall(_ options: String = "{}") -> String {
    test.path(
      "waterfall",
      #"{"bounds": {"width": 320, "height": 480}, "options": \#(options), \#(Self.sections)}"#)
  }

  private func elements(_ path: String) -> JSON {
    test.get("\(path)/elements?rect=0,0,100000,100000").json["elements"]
  }

  /// The elements that a layout prepared with these options has.
  private func elements(prepared options: String, width: Int = 320) -> JSON {
    elements(
      test.path(
        "waterfall",
        #"{"bounds": {"width": \#(width)}, "options": \#(options), \#(Self.sections)}"#))
  }

  @Test("options are merged, and the answer is the next version's summary")
  func options() {
    let path = waterfall(#"{"columns": 2, "cellPadding": 1}"#)
    let answer = test.patch(path, #"{"options": {"columns": 1, "headerHeight": 20}}"#)
    same(answer.status, 200, "\(answer.text)")
    answer.expectLayoutHeaders(version: 2)
    let summary = answer.json
    same(summary["version"], 2)
    same(summary["invalidated"], true)
    same(summary["kind"], "waterfall")
    same(summary["counts"], ["sections": 1, "cells": 2, "supplementary": 1, "decorations": 0])
    same(summary["contentSize"], ["width": 320, "height": 124])
    same(
      elements(path), elements(prepared: #"{"columns": 1, "cellPadding": 1, "headerHeight": 20}"#))
    same(
      test.get(path).json.removing("views"),
      ["invalidated", "invalidatedRect", "invalidatedRects"].reduce(summary) {
        $0.removing($1)
      })
  }

  @Test("null puts an option back to its default, an object's options one by one or all")
  func null() {
    let path = waterfall(
      #"{"columns": 3, "headerHeight": 9, "contentInset": {"left": 10, "right": 20, "top": 5}}"#)
    let one = test.patch(
      path, #"{"options": {"headerHeight": null, "contentInset": {"left": null}}}"#)
    same(one.json["invalidated"], true)
    same(elements(path), elements(prepared: #"{"columns": 3, "contentInset": {"right": 20}}"#))
    same(test.patch(path, #"{"options": {"contentInset": null}}"#).json["version"], 3)
    same(elements(path), elements(prepared: #"{"columns": 3}"#))
    same(test.patch(path, #"{"options": null}"#).json["version"], 4)
    same(elements(path), elements(prepared: "{}"))
  }

  @Test(
    "what moves nothing invalidates nothing: version and entity tag stay",
    arguments: cases("ChangesPatch.nothing", String.self))
  func nothing(body: String) {
    let path = waterfall()
    let before = elements(path)
    let answer = test.patch(path, body)
    same(answer.status, 200, "\(answer.text)")
    answer.expectLayoutHeaders(version: 1)
    same(answer.json["invalidated"], false)
    same(answer.json["version"], 1)
    same(elements(path), before)
    same(test.get("\(path)/elements?rect=0,0,9,9", ifNoneMatch: "\"\(tag(1))\"").status, 304)
  }

  @Test(
    "an impossible patch names the members at fault and changes nothing",
    arguments: cases("ChangesPatch.impossibleBodies", String.self, [String].self))
  func impossible(body: String, pointers: [String]) {
    let path = waterfall()
    let before = test.get(path).json
    let answer = test.patch(path, body)
    answer.expectProblem(422, "invalid-body")
    same(Set(answer.faults.map(\.pointer)), Set(pointers), "\(answer.text)")
    same(test.get(path).json, before)
  }

  @Test("a short change comes after another one of its layout that is being made")
  func inTurn() throws {
    let path = test.path("group", Sample.group)
    let request = Request(
      method: .patch, target: RequestTarget(path),
      headers: HeaderFields([(.contentType, "application/merge-patch+json")]),
      body: .copying(Array(#"{"options": {"rowSpacing": 7}}"#.utf8)))
    let id = SessionID(Array(path.utf8.dropFirst("/layouts/".utf8.count)).span)
    let version = try #require(id.flatMap { test.sessions.version(of: $0) })
    let outcome = version.changeLock.withLock { test.gateway.respond(to: request) }
    guard case .deferred(let deferred) = outcome else {
      Issue.record("answered at once")
      return
    }
    #expect(deferred.object === version.changeLock)
    same(Answer(deferred.work()).json["version"], 2)
    guard case .respond = test.gateway.respond(to: request) else {
      Issue.record("left to a worker although nothing is in its way")
      return
    }
  }

  @Test("changes at once come one after another, and each is made")
  func atOnce() {
    let path = waterfall()
    let (threads, rounds) = (4, 25)
    onThreads(threads) { [test] thread in
      for round in 0..<rounds {
        let insertion = #"[{"insert": {"at": [0, 0], "items": [{"height": 1}]}}]"#
        same(test.update(path, insertion).status, 200, "\(thread), \(round)")
        same(test.patch(path, #"{"bounds": {"height": \#(round)}}"#).status, 200)
      }
    }
    let summary = test.get(path).json
    same(summary["version"], .number(Double(threads * rounds + 1)))
    same(summary["counts"]["cells"], .number(Double(threads * rounds + 2)))
  }
}

extension TestService {
  /// All elements of a layout.
  func allElements(_ path: String) -> JSON {
    get("\(path)/elements?rect=-1000,-1000,1e9,1e9&limit=100000").json["elements"]
  }
}
