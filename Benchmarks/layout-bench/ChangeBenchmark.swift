import CollectionLayout
import LayoutSessions
import WireFormat

/// Measures changes of different kinds as the server makes them: it reads the body, applies the
/// change, and stores the version in the session.
struct ChangeBenchmark {
  private let patience: Patience

  init(patience: Patience) {
    self.patience = patience
  }

  func table() throws -> MarkdownTable {
    var table = MarkdownTable(
      "Changes: \(Figure.count(Self.many)) and \(Figure.count(Self.most)) items, waterfalls of "
        + "6 columns unless said otherwise",
      columns: ["change", "aim", "median", "least", "release", "more memory", "met"])
    try measureAppending(into: &table)
    try measureReplacing(into: &table)
    try measureSettingSections(into: &table)
    try measureInserting(into: &table)
    try measurePatching(into: &table)
    try measurePatchingGrids(into: &table)
    try measurePatchingKinds(into: &table)
    return table
  }

  private static let many = 1_000_000
  private static let most = 10_000_000

  /// The form of the heights of a waterfall's items.
  private enum Heights: String, CaseIterable {
    /// Sums of whole numbers are exact, so sections can move without being laid out again.
    case whole = "whole heights"
    /// Sums of fractions are rounded and depend on where the section begins.
    case fractional = "heights like 123.45"

    func write(_ hundredths: Int, to writer: inout RequestTextWriter) {
      switch self {
      case .whole: writer.write(hundredths / 100)
      case .fractional: writer.write(hundredths: hundredths)
      }
    }

    /// The height of a new item. It is so large that its column becomes the longest of a section
    /// with some hundred items, so the sections behind must move.
    var other: String {
      switch self {
      case .whole: "7417"
      case .fractional: "7417.89"
      }
    }
  }

  // MARK: The changes

  private func measureAppending(into table: inout MarkdownTable) throws {
    for heights in Heights.allCases {
      let base = try waterfall(sections: 1, items: Self.most, heights)
      let items = Array(repeating: heights.other, count: 100).joined(separator: ",")
      try measureUpdate(
        "append 100 items to \(Figure.count(Self.most)), \(heights.rawValue)",
        """
        {"insert":{"at":[0,\(Self.most)],"items":{"height":[\(items)]}}}
        """,
        to: base, aim: .milliseconds(1), memoryAim: 1_000_000, into: &table)
    }
  }

  private func measureReplacing(into table: inout MarkdownTable) throws {
    for heights in Heights.allCases {
      let base = try waterfall(sections: 1000, items: 1000, heights)
      for (place, section) in [("first", 0), ("middle", 500), ("last", 999)] {
        try measureUpdate(
          "replace an item of the \(place) of 1k sections of 1k, \(heights.rawValue)",
          """
          {"replace":{"at":[\(section),500],"items":[{"height":\(heights.other)}]}}
          """,
          to: base, aim: .microseconds(300), into: &table)
      }
    }
  }

  private func measureSettingSections(into table: inout MarkdownTable) throws {
    let base = try waterfall(sections: 1000, items: 1000, .fractional)
    for (place, section) in [("first", 0), ("middle", 500), ("last", 999)] {
      try measureUpdate(
        "set the columns of the \(place) of 1k sections of 1k, \(Heights.fractional.rawValue)",
        """
        {"setSection":{"at":\(section),"options":{"columns":5}}}
        """,
        to: base, aim: .microseconds(300), into: &table)
    }
  }

  private func measureInserting(into table: inout MarkdownTable) throws {
    for heights in Heights.allCases {
      let base = try waterfall(sections: 1, items: Self.many, heights)
      try measureUpdate(
        "insert an item before \(Figure.count(Self.many)), \(heights.rawValue)",
        """
        {"insert":{"at":[0,0],"items":[{"height":\(heights.other)}]}}
        """,
        to: base, aim: .milliseconds(15), into: &table)
    }
  }

  private func measurePatching(into table: inout MarkdownTable) throws {
    for placement in WaterfallLayout.Placement.allCases {
      let base = try waterfall(
        sections: 1, items: Self.many, .fractional, placement: placement.rawValue)
      try measurePatch(
        "PATCH columns of \(Figure.count(Self.many)), \(placement.rawValue)",
        "{\"options\":{\"columns\":5}}", to: base, aim: .milliseconds(30), into: &table)
    }
  }

  private func measurePatchingGrids(into table: inout MarkdownTable) throws {
    for count in [1000, Self.many, 1_000_000_000] {
      let base = try collection(
        "{\"bounds\":{\"width\":1200},\"sections\":[{\"items\":\(count)}]}", "grid")
      try measurePatch(
        "PATCH columns of a grid of \(Figure.count(count))",
        "{\"options\":{\"columns\":5}}", to: base, aim: .microseconds(10), into: &table)
    }
  }

  private func measurePatchingKinds(into table: inout MarkdownTable) throws {
    let base = try waterfall(sections: 1, items: Self.many, .fractional)
    for kind in ["list", "flow"] {
      try measurePatch(
        "PATCH kind of \(Figure.count(Self.many)) to \(kind)", "{\"kind\":\"\(kind)\"}", to: base,
        aim: .milliseconds(30), into: &table)
    }
  }

  // MARK: Measuring

  private func measureUpdate(
    _ name: String, _ update: String, to base: PreparedCollection, aim: Duration,
    memoryAim: Int? = nil, into table: inout MarkdownTable
  ) throws {
    try measure(
      name, "{\"updates\":[\(update)]}", to: base, aim: aim, memoryAim: memoryAim, into: &table
    ) { text, collection in
      let change = try UpdatesRequest(
        text.bytes, kind: collection.layout.kind, maxItems: .max
      ).applied(to: collection)
      return ChangedCollection(change, of: collection)
    }
  }

  private func measurePatch(
    _ name: String, _ body: String, to base: PreparedCollection, aim: Duration,
    into table: inout MarkdownTable
  ) throws {
    try measure(
      name, body, to: base, aim: aim, memoryAim: nil, into: &table
    ) { text, collection in
      let (next, change) = try PatchRequest(text.bytes, merging: collection)
        .applied(to: collection)
      return ChangedCollection(next, change)
    }
  }

  /// Makes the change many times, each time in a session of the same collection.
  private func measure(
    _ name: String, _ body: String, to base: PreparedCollection, aim: Duration, memoryAim: Int?,
    into table: inout MarkdownTable,
    _ change: (RequestText, PreparedCollection) throws -> ChangedCollection
  ) throws {
    Progress.report(name)
    let text = RequestText(body)
    let store = SessionStore.withoutLimits()
    var changing = Stopwatch(patience)
    var releasing = Stopwatch(patience)
    func changed(_ current: LayoutVersion) throws -> LayoutVersion? {
      try store.advance(current, by: change(text, current.collection))
    }
    while changing.goesOn {
      let current = try store.create(base)
      var next = try changing.time { try changed(current) }
      precondition(next.map(store.remove) == true, "nobody else changes the session")
      Sink.take(next?.memoryBytes ?? 0)
      // The base stays, so only the memory of the new version is released.
      releasing.time { next = nil }
    }
    // Memory is measured separately, because times are longer after a pause.
    let current = try store.create(base)
    let allocated = ProcessMemory.settledAllocated
    let next = try changed(current)
    let moreMemory = ProcessMemory.allocated - allocated
    precondition(next.map(store.remove) == true, "nobody else changes the session")
    let time = changing.measurement
    let isMet = time.median <= aim && moreMemory <= memoryAim ?? .max
    let memoryText = memoryAim.map { ", < \(Figure.bytes($0))" } ?? ""
    table.append([
      name, "< \(Figure.time(aim))\(memoryText)", Figure.time(time.median),
      Figure.time(time.minimum), Figure.time(releasing.measurement.median),
      Figure.bytes(moreMemory), isMet ? "yes" : "no",
    ])
  }

  // MARK: Collections

  private func waterfall(
    sections: Int, items: Int, _ heights: Heights, placement: String = "roundRobin"
  ) throws -> PreparedCollection {
    let all = Workload.heights.hundredths(sections * items)
    var writer = RequestTextWriter()
    writer.write("{\"bounds\":{\"width\":1200},\"options\":{\"columns\":6,\"placement\":\"")
    writer.write(placement)
    writer.write("\"},\"sections\":")
    writer.writeList(sections) { section, writer in
      writer.write("{\"items\":{\"height\":")
      writer.writeList(items) { heights.write(all[section * items + $0], to: &$1) }
      writer.write("}}")
    }
    writer.write("}")
    return try collection(RequestText(writer.bytes), "waterfall")
  }

  private func collection(_ text: String, _ kind: String) throws -> PreparedCollection {
    try collection(RequestText(text), kind)
  }

  private func collection(_ text: RequestText, _ kind: String) throws -> PreparedCollection {
    try PrepareRequest(text.bytes, kind: .known(kind), maxItems: .max).prepared()
  }
}
