import Foundation
import LayoutService
import LayoutSessions
import MicroHTTP
import ServiceSupport
import TestSupport
import Testing
import TextMeasure

/// What a client asks of a service, and what it is told: a member of a file in
/// `Tests/cases/conversations`, whose name says what it shows.
///
/// A step is an array of a request, a body if the request has one, a status, and what the answer
/// says. The status may be left out if it is 200, or 201 for a new layout or view.
///
///     ["p = prepare list", {"bounds": {"width": 300}, "sections": [{"items": 3}]}],
///     ["v = view {p}", {}, {"/version": 1}],
///     ["update {p}?rect=0,0,9,9", [{"delete": {"at": [0, 1]}}], {"/counts/cells": 2}],
///     ["patch {p}", {"kind": 7}, 422, "invalid-body", {"/errors/*/pointer": ["/kind"]}],
///     ["GET {p}/items/0/9", 404, "no-such-element", "words of the detail"]
///
/// - `p =` names the layout for the steps after it, `{p}` is its path; `{tag2}` is the tag of the
///   second version.
/// - Header fields follow the target: `"GET {p} If-None-Match:\"{tag1}\""`.
/// - A body that is a name is that of the file's member `bodies`; `"=name"` is what was kept.
/// - What the answer says is told by JSON pointers. In these, `*` is every element and `#` their
///   number. `"=name"` is what a step before had at the pointer that it kept as `name`:
///   `"keep": {"name": "/elements"}`.
/// - `"deferred"` says whether a worker answers, `"tag"` which version the entity tag names, with
///   its `Cache-Control` if that is another, `"ETag:"` what a header field is, `"contains"` and
///   `"lacks"` which texts there are, `"schema"` what openapi.yaml calls it.
/// - `["advance", 600]` lets so many seconds pass, and looks for what has expired.
/// - `["untouched"]` expects that nothing is kept.
/// - `["each x", ["a", "b"], [steps]]` takes the steps once for each of the values of `{x}`.
/// - A first step that is an object has limits of the service, or `"font": true`.
struct Conversation: CustomTestStringConvertible, Sendable {
  let testDescription: String
  private let steps: [CaseText]
  private let bodies: [String: String]

  static let all: [Conversation] = CaseText.files(in: "conversations").flatMap { file in
    let members = CaseText.file("conversations/\(file)").members
    let bodies = members.first { $0.name == "bodies" }?.value.members ?? []
    return members.filter { $0.name != "bodies" }.map { name, steps in
      Conversation(
        testDescription: "\(file): \(name)", steps: steps.elements,
        bodies: Dictionary(uniqueKeysWithValues: bodies.map { ($0.name, $0.value.text) }))
    }
  }

  func expect() {
    let settings = steps[0].text.hasPrefix("{") ? steps[0].json ?? .null : .null
    let service = Self.service(settings)
    var kept = Dictionary(uniqueKeysWithValues: (1...9).map { ("tag\($0)", JSON.string(tag($0))) })
    for step in settings == .null ? steps[...] : steps.dropFirst() {
      self.expect(step, of: service, &kept)
    }
  }

  private static func service(_ settings: JSON) -> TestService {
    var sessions = SessionStore.Limits.standard
    var limits = LayoutService.Limits.standard
    for (name, value) in settings.object {
      let value = value.integer ?? 0
      switch name {
      case "maxSessions": sessions.maxSessions = value
      case "maxViews": sessions.maxViews = value
      case "maxBytes": sessions.maxBytes = value
      case "maxHistoryBytes": sessions.maxHistoryBytes = value
      case "maxItems": limits.maxItems = value
      case "maxItemData": limits.maxItemData = value
      case "maxBodyBytes": limits.maxBodyBytes = value
      case "maxResponseBytes": limits.maxResponseBytes = value
      case "visitBudget": limits.visitBudget = value
      case "pageBudget": limits.pageBudget = value
      case "font": break
      default: preconditionFailure("there is no setting \(name)")
      }
    }
    let fonts = settings["font"] == true ? ["made": TestFont.bytes()] : [:]
    return TestService(
      sessionLimits: sessions, limits: limits,
      fonts: fonts.isEmpty ? FontLibrary(folders: []) : FontLibrary(memory: fonts))
  }

  // MARK: Steps

  private func expect(
    _ step: CaseText, of service: TestService, _ kept: inout [String: JSON]
  ) {
    var rest = step.elements[...]
    func filled(_ text: String) -> String {
      kept.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value.string ?? "") }
    }
    let command = filled(String(rest.removeFirst()) ?? "")
    var words = command.split(separator: " ").map(String.init)
    let name = words.count > 2 && words[1] == "=" ? words[0] : nil
    if name != nil { words.removeFirst(2) }
    let comment = Comment(rawValue: "\(testDescription): \(step.text)")
    switch words[0] {
    case "advance":
      service.clock.advance(by: .seconds(Int(rest.removeFirst()) ?? 0))
      service.sessions.removeExpiredSessions()
      return
    case "untouched":
      #expect(service.isUntouched, comment)
      return
    case "each":
      for value in rest.removeFirst().elements {
        let isText = value.text.hasPrefix("\"")
        let text = isText ? String(value.text.dropFirst().dropLast()) : value.text
        for step in rest[rest.startIndex].elements {
          let step = CaseText(trimming: step.text.replacing("{\(words[1])}", with: text))
          expect(step, of: service, &kept)
        }
      }
      return
    default: break
    }
    let answer = answer(words, &rest, of: service, kept)
    let isNew = words[0] == "prepare" || words[0] == "view"
    let status = rest.first.flatMap { Int($0) }
    if status != nil { rest.removeFirst() }
    same(answer.status, status ?? (isNew ? 201 : 200), comment)
    if let name, let path = answer["Location"] { kept[name] = .string(path) }
    let texts = rest.filter { $0.text.hasPrefix("\"") }.compactMap { String($0) }
    if let code = texts.first {
      answer.expectProblem(answer.status, code)
      for text in texts.dropFirst() {
        #expect(answer.json["detail"].string?.contains(filled(text)) == true, comment)
      }
    }
    for expectation in rest.drop(while: { $0.text.hasPrefix("\"") }) {
      for (key, value) in expectation.members {
        expect(key, value, of: answer, &kept, comment)
      }
    }
  }

  private func answer(
    _ words: [String], _ rest: inout ArraySlice<CaseText>, of service: TestService,
    _ kept: [String: JSON]
  ) -> Answer {
    func body() -> String {
      let body = String(rest.removeFirst()) ?? ""
      return body.hasPrefix("=") ? kept[String(body.dropFirst())]?.text ?? "" : bodies[body] ?? body
    }
    var target = words.count > 1 ? words[1] : ""
    var headers: [(FieldName, String)] = []
    for word in words.dropFirst(2) {
      if let end = word.firstIndex(of: ":"), word[..<end].allSatisfy({ $0.isLetter || $0 == "-" }) {
        headers.append((FieldName(String(word[..<end])), String(word[end...].dropFirst())))
      } else if headers.isEmpty {
        target += " \(word)"
      } else {
        headers[headers.count - 1].1 += " \(word)"
      }
    }
    let (path, query) = (target.prefix { $0 != "?" }, target.drop { $0 != "?" })
    func send(_ method: Method, _ target: String, _ body: String, _ type: String) -> Answer {
      if !headers.contains(where: { $0.0 == .contentType }) { headers.append((.contentType, type)) }
      return service.send(method, target, headers: headers, body: Array(body.utf8))
    }
    let json = "application/json"
    switch words[0] {
    case "prepare": return send(.post, "/layouts/\(target)/prepare", body(), json)
    case "view": return send(.post, "\(target)/views", body(), json)
    case "patch": return send(.patch, target, body(), "application/merge-patch+json")
    case "measure": return send(.post, "\(path)/measurements\(query)", body(), json)
    case "update":
      return send(.post, "\(path)/updates\(query)", #"{"updates": \#(body())}"#, json)
    case "POST": return send(.post, target, body(), json)
    default: return service.send(Method(rawValue: words[0]), target, headers: headers)
    }
  }

  // MARK: Answers

  private func expect(
    _ key: String, _ value: CaseText, of answer: Answer, _ kept: inout [String: JSON],
    _ comment: Comment
  ) {
    let expected = value.json ?? .null
    switch key {
    case "keep":
      for (name, pointer) in expected.object {
        let pointer = pointer.string ?? ""
        kept[name] =
          pointer.hasSuffix(":")
          ? .string(answer[String(pointer.dropLast())] ?? "")
          : Self.value(at: pointer, of: answer.json)
      }
    case "deferred": same(.boolean(answer.wasDeferred), expected, comment)
    case "tag":
      answer.expectLayoutHeaders(
        version: expected.integer ?? expected[0].integer ?? 0,
        cacheControl: expected[1].string ?? "private, no-cache")
    case "schema": same(OpenAPI.faults(of: answer.json, as: expected.string ?? ""), [], comment)
    case "contains", "lacks":
      for text in expected.array.isEmpty ? [expected] : expected.array {
        same(answer.text.contains(text.string ?? ""), key == "contains", comment)
      }
    case _ where key.hasSuffix(":"):
      same(answer[String(key.dropLast())], expected.string, comment)
    default:
      precondition(key.isEmpty || key.hasPrefix("/"), "\(key) is no pointer")
      let name = expected.string.flatMap { $0.hasPrefix("=") ? String($0.dropFirst()) : nil }
      same(
        Self.value(at: key, of: answer.json), name.map { kept[$0] ?? .null } ?? expected, comment)
    }
  }

  /// What a JSON pointer leads to; null where there is nothing.
  private static func value(at pointer: String, of json: JSON) -> JSON {
    let steps = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    return value(at: steps, of: json)
  }

  private static func value(at steps: ArraySlice<Substring>, of json: JSON) -> JSON {
    guard let step = steps.first else { return json }
    let rest = steps.dropFirst()
    switch (step, json) {
    case ("*", _): return .array(json.array.map { value(at: rest, of: $0) })
    case ("#", _): return .number(Double(json.array.count))
    case (_, .array): return value(at: rest, of: json[Int(step) ?? -1])
    default:
      let name = step.replacing("~1", with: "/").replacing("~0", with: "~")
      return value(at: rest, of: json[String(name)])
    }
  }
}
