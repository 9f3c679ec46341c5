import TestSupport
import Testing

@testable import CollectionLayout

@Suite("which section of an arrangement is which")
struct ArrangedSectionsTests {
  @Test(
    "listed ones keep their places under an equal arrangement, and go by their ids under another",
    arguments: 0..<100)
  func listed(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    func listing() -> [String?] {
      (0..<random.integer(0...4)).map { _ in random.element(of: [nil, "a", "b"]) }
    }
    let before = listing()
    let after = random.chance(40) ? before : listing()
    func layout(_ names: [String?]) -> GivenLayout {
      var layout = GivenLayout("list", ["headerHeight": 20])
      layout.arrangement = Arrangement(
        .sections(
          names.map { Arrangement.ListedSection(id: $0.map { ItemID($0) }, items: 0..<0) },
          IDColumn([])))
      return layout
    }
    let source = try PreparedCollection("list", [:], [CollectionSection(3)])
    let change = try source.applying([.deleteItems(at: IndexPath(0, 0), count: 1)])
    let view = try source.laidOut(by: layout(before))
    let next = try change.next.laidOut(by: layout(after))
    let expected = after.indices.map { section -> Int? in
      if before == after { return section }
      guard let name = after[section], after.firstIndex(of: name) == section else { return nil }
      return before.firstIndex(of: name)
    }
    same(view.lineage(to: next, by: change.lineage).sections?.map(\.base), expected)
  }
}
