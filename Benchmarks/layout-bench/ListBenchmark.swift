import CollectionLayout
import LayoutSessions
import WireFormat

/// Measures changes of a few rows of a list, wherever they lie: sizes that were measured, and rows
/// that are set, inserted and deleted. As the server makes them: it reads the body, applies the
/// change, and stores the version in the session.
struct ListBenchmark {
  let patience: Patience
  /// The numbers of rows.
  let sizes: [Int]

  /// A change of one row, and the aim for it among any number of others.
  private struct Change: Sendable {
    let name: String
    let aim: Duration
    /// The body for a row.
    let body: @Sendable (_ row: Int) -> String
    var isMeasurement = false
  }

  private static let changes = [
    Change(
      name: "measure", aim: .microseconds(20),
      body: { "{\"sizes\":[{\"at\":[0,\($0)],\"height\":212.5}]}" }, isMeasurement: true),
    Change(name: "set", aim: .microseconds(20)) {
      "{\"updates\":[{\"set\":{\"at\":[0,\($0)],\"items\":[{\"height\":212.5}]}}]}"
    },
    Change(name: "insert", aim: .microseconds(20)) {
      "{\"updates\":[{\"insert\":{\"at\":[0,\($0)],\"items\":[{\"height\":212.5}]}}]}"
    },
    Change(name: "delete", aim: .microseconds(20)) {
      "{\"updates\":[{\"delete\":{\"at\":[0,\($0)]}}]}"
    },
  ]

  func table() throws -> MarkdownTable {
    var table = MarkdownTable(
      "Lists: changes of rows among others with heights of their own",
      columns: ["change", "rows", "aim", "first", "middle", "last", "met"])
    for size in sizes {
      Progress.report("list of \(Figure.count(size))")
      let base = try list(size)
      for change in Self.changes {
        let times = try [0, size / 2, size - 1].map { row in
          try measure(change.body(row), change.isMeasurement, base).median
        }
        table.append(
          ["\(change.name) one", Figure.count(size), "< \(Figure.time(change.aim))"]
            + times.map { Figure.time($0) } + [times.max()! <= change.aim ? "yes" : "no"])
      }
      let many = min(1000, size)
      let all = (0..<many).map { "{\"at\":[0,\($0 * (size / many))],\"height\":212.5}" }
      let time = try measure("{\"sizes\":[\(all.joined(separator: ","))]}", true, base).median
      let aim = Duration.milliseconds(2)
      table.append([
        "measure \(Figure.count(many)) all over it", Figure.count(size), "< \(Figure.time(aim))",
        "", Figure.time(time), "", time <= aim ? "yes" : "no",
      ])
    }
    return table
  }

  /// Makes a change many times, each time of the same collection.
  private func measure(
    _ body: String, _ isMeasurement: Bool, _ base: PreparedCollection
  ) throws -> Measurement {
    let text = RequestText(body)
    let store = SessionStore(
      limits: SessionStore.Limits(maxBytes: 1 << 50), clock: ManualSessionClock())
    var stopwatch = Stopwatch(patience)
    defer { withExtendedLifetime(text) {} }
    while stopwatch.goesOn {
      let current = try store.insert(base)
      let next = try stopwatch.time {
        let change =
          isMeasurement
          ? try MeasurementsRequest(text.bytes).applied(to: base)
          : try UpdatesRequest(text.bytes, kind: base.layout.kind, maxItems: .max)
            .applied(to: base)
        return try store.advance(
          current, to: change.next, touching: change.invalidatedRectsBesidePins,
          keepsNames: change.keepsNames, lineage: change.lineage)
      }
      precondition(next.map(store.remove) == true, "nobody else changes the session")
      Sink.take(next?.memoryBytes ?? 0)
    }
    return stopwatch.measurement
  }

  /// A list some of whose rows were measured before.
  private func list(_ count: Int) throws -> PreparedCollection {
    let all = Workload.heights.hundredths(count)
    var writer = RequestTextWriter()
    writer.write("{\"bounds\":{\"width\":390},\"sections\":[{\"items\":{\"height\":")
    writer.writeList(count) { $1.write(hundredths: all[$0]) }
    writer.write("}}]}")
    let text = RequestText(writer.bytes)
    let base = try withExtendedLifetime(text) {
      try PrepareRequest(text.bytes, kind: .known("list"), maxItems: .max).prepared()
    }
    let size = RequestText("{\"sizes\":[{\"at\":[0,\(count / 3)],\"height\":100}]}")
    return try withExtendedLifetime(size) {
      try MeasurementsRequest(size.bytes).applied(to: base).next
    }
  }
}
