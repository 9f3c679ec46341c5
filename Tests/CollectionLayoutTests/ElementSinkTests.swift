import Testing

@testable import CollectionLayout

/// A layout that appends its elements whether they are wanted or not.
private final class StubbornLayout: PreparedLayout {
  let count: Int
  let contentSize = Size(width: 1, height: 1)
  var counts: ElementCounts {
    ElementCounts(sections: 1, cells: count, supplementary: 0, decorations: 0)
  }
  let memoryBytes = 0
  let series: [ElementSeries] = [.cells]

  init(count: Int) {
    self.count = count
  }

  func forEachElement(
    of series: Int, in rect: Rect, from start: IndexPath, into sink: inout ElementSink
  ) {
    for item in 0..<count { _ = sink.append(element(item)) }
  }

  private func element(_ item: Int) -> PlacedElement {
    PlacedElement(
      indexPath: IndexPath(section: 0, item: item),
      frame: Rect(x: 0, y: Double(item), width: 1, height: 1))
  }

  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes? { nil }

  func hasIDs(inSection section: Int) -> Bool { false }

  func id(ofItemAt indexPath: IndexPath) -> ItemID? { nil }

  func identity(of series: Int) -> ElementIdentity { .item }
}

@Suite("The sink of a query's elements")
struct ElementSinkTests {
  @Test("what is appended behind the limit is dropped", arguments: [0, 1, 31, 32, 33, 64, 999])
  func behindTheLimit(limit: Int) {
    var found: [Int] = []
    let end = StubbornLayout(count: 1000).forEachElement(
      in: ElementQuery(rect: .everything, limit: limit)
    ) { found.append($1.indexPath.item) }
    #expect(found == Array(0..<limit))
    let next = IndexPath(section: 0, item: limit)
    #expect(end == .limitReached(ElementPosition(series: 0, indexPath: next)))
  }

  @Test("known elements count against the budget, not the limit")
  func knownElements() {
    var found: [Int] = []
    let query = ElementQuery(
      rect: .everything, known: Rect(x: 0, y: 0, width: 1, height: 50), limit: 10)
    let end = StubbornLayout(count: 1000).forEachElement(in: query, visiting: 55) {
      found.append($1.indexPath.item)
    }
    #expect(found == Array(50..<55))
    let next = IndexPath(section: 0, item: 55)
    #expect(end == .budgetSpent(ElementPosition(series: 0, indexPath: next)))
  }
}
