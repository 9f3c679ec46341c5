import Foundation
import MicroHTTP
import Testing

@testable import LayoutService

@Suite struct ConformanceTests {
  @Test(
    "a daemon gives the frames of an independent implementation",
    arguments: ["grid", "waterfall", "gallery", "tree"])
  func conformance(kind: String) throws {
    let file = try #require(
      Bundle.module.url(forResource: "Fixtures/conformance/\(kind)", withExtension: "json"))
    let cases = try JSON(parsing: Array(Data(contentsOf: file))).array
    #expect(cases.count == 24)
    try withDaemon(TestService().gateway) { port in
      let client = try HTTPClient(port: port)
      for example in cases { try check(example, kind, client) }
    }
  }

  private func check(_ example: JSON, _ kind: String, _ client: HTTPClient) throws {
    let name = Comment(rawValue: example["name"].string ?? "")
    let schema = "Prepare" + kind.prefix(1).uppercased() + kind.dropFirst()
    #expect(OpenAPI.faults(of: example["prepare"], as: schema) == [], name)

    let created = try client.prepare(kind, example["prepare"].text)
    #expect(created.status == 201, "\(name): \(created.text)")
    let summary = created.json
    #expect(summary["kind"].string == kind, name)
    #expect(summary["contentSize"].isClose(to: example["expect"]["contentSize"]), name)
    for (category, count) in example["expect"]["counts"].object {
      #expect(summary["counts"][category] == count, "\(name): \(category)")
    }

    let path = try #require(created["Location"])
    for query in example["queries"].array {
      var target = "\(path)/elements?rect=\(query["rect"].commaSeparated)"
      if query["known"] != .null { target += "&known=\(query["known"].commaSeparated)" }
      let answer = try client.send("GET", target)
      #expect(answer.status == 200, "\(name): \(answer.text)")
      let (elements, expected) = (answer.json["elements"].array, query["elements"].array)
      #expect(elements.count == expected.count, "\(name): \(target)")
      for (element, expected) in zip(elements, expected) where !element.isClose(to: expected) {
        Issue.record("\(name): \(target): was \(element), expected \(expected)")
      }
    }
  }
}

extension JSON {
  /// Numbers as a query has them.
  var commaSeparated: String { array.map(\.text).joined(separator: ",") }
}

/// Starts a daemon on a free port, and ends it after `body`.
func withDaemon(
  _ responder: some Responder,
  configuration: DaemonConfiguration = DaemonConfiguration(port: 0, maxBodyBytes: 1 << 20),
  _ body: (UInt16) throws -> Void
) throws {
  let daemon = try Daemon(configuration: configuration, responder: responder)
  defer { daemon.shutDown(grace: .seconds(5)) }
  try body(daemon.port)
}
