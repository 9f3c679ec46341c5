import TestSupport
import Testing

@testable import CollectionLayout

@Suite("queries, by hand")
struct QueryByHandTests {
  @Test("a width that rounding takes at the rect's edge does not meet it")
  func vanishingWidth() throws {
    let forest = try Forest([PlainNode(), PlainNode(parent: 0), PlainNode(parent: 0)])
    let ten = [CollectionSection(10)]
    let cases: [(collection: PreparedCollection, x: Double)] = [
      // The second of two columns begins at 5 + 4e-16, which is 5, and ends there.
      (try PreparedCollection("grid", [:], width: 5.000000000000001, ten), 5),
      (try PreparedCollection("waterfall", [:], width: 24.000000000000004, ten), 18),
      (
        try PreparedCollection(
          tree: ["itemSize": ["width": 1e-300], "insets": ["right": 0]], forest), 20
      ),
    ]
    for (collection, x) in cases {
      let rect = Rect(x: x, y: 0, width: 1000, height: 1000)
      let all = collection.scannedElements()
      #expect(all.contains { $0.frame.origin.x == x })
      expectEqual(collection.prepared.elements(in: rect), all.filter { $0.isIn(rect) })
    }
  }

  @Test(
    "cells without extent at a rect's edge hide none behind them", arguments: ["list", "waterfall"])
  func withoutExtent(kind: String) throws {
    let flat = [Double](repeating: 0, count: 9000)
    let options: GivenOptions = kind == "list" ? [:] : ["cellPadding": 0]
    let collection = try PreparedCollection(
      kind, options, [CollectionSection(Items(heights: flat + [7, 9] + flat))])
    let all = collection.scannedElements()
    for rect in [
      Rect(x: 0, y: 0, width: 100, height: 1), Rect(x: 0, y: 7, width: 100, height: 1),
      Rect(x: 0, y: 5, width: 100, height: 3), Rect(x: 0, y: 9, width: 100, height: 0),
    ] {
      expectEqual(collection.prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)")
    }
  }

  @Test(
    "cells without extent are found among thousands whose extent rounding takes",
    arguments: WaterfallLayout.Placement.allCases)
  func amongLostExtents(placement: WaterfallLayout.Placement) throws {
    func lost(_ count: Int) -> [Double] { Array(repeating: 1e-15, count: count) }
    let heights = [100, 100] + lost(9000) + [0] + lost(5000) + [0, 0] + lost(3) + [100, 100]
    let collection = try PreparedCollection(
      "waterfall", ["cellPadding": 0, "placement": .string(placement.rawValue)],
      [CollectionSection(Items(heights: heights))])
    let all = collection.scannedElements()
    for rect in [
      Rect(x: 0, y: 100, width: 100, height: 0), Rect(x: 0, y: 100, width: 100, height: 10),
      Rect(x: 0, y: 100.0.nextUp, width: 100, height: 10),
      Rect(x: 0, y: 99, width: 100, height: 1), Rect(x: 0, y: 99, width: 100, height: 2),
    ] {
      expectEqual(collection.prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)")
      let start = ElementPosition(series: 0, indexPath: IndexPath(0, 12_000))
      expectEqual(
        collection.prepared.answer(to: ElementQuery(rect: rect, start: start)).elements,
        all.filter { $0.isIn(rect) && $0.item >= 12_000 }, "\(rect)")
    }
  }

  @Test(
    "where rounding takes extents, a rect query is a linear scan",
    arguments: ["list", "waterfall", "flow", "frames"], 0..<40)
  func lostExtents(kind: String, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let extents = [0, 0, 1e-300, 1e-15, 1]
    var options: GivenOptions = ["headerHeight": .number(random.element(of: [0, 1, 0x1p41]))]
    if kind == "waterfall" { options["cellPadding"] = .number(random.element(of: [0, 1e-15, 1])) }
    if random.chance(30) { options["layoutDirection"] = "rightToLeft" }
    if random.chance(30) { options["scrollDirection"] = "horizontal" }
    if random.chance(20) { options["integral"] = true }
    let isSideways = options["scrollDirection"] != nil
    let sections = (0..<random.integer(1...3)).map { _ in
      CollectionSection(
        (0..<random.integer(0...15)).flatMap { _ in
          var item = PlainItem()
          item[isSideways ? .width : .height] = random.element(of: extents)
          if kind == "frames" {
            item[isSideways ? .height : .width] = random.element(of: extents)
            item[isSideways ? .y : .x] = random.element(of: [0, 1, 0x1p53, 1e30])
          }
          return Array(repeating: item, count: random.integer(1...4))
        })
    }
    let collection = try PreparedCollection(kind, options, width: 300, height: 300, sections)
    let all = collection.scannedElements()
    expectEqual(collection.prepared.allElements, all)
    for _ in 0..<20 {
      let rect =
        random.chance(50)
        ? random.rect(onStartsOf: all, in: collection.prepared.contentSize)
        : random.rect(near: all, in: collection.prepared.contentSize)
      expectEqual(collection.prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)")
    }
  }

  /// Layouts of a thousand tracks or more than five hundred pieces, and a rect that meets them all
  /// but no more than one element.
  private static func tracks() throws -> [(name: String, PreparedCollection, Rect)] {
    // Towers in all columns but the last, which takes what follows, while thousands of items go
    // by the others.
    return [
      (
        "sections",
        try PreparedCollection(
          "grid", [:], width: 1000, Array(repeating: CollectionSection(1), count: 1000)),
        Rect(x: 5000, y: 0, width: 10, height: 1e9)
      ),
      (
        "columns",
        try PreparedCollection(
          "waterfall", ["columns": 1000, "cellPadding": 0], width: 1000,
          [CollectionSection(Items(heights: [1000] + Array(repeating: 1, count: 149_999)))]),
        Rect(x: 0, y: 500, width: 5000, height: 0)
      ),
      (
        "rows",
        try PreparedCollection(
          "grid", ["columns": 1], width: 1000, [CollectionSection(1000)]),
        Rect(x: 5000, y: 0, width: 10, height: 1e9)
      ),
      (
        "depths",
        // Each node but the root is the child of the one before.
        try PreparedCollection(tree: [:], Forest(parents: (-1..<999).map { $0 })),
        Rect(x: 0, y: 5000, width: 1e9, height: 10)
      ),
    ]
  }

  @Test("tracks that are searched in vain count against the budget", arguments: 0..<4)
  func searchedInVain(index: Int) throws {
    let (name, collection, rect) = try Self.tracks()[index]
    func end(visiting budget: Int) -> QueryEnd {
      collection.prepared.forEachElement(in: ElementQuery(rect: rect), visiting: budget) { _, _ in }
    }
    same(end(visiting: 50_000), .complete, "\(name)")
    guard case .budgetSpent = end(visiting: 500) else {
      Issue.record("\(name): a thousand were searched for 500")
      return
    }
  }

  /// Rows of 1, more than a sink holds at once.
  private func rows(_ count: Int) throws -> any PreparedLayout {
    try PreparedCollection(
      "list", ["itemHeight": 1], width: 1, [CollectionSection(count)]
    ).prepared
  }

  @Test("an answer ends at its limit", arguments: [0, 1, 31, 32, 33, 64, 999])
  func limit(limit: Int) throws {
    var found: [Int] = []
    let end = try rows(1000).forEachElement(in: ElementQuery(rect: .everything, limit: limit)) {
      found.append($1.indexPath.item)
    }
    same(found, Array(0..<limit))
    same(end, .limitReached(ElementPosition(series: 0, indexPath: IndexPath(0, limit))))
  }

  @Test("so it does where whoever takes the elements wants no more", arguments: [0, 1, 31, 32, 33])
  func fullReceiver(limit: Int) throws {
    var taken = 0
    let end = try ElementQuery(rect: .everything).forEachBatch(
      of: rows(100), begin: { _ in },
      { elements in
        let count = min(elements.count, limit - taken)
        taken += count
        return count
      })
    same(taken, limit)
    same(end, .limitReached(ElementPosition(series: 0, indexPath: IndexPath(0, limit))))
  }

  @Test("known elements count against the budget, not the limit")
  func knownElements() throws {
    var found: [Int] = []
    let query = ElementQuery(
      rect: .everything, known: Rect(x: 0, y: 0, width: 1, height: 50), limit: 10)
    // The section itself is one visit.
    let end = try rows(1000).forEachElement(in: query, visiting: 56) {
      found.append($1.indexPath.item)
    }
    same(found, Array(50..<55))
    same(end, .budgetSpent(ElementPosition(series: 0, indexPath: IndexPath(0, 55))))
  }
}

/// Positions that no client was ever given; each runs in a process of its own, so that one that
/// traps fails its test alone.
@Suite("positions out of all bounds")
struct ExtremePositionTests {
  @Test("a layout of sections answers from any position")
  func sections() async {
    await #expect(processExitsWith: .success) {
      for kind in sectionedKinds { queryFromExtremePositions(kind) }
    }
  }

  @Test("a tree answers from any position")
  func tree() async {
    await #expect(processExitsWith: .success) { queryFromExtremePositions("tree") }
  }
}

private func queryFromExtremePositions(_ kind: String) {
  for seed in 0..<10 {
    guard let prepared = try? RandomCollection(kind, seed: seed).prepared().prepared else {
      preconditionFailure("a random collection is one that has a layout")
    }
    for section in [.min, -1, 0, 1, 2, .max] {
      for item in [.min, -1, 1 << 53, .max - 1, .max] {
        for series in [0, 1, 2, .max] {
          let start = ElementPosition(series: series, indexPath: IndexPath(section, item))
          _ = prepared.answer(to: ElementQuery(rect: .everything, start: start))
        }
      }
    }
  }
}
