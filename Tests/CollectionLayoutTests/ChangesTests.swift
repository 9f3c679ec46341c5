import Testing

@testable import CollectionLayout

@Suite("layouts that change, against plain nested lists")
struct ChangesTests {
  @Test("a changed grid is the one prepared anew", arguments: 0..<80)
  func grid(seed: Int) throws { try checkSequence(.grid, seed: seed) }

  @Test("a changed waterfall is the one prepared anew", arguments: 0..<100)
  func waterfall(seed: Int) throws { try checkSequence(.waterfall, seed: seed) }

  @Test("a changed gallery is the one prepared anew", arguments: 0..<80)
  func gallery(seed: Int) throws { try checkSequence(.gallery, seed: seed) }

  @Test("a changed tree is the one prepared anew", arguments: 0..<80)
  func tree(seed: Int) throws { try checkSequence(.tree, seed: seed) }

  @Test(
    "so are layouts of many thousand items", arguments: [Kind.grid, .waterfall, .gallery], 0..<2)
  func large(kind: Kind, seed: Int) throws {
    try checkSequence(kind, seed: seed, isLarge: true)
  }

  private func checkSequence(_ kind: Kind, seed: Int, isLarge: Bool = false) throws {
    var walk = try ChangesWalk(kind, seed: seed, isLarge: isLarge)
    for _ in 0..<(isLarge ? 6 : walk.example.random.integer(10...30)) {
      if walk.example.random.chance(20) { try walk.patch() } else { try walk.update() }
    }
  }
}

/// A collection that changes step by step, each step checked.
private struct ChangesWalk {
  var example: ChangesCase
  private var collection: PreparedCollection
  private var snapshot: ChangesSnapshot
  private let isLarge: Bool

  init(_ kind: Kind, seed: Int, isLarge: Bool) throws {
    var seed = seed
    var prepared: PreparedCollection?
    repeat {
      example = ChangesCase(kind, seed: seed, isLarge: isLarge)
      prepared = try? example.prepared()
      seed += 1_000_000
    } while prepared == nil
    collection = prepared!
    snapshot = ChangesSnapshot(collection, example.model)
    self.isLarge = isLarge
  }

  mutating func update() throws {
    let before = example
    var updates = (0..<example.random.integer(1...4)).map { _ in example.nextUpdate() }
    guard let fresh = try? example.prepared() else {
      #expect(throws: LayoutError.self) { try collection.applying(updates) }
      return giveUp(before)
    }
    let change = try collection.applying(updates)
    let next = ChangesSnapshot(change.next, example.model)
    expectEqual(change.next, next, fresh)
    expectInvalidatedRect(of: change, snapshot.byKey, next.byKey, "\(updates)")
    expectTransitions(of: change, next, snapshot.byKey, next.byKey) { snapshot, series, path in
      snapshot.key(series, path)
    }
    if !isLarge {
      expectItemIDs(of: change.next)
      let nowhere = IndexPath(section: 1000, item: 0)
      updates.append(.moveItem(from: nowhere, to: nowhere))
      #expect(throws: LayoutError.self) { try collection.applying(updates) }
      expectIdentical(ChangesSnapshot(collection, before.model), snapshot)
    }
    collection = change.next
    snapshot = next
  }

  mutating func patch() throws {
    let before = example
    example.patch()
    let (layout, bounds) = (example.layout, example.bounds)
    guard let fresh = try? example.prepared() else {
      #expect(throws: LayoutError.self) {
        try collection.changing(layout: layout, bounds: bounds)
      }
      return giveUp(before)
    }
    let (changed, change) = try collection.changing(layout: layout, bounds: bounds)
    #expect(isEqual(changed.layout, layout) && changed.bounds == bounds)
    let next = ChangesSnapshot(changed, example.model)
    expectEqual(changed, next, fresh)
    if let change {
      let (old, new) = (snapshot.byIndexPath, next.byIndexPath)
      expectInvalidatedRect(of: change, old, new, "\(layout)")
      expectTransitions(of: change, next, old, new) { _, series, path in
        ChangesSnapshot.pathKey(series, path)
      }
    } else {
      expectIdentical(next, snapshot)
    }
    collection = changed
    snapshot = next
  }

  private func isEqual<Layout: CollectionViewLayout>(
    _ a: Layout, _ b: any CollectionViewLayout
  ) -> Bool { a == b as? Layout }

  /// Goes back to what was before a change that is impossible, but to other random numbers.
  private mutating func giveUp(_ before: ChangesCase) {
    let random = example.random
    example = before
    example.random = random
  }
}

extension ChangesWalk {
  private mutating func expectEqual(
    _ collection: PreparedCollection, _ snapshot: ChangesSnapshot, _ fresh: PreparedCollection
  ) {
    let (prepared, expected) = (collection.prepared, fresh.prepared)
    #expect(prepared.contentSize == expected.contentSize)
    #expect(prepared.counts == expected.counts)
    #expect(prepared.series == expected.series)
    expectIdentical(snapshot, ChangesSnapshot(fresh, example.model))
    for _ in 0..<2 {
      let rect = example.rect(among: snapshot, contentSize: expected.contentSize)
      let found = prepared.elements(in: rect)
      CollectionLayoutTests.expectEqual(found, expected.elements(in: rect), "in \(rect):")
    }
    for _ in 0..<min(10, snapshot.ordered.count) {
      let (series, attributes) = example.random.element(of: snapshot.ordered)
      let index = prepared.series.firstIndex { ChangesSnapshot.number(of: $0) == series }
      let single = index.flatMap { prepared.attributes(of: $0, at: attributes.indexPath) }
      #expect(single.map { $0.isIdentical(to: attributes) } == true, "\(attributes)")
    }
    for (section, items) in example.model.sections.enumerated() {
      let behind = IndexPath(section: section, item: items.items.count)
      let cells = prepared.series.firstIndex(of: .cells)!
      #expect(prepared.attributes(of: cells, at: behind) == nil)
    }
  }

  private func expectIdentical(_ found: ChangesSnapshot, _ expected: ChangesSnapshot) {
    let difference = zip(found.ordered, expected.ordered).first {
      $0.series != $1.series || !$0.attributes.isIdentical(to: $1.attributes)
    }
    if let (found, expected) = difference {
      Issue.record("series \(found.series): \(found.attributes), expected \(expected.attributes)")
    }
    #expect(found.ordered.count == expected.ordered.count)
  }

  private func expectInvalidatedRect(
    of change: CollectionChange, _ old: [ChangesKey: LayoutAttributes],
    _ new: [ChangesKey: LayoutAttributes], _ comment: @autoclosure () -> String
  ) {
    var outside: LayoutAttributes?
    func check(_ attributes: LayoutAttributes) {
      if change.invalidatedRect.map({ $0.contains(attributes.frame) }) != true {
        outside = outside ?? attributes
      }
    }
    for (key, from) in old {
      if let to = new[key], to.isIdentical(to: from) { continue }
      check(from)
      if let to = new[key] { check(to) }
    }
    for (key, to) in new where old[key] == nil { check(to) }
    if let outside {
      let area = change.invalidatedRect
      Issue.record(
        """
        \(outside.indexPath) \(outside.frame), to (\(outside.frame.maxX), \(outside.frame.maxY)), is \
        outside \(area.map { "\($0)" } ?? "nil") after \(comment())
        """)
    }
  }

  private mutating func expectTransitions(
    of change: CollectionChange, _ next: ChangesSnapshot, _ old: [ChangesKey: LayoutAttributes],
    _ new: [ChangesKey: LayoutAttributes],
    key: (ChangesSnapshot, Int, IndexPath) -> ChangesKey
  ) {
    let rect = example.rect(
      among: snapshot, next, contentSize: change.next.prepared.contentSize)
    var found = Transitions()
    let isComplete = change.forEachTransition(in: rect) { transition in
      switch transition {
      case .appearing(let series, let to):
        found.add(key(next, ChangesSnapshot.number(of: series), to.indexPath), nil, to)
      case .disappearing(let series, let from):
        found.add(key(snapshot, ChangesSnapshot.number(of: series), from.indexPath), from, nil)
      case .moving(let series, let from, let to):
        let number = ChangesSnapshot.number(of: series)
        #expect(key(snapshot, number, from.indexPath) == key(next, number, to.indexPath))
        found.add(key(next, number, to.indexPath), from, to)
      }
      return true
    }
    #expect(isComplete)
    var expected = Transitions()
    for (key, from) in old {
      let to = new[key]
      if to.map({ $0.isIdentical(to: from) }) == true { continue }
      if from.isIn(rect) || to.map({ $0.isIn(rect) }) == true { expected.add(key, from, to) }
    }
    for (key, to) in new where old[key] == nil && to.isIn(rect) { expected.add(key, nil, to) }
    #expect(found.duplicates == 0)
    #expect(found.byKey.count == expected.byKey.count, "in \(rect)")
    for (key, transition) in found.byKey where transition != expected.byKey[key] {
      Issue.record(
        "\(transition), expected \(expected.byKey[key].map { "\($0)" } ?? "nothing") in \(rect)")
      return
    }
  }

  /// Each element's attributes before and after.
  private struct Transitions {
    struct Pair: Equatable {
      var from: LayoutAttributes?
      var to: LayoutAttributes?
    }

    var byKey: [ChangesKey: Pair] = [:]
    var duplicates = 0

    mutating func add(_ key: ChangesKey, _ from: LayoutAttributes?, _ to: LayoutAttributes?) {
      if byKey.updateValue(Pair(from: from, to: to), forKey: key) != nil { duplicates += 1 }
    }
  }

  private func expectItemIDs(of collection: PreparedCollection) {
    let paths = example.model.pathsByID
    guard let index = ItemIDIndex(collection.data) else {
      #expect(paths.isEmpty)
      return
    }
    #expect(!paths.isEmpty)
    for (id, path) in paths { #expect(index.indexPath(of: ItemID(id)) == path, "\(id)") }
    for id in ["", "nobody", "item 21", "item 1 "] {
      #expect(index.indexPath(of: ItemID(id)) == nil)
    }
  }
}
