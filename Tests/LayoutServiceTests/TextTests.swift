import ServiceSupport
import TestSupport
import Testing
import TextMeasure

@testable import LayoutService
@testable import MicroHTTP

@Suite("texts over HTTP")
struct TextTests {
  private let service = TestService()

  private func measure(_ body: String) -> Answer {
    service.send(
      .post, "/text/measure", json: body)
  }

  @Test("a server without fonts lists none, and refuses texts with a sentence")
  func withoutFonts() {
    let list = service.get("/fonts")
    same(list.status, 200)
    #expect(list.json["fonts"].array.isEmpty)
    same(list.json["engine"].string, FontLibrary.engine)
    let answer = measure(#"{"font": "a", "size": 10, "lineHeight": 12, "texts": ["b"]}"#)
    answer.expectProblem(422, "invalid-body")
    same(answer.json["errors"].array.first?["pointer"], "/font")
    #expect(answer.text.contains("has no fonts"))
    service.get("/fonts/00").expectProblem(404, "no-such-path")
  }

  @Test("a wrong member is named", arguments: cases("Text.faults", String.self, [String].self))
  func faults(body: String, pointers: [String]) {
    let answer = measure(body)
    answer.expectProblem(422, "invalid-body")
    same(answer.json["errors"].array.compactMap { $0["pointer"].string }, pointers)
  }

  @Test("a text of 64 KiB is taken, a longer one and 10,001 texts are refused")
  func limits() {
    func body(_ texts: String) -> String {
      #"{"font": "a", "size": 1, "lineHeight": 1, "texts": [\#(texts)]}"#
    }
    func pointers(_ texts: String) -> [String] {
      measure(body(texts)).json["errors"].array.compactMap { $0["pointer"].string }
    }
    let longest = String(repeating: "a", count: 64 << 10)
    same(pointers("\"\(longest)\""), ["/font"])
    same(pointers("\"\(longest)a\""), ["/texts/0"])
    same(pointers(String(repeating: "\"\",", count: 10_000) + "\"\""), ["/texts"])
  }

  @Test("half a surrogate pair in an escape is no JSON")
  func surrogates() {
    measure(#"{"font": "a", "size": 1, "lineHeight": 1, "texts": ["\ud83d"]}"#)
      .expectProblem(400, "not-json")
  }

  @Test("to measure few bytes is short work, once the style is known")
  func short() throws {
    let service = TestService(fonts: FontLibrary(memory: ["made": TestFont.bytes()]))
    func work(_ text: String, _ widths: String) throws -> DeferredWork {
      let request = Request(
        method: .post, target: RequestTarget("/text/measure"),
        headers: HeaderFields([(.contentType, "application/json")]),
        body: .copying(
          Array(
            #"""
            {"font": "made", "size": 20, "lineHeight": 24, "width": \#(widths), "texts": ["\#(text)"]}
            """#.utf8)))
      guard case .deferred(let work) = service.gateway.respond(to: request) else {
        throw TestError()
      }
      return work
    }
    try #expect(work("aa bb", "[45]").shortWork?() == nil)
    try same(work("aa bb", "[45]").work().status, .ok)
    try same(work("aa bb", "[45]").shortWork?()?.status, .ok)
    let text = String(repeating: "a ", count: 1000)
    try same(work(text, "[1, 2]").shortWork?()?.status, .ok)
    try #expect(work(text, "[1, 2, 3]").shortWork?() == nil)
    try #expect(work(text + text + text, "[1]").shortWork == nil)
  }

  private struct TestError: Error {}

  @Test("texts are measured at each width, in the order of texts and widths")
  func measures() throws {
    let fonts = FontLibrary(memory: ["made": TestFont.bytes()])
    let service = TestService(fonts: fonts)
    let answer = service.send(
      .post, "/text/measure",
      json: #"""
        {"font": "made", "size": 20, "lineHeight": 24, "width": [45, 20],
         "texts": ["aa bb cc", "", "dd"], "lines": true}
        """#)
    #expect(answer.status == 200 && answer.wasDeferred)
    let expected = try JSON(
      parsing: Array(
        #"""
        {"engine": "\#(FontLibrary.engine)", "texts": [
          {"lines": [2, 3], "height": [48, 72], "widest": [45, 20], "starts": [[0, 6], [0, 3, 6]],
           "estimated": false},
          {"lines": [0, 0], "height": [0, 0], "widest": [0, 0], "starts": [[], []],
           "estimated": false},
          {"lines": [1, 1], "height": [24, 24], "widest": [20, 20], "starts": [[0], [0]],
           "estimated": false}]}
        """#.utf8))
    same(answer.json, expected)
    same(OpenAPI.faults(of: answer.json, as: "TextMeasurements"), [], "\(answer.text)")
  }

  @Test(
    "texts are shaped no longer than their client waits",
    arguments: ["/text/measure", "/layouts/list/prepare"])
  func leaving(target: String) throws {
    // Words that are shaped each time. It is looked at every 256 KiB whether somebody still waits.
    let text = String(repeating: "\u{436}\u{436} ", count: 10_000)
    let texts = Array(repeating: "\"\(text)\"", count: 60).joined(separator: ",")
    let style = #""font": "made", "size": 20, "lineHeight": 24"#
    let body =
      target == "/text/measure"
      ? #"{\#(style), "width": 100, "texts": [\#(texts)]}"#
      : #"""
      {"bounds": {"width": 100}, "options": {"card": {"parts": [{"text": "a", \#(style)}]}},
       "sections": [{"items": {"text": {"a": [\#(texts)]}}}]}
      """#
    let service = TestService(fonts: FontLibrary(memory: ["made": TestFont.bytes()]))
    let configuration = DaemonConfiguration(port: 0, maxBodyBytes: 16 << 20)
    try withDaemon(service.gateway, configuration: configuration) { port in
      let client = try RawClient(port: port, seconds: 600)
      client.send(
        """
        POST \(target) HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/json\r
        Content-Length: \(body.utf8.count)\r
        \r
        \(body)
        """)
      // It may still read.
      client.finishSending()
      let answer = try client.answer()
      same(answer.status, 503)
      #expect(answer.body.contains("The connection was closed before this was done."))
    }
  }

  @Test("a font's file is what the list links to")
  func files() throws {
    let folder = FontFolder(["Made.otf": TestFont.bytes()])
    let service = TestService(fonts: FontLibrary(folders: [folder.path]))
    let list = service.get("/fonts")
    same(OpenAPI.faults(of: list.json, as: "Fonts"), [])
    let url = try #require(list.json["fonts"].array.first?["url"].string)
    let file = service.get(url)
    #expect(file.status == 200 && Array(file.body) == TestFont.bytes())
    same(file["Content-Type"], "font/otf")
    same(file["Cache-Control"], "private, max-age=31536000, immutable")
    let tag = try #require(file["ETag"])
    let known = service.send(.get, url, headers: [(.ifNoneMatch, tag)])
    #expect(known.status == 304 && known.body.isEmpty)
    folder.write(TestFont.bytes(characters: 0x20...0x7e), to: "Made.otf")
    service.get(url).expectProblem(404, "no-such-path")
  }

  @Test("where keys are on, a font's file needs one")
  func keys() throws {
    let folder = FontFolder(["Made.otf": TestFont.bytes()])
    let service = TestService(
      configuration: .init(apiKeys: try APIKeys("key")), fonts: FontLibrary(folders: [folder.path]))
    let headers: [(FieldName, String)] = [("Authorization", "Bearer key")]
    let list = service.send(.get, "/fonts", headers: headers).json
    let url = try #require(list["fonts"].array.first?["url"].string)
    service.get(url).expectProblem(401, "unauthorized")
    same(service.send(.get, url, headers: headers).status, 200)
  }
}
