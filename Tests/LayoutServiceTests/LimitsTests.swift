import Foundation
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import MicroHTTP

/// What has to fit into the memory for contents on their way.
@Suite struct LimitsTests {
  private static let bufferBytes = 1 << 20

  private func withDaemon(_ body: (HTTPClient) throws -> Void) throws {
    let limits = LayoutService.Limits().fitting(into: Self.bufferBytes)
    try ServiceSupport.withDaemon(
      TestService(limits: limits).gateway,
      configuration: DaemonConfiguration(port: 0, maxBufferBytes: Self.bufferBytes)
    ) { try body(HTTPClient(port: $0)) }
  }

  @Test("where memory is plenty the limits are those of the configuration")
  func plenty() {
    let limits = LayoutService.Limits(maxItems: 5, maxBodyBytes: 1000, maxResponseBytes: 2000)
    let fitting = limits.fitting(into: 1 << 30)
    same(fitting.maxItems, 5)
    same(fitting.maxBodyBytes, 1000)
    same(fitting.maxResponseBytes, 2000)
  }

  @Test("a body that can never be unpacked is too large, however short it came")
  func unpacking() throws {
    try withDaemon { client in
      func send(_ text: [UInt8]) throws -> Answer {
        try client.send(
          "POST", "/layouts/grid/prepare",
          headers: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")],
          bytes: Gzip.compress(text))
      }
      let grid = Array(Sample.grid.utf8)
      for count in [1 << 20, 2_200_000, 50 << 20] {
        try send(grid + Array(repeating: UInt8(ascii: " "), count: count))
          .expectProblem(413, "content-too-large")
      }
      // Hardly shorter when they are compressed: both have to be in memory.
      var random = SeededGenerator(seed: 1)
      for (count, status) in [(500_000, 422), (700_000, 413), (1_000_000, 413)] {
        let id = (0..<count).map { _ in UInt8.random(in: 0x30...0x5A, using: &random) }
        let answer = try send(Array("{\"".utf8) + id + Array("\": 1}".utf8))
        same(answer.status, status, "\(answer.text)")
      }
      try same(send(grid).status, 201)
    }
  }

  @Test("a list that takes more than there is goes on behind its link")
  func pages() throws {
    try withDaemon { client in
      let created = try client.prepare(
        "grid", #"{"bounds": {"width": 100}, "sections": [{"items": 20000}]}"#)
      let path = try #require(created["Location"])
      for headers in [[], [("Accept-Encoding", "gzip")]] {
        var next: String? = "\(path)/elements?rect=0,0,100,1e9&limit=100000"
        var cells = 0
        while let target = next {
          var answer = try client.send("GET", target, headers: headers)
          same(answer.status, 200, "\(answer.text.prefix(200))")
          if answer["Content-Encoding"] == "gzip" {
            answer.body = try Gzip.decompress(.copying(answer.body), limit: 1 << 30)
              .withBytes { Array($0) }
          }
          // Not read as JSON, which takes seconds.
          cells += answer.text.components(separatedBy: #""category":"cell""#).count - 1
          next = answer.text.components(separatedBy: #""next":""#).dropFirst().first
            .map { String($0.prefix { $0 != "\"" }) }
        }
        same(cells, 20_000)
      }
    }
  }
}
