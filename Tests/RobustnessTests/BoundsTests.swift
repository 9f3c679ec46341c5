import Foundation
import Synchronization
import TestSupport
import Testing

/// Sixty-four clients that ask for what takes most memory, against small limits.
///
/// `BOUNDS_ROUNDS` says how many requests each makes; without it the test, which takes minutes, is
/// left to `make soak`.
@Suite("Bounds on memory", .serialized)
struct BoundsTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["BOUNDS_ROUNDS"].flatMap { Int($0) } ?? 2
  private static let clients = 64
  private static let limit = 128 << 20

  /// Grids of items whose names take 768 bytes of text each.
  private static func grid(items: Int) -> String {
    let names = (0..<items).map { index in
      let number = String(index)
      return "\"" + String(repeating: "\\u0000", count: 128 - number.utf8.count) + number + "\""
    }
    return #"{"bounds": {"width": 320}, "sections": [{"items": {"id": ["#
      + names.joined(separator: ",") + "]}}]}"
  }

  private static let large = grid(items: 8000)
  private static let small = grid(items: 500)

  /// What the clients share.
  private final class Load: Sendable {
    let port: UInt16
    let path: String
    let statuses = Mutex<[Int: Int]>([:])

    init(port: UInt16, path: String) {
      self.port = port
      self.path = path
    }

    func count(_ status: Int) { statuses.withLock { $0[status, default: 0] += 1 } }
  }

  @Test(
    "hold against every kind of request at once",
    .enabled(if: ProcessInfo.processInfo.environment["BOUNDS_ROUNDS"] != nil))
  func load() throws {
    let server = try Program([
      "--max-session-bytes", "\(Self.limit)", "--max-buffer-bytes", "\(Self.limit)",
      "--session-idle-timeout", "3600",
    ])
    defer { server.stop() }
    let client = try RawClient(port: server.port, seconds: 60)
    client.send(Self.post("/layouts/grid/prepare", Self.large))
    let path = try #require(try client.answer().headers["location"])
    client.send(Self.post("/layouts/waterfall/prepare", Self.quietBody))
    let quietPath = try #require(try client.answer().headers["location"])
    let load = Load(port: server.port, path: path)

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
    onThreads(Self.clients) { Self.run(client: $0, load) }
    isOver.store(true, ordering: .releasing)
    probe.join()

    #expect(server.isRunning)
    let bound = 2 * Self.limit / 4 * 5 + 100_000_000
    let peak = server.peakResidentBytes
    #expect(peak <= bound, "\(peak >> 20) MiB, which must be at most \(bound >> 20)")
    let statuses = load.statuses.withLock { $0 }
    for status in statuses.keys { #expect([200, 201, 304, 404, 410, 503].contains(status)) }
    #expect(statuses[200, default: 0] > 0 && statuses[201, default: 0] > 0)
    print(
      "bounds: peak \(peak >> 20) MiB of \(bound >> 20); a small query's p99 "
        + "\(Self.p99(quiet)) quiet, \(Self.p99(loaded.withLock { $0 })) loaded; \(statuses)")
  }

  private static let quietBody = #"{"bounds": {"width": 320}, "sections": [{"items": 900}]}"#

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

  private static func post(_ target: String, _ body: String, _ method: String = "POST") -> String {
    "\(method) \(target) HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private static func run(client number: Int, _ load: Load) {
    var random = SeededGenerator(seed: number)
    var client: RawClient?
    for _ in 0..<rounds {
      let isAbandoned = random.integer(0...9) == 0
      guard let open = client ?? (try? RawClient(port: load.port, seconds: 120)) else { continue }
      client = open
      switch random.integer(0...7) {
      case 0, 1:
        open.send(
          "GET \(load.path)/elements?rect=0,0,1e9,1e9&limit=100000 HTTP/1.1\r\nHost: a\r\n\r\n")
      case 2:
        open.send(
          "GET \(load.path)/elements?rect=0,0,1e9,1e9&limit=3000 HTTP/1.1\r\nHost: a\r\n"
            + "Accept-Encoding: gzip\r\n\r\n")
      case 3: open.send("GET \(load.path)/items?id=nobody HTTP/1.1\r\nHost: a\r\n\r\n")
      case 4:
        let width = 300 + random.integer(0...99)
        open.send(post(load.path, #"{"bounds": {"width": \#(width)}}"#, "PATCH"))
      case 5:
        open.send(
          post(
            "\(load.path)/updates?rect=0,0,320,4000",
            #"{"updates": [{"insert": {"at": [0, 0], "items": [{"id": "new"}]}}, "#
              + #"{"delete": {"at": [0, 1]}}]}"#))
      case 6: open.send(post("/layouts/grid/prepare", small))
      default: open.send(post("/layouts/grid/prepare", large))
      }
      if isAbandoned {
        open.reset()
        client = nil
      } else if let answer = try? open.answer() {
        load.count(answer.status)
      } else {
        client = nil
      }
    }
  }
}
