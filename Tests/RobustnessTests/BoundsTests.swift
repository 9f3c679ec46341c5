import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LayoutService

/// 64 clients ask for what takes most memory, against small limits.
///
/// `BOUNDS_ROUNDS` says how many requests each client makes; `make soak` asks for more.
@Suite("Bounds on memory", .serialized)
struct BoundsTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["BOUNDS_ROUNDS"].flatMap { Int($0) }
    ?? Extent.count(1, of: 2)
  private static let clients = 64
  private static let sessionBytes = 16 << 20
  private static let bufferBytes = 16 << 20

  @Test("hold against every kind of request at once")
  func load() throws {
    let server = try Program([
      "--max-session-bytes", "\(Self.sessionBytes)", "--max-buffer-bytes", "\(Self.bufferBytes)",
      "--session-idle-timeout", "3600",
    ])
    defer { server.stop() }
    let client = try RawClient(port: server.port, seconds: 60)
    client.send(BoundsRequests.post("/layouts/grid/prepare", BoundsRequests.largeGrid))
    let load = BoundsLoad(
      port: server.port, path: try #require(try client.answer().headers["location"]))
    client.send(BoundsRequests.post("/layouts/grid/prepare", Self.quietGrid))
    let quietPath = try #require(try client.answer().headers["location"])

    let quiet = try Self.latencies(of: 200, quietPath, client)
    let isOver = Atomic(false)
    let loaded = Mutex<[Duration]>([])
    let probe = BackgroundThread { [port = server.port] in
      guard let client = try? RawClient(port: port, seconds: 60) else { return }
      while !isOver.load(ordering: .acquiring),
        let some = try? Self.latencies(of: 1, quietPath, client)
      {
        loaded.withLock { $0 += some }
      }
    }
    onThreads(Self.clients) { load.run(client: $0, rounds: Self.rounds) }
    isOver.store(true, ordering: .releasing)
    probe.join()

    #expect(server.isRunning)
    let bound = (Self.sessionBytes + Self.bufferBytes) * 5 / 4 + 100_000_000
    let peak = server.peakResidentBytes
    #expect(peak <= bound, "\(peak >> 20) MiB, which must be at most \(bound >> 20)")
    // What the requests mean is tested elsewhere; here none of them may be wrong, or all in vain.
    let statuses = load.statuses.withLock { $0 }
    for request in BoundsRequest.allCases {
      let statuses = statuses[request, default: [:]]
      let areExpected = Set(statuses.keys).isSubset(of: [200, 201, 404, 503])
      #expect(areExpected, "\(request): \(statuses)")
    }
    let counts = statuses.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    #expect(counts[200, default: 0] > 0 && counts[201, default: 0] > 0, "\(counts)")
    print(
      "bounds: peak \(peak >> 20) MiB of \(bound >> 20); p99 of a small query "
        + "\(Self.p99(quiet)) quiet, \(Self.p99(loaded.withLock { $0 })) loaded; \(counts)")
  }

  private static let quietGrid = #"{"bounds": {"width": 320}, "sections": [{"items": 900}]}"#

  private static func latencies(
    of count: Int, _ path: String, _ client: RawClient
  ) throws -> [Duration] {
    try (0..<count).map { _ in
      let start = ContinuousClock.now
      client.send("GET \(path)/elements?rect=0,0,320,480 HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try client.answer()
      return ContinuousClock.now - start
    }
  }

  private static func p99(_ latencies: [Duration]) -> Duration {
    let sorted = latencies.sorted()
    return sorted.isEmpty ? .zero : sorted[(sorted.count - 1) * 99 / 100]
  }
}

/// The kinds of request that the clients make.
private enum BoundsRequest: CaseIterable {
  case longPage, compressedPage, export, find, patch, update, transitions
  case smallPrepare, largePrepare, compressedPrepare
}

/// The text of requests.
private enum BoundsRequests {
  /// A grid of items whose ids take 128 bytes in memory and 768 bytes as JSON.
  private static func grid(items: Int) -> String {
    let ids = (0..<items).map { index in
      let number = String(index)
      return "\"" + String(repeating: "\\u0000", count: 128 - number.utf8.count) + number + "\""
    }
    return #"{"bounds": {"width": 320}, "sections": [{"items": {"id": ["#
      + ids.joined(separator: ",") + "]}}]}"
  }

  private static let smallGrid = grid(items: 300)
  static let largeGrid = grid(items: 4000)
  private static let compressedGrid = Gzip.compress(Array(largeGrid.utf8)) ?? []

  static func post(_ target: String, _ body: String, _ method: String = "POST") -> [UInt8] {
    head(method, target, bodyLength: body.utf8.count) + Array(body.utf8)
  }

  private static func head(
    _ method: String, _ target: String, bodyLength: Int, _ fields: String = ""
  ) -> [UInt8] {
    Array(
      ("\(method) \(target) HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\(fields)"
        + "Content-Length: \(bodyLength)\r\n\r\n").utf8)
  }

  private static func get(_ target: String, _ fields: String = "") -> [UInt8] {
    Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8)
  }

  static func bytes(
    of request: BoundsRequest, _ path: String, _ random: inout SeededGenerator
  ) -> [UInt8] {
    switch request {
    case .longPage: get("\(path)/elements?rect=0,0,1e9,1e9&limit=100000")
    case .compressedPage:
      get("\(path)/elements?rect=0,0,1e9,1e9&limit=3000", "Accept-Encoding: gzip\r\n")
    case .export: get("\(path)/collection")
    case .find: get("\(path)/items?id=0&id=nobody")
    case .patch:
      post(path, #"{"bounds": {"width": \#(300 + random.integer(0...99))}}"#, "PATCH")
    case .update:
      post(
        "\(path)/updates",
        #"{"updates": [{"insert": {"at": [0, 0], "items": [{"id": "new"}]}}, "#
          + #"{"delete": {"at": [0, 1]}}]}"#)
    case .transitions:
      post(
        "\(path)/updates?rect=0,0,320,4000",
        #"{"updates": [{"move": {"from": [0, 0], "to": [0, 3000]}}]}"#)
    case .smallPrepare: post("/layouts/grid/prepare", smallGrid)
    case .largePrepare: post("/layouts/grid/prepare", largeGrid)
    case .compressedPrepare:
      head(
        "POST", "/layouts/grid/prepare", bodyLength: compressedGrid.count,
        "Content-Encoding: gzip\r\n") + compressedGrid
    }
  }
}

/// What the clients share.
private final class BoundsLoad: Sendable {
  private let port: UInt16
  /// The layout that they all ask about; `nil` if it was evicted, until the next large one is
  /// there.
  private let path: Mutex<String?>
  let statuses = Mutex<[BoundsRequest: [Int: Int]]>([:])

  init(port: UInt16, path: String) {
    self.port = port
    self.path = Mutex(path)
  }

  /// Makes each kind of request in turn. One in ten clients hangs up, in the middle of its request
  /// or before the answer.
  func run(client number: Int, rounds: Int) {
    var random = SeededGenerator(seed: number)
    var client: RawClient?
    for round in 0..<rounds {
      guard let open = client ?? (try? RawClient(port: port, seconds: 120)) else { continue }
      client = open
      let all = BoundsRequest.allCases
      let request = all[(number + round) % all.count]
      let path = path.withLock { $0 } ?? "/layouts/none"
      let bytes = BoundsRequests.bytes(of: request, path, &random)
      if random.once(in: 10) {
        open.send(random.chance(50) ? bytes : Array(bytes.prefix(bytes.count / 2)))
        open.reset()
        client = nil
        continue
      }
      open.send(bytes)
      guard let answer = try? open.answer() else {
        client = nil
        continue
      }
      statuses.withLock { $0[request, default: [:]][answer.status, default: 0] += 1 }
      self.path.withLock {
        if answer.status == 404, $0 == path { $0 = nil }
        if request == .largePrepare, $0 == nil { $0 = answer.headers["location"] }
      }
    }
  }
}
