import Foundation
import TestSupport
import Testing

/// Every place that stores something between requests is told in a table, and filled here to its
/// limit and beyond.
///
/// `BOUNDS_SIZE` multiplies how much is filled in, and for how long; `make soak` asks for more.
@Suite("What is stored between requests", .serialized)
struct StoredPlacesTests {
  @Test("each store has a row in the table of bounds, and each row is filled")
  func table() {
    let names = Set(Filling.allCases.map(\.rawValue))
    let told = Set(BoundsTable.rows.flatMap(\.places))
    #expect(BoundsTable.rows.count > 20)
    for row in BoundsTable.rows {
      #expect(!row.places.isEmpty, "\(row.what)")
      #expect(!row.fillings.isEmpty, "nothing fills: \(row.what)")
      #expect(Set(row.fillings).isSubset(of: names), "\(row.what): \(row.fillings)")
    }
    let used = Set(BoundsTable.rows.flatMap(\.fillings))
    same(used, names, "\(names.symmetricDifference(used))")
    let missing = BoundsTable.guarded.subtracting(told).subtracting(BoundsTable.fixed)
    #expect(
      missing.isEmpty, "no row in Documentation/bounds.md says what bounds \(missing.sorted())")
    let gone = Set(BoundsTable.fixed).subtracting(BoundsTable.guarded)
    #expect(gone.isEmpty, "told to have a lock, and have none: \(gone.sorted())")
  }

  @Test("each is filled beyond its limit, and the memory stays below the sum of the limits")
  func fill() throws {
    let server = try FilledServer()
    defer { server.stop() }
    for filling in Filling.allCases {
      try filling.fill(server)
      server.check(after: filling)
    }
  }
}

/// A server with small limits, and clients of it.
final class FilledServer {
  static let sessionBytes = 4 << 20
  static let historyBytes = 2 << 20
  static let bufferBytes = 4 << 20
  /// How often the usual amount is filled in, in how much of the usual time.
  static let size =
    ProcessInfo.processInfo.environment["BOUNDS_SIZE"].flatMap { Int($0) } ?? 1
  static let bound = (sessionBytes + historyBytes + bufferBytes) * 5 / 4 + 100_000_000

  let program: Program
  private(set) var client: RawClient
  /// Clients that stay until the end.
  var others: [RawClient] = []

  /// - Parameter arguments: Beside those for the limits.
  init(_ arguments: [String] = []) throws {
    program = try Program(
      arguments + [
        "--max-session-bytes", "\(Self.sessionBytes)", "--max-history-bytes",
        "\(Self.historyBytes)", "--max-buffer-bytes", "\(Self.bufferBytes)",
        "--session-idle-timeout", "3600", "--max-connections", "600",
        // The client waits while others fill their places, on a slow machine for minutes.
        "--connection-timeout", "3600",
        "--max-connections-per-address", "0", "--max-event-streams", "2000",
      ], descriptors: 4096)
    client = try RawClient(port: program.port, seconds: 60)
  }

  func stop() { program.stop() }

  func check(after filling: Filling) {
    let peak = program.peakResidentBytes
    #expect(program.isRunning)
    #expect(
      peak <= Self.bound, "\(filling.rawValue): \(peak >> 20) MiB, of at most \(Self.bound >> 20)")
    print("bounds: after \(filling.rawValue) \(peak >> 20) MiB of \(Self.bound >> 20)")
  }

  /// Fills one place.
  ///
  /// - Parameters:
  ///   - least: How much exceeds the limit; so much is filled in however long that takes.
  ///   - most: How much is filled in if that takes few seconds. If it were not counted, most
  ///     places would take more than the bound permits.
  func fill(_ least: Int, upTo most: Int, _ body: (Int) throws -> Void) throws {
    let end = ContinuousClock.now + .seconds(4 * Self.size)
    for number in 0..<most * Self.size where number < least || ContinuousClock.now < end {
      try body(number)
    }
  }

  func connect() throws -> RawClient { try RawClient(port: program.port, seconds: 60) }

  static func request(
    _ method: String, _ target: String, _ body: [UInt8], gzip: Bool = false
  ) -> [UInt8] {
    let coding = gzip ? "Content-Encoding: gzip\r\n" : ""
    return Array(
      ("\(method) \(target) HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\(coding)"
        + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
  }

  @discardableResult
  func ask(
    _ method: String, _ target: String, _ body: String, expecting statuses: Set<Int> = [200, 201]
  ) throws -> RawClient.Answer {
    var last: RawClient.Answer?
    // The server may still be at giving up what others have sent.
    _ = eventually {
      client.send(Self.request(method, target, Array(body.utf8)))
      last = try? client.answer()
      return last?.status != 503
    }
    guard let answer = last else { throw RawClient.Broken("\(method) \(target): no answer") }
    guard statuses.contains(answer.status) else {
      throw RawClient.Broken("\(method) \(target): \(answer.status) \(answer.body.prefix(300))")
    }
    return answer
  }

  func delete(_ target: String) throws {
    client.send("DELETE \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = try client.answer(hasBody: false)
  }

  func get(_ target: String) throws -> RawClient.Answer {
    client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
    return try client.answer()
  }

  func prepare(_ kind: String, _ body: String) throws -> String {
    let answer = try ask("POST", "/layouts/\(kind)/prepare", body)
    guard let path = answer.headers["location"] else { throw RawClient.Broken("no location") }
    return path
  }
}
