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
      "Lists: changes of rows among others",
      columns: ["change", "list", "rows", "aim", "first", "middle", "last", "all over", "met"])
    for size in sizes {
      for list in List.allCases {
        Progress.report("list of \(Figure.count(size)), \(list.rawValue)")
        let base = try self.list(size, list)
        for change in Self.changes where change.isMeasurement || list == .ofHeights {
          let times = try [0, size / 2, size - 1].map { row in
            try measure(change.body(row), change.isMeasurement, base).median
          }
          add(to: &table, change.name + " one", list, size, change.aim, times)
        }
        let many = min(1000, size)
        let starts = [0, (size - many) / 2, size - many]
        let times = try (starts.map { ($0, 1) } + [(0, size / many)]).map { start, step in
          let all = (0..<many).map { "{\"at\":[0,\(start + $0 * step)],\"height\":212.5}" }
          return try measure("{\"sizes\":[\(all.joined(separator: ","))]}", true, base).median
        }
        add(
          to: &table, "measure \(Figure.count(many))", list, size, .milliseconds(2), times)
      }
    }
    return table
  }

  private func add(
    to table: inout MarkdownTable, _ change: String, _ list: List, _ size: Int, _ aim: Duration,
    _ times: [Duration]
  ) {
    table.append(
      [change, list.rawValue, Figure.count(size), "< \(Figure.time(aim))"]
        + (0..<4).map { $0 < times.count ? Figure.time(times[$0]) : "" }
        + [times.max()! <= aim ? "yes" : "no"])
  }

  /// What is known of the rows before the change.
  private enum List: String, CaseIterable {
    /// Nothing: all are of the layout's height.
    case plain
    /// Each has a height in the data.
    case ofHeights = "of heights"
    /// The height of each was measured.
    case measured = "all measured"
  }

  /// Makes a change many times, each time of the same collection.
  private func measure(
    _ body: String, _ isMeasurement: Bool, _ base: PreparedCollection
  ) throws -> Measurement {
    let text = RequestText(body)
    let store = SessionStore.withoutLimits()
    var stopwatch = Stopwatch(patience)
    defer { withExtendedLifetime(text) {} }
    while stopwatch.goesOn {
      let current = try store.create(base)
      let next = try stopwatch.time {
        let change =
          isMeasurement
          ? try MeasurementsRequest(text.bytes).applied(to: base)!
          : try UpdatesRequest(text.bytes, kind: base.layout.kind, maxItems: .max)
            .applied(to: base)
        return try store.advance(current, by: ChangedCollection(change, of: base))
      }
      precondition(next.map(store.remove) == true, "nobody else changes the session")
      Sink.take(next?.memoryBytes ?? 0)
    }
    return stopwatch.measurement
  }

  private func list(_ count: Int, _ list: List) throws -> PreparedCollection {
    var writer = RequestTextWriter()
    writer.write("{\"bounds\":{\"width\":390},\"sections\":[{\"items\":")
    switch list {
    case .plain: writer.write("\(count)")
    case .ofHeights: write("height", count, Workload.heights.hundredths(count), to: &writer)
    case .measured:
      write("measured", count, Workload.heights.hundredths(count), to: &writer)
    }
    writer.write("}]}")
    let text = RequestText(writer.bytes)
    return try withExtendedLifetime(text) {
      try PrepareRequest(text.bytes, kind: .known("list"), maxItems: .max).prepared()
    }
  }

  private func write(
    _ field: String, _ count: Int, _ values: [Int], to writer: inout RequestTextWriter
  ) {
    writer.write("{\"\(field)\":")
    writer.writeList(count) { $1.write(hundredths: values[$0]) }
    writer.write("}")
  }
}
