import TestSupport
import Testing

@testable import CollectionLayout

private let allKinds = sectionedKinds + ["tree"]

@Suite("queries against a linear scan")
struct QueryTests {
  @Test(
    "what is delivered is all there is, in order", arguments: allKinds, Extent.seeds(100, of: 200))
  func everything(kind: String, seed: Int) throws {
    let collection = try RandomCollection(kind, seed: seed).prepared()
    let all = collection.scannedElements()
    expectEqual(collection.prepared.allElements, all)
    #expect(zip(all, all.dropFirst()).allSatisfy { Element.isDeliveredBefore($0, $1) })
    let counts = collection.prepared.counts
    same(all.count { $0.category == .cell }, counts.cells)
    same(all.count { $0.category == .supplementary }, counts.supplementary)
    same(all.count { $0.category == .decoration }, counts.decorations)
    same(all.contains { $0.pinRange != nil }, collection.prepared.hasPinnedElements)
  }

  @Test("an answer is what a linear scan selects", arguments: allKinds, Extent.seeds(100, of: 200))
  func answer(kind: String, seed: Int) throws {
    try withCase(kind, seed: seed) { collection, all, random in
      for _ in 0..<12 {
        let query = random.query(near: all, in: collection.prepared.contentSize)
        let answer = collection.prepared.answer(to: query)
        expectEqual(answer.elements, collection.selection(of: query, from: all), "\(query)")
        same(answer.end, .complete)
      }
    }
  }

  @Test(
    "pages hold each element once and in order, whatever the limit", arguments: allKinds,
    Extent.seeds(40, of: 80))
  func pages(kind: String, seed: Int) throws {
    try withCase(kind, seed: seed) { collection, all, random in
      let prepared = collection.prepared
      var query = random.query(near: all, in: prepared.contentSize)
      let expected = collection.selection(of: query, from: all)
      query.limit = random.integer(1...9)
      var delivered: [Element] = []
      while true {
        let answer = prepared.answer(to: query)
        delivered += answer.elements
        guard case .limitReached(let position) = answer.end else {
          same(answer.end, .complete)
          break
        }
        same(answer.elements.count, query.limit)
        try #require(delivered.count < expected.count, "more is announced than there is")
        let next = expected[delivered.count]
        same(position.indexPath, IndexPath(next.section, next.item))
        same(prepared.series[position.series], next.series)
        query.start = position
      }
      expectEqual(delivered, expected)
    }
  }

  @Test(
    "a budget cuts an answer into pages, and nothing is lost", arguments: allKinds,
    Extent.seeds(40, of: 80))
  func budget(kind: String, seed: Int) throws {
    try withCase(kind, seed: seed) { collection, all, random in
      var query = random.query(near: all, in: collection.prepared.contentSize)
      let expected = collection.selection(of: query, from: all)
      var budget = random.integer(1...30)
      var elements: [Element] = []
      while true {
        var count = 0
        let end = collection.prepared.forEachElement(in: query, visiting: budget) {
          elements.append(Element($0, $1))
          count += 1
        }
        #expect(count <= budget)
        guard case .budgetSpent(let position) = end else {
          same(end, .complete)
          break
        }
        if position == query.start {
          same(count, 0)
          budget *= 2
        }
        query.start = position
      }
      expectEqual(elements, expected)
    }
  }

  @Test("a query goes on from any position", arguments: allKinds, Extent.seeds(40, of: 80))
  func start(kind: String, seed: Int) throws {
    try withCase(kind, seed: seed) { collection, all, random in
      let prepared = collection.prepared
      for _ in 0..<12 {
        let rect =
          random.chance(50) ? random.rect(near: all, in: prepared.contentSize) : .everything
        let start = ElementPosition(
          series: random.element(of: [0, 0, 1, 2, 3, 4, 1000]),
          indexPath: IndexPath(
            random.element(of: [0, 0, 1, 2, 5, 1000, 1 << 53, -1]),
            random.element(of: [0, 1, 2, 3, 7, 20, 1000, 1 << 53, -1, -1000])))
        let query = ElementQuery(rect: rect, start: start)
        let expected = collection.selection(of: query, from: all).filter { element in
          let series = prepared.series.firstIndex(of: element.series)!
          let indexPath = IndexPath(element.section, element.item)
          return series > start.series || series == start.series && indexPath >= start.indexPath
        }
        let answer = prepared.answer(to: query)
        expectEqual(answer.elements, expected, "\(rect) from \(start)")
        same(answer.end, .complete)
      }
    }
  }

  @Test("sections are found by where they lie", arguments: sectionedKinds, 0..<40)
  func sections(kind: String, seed: Int) throws {
    try withCase(kind, seed: seed) { collection, all, random in
      let count = try #require(collection.sectionCount)
      let places = (0..<count).compactMap { collection.section(at: $0) }
      same(places.map(\.index), Array(0..<count))
      #expect(collection.section(at: count) == nil)
      for _ in 0..<6 {
        let rect = random.rect(near: all, in: collection.prepared.contentSize)
        let start = random.integer(0...max(1, count))
        var found: [Int] = []
        collection.forEachSection(in: rect, from: start) {
          found.append($0.index)
          return true
        }
        let expected = places.filter { $0.index >= start && Element.meet($0.frame, rect) }
        same(found, expected.map(\.index), "\(rect)")
      }
    }
  }

  @Test(
    "a rect query of a large tree is a linear scan", arguments: TreeLayout.Spacing.allCases,
    Extent.seeds(3, of: 8))
  func largeTree(spacing: TreeLayout.Spacing, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let reach = random.element(of: [1, 2, 3, 10, 200, 1500])
    let parents = (0..<1500).map { node in
      node == 0 ? -1 : Int32(random.integer(max(0, node - reach)...node - 1))
    }
    let inset = OptionValue.number(random.element(of: [0, 0.3, 4]))
    let collection = try PreparedCollection(
      tree: [
        "spacing": .string(spacing.rawValue), "itemSize": ["width": 20.1, "height": 10.7],
        "insets": ["top": inset, "left": inset, "bottom": inset, "right": inset],
      ], Forest(parents: parents))
    let all = collection.scannedElements()
    for _ in 0..<30 {
      let rect = random.rect(near: all, in: collection.prepared.contentSize)
      expectEqual(collection.prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)")
    }
  }

  /// Hands over a random layout and all its elements.
  private func withCase(
    _ kind: String, seed: Int,
    _ body: (PreparedCollection, [Element], inout SeededGenerator) throws -> Void
  ) throws {
    let collection = try RandomCollection(kind, seed: seed).prepared()
    var random = SeededGenerator(seed: 1_000_000 + seed)
    try body(collection, collection.scannedElements(), &random)
  }
}

extension SeededGenerator {
  /// A query for all of some rect's elements, or for those of some categories that are not known.
  fileprivate mutating func query(near elements: [Element], in contentSize: Size) -> ElementQuery {
    var query = ElementQuery(rect: rect(near: elements, in: contentSize))
    if chance(40) { query.known = rect(near: elements, in: contentSize) }
    if chance(30) { query.categories = ElementCategories(rawValue: UInt8(integer(0...7))) }
    return query
  }
}
