import TestSupport
import Testing

@testable import CollectionLayout

@Suite("queries against a linear scan")
struct QueryTests {
  @Test("a rect query is a linear scan over all elements", arguments: Kind.allCases, 0..<200)
  func rect(kind: Kind, seed: Int) throws {
    try withCase(kind, seed: seed) { prepared, all, random in
      for _ in 0..<12 {
        let rect = random.rect(near: all, in: prepared.contentSize)
        expectEqual(prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)")
      }
    }
  }

  @Test(
    "a rect query of a large tree is a linear scan", arguments: TreeLayout.Spacing.allCases, 0..<8)
  func largeTree(spacing: TreeLayout.Spacing, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var tree = TreeLayout()
    tree.spacing = spacing
    tree.itemSize = Size(width: 20.1, height: 10.7)
    tree.insets = EdgeInsets(all: random.element(of: [0, 0.3, 4]))
    let reach = random.element(of: [1, 2, 3, 10, 200, 1500])
    let parents = (0..<1500).map { node in
      node == 0 ? -1 : Int32(random.integer(max(0, node - reach)...node - 1))
    }
    let prepared = try tree.prepared(for: .forest(Forest(parents: parents, ids: nil)), bounds: nil)
    let all = prepared.allElements
    for _ in 0..<30 {
      let rect = random.rect(near: all, in: prepared.contentSize)
      expectEqual(prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)")
    }
  }

  @Test(
    "where rounding takes extents, a rect query is a linear scan",
    arguments: Kind.allCases, 0..<300)
  func lostExtents(kind: Kind, seed: Int) throws {
    try withCase(RandomCase(losingExtents: kind, seed: seed), seed: seed) { prepared, all, random in
      expectEqual(prepared.allElements, all)
      for _ in 0..<20 {
        let rect =
          random.chance(50)
          ? random.rect(onStartsOf: all, in: prepared.contentSize)
          : random.rect(near: all, in: prepared.contentSize)
        expectEqual(prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)")
      }
    }
  }

  @Test("a width that rounding takes at the rect's edge does not meet it")
  func vanishingWidth() throws {
    let items = CollectionData.sections([Items(uniform: 10)])
    var tree = TreeLayout()
    tree.itemSize.width = 1e-300
    tree.insets.right = 0
    let forest = try Forest([PlainNode(), PlainNode(parent: 0), PlainNode(parent: 0)])
    let cases: [(prepared: any PreparedLayout, x: Double)] = [
      // The second of two columns begins at 5 + 4e-16, which is 5, and ends there.
      (try GridLayout().prepared(for: items, bounds: Bounds(width: 5.000000000000001)), 5),
      (try WaterfallLayout().prepared(for: items, bounds: Bounds(width: 24.000000000000004)), 18),
      (try tree.prepared(for: .forest(forest), bounds: nil), tree.insets.left),
    ]
    for (prepared, x) in cases {
      let rect = Rect(x: x, y: 0, width: 1000, height: 1000)
      #expect(prepared.allElements.contains { $0.frame.origin.x == x })
      expectEqual(prepared.elements(in: rect), prepared.allElements.filter { $0.isIn(rect) }, "")
    }
  }

  @Test(
    "what is known and what is of other categories is left out", arguments: Kind.allCases, 0..<60)
  func selection(kind: Kind, seed: Int) throws {
    try withCase(kind, seed: seed) { prepared, all, random in
      for _ in 0..<6 {
        let rect = random.rect(near: all, in: prepared.contentSize)
        let known = random.rect(near: all, in: prepared.contentSize)
        let categories = ElementCategories(rawValue: UInt8(random.integer(0...7)))
        let query = ElementQuery(rect: rect, known: known, categories: categories)
        let answer = prepared.answer(to: query)
        let expected = all.filter {
          $0.isIn(rect) && !$0.isIn(known) && categories.contains(ElementCategories($0.category))
        }
        expectEqual(answer.elements, expected, "\(query)")
        #expect(answer.end == .complete)
      }
    }
  }

  @Test(
    "pages hold each element once and in order, whatever the limit",
    arguments: Kind.allCases, 0..<80)
  func pages(kind: Kind, seed: Int) throws {
    try withCase(kind, seed: seed) { prepared, all, random in
      let rect = random.rect(near: all, in: prepared.contentSize)
      let known = random.chance(30) ? random.rect(near: all, in: prepared.contentSize) : nil
      let expected = all.filter { element in
        element.isIn(rect) && !(known.map { element.isIn($0) } ?? false)
      }
      var query = ElementQuery(rect: rect, known: known, limit: random.integer(1...9))
      var delivered: [Element] = []
      while true {
        let answer = prepared.answer(to: query)
        delivered += answer.elements
        guard case .limitReached(let position) = answer.end else {
          #expect(answer.end == .complete)
          break
        }
        #expect(answer.elements.count == query.limit)
        try #require(delivered.count < expected.count, "more is announced than there is")
        let next = expected[delivered.count]
        #expect(position.indexPath == IndexPath(section: next.section, item: next.item))
        #expect(prepared.series[position.series].category == next.category)
        #expect(prepared.series[position.series].kind == next.kind)
        query.start = position
      }
      expectEqual(delivered, expected)
    }
  }

  @Test("a query goes on from any position", arguments: Kind.allCases, 0..<80)
  func start(kind: Kind, seed: Int) throws {
    try withCase(kind, seed: seed) { prepared, all, random in
      for _ in 0..<12 {
        let rect =
          random.chance(50) ? random.rect(near: all, in: prepared.contentSize) : .everything
        let start = ElementPosition(
          series: random.element(of: [0, 0, 1, 2, 3, 4, 1000]),
          indexPath: IndexPath(
            section: random.element(of: [0, 0, 1, 2, 5, 1000, 1 << 53, -1]),
            item: random.element(of: [0, 1, 2, 3, 7, 20, 1000, 1 << 53, -1, -1000])))
        let expected = all.filter { element in
          let series = prepared.series.firstIndex {
            $0.category == element.category && $0.kind == element.kind
          }!
          let indexPath = IndexPath(section: element.section, item: element.item)
          return element.isIn(rect)
            && (series > start.series || series == start.series && indexPath >= start.indexPath)
        }
        let answer = prepared.answer(to: ElementQuery(rect: rect, start: start))
        expectEqual(answer.elements, expected, "\(rect) from \(start)")
        #expect(answer.end == .complete)
      }
    }
  }

  @Test("a budget cuts an answer into pages, and nothing is lost", arguments: Kind.allCases, 0..<30)
  func budget(kind: Kind, seed: Int) throws {
    try withCase(kind, seed: seed) { prepared, all, random in
      let known = random.chance(50) ? random.rect(near: all, in: prepared.contentSize) : nil
      var query = ElementQuery(rect: .everything, known: known)
      var budget = random.integer(1...30)
      var elements: [Element] = []
      while true {
        var count = 0
        let end = prepared.forEachElement(in: query, visiting: budget) {
          elements.append(Element($0, $1))
          count += 1
        }
        #expect(count <= budget)
        guard case .budgetSpent(let position) = end else {
          #expect(end == .complete)
          break
        }
        if position == query.start {
          #expect(count == 0)
          budget *= 2
        }
        query.start = position
      }
      expectEqual(
        elements, all.filter { element in !(known.map { element.isIn($0) } ?? false) })
    }
  }

  @Test("cells without extent at a rect's edge hide none behind them")
  func withoutExtent() throws {
    var waterfall = WaterfallLayout()
    waterfall.cellPadding = 0
    let flat = Array(repeating: PlainItem(height: 0), count: 9000)
    let items = flat + [PlainItem(height: 7), PlainItem(height: 9)] + flat
    let prepared = try waterfall.prepared(
      for: .sections([Items(items, of: .waterfall)]), bounds: Bounds(width: 100), after: nil)
    let all = prepared.allElements
    for rect in [
      Rect(x: 0, y: 0, width: 100, height: 1), Rect(x: 0, y: 7, width: 100, height: 1),
      Rect(x: 0, y: 5, width: 100, height: 3), Rect(x: 0, y: 9, width: 100, height: 0),
    ] {
      expectEqual(
        prepared.answer(to: ElementQuery(rect: rect)).elements, all.filter { $0.isIn(rect) })
    }
  }

  @Test(
    "cells without extent are found among thousands whose extent rounding takes",
    arguments: WaterfallLayout.Placement.allCases)
  func amongLostExtents(placement: WaterfallLayout.Placement) throws {
    var waterfall = WaterfallLayout()
    waterfall.cellPadding = 0
    waterfall.placement = placement
    func lost(_ count: Int) -> [PlainItem] {
      Array(repeating: PlainItem(height: 1e-15), count: count)
    }
    let flat = [PlainItem(height: 0)]
    let tall = [PlainItem(height: 100), PlainItem(height: 100)]
    let items = tall + lost(9000) + flat + lost(5000) + flat + flat + lost(3) + tall
    let prepared = try waterfall.prepared(
      for: .sections([Items(items, of: .waterfall)]), bounds: Bounds(width: 100), after: nil)
    let all = prepared.allElements
    for rect in [
      Rect(x: 0, y: 100, width: 100, height: 0), Rect(x: 0, y: 100, width: 100, height: 10),
      Rect(x: 0, y: 100.0.nextUp, width: 100, height: 10),
      Rect(x: 0, y: 99, width: 100, height: 1), Rect(x: 0, y: 99, width: 100, height: 2),
    ] {
      expectEqual(prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)")
      let start = ElementPosition(series: 0, indexPath: IndexPath(section: 0, item: 12_000))
      expectEqual(
        prepared.answer(to: ElementQuery(rect: rect, start: start)).elements,
        all.filter { $0.isIn(rect) && $0.item >= 12_000 }, "\(rect)")
    }
  }

  /// Layouts of a thousand tracks, and a rect that meets them all but no more than one element.
  static var tracks: [(name: String, layout: any CollectionViewLayout, data: CollectionData, Rect)]
  {
    [
      (
        "sections", GridLayout(), .sections(Array(repeating: Items(uniform: 1), count: 1000)),
        Rect(x: 5000, y: 0, width: 10, height: 1e9)
      ),
      (
        "columns", thousandColumns, .sections([Items(uniform: 1000)]),
        Rect(x: 0, y: 0, width: 5000, height: 0)
      ),
      (
        "empty pieces of columns", hundredColumns, .sections([Items(towers, of: .waterfall)]),
        Rect(x: 0, y: 1e9, width: 1000, height: 0.5)
      ),
      (
        "rows", GalleryLayout(), .sections([Items(uniform: 10_000)]),
        Rect(x: 5000, y: 0, width: 10, height: 1e9)
      ),
      (
        "depths", TreeLayout(), .forest(chain), Rect(x: 0, y: 5000, width: 1e9, height: 10)
      ),
    ]
  }

  private static var thousandColumns: WaterfallLayout {
    var layout = WaterfallLayout()
    layout.columns = 1000
    layout.cellPadding = 0
    return layout
  }

  private static var hundredColumns: WaterfallLayout {
    var layout = WaterfallLayout()
    layout.columns = 100
    layout.cellPadding = 0
    layout.placement = .shortestColumn
    return layout
  }

  /// Towers in all columns but the last, which takes what follows, while thousands of items go by
  /// the others.
  private static var towers: [PlainItem] {
    Array(repeating: PlainItem(height: 1e9), count: 99)
      + Array(repeating: PlainItem(height: 1), count: 40_000)
  }

  private static var chain: Forest {
    // Roots are no node's children, and each other node is the child of the one before.
    try! Forest(parents: (-1..<999).map { $0 }, ids: nil)
  }

  @Test("tracks that are searched in vain count against the budget", arguments: tracks.indices)
  func searchedInVain(index: Int) throws {
    let (name, layout, data, rect) = Self.tracks[index]
    let prepared = try layout.prepared(for: data, bounds: Bounds(width: 1000), after: nil)
    func end(visiting budget: Int) -> QueryEnd {
      prepared.forEachElement(in: ElementQuery(rect: rect), visiting: budget) { _, _ in }
    }
    #expect(end(visiting: 20_000) == .complete, "\(name)")
    guard case .budgetSpent = end(visiting: 500) else {
      Issue.record("\(name): a thousand were searched for 500")
      return
    }
  }

  /// Hands over a random layout and all its elements, unless there is no such layout.
  private func withCase(
    _ kind: Kind, seed: Int,
    _ body: (any PreparedLayout, [Element], inout SeededGenerator) throws -> Void
  ) throws {
    try withCase(RandomCase(kind, seed: seed), seed: seed, body)
  }

  private func withCase(
    _ example: RandomCase, seed: Int,
    _ body: (any PreparedLayout, [Element], inout SeededGenerator) throws -> Void
  ) throws {
    guard let expected = example.expected else { return }
    let prepared = try example.prepared()
    var random = SeededGenerator(seed: 1_000_000 + seed)
    // A compact tree's own frames are the ones to scan: the reference has them up to rounding.
    let all = example.isApproximate ? prepared.allElements : expected.elements
    try body(prepared, all, &random)
  }
}

/// Positions that no client was ever given; each runs in a process of its own, so that one that
/// traps fails its test alone.
@Suite("positions out of all bounds")
struct ExtremePositionTests {
  @Test("a grid answers from any position")
  func grid() async {
    await #expect(processExitsWith: .success) { try queryFromExtremePositions(.grid) }
  }

  @Test("a waterfall answers from any position")
  func waterfall() async {
    await #expect(processExitsWith: .success) { try queryFromExtremePositions(.waterfall) }
  }

  @Test("a gallery answers from any position")
  func gallery() async {
    await #expect(processExitsWith: .success) { try queryFromExtremePositions(.gallery) }
  }

  @Test("a tree answers from any position")
  func tree() async {
    await #expect(processExitsWith: .success) { try queryFromExtremePositions(.tree) }
  }
}

private func queryFromExtremePositions(_ kind: Kind) throws {
  for seed in 0..<20 {
    let example = try RandomCase(kind, seed: seed)
    guard example.expected != nil else { continue }
    let prepared = try example.prepared()
    for section in [0, 1, 2, .max] {
      for item in [1 << 53, .max - 1, .max] {
        for series in [0, 1, 2, .max] {
          let start = ElementPosition(
            series: series, indexPath: IndexPath(section: section, item: item))
          _ = prepared.answer(to: ElementQuery(rect: .everything, start: start))
        }
      }
    }
  }
}
