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

  @Test("bounds are merged too")
  func bounds() {
    let path = waterfall()
    let wider = test.patch(path, #"{"bounds": {"width": 500}}"#).json
    same(wider["invalidated"], true)
    same(wider["bounds"], ["width": 500, "height": 480])
    same(elements(path), elements(prepared: "{}", width: 500))
    let without = test.patch(path, #"{"bounds": {"height": null}}"#).json
    same(without["bounds"], ["width": 500])
    same(without["invalidated"], false)
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

  @Test("what a patch keeps shows when another one builds on it")
  func kept() {
    let path = waterfall()
    _ = test.patch(path, #"{"bounds": {"height": 700}, "options": {"contentInset": {"top": 12}}}"#)
    let answer = test.patch(path, #"{"options": {"columns": 1}}"#).json
    same(answer["bounds"], ["width": 320, "height": 700])
    same(answer["version"], 2)
  }

  @Test("a tree has bounds or not, and they change nothing")
  func tree() {
    let path = test.path("tree", #"{"nodes": [{}, {"parent": 0}]}"#)
    let given = test.patch(path, #"{"bounds": {"width": 7}}"#).json
    same(given["bounds"], ["width": 7])
    same(given["invalidated"], false)
    same(test.patch(path, #"{"bounds": null}"#).json["bounds"], .null)
    same(test.patch(path, #"{"bounds": {"height": 9}}"#).json["bounds"], ["height": 9])
    same(test.patch(path, #"{"bounds": {"width": 7}}"#).json["bounds"], ["width": 7, "height": 9])
    same(test.patch(path, #"{"bounds": {"width": null}}"#).json["bounds"], ["height": 9])
    same(test.patch(path, #"{"bounds": {}}"#).json["bounds"], ["height": 9])
    test.patch(path, #"{"bounds": {"width": 0}}"#).expectProblem(422, "invalid-body", saying: "> 0")
    let high = test.path("tree", #"{"bounds": {"height": 480}, "nodes": 1}"#)
    same(test.get(high).json["bounds"], ["height": 480])
    let answer = test.patch(path, #"{"options": {"insets": {"left": 0}, "connectors": false}}"#)
    same(answer.json["invalidated"], true)
    same(answer.json["contentSize"], ["width": 400, "height": 88])
    same(answer.json["counts"]["supplementary"], 0)
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

  @Test("what a patch makes impossible is pointed to where it is in the patch")
  func impossibleTogether() {
    func fault(_ path: String, _ body: String) -> String {
      let fault = test.patch(path, body).faults.first
      return "\(fault?.pointer ?? "") \(fault?.detail ?? "")"
    }
    let gallery = test.path("gallery", #"{"bounds": {"width": 700}, "sections": [{"items": 1}]}"#)
    same(
      fault(gallery, #"{"options": {"maximumItemWidth": 100}}"#),
      "/options/maximumItemWidth must be at least minimumItemWidth, 150, was 100")
    same(
      fault(gallery, #"{"bounds": {"width": 701}, "options": {"minimumItemWidth": 301}}"#),
      "/options must suit the layout: maximumItemWidth must be at least minimumItemWidth, 301, "
        + "was 300")
    let grid = test.path(
      "grid", #"{"bounds": {"width": 100}, "options": {"columns": 3}, "sections": []}"#)
    let tooMany = "must be few enough to leave the items a width within the section's"
    same(
      fault(grid, #"{"bounds": {"width": 10}}"#),
      "/bounds/width must suit the layout: columns \(tooMany) 10")
    #expect(
      fault(grid, #"{"bounds": {"width": 10}, "options": {"rowHeight": 60}}"#)
        .hasPrefix("/bounds/width must suit the layout: columns"))
    same(
      fault(grid, #"{"bounds": {"width": 10}, "options": {"columns": 4}}"#),
      "/options/columns \(tooMany) 10")
    // A width that has nothing to do with it is not blamed.
    let tooHigh = "rowSpacing must be less than the rows' height"
    same(
      fault(grid, #"{"bounds": {"width": 101}, "options": {"rowHeight": 3}}"#),
      "/options must suit the layout: \(tooHigh), 3, was 5")
    same(fault(grid, #"{"options": {"rowSpacing": 60}}"#), "/options/\(tooHigh), 50, was 60")
    // The layout's options may suit all sections but one.
    let sections = test.path(
      "grid",
      #"{"bounds": {"width": 100}, "sections": [{"items": 0, "options": {"columns": 9}}]}"#)
    #expect(
      fault(sections, #"{"options": {"columnSpacing": 20}}"#)
        .hasPrefix("/options must suit the layout: columns of section 0"))
  }

  @Test("a patch is JSON, and says so")
  func mediaTypes() {
    let path = waterfall()
    for type in ["application/json", "application/merge-patch+json; charset=utf-8"] {
      same(test.patch(path, "{}", type: type).status, 200)
    }
    for type in ["text/plain", "application/json-patch+json"] {
      test.patch(path, "{}", type: type).expectProblem(415, "unsupported-media-type")
    }
    test.send(.patch, path, body: Array("{}".utf8)).expectProblem(415, "unsupported-media-type")
    test.patch(path, #"{"options": "#).expectProblem(400, "not-json", saying: "12")
    test.patch(path + "?rects=0,0,1,1", "{}").expectProblem(400, "invalid-parameter")
    test.patch("/layouts/0000000000000000000000", "{}").expectProblem(404, "no-such-layout")
  }

  @Test("If-Match names the version that is meant")
  func ifMatch() {
    let path = waterfall()
    func patch(_ columns: Int, _ ifMatch: String) -> Answer {
      test.patch(path, #"{"options": {"columns": \#(columns)}}"#, ifMatch: ifMatch)
    }
    same(patch(1, "\"\(tag(1))\"").json["version"], 2)
    patch(3, "\"\(tag(1))\"").expectProblem(412, "precondition-failed", saying: "2")
    patch(3, "W/\"\(tag(2))\"").expectProblem(412, "precondition-failed")
    patch(3, "2").expectProblem(412, "precondition-failed")
    same(patch(3, "\"\(tag(1))\", \"\(tag(2))\"").json["version"], 3)
    let known = test.get("\(path)/elements?rect=0,0,9,9")["ETag"]!
    same(patch(4, known).json["version"], 4)
    patch(5, known).expectProblem(412, "precondition-failed")
    same(patch(5, "*").json["version"], 5)
    same(test.send(.delete, path, headers: [(.ifMatch, "\"\(tag(4))\"")]).status, 412)
    same(test.send(.delete, path, headers: [(.ifMatch, "\"\(tag(5))\"")]).status, 204)
    same(patch(1, "*").status, 404)
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
