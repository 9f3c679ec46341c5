import TestSupport
import Testing

@testable import CollectionLayout
@testable import LayoutSessions

/// Documents and layouts that change at random, beside a model that lays everything out anew.
@Suite("Documents and layouts against plain recomputation")
struct LayoutModelTests {
  /// What a layout is taken to be.
  private struct Expected {
    var given: GivenLayout
    var number = 1
    /// What was shown, by the numbers of versions.
    var shown: [Int: (tag: VersionTag, frames: [Rect])] = [:]
  }

  private static let kinds = ["grid", "list", "waterfall"].map { LayoutKind.named($0)! }

  private static func given(_ random: inout SeededGenerator) -> GivenLayout {
    GivenLayout(
      kind: kinds[random.integer(0...2)],
      bounds: Bounds(width: Double(random.integer(1...4)) * 100))
  }

  private static func items(_ count: Int, _ random: inout SeededGenerator) -> Items {
    let heights = (0..<count).map { _ in Double(random.integer(5...90)) }
    return Items(ItemStorage(count: count, columns: [.height: heights], ids: nil))
  }

  private static func frames(of collection: PreparedCollection) -> [Rect] {
    guard case .sections(let sections) = collection.data,
      let cells = collection.prepared.series.firstIndex(of: .cells)
    else { return [] }
    return sections.enumerated().flatMap { section, content in
      (0..<content.items.count).compactMap { item in
        collection.prepared.attributes(of: cells, at: IndexPath(section: section, item: item))?
          .frame
      }
    }
  }

  private static func update(
    of collection: PreparedCollection, _ random: inout SeededGenerator
  ) -> [CollectionUpdate] {
    guard case .sections(let sections) = collection.data else { return [] }
    let section = random.integer(0...sections.count - 1)
    let count = sections[section].items.count
    func place(_ item: Int) -> ItemReference { .path(IndexPath(section: section, item: item)) }
    return count > 0 && random.chance(50)
      ? [.replaceItems(items(1, &random), at: place(random.integer(0...count - 1)))]
      : [
        .insertItems(items(random.integer(0...3), &random), at: place(random.integer(0...count)))
      ]
  }

  @Test(
    "whatever changes, each layout has the frames and the number that it should have",
    arguments: 0..<40)
  func random(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    // With little room, frames and what is kept of the past go all the time.
    let store = SessionStore(
      limits: .init(
        maxBytes: seed % 3 == 0 ? 30_000 : 1 << 30,
        maxHistoryBytes: seed % 4 == 0 ? 9000 : 1 << 20),
      clock: ManualSessionClock())
    let source = try store.insert(
      PreparedCollection(
        Self.given(&random),
        .sections((0..<2).map { _ in CollectionSection(items: Self.items(9, &random)) })))
    var expected = [source.id: Expected(given: source.collection.layout)]
    for step in 0..<80 {
      guard
        let id = expected.keys.sorted(by: { $0.description < $1.description })
          .randomElement(using: &random)
      else { return }
      let operation = random.integer(0...9)
      let first = try #require(store.version(of: source.id), "seed \(seed), step \(step)")
      switch operation {
      case 0...1:
        let given = random.chance(30) ? first.collection.layout : Self.given(&random)
        let view = try #require(store.insertView(of: first, given))
        expected[view] = Expected(given: given)
      case 2...3:
        let change = try first.collection.applying(Self.update(of: first.collection, &random))
        guard !change.lineage.isSame else { break }
        let next = try store.advance(
          first, to: change.next, touching: change.invalidatedRectsBesidePins,
          keepsIDs: change.keepsIDs, lineage: change.lineage)
        #expect(next != nil)
        for id in expected.keys { expected[id]?.number += 1 }
      case 4...6:
        guard let version = try store.makeVersion(of: id) else { break }
        let given = Self.given(&random)
        let (collection, change) = try version.collection.changing(
          given, from: version.isFirst ? nil : store.source(of: version))
        if let change {
          let next = try store.advance(
            version, to: collection, touching: change.invalidatedRectsBesidePins,
            keepsIDs: change.keepsIDs, lineage: change.lineage)
          #expect(next != nil)
          // What another kind does to a first layout may be a change of the data, too.
          let isOfData = version.isFirst && !change.lineage.isSame
          for other in expected.keys where isOfData || other == id { expected[other]?.number += 1 }
        } else {
          #expect(try store.amend(version, to: collection) != nil)
        }
        expected[id]?.given = given
      case 7 where id != source.id:
        store.forget(id)
        expected[id] = nil
      default: break
      }
      // Views may have had to go.
      expected = expected.filter { id, _ in store.tag(of: id) != nil }
      guard expected[id] != nil,
        let version = try store.makeVersion(of: id), var model = expected[id]
      else { continue }
      let data = try #require(store.version(of: source.id)).collection.data
      let plain = Self.frames(of: try PreparedCollection(model.given, data))
      same(Self.frames(of: version.collection), plain, "seed \(seed), step \(step)")
      same(version.collection.layout, model.given, "seed \(seed), step \(step)")
      same(version.number, model.number, "seed \(seed), step \(step)")
      same(store.tag(of: id)?.tag, version.tag, "seed \(seed), step \(step)")
      if let last = model.shown[version.number] { same(last.tag, version.tag) }
      model.shown[version.number] = (version.tag, plain)
      for (number, shown) in model.shown {
        if version.knows(shown.tag) {
          #expect(number == version.number || shown.tag != version.tag)
        }
        guard let earlier = store.earlierVersion(number, of: version) else { continue }
        same(
          Self.frames(of: earlier.held.collection), shown.frames,
          "seed \(seed), step \(step), version \(number)")
      }
      expected[id] = model
    }
  }
}
