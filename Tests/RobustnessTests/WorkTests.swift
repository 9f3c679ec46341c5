import TestSupport
import Testing

/// Small requests that ask for endless work.
///
/// The server is a process of its own: one that works for ever could not be ended otherwise.
@Suite("Work without end", .serialized)
struct WorkTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var kind = "grid"
    var body: String
    /// What is asked of the layout.
    var method = "GET"
    var target: String
    var content: String?
    /// What the layout is answered with, and then what is asked of it, if there is one.
    var statuses: [Int]
  }

  /// As many rows as content may be high, nearly.
  private static let largest = "100000000000"
  private static let huge = #"{"bounds": {"width": 100}, "sections": [{"items": \#(largest)}]}"#

  static let cases = [
    Case(
      testDescription: "elements that are all known", body: huge,
      target: "/elements?rect=0,0,1e300,1e300&known=0,0,1e300,1e300", statuses: [201, 200]),
    Case(
      testDescription: "rows beside the rect",
      body: """
        {"bounds": {"width": 100}, "options": {"background": "row"},
         "sections": [{"items": \(largest)}]}
        """,
      target: "/elements?rect=1000,0,10,1e18", statuses: [201, 200]),
    Case(
      testDescription: "a column whose width is lost in rounding",
      body: #"{"bounds": {"width": 5.000000000000001}, "sections": [{"items": \#(largest)}]}"#,
      target: "/elements?rect=5,0,10,1e18", statuses: [201, 200]),
    Case(
      testDescription: "rows far below the top",
      body: """
        {"bounds": {"width": 100}, "options": {"headerHeight": 4e12},
         "sections": [{"items": \(largest)}]}
        """,
      target: "/elements?rect=0,4e12,100,0", statuses: [201, 200]),
    Case(
      testDescription: "rows far below the top, all known",
      body: """
        {"bounds": {"width": 100}, "options": {"headerHeight": 4e12, "background": "row"},
         "sections": [{"items": \(largest)}]}
        """,
      target: "/elements?rect=0,3e12,100,5e12&known=0,3.5e12,100,5e12", statuses: [201, 200]),
    Case(
      testDescription: "frames in one place that are all known", kind: "frames", body: huge,
      target: "/elements?rect=0,0,1e300,1e300&known=0,0,50,50", statuses: [201, 200]),
    Case(
      testDescription: "a mirrored row of items that are all known", kind: "list",
      body: """
        {"bounds": {"width": 100, "height": 9}, "options": {"scrollDirection": "horizontal",
         "layoutDirection": "rightToLeft", "integral": true}, "sections": [{"items": \(largest)}]}
        """,
      target: "/elements?rect=-1e300,0,2e300,9&known=-1e300,0,2e300,9", statuses: [201, 200]),
    Case(
      testDescription: "a section that scrolls sideways, all known", kind: "compositional",
      body: """
        {"bounds": {"width": 100}, "sections": [{"kind": "flow", "orthogonal": {"height": 200},
         "items": \(largest)}]}
        """,
      target: "/elements?rect=0,0,1e300,200&known=0,0,1e300,200", statuses: [201, 200]),
    Case(
      testDescription: "transitions among elements that stay",
      body: """
        {"bounds": {"width": 100}, "options": {"background": "row"},
         "sections": [{"items": \(largest)}]}
        """,
      method: "POST", target: "/updates?rect=0,0,1e300,1e300",
      content: #"{"updates": [{"insert": {"at": [0, 0], "items": 1}}]}"#,
      statuses: [201, 400]),
    Case(
      testDescription: "transitions among as many columns as items", kind: "waterfall",
      body: """
        {"bounds": {"width": 1e9}, "options": {"columns": 50000, "placement": "shortestColumn"},
         "sections": [{"items": {"height": [\(heights)]}}]}
        """,
      method: "POST", target: "/updates?rect=0,0,1e9,1e9",
      content: #"{"updates": [{"replace": {"at": [0, 0], "items": [{"height": 181}]}}]}"#,
      statuses: [201, 200]),
    Case(
      testDescription: "an area up to the largest number there may be",
      body: #"{"bounds": {"width": 1e300}, "sections": [{"items": 5}]}"#,
      method: "POST", target: "/updates",
      content: #"{"updates": [{"insert": {"at": [0, 0], "items": 1}}]}"#,
      statuses: [201, 200]),
    Case(
      testDescription: "items without fields in the place of as many", body: huge,
      method: "POST", target: "/updates",
      content: #"{"updates": [{"replace": {"at": [0, 0], "items": \#(largest)}}]}"#,
      statuses: [201, 200]),
    Case(
      testDescription: "items without fields around one that had a name for a moment", body: huge,
      method: "POST", target: "/updates",
      content: """
        {"updates": [{"replace": {"at": [0, 0], "items": [{"id": "a"}]}},
         {"replace": {"at": [0, 0], "items": \(largest)}}]}
        """,
      statuses: [201, 200]),
    Case(
      testDescription: "items without names in the place of as many, over and over",
      body: """
        {"bounds": {"width": 100}, "sections": [{"items": {"id": [\(oneName)]}}]}
        """,
      method: "POST", target: "/updates", content: #"{"updates": [\#(unnaming)]}"#,
      statuses: [201, 200]),
    Case(
      testDescription: "replaced items in a row of many that rounding makes alike", kind: "gallery",
      body: """
        {"bounds": {"width": 1}, "options": {"horizontalInset": 0, "minimumItemWidth": 0.001,
         "maximumItemWidth": 0.002}, "sections": [{"items": {"width": [\(tinyWidths)]}}]}
        """,
      method: "POST", target: "/updates", content: #"{"updates": [\#(replacements)]}"#,
      statuses: [201, 200]),
  ]

  /// Two hundred thousand items of which the last has a name.
  private static let oneName = String(repeating: "null,", count: 200_000) + #""a""#
  private static let unnaming = Array(
    repeating: #"{"replace": {"at": [0, 0], "items": 200000}}"#, count: 10_000
  ).joined(separator: ",")

  private static let heights = Array(repeating: "180", count: 50_000).joined(separator: ",")
  private static let tinyWidths = Array(repeating: "1e-6", count: 50_000).joined(separator: ",")
  private static let replacements = (0..<10_000).map {
    #"{"replace": {"at": [0, \#($0)], "items": [{"width": 2e-6}]}}"#
  }.joined(separator: ",")

  @Test("is not taken on", arguments: cases)
  func endless(_ test: Case) throws {
    let server = try Program()
    defer { server.stop() }
    let client = try RawClient(port: server.port, seconds: 600)
    func ask(_ method: String, _ target: String, _ content: String?) throws -> RawClient.Answer {
      let fields = content.map {
        "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n"
      }
      client.send("\(method) \(target) HTTP/1.1\r\nHost: a\r\n\(fields ?? "")\r\n\(content ?? "")")
      return try client.answer()
    }
    let prepared = try ask("POST", "/layouts/\(test.kind)/prepare", test.body)
    var statuses = [prepared.status]
    if let path = prepared.headers["location"] {
      statuses.append(try ask(test.method, path + test.target, test.content).status)
    }
    same(statuses, test.statuses)
    #expect(server.isRunning)
    for _ in 0..<4 {
      let other = try RawClient(port: server.port, seconds: 600)
      other.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(other.answer().status, 200)
    }
  }

  @Test("faults deep inside a body are told in time in keeping with its length")
  func deepFaults() throws {
    let server = try Program()
    defer { server.stop() }
    let depth = 100_000
    let body =
      #"{"root": "# + String(repeating: #"{"children": ["#, count: depth)
      + String(repeating: #"{"x": 1}, "#, count: 30) + "{}"
      + String(repeating: "]}", count: depth) + "}"
    let client = try RawClient(port: server.port, seconds: 20)
    client.send(
      "POST /layouts/tree/prepare HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    let answer = try client.answer()
    same(answer.status, 422)
    #expect(answer.body.utf8.count < 4 * body.utf8.count, "\(answer.body.utf8.count) bytes")
  }
}
