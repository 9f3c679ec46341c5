import TestSupport
import Testing

@testable import CollectionLayout
@testable import LayoutSessions

/// What is kept is counted where it is kept: nothing that a client makes the store hold is free.
@Suite("What is kept is counted")
struct KeptBytesTests {
  private let clock = ManualSessionClock(startUnixTime: 1_000_000)

  private func store(
    bytes: Int = 100_000_000, history: Int = 64 << 20, views: Int = 100_000
  ) -> SessionStore {
    SessionStore(
      limits: .init(maxBytes: bytes, maxViews: views, maxHistoryBytes: history), clock: clock)
  }

  // MARK: Data that views are behind

  @Test("a view that nobody asks for again holds no old items beyond the limit of the history")
  func oldItems() throws {
    let store = store(history: 400_000)
    var version = try store.insert(Example.waterfall(items: 10_000, seed: 0))
    let old = OldStorages()
    for step in 1...30 {
      try Example.makeView(of: version, width: Double(100 + step), in: store)
      old.add(version.collection)
      let next = try version.collection.applying([
        .replaceItems(Example.items(10_000, seed: step), at: Example.first)
      ])
      version = try #require(try store.advance(version, by: next))
      #expect(store.statistics.historyBytes <= 400_000)
      #expect(store.statistics.bytes <= 100_000_000)
    }
    HeldCollection.waitForDisposal()
    // 80 kB each.
    #expect(old.bytes <= 400_000, "\(old.bytes) bytes of items that no version has")
    same(store.statistics.views, 30)
  }

  @Test("a view that equals its source counts as soon as the source has other frames")
  func ownFrames() throws {
    let store = store()
    var version = try store.insert(Example.waterfall(items: 10_000, seed: 0))
    let source = store.statistics.bytes
    for width in 1...5 {
      _ = try Example.makeView(of: version, width: version.collection.bounds!.width!, in: store)
      var layout = version.collection.layout
      layout.bounds = Bounds(width: Double(500 + width))
      let (collection, change) = try version.collection.changing(layout)
      let known = try #require(change)
      version = try #require(try store.advance(version, by: known, to: collection))
    }
    // Whatever becomes of the history, the five views have five layouts of 10,000 items.
    #expect(store.statistics.bytes > source + 5 * version.collection.frameBytes)
  }

  // MARK: Areas

  @Test("what changes touched counts with the layout and with its frames, and goes with them")
  func areas() throws {
    let store = store()
    let area = InvalidatedRects(
      (0..<16).map { Rect(x: Double($0) * 1000, y: Double($0) * 1000, width: 1, height: 1) })
    #expect(area.memoryBytes > 500)
    var version = try store.insert(Example.grid(items: 10, seed: 0))
    same(store.statistics.bytes, version.memoryBytes)
    let view = try Example.makeView(of: version, width: 300, in: store).id
    let viewBytes = store.statistics.bytes - version.memoryBytes
    for step in 1...70 {
      let change = try version.collection.applying([
        .replaceItems(Example.items(10, seed: step), at: Example.first)
      ])
      let next = try store.advance(
        version, to: change.next, touching: area, lineage: change.lineage)
      version = try #require(next)
      _ = try store.makeVersion(of: view)
    }
    let kept = ChangeHistory.capacity * area.memoryBytes
    // The view has what its own frames touched twice, too: in a list of its own, and in theirs.
    #expect(store.statistics.bytes > version.memoryBytes + 2 * kept + viewBytes)
    store.forget(view)
    same(store.statistics.bytes, version.memoryBytes + 2 * kept)
    #expect(store.remove(version))
    #expect((store.statistics.bytes, store.statistics.historyBytes) == (0, 0))
  }

  // MARK: Options

  @Test("options of views count while a view has them, once for equal views")
  func options() throws {
    let store = store()
    let version = try store.insert(Example.waterfall(items: 10, seed: 0))
    let before = store.statistics.bytes
    let group = Example.group(subitems: 999, width: 300)
    let first = try #require(store.insertView(of: version, group))
    let one = store.statistics.bytes - before
    #expect(one > group.memoryBytes)
    let second = try #require(
      store.insertView(of: version, Example.group(subitems: 999, width: 300)))
    #expect(store.statistics.bytes - before < one + 10_000)
    let third = try #require(
      store.insertView(of: version, Example.group(subitems: 999, width: 301)))
    #expect(store.statistics.bytes - before > 2 * one - 10_000)
    weak let layout = store.framesKey(group, in: version.id)
    #expect(layout != nil)
    for view in [first, second, third] { store.forget(view) }
    same(store.statistics.bytes, before)
    // Nothing has them any more.
    #expect(layout == nil)
  }

  @Test("options of sections that changes leave count in the history")
  func sectionOptions() throws {
    let store = store()
    let sections = (0..<20).map { section in
      CollectionSection(
        items: Items(ItemStorage(count: 1, columns: [.height: [5]], ids: nil)),
        settings: SectionSettings(options: Example.group(subitems: 300, width: section).options))
    }
    let given = Example.group(subitems: 1, width: 320)
    var version = try store.insert(try PreparedCollection(given, .sections(sections)))
    var left = 0
    for step in 0..<8 {
      left += version.collection.data.memoryBytes
      var patches: [CollectionUpdate] = []
      for section in 0..<20 {
        var patch = SectionPatch()
        patch.options = .set(
          OptionPatch(Example.group(subitems: 300, width: 1000 + step * 20 + section).options))
        patches.append(.setSection(patch, at: section))
      }
      let change = try version.collection.applying(patches)
      version = try #require(try store.advance(version, by: change))
    }
    #expect(store.statistics.historyBytes >= left)
  }

  @Test("a view goes for others when it was used before them, and frames go first")
  func viewsGo() throws {
    let store = store(bytes: 300_000)
    let other = try store.insert(.ofVersion(bytes: 100_000))
    let version = try store.insert(.ofVersion(bytes: 20_000))
    for width in 1...200 {
      clock.advance(by: .seconds(1))
      #expect(store.version(of: other.id) != nil)
      _ = store.insertView(
        of: version, GivenLayout(kind: Example.grid, bounds: Bounds(width: Double(width))))
      #expect(store.statistics.bytes <= 300_000)
    }
    #expect(store.version(of: other.id) === other)
    #expect(store.version(of: version.id) === version)
    #expect(store.statistics.views < 200)
    same(store.statistics.evictions, 200 - store.statistics.views)
  }

  @Test("what is to go at once goes in parts, until the limits are kept")
  func manyGo() throws {
    let store = store(bytes: 20_000_000)
    let version = try store.insert(.ofVersion(bytes: 20_000))
    for width in 1...2000 {
      _ = store.insertView(
        of: version, GivenLayout(kind: Example.grid, bounds: Bounds(width: Double(width))))
    }
    same(store.statistics.views, 2000)
    let large = try store.insert(.ofVersion(bytes: 19_999_000))
    #expect(store.statistics.bytes <= 20_000_000)
    #expect(store.version(of: large.id) === large)
  }

  // MARK: The index of ids

  @Test("an index that a reader of a view has built stands against no change")
  func indexAgainstChange() throws {
    let names = (0..<2000).map { "item \($0)" }
    let bytes = try store().insert(.named(names)).memoryBytes
    let store = store(bytes: bytes + 8000)
    var version = try store.insert(.named(names))
    for _ in 0..<3 {
      let index = try #require(store.itemIDs(of: version))
      same(index.indexPath(of: ItemID("item 7"), in: version.collection.data)?.item, 7)
      #expect(index.memoryBytes > 8000)
      // It does not fit beside its session.
      #expect(store.statistics.bytes <= bytes + 8000)
      let next = try store.advance(version, to: .named(names), touching: .none, keepsIDs: true)
      version = try #require(next)
    }
    same(store.statistics.evictions, 0)
  }

  @Test("an index of ids that a session has no more is not kept by a view that is behind")
  func oldIndex() throws {
    let store = store()
    let first = try store.insert(.named((0..<2000).map { "a\($0)" }))
    _ = store.itemIDs(of: first)
    let next = try store.advance(first, to: .named((0..<2000).map { "b\($0)" }), touching: .none)
    #expect(next != nil)
    #expect(!first.hasBuiltItemIDs)
    // Nor when somebody is late with a search.
    #expect(store.itemIDs(of: first) != nil)
    #expect(!first.hasBuiltItemIDs)
  }

  @Test("what is of the past of frames that make room goes, too: nobody counts what both share")
  func pastOfEvictedFrames() throws {
    let store = store(bytes: 1_000_000, history: 600_000, views: 100)
    let first = try store.insert(Example.waterfall(items: 10_000, seed: 1))
    for width in 1...60 {
      clock.advance(by: .seconds(1))
      let view = try Example.makeView(of: first, width: Double(100 + width), in: store)
      var layout = view.collection.layout
      layout.options = GivenOptions([.init(name: "headerHeight", value: .number(10))])
      let (collection, change) = try view.collection.changing(layout)
      let next = try store.advance(view, by: #require(change), to: collection)
      #expect(try store.earlierVersion(1, of: #require(next)) != nil)
      store.state.withLock { table in
        var bodies: [ObjectIdentifier: Int] = [:]
        for held in table.frames.compactMap(\.current) + table.past.compactMap(\.held) {
          for section in (held.collection.prepared as? SectionStack)?.sections ?? [] {
            bodies[ObjectIdentifier(section.body)] = section.body.memoryBytes
          }
        }
        let held = bodies.values.reduce(0, +)
        #expect(held <= table.statistics.bytes + table.statistics.historyBytes)
      }
    }
    #expect(store.statistics.framesDropped > 10)
  }

  // MARK: At random

  /// Frames of grids and groups take nothing, so that they hide nothing that is not counted.
  @Test("what is held is never more than what is counted", arguments: Extent.seeds(10, of: 30))
  func random(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let store = store(
      bytes: Int.random(in: 300_000...3_000_000, using: &generator),
      history: Int.random(in: 0...600_000, using: &generator), views: 20)
    var sessions: [SessionID] = []
    var views: [SessionID] = []
    for step in 0..<120 {
      clock.advance(by: .seconds(1))
      let seed = seed * 1000 + step
      let session = sessions.randomElement(using: &generator).flatMap { store.version(of: $0) }
      let view = views.randomElement(using: &generator)
      switch (Int.random(in: 0..<10, using: &generator), session, view) {
      case (0, _, _), (_, nil, _):
        let items = Int.random(in: 0...4000, using: &generator)
        sessions.append(try store.insert(Example.grid(items: items, seed: seed)).id)
      case (1...2, let session?, _):
        let width = Double(Int.random(in: 99...104, using: &generator))
        let layout =
          Bool.random(using: &generator)
          ? Example.group(subitems: 20, width: Int(width))
          : GivenLayout(kind: Example.grid, bounds: Bounds(width: width))
        if let id = store.insertView(of: session, layout) { views.append(id) }
      case (3...4, _, let view?): _ = try store.makeVersion(of: view)
      case (5, _, let view?):
        guard let version = try store.makeVersion(of: view) else { continue }
        var layout = version.collection.layout
        layout.bounds = Bounds(width: Double(Int.random(in: 99...104, using: &generator)))
        let (collection, change) = try version.collection.changing(layout)
        _ =
          if let change {
            try store.advance(version, by: change, to: collection)
          } else {
            try store.amend(version, to: collection)
          }
      case (6, let session?, _): _ = store.itemIDs(of: session)
      case (7, let session?, _):
        var layout = session.collection.layout
        layout.bounds = Bounds(width: Double(Int.random(in: 99...104, using: &generator)))
        let (collection, change) = try session.collection.changing(layout)
        if let change { _ = try store.advance(session, by: change, to: collection) }
      case (8, let session?, _):
        let count = session.collection.prepared.counts.cells
        let change =
          count == 0 || Int.random(in: 0..<3, using: &generator) == 0
          ? try session.collection.applying([
            .insertItems(Example.items(3, seed: seed), at: Example.first)
          ])
          : try session.collection.applying([
            .replaceItems(Example.items(count, seed: seed), at: Example.first)
          ])
        _ = try store.advance(session, by: change)
      default:
        if let view, Bool.random(using: &generator) {
          store.forget(view)
        } else if let session, Int.random(in: 0..<4, using: &generator) == 0 {
          _ = store.remove(session)
        }
      }
      let (held, statistics) = store.state.withLock { ($0.heldBytes, $0.statistics) }
      #expect(
        held <= statistics.bytes + statistics.historyBytes,
        "step \(step): \(held) bytes are held, \(statistics) counted")
      #expect(statistics.bytes <= store.limits.maxBytes || statistics.sessions == 1)
      #expect(statistics.historyBytes <= store.limits.maxHistoryBytes)
    }
    for id in sessions { if let version = store.version(of: id) { _ = store.remove(version) } }
    let statistics = store.statistics
    #expect((statistics.bytes, statistics.historyBytes, statistics.views) == (0, 0, 0))
  }
}

// MARK: - Examples

/// Collections, layouts and changes of them.
private enum Example {
  static let grid = LayoutKind.named("grid")!
  static let waterfall = LayoutKind.named("waterfall")!
  static let first = ItemReference.path(IndexPath(section: 0, item: 0))

  static func items(_ count: Int, seed: Int) -> Items {
    var random = SeededGenerator(seed: seed)
    let heights = (0..<count).map { _ in Double.random(in: 10...100, using: &random) }
    var bytes: [UInt8] = []
    let ends = (0..<count).map { index in
      bytes += Array("\(seed)-\(index)".utf8)
      return UInt32(bytes.count)
    }
    return Items(
      ItemStorage(
        count: count, columns: [.height: heights], ids: IDColumn(bytes: bytes, ends: ends)))
  }

  static func grid(items count: Int, seed: Int) throws -> PreparedCollection {
    try collection(grid, items: count, seed: seed)
  }

  static func waterfall(items count: Int, seed: Int) throws -> PreparedCollection {
    try collection(waterfall, items: count, seed: seed)
  }

  private static func collection(
    _ kind: LayoutKind, items count: Int, seed: Int
  ) throws -> PreparedCollection {
    try PreparedCollection(
      GivenLayout(kind: kind, bounds: Bounds(width: 400)),
      .sections([CollectionSection(items: items(count, seed: seed))]))
  }

  /// A layout of the kind `group`.
  static func group(subitems: Int, width: Int) -> GivenLayout {
    func dimension(_ name: String, _ value: Double) -> OptionValue {
      .object(GivenOptions([.init(name: name, value: .number(value))]))
    }
    let subitem = OptionValue.object(
      GivenOptions([
        .init(name: "width", value: dimension("flexible", 1)),
        .init(name: "height", value: dimension("fractionalHeight", 1)),
      ]))
    let group = GivenOptions([
      .init(name: "direction", value: .string("horizontal")),
      .init(name: "width", value: dimension("absolute", 20_000 + Double(width))),
      .init(name: "height", value: dimension("absolute", 50)),
      .init(name: "subitems", value: .array((0..<subitems).map { _ in subitem })),
    ])
    return GivenLayout(
      kind: LayoutKind.named("group")!,
      options: GivenOptions([.init(name: "group", value: .object(group))]),
      bounds: Bounds(width: 320))
  }

  @discardableResult
  static func makeView(
    of version: LayoutVersion, width: Double, in store: SessionStore
  ) throws -> LayoutVersion {
    let layout = GivenLayout(kind: waterfall, bounds: Bounds(width: width))
    let id = try #require(store.insertView(of: version, layout))
    return try #require(try store.makeVersion(of: id))
  }
}

extension SessionStore {
  /// The version after a change.
  fileprivate func advance(
    _ version: LayoutVersion, by change: CollectionChange, to collection: PreparedCollection? = nil
  ) throws -> LayoutVersion? {
    try advance(
      version, to: collection ?? change.next, touching: change.invalidatedRectsBesidePins,
      keepsIDs: change.keepsIDs, lineage: change.lineage)
  }
}

/// Storages of items, as long as anybody holds them.
private final class OldStorages {
  private struct Entry {
    weak var storage: ItemStorage?
  }

  private var entries: [Entry] = []

  func add(_ collection: PreparedCollection) {
    for storage in collection.data.storages { entries.append(Entry(storage: storage)) }
  }

  var bytes: Int { entries.reduce(0) { $0 + ($1.storage?.memoryBytes ?? 0) } }
}

extension CollectionData {
  fileprivate var storages: [ItemStorage] {
    guard case .sections(let sections) = self else { return [] }
    return sections.flatMap { $0.items.blocks.compactMap(\.storage) }
  }
}

extension SessionTable {
  /// The memory of all items, bodies, options and indexes that can be reached from here, each
  /// counted once. A body counts only if its frames were made anew, for others share columns.
  fileprivate var heldBytes: Int {
    var seen = Set<ObjectIdentifier>()
    var bytes = 0
    func add(_ object: AnyObject, _ size: Int) {
      if seen.insert(ObjectIdentifier(object)).inserted { bytes += size }
    }
    func add(_ collection: PreparedCollection) {
      for storage in collection.data.storages { add(storage, storage.memoryBytes) }
      guard let stack = collection.prepared as? SectionStack else { return }
      for section in stack.sections where section.body is LatticeBody {
        add(section.body, section.body.memoryBytes)
      }
      if let style = stack.ownStyle { add(style, style.layout.memoryBytes) }
    }
    func add(_ version: LayoutVersion?) {
      guard let version else { return }
      add(version.collection)
      add(version.names, version.names.memoryBytes)
    }
    for group in frames {
      add(group.key, group.key.memoryBytes)
      if let held = group.current { add(held.collection) }
    }
    for layout in layouts { add(layout.version) }
    for held in past.compactMap(\.held) { add(held.collection) }
    return bytes - FramesKey.none.memoryBytes
      * (seen.contains(ObjectIdentifier(FramesKey.none)) ? 1 : 0)
  }
}
