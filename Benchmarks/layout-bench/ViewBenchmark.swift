import CollectionLayout
import LayoutSessions
import WireFormat

/// Measures one collection of photographs that many people look at, each through a view of a width
/// of its own, and beside it the same with layouts that share nothing.
struct ViewBenchmark {
  private let patience: Patience

  private static let photographs = 200_000
  private static let views = 1000
  private static let widths = (0..<20).map { 320 + 80 * $0 }
  private static let kind = LayoutKind.known("waterfall")

  init(patience: Patience) {
    self.patience = patience
  }

  func tables() throws -> [MarkdownTable] {
    Progress.report("memory of views")
    let memory = try memoryTable()
    Progress.report("times of views")
    return [memory, try timeTable()]
  }

  // MARK: Memory

  private func memoryTable() throws -> MarkdownTable {
    var table = MarkdownTable(
      "Memory of \(Figure.count(Self.photographs)) photographs for \(Figure.count(Self.views)) "
        + "people with windows of \(Self.widths.count) widths",
      columns: ["what there is", "as the server counts", "allocated"])
    func measure(
      _ name: String, times factor: Int = 1, _ fill: (SessionStore) throws -> Void
    ) throws {
      let allocated = ProcessMemory.settledAllocated
      let store = SessionStore.withoutLimits()
      try fill(store)
      let bytes = (store.statistics.bytes, ProcessMemory.settledAllocated - allocated)
      table.append([name, Figure.bytes(bytes.0 * factor), Figure.bytes(bytes.1 * factor)])
    }
    try measure("one layout") { _ = try $0.create(Self.collection()) }
    try measure("one layout and its \(Figure.count(Self.views)) views") { store in
      let source = try store.create(Self.collection())
      for view in Self.insertViews(of: source, in: store) {
        _ = try store.makeVersion(of: view)
      }
    }
    let many = Self.views / Self.widths.count
    try measure(
      "\(Figure.count(Self.views)) separate layouts (\(Self.widths.count) measured, × \(many))",
      times: many
    ) { store in
      for width in Self.widths { _ = try store.create(Self.collection(width: width)) }
    }
    return table
  }

  // MARK: Times

  private func timeTable() throws -> MarkdownTable {
    var table = MarkdownTable(
      "Time of \(Figure.count(Self.photographs)) photographs with \(Figure.count(Self.views)) views",
      columns: ["what is done", "median", "most", "all together"])
    let store = SessionStore.withoutLimits()
    let source = try store.create(Self.collection())
    let alone = try measureUpdates(of: source.id, in: store)
    let views = Self.insertViews(of: source, in: store)
    for view in views { try query(view, in: store) }
    let shared = try measureUpdates(of: source.id, in: store)
    for (name, time) in [
      ("update without views", alone),
      ("update with \(Figure.count(Self.views)) views that nobody asks for", shared),
    ] { table.append([name, Figure.time(time.median), "", ""]) }

    // One more change, and then everybody looks.
    try update(source.id, in: store)
    var times: [Duration] = []
    for view in views { times.append(try ContinuousClock().measure { try query(view, in: store) }) }
    for (name, part) in [
      ("first query of each width after it", times.prefix(Self.widths.count)),
      ("first query of each other view after it", times.dropFirst(Self.widths.count)),
    ] {
      let most = part.max() ?? .zero
      table.append([
        name, Figure.time(Measurement(Array(part)).median), Figure.time(most),
        Figure.time(part.reduce(.zero, +)),
      ])
    }
    return table
  }

  private func measureUpdates(of id: SessionID, in store: SessionStore) throws -> Measurement {
    var stopwatch = Stopwatch(patience)
    while stopwatch.goesOn { try stopwatch.time { try update(id, in: store) } }
    return stopwatch.measurement
  }

  /// Gives a photograph in the middle another shape, as an updates request does.
  private func update(_ id: SessionID, in store: SessionStore) throws {
    let text = RequestText(
      """
      {"updates":[{"set":{"at":[0,\(Self.photographs / 2)],"items":[{"aspectRatio":\
      \(Double.random(in: 0.5..<2))}]}}]}
      """)
    defer { withExtendedLifetime(text) {} }
    guard let version = store.version(of: id) else { preconditionFailure("the session is gone") }
    let change = try UpdatesRequest(text.bytes, kind: Self.kind, maxItems: .max)
      .applied(to: version.collection)
    let next = try store.advance(version, by: ChangedCollection(change, of: version.collection))
    precondition(next != nil, "nobody else changes the session")
  }

  /// Asks for a window in the middle of the content.
  private func query(_ view: SessionID, in store: SessionStore) throws {
    guard let version = try store.makeVersion(of: view) else {
      preconditionFailure("the view is gone")
    }
    let prepared = version.collection.prepared
    let window = Rect(
      x: 0, y: prepared.contentSize.height / 2, width: prepared.contentSize.width, height: 1600)
    var count = 0
    _ = prepared.forEachElement(in: ElementQuery(rect: window)) { _, _ in count += 1 }
    Sink.take(count)
  }

  // MARK: Layouts

  private static func insertViews(
    of source: LayoutVersion, in store: SessionStore
  ) -> [SessionID] {
    (0..<views).map { view in
      var layout = source.collection.layout
      layout.bounds?.width = Double(widths[view % widths.count])
      guard let id = store.insertView(of: source, layout) else {
        preconditionFailure("the session is gone")
      }
      return id
    }
  }

  /// Photographs with ids like those of files, in columns of at least 240 points.
  private static func collection(width: Int = 1200) throws -> PreparedCollection {
    let shapes = Workload.heights.hundredths(photographs)
    var writer = RequestTextWriter()
    writer.write("{\"bounds\":{\"width\":\(width)},\"options\":{\"minimumColumnWidth\":240,")
    writer.write("\"columns\":null,\"placement\":\"shortestColumn\"},\"sections\":[")
    writer.write("{\"items\":{\"id\":")
    writer.writeList(photographs) { $1.write("\"IMG_\(100_000 + $0).jpg\"") }
    writer.write(",\"aspectRatio\":")
    writer.writeList(photographs) { $1.write(hundredths: shapes[$0] / 200) }
    writer.write("}}]}")
    let text = RequestText(writer.bytes)
    defer { withExtendedLifetime(text) {} }
    return try PrepareRequest(text.bytes, kind: kind, maxItems: .max).prepared()
  }
}

extension SessionStore {
  /// A store that has room for whatever is measured.
  static func withoutLimits() -> SessionStore {
    var limits = Limits.standard
    limits.maxBytes = 1 << 50
    return SessionStore(limits: limits, clock: SystemClock())
  }
}
