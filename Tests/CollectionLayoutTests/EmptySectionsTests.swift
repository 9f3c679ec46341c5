import TestSupport
import Testing

@testable import CollectionLayout

@Suite("sections of which no item is left")
struct EmptySectionsTests {
  /// Arrangements that leave nothing of any collection, with how many sections each has.
  private static let arrangements: [(Arrangement.Content, sections: Int)] = {
    let unknown = IDColumn(["nobody has this"])
    let key = ValueName(.key, "zz")!
    return [
      (.keys(where: [Arrangement.Condition(key)], groupBy: nil, sortBy: []), 1),
      (
        .keys(
          where: [Arrangement.Condition(key)], groupBy: Arrangement.Order(key), sortBy: []), 0
      ),
      (.ids(unknown), 1),
      (
        .sections(
          (0..<3).map { Arrangement.ListedSection(id: nil, items: $0 == 1 ? 0..<1 : 1..<1) },
          unknown),
        3
      ),
    ]
  }()

  @Test(
    "are laid out as if there had never been one, whatever its items had",
    arguments: sectionedKinds.filter { $0 != "compositional" }, Extent.seeds(10, of: 100))
  func arranged(kind: String, seed: Int) throws {
    let sourceKind = sectionedKinds[seed % sectionedKinds.count]
    let source = try RandomCollection(sourceKind, seed: seed).prepared()
    let plain = RandomCollection(kind, seed: seed).layout
    for (content, count) in Self.arrangements {
      var layout = plain
      layout.arrangement = Arrangement(content)
      let fresh = try PreparedCollection(
        plain, .sections((0..<count).map { _ in CollectionSection() }))
      let view = try source.laidOut(by: layout)
      expectEqual(view.prepared.allElements, fresh.prepared.allElements)
      same(view.prepared.contentSize, fresh.prepared.contentSize)
    }
  }

  @Test(
    "by an update, are laid out as if there had never been one", arguments: sectionedKinds,
    Extent.seeds(10, of: 100))
  func updated(kind: String, seed: Int) throws {
    var example = RandomCollection(kind, seed: seed)
    let collection = try example.prepared()
    let updates = example.model.sections.indices.filter {
      !example.model.sections[$0].items.isEmpty
    }.map {
      CollectionUpdate.deleteItems(
        at: IndexPath($0, 0), count: example.model.sections[$0].items.count)
    }
    for section in example.model.sections.indices { example.model.sections[section].items = [] }
    guard let fresh = try? example.prepared() else { return }
    expectEqual(
      try collection.applying(updates).next.prepared.allElements, fresh.prepared.allElements)
  }
}
