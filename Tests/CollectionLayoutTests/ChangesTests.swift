import TestSupport
import Testing

@testable import CollectionLayout

@Suite("layouts that change, against plain nested lists")
struct ChangesTests {
  @Test(
    "a changed layout is the one prepared anew", arguments: sectionedKinds, Extent.seeds(10, of: 60)
  )
  func sections(kind: String, seed: Int) throws {
    try checkSequence(kind, seed: seed)
  }

  @Test("a changed tree is the one prepared anew", arguments: Extent.seeds(60, of: 200))
  func tree(seed: Int) throws { try checkSequence("tree", seed: seed) }

  @Test("so are layouts of many thousand items", arguments: sectionedKinds, 0..<1)
  func large(kind: String, seed: Int) throws {
    try checkSequence(kind, seed: seed, isLarge: true)
  }

  private func checkSequence(_ kind: String, seed: Int, isLarge: Bool = false) throws {
    var walk = try ChangesWalk(kind, seed: seed, isLarge: isLarge)
    for _ in 0..<(isLarge ? Extent.count(1, of: 4) : walk.example.random.integer(3...10)) {
      if walk.example.random.chance(25) { try walk.changeLayout() } else { try walk.update() }
    }
  }
}

/// A collection that changes step by step, each step checked.
private struct ChangesWalk {
  var example: RandomCollection
  private var collection: PreparedCollection
  private var snapshot: Snapshot
  /// The index of ids, which follows the changes.
  private var index: ItemIDIndex?
  private let isLarge: Bool

  init(_ kind: String, seed: Int, isLarge: Bool) throws {
    example = RandomCollection(kind, seed: seed, isLarge: isLarge)
    collection = try example.prepared()
    snapshot = Snapshot(collection, example.model)
    index = ItemIDIndex(collection.data)
    self.isLarge = isLarge
  }

  mutating func update() throws {
    let before = example
    var updates = (0..<example.random.integer(1...4)).map { _ in example.nextUpdate() }
    guard let fresh = prepared(orThrowing: { _ = try collection.applying(updates) }) else {
      return giveUp(before)
    }
    let change = try collection.applying(updates)
    same(change.next.layout, collection.layout)
    let next = Snapshot(change.next, example.model)
    expectEqual(change.next, next, fresh)
    expectInvalidatedRects(of: change, snapshot.byKey, next.byKey, "\(updates)")
    expectInvalidatedRects(of: change, snapshot.byPath, next.byPath, "\(updates)")
    expectTransitions(of: change, next, snapshot.byKey, next.byKey) { $0.key($1) }
    if change.keepsIDs {
      same(before.model.pathsByID, example.model.pathsByID, "\(updates)")
    }
    if !change.keepsIDs {
      index =
        index?.following(change.lineage, in: change.next.data)
        ?? ItemIDIndex(change.next.data)
    }
    expectItemIDs(of: change.next, index)
    if !isLarge {
      let fresh = ItemIDIndex(change.next.data)
      same((fresh == nil), example.model.pathsByID.isEmpty)
      expectItemIDs(of: change.next, fresh)
      let nowhere = IndexPath(section: 1000, item: 0)
      updates.append(.moveItem(from: nowhere, to: nowhere))
      #expect(throws: LayoutError.self) { try collection.applying(updates) }
      expectIdentical(Snapshot(collection, before.model), snapshot)
    }
    collection = change.next
    snapshot = next
  }

  mutating func changeLayout() throws {
    let before = example
    example.changeLayout()
    let layout = example.layout
    guard let fresh = prepared(orThrowing: { _ = try collection.changing(layout) }) else {
      return giveUp(before)
    }
    let (changed, change) = try collection.changing(layout)
    same(changed.layout, layout)
    let next = Snapshot(changed, example.model)
    expectEqual(changed, next, fresh)
    if let change {
      expectInvalidatedRects(of: change, snapshot.byPath, next.byPath, "\(layout)")
      expectTransitions(of: change, next, snapshot.byKey, next.byKey) { $0.key($1) }
    } else {
      expectIdentical(next, snapshot)
    }
    collection = changed
    snapshot = next
  }

  /// The example prepared anew. Where there is no such layout, `change` throws the same error.
  private func prepared(orThrowing change: () throws -> Void) -> PreparedCollection? {
    if let path = example.model.firstConflict {
      #expect(
        throws: LayoutError.invalidItem(
          path, field: "aspectRatio", requirement: ItemStorage.conflictRequirement),
        performing: change)
      return nil
    }
    do throws(LayoutError) {
      return try example.prepared()
    } catch {
      #expect(throws: error, performing: change)
      return nil
    }
  }

  /// Goes back to what was before a change that is impossible, but to other random numbers.
  private mutating func giveUp(_ before: RandomCollection) {
    let random = example.random
    example = before
    example.random = random
  }
}

extension ChangesWalk {
  private mutating func expectEqual(
    _ collection: PreparedCollection, _ snapshot: Snapshot, _ fresh: PreparedCollection
  ) {
    let (prepared, expected) = (collection.prepared, fresh.prepared)
    same(prepared.contentSize, expected.contentSize)
    same(prepared.counts, expected.counts)
    same(prepared.series, expected.series)
    same(prepared.hasPinnedElements, expected.hasPinnedElements)
    // What is stored depends on how the items came, so this is told by the same data.
    let again = try? PreparedCollection(collection.layout, collection.data)
    same(collection.storedItemCount, again?.storedItemCount)
    expectIdentical(snapshot, Snapshot(fresh, example.model))
    for _ in 0..<3 {
      let rect = example.random.rect(near: snapshot.elements, in: prepared.contentSize)
      CollectionLayoutTests.expectEqual(
        prepared.elements(in: rect),
        collection.selection(of: ElementQuery(rect: rect), from: snapshot.elements), "in \(rect):")
    }
  }

  private func expectIdentical(_ found: Snapshot, _ expected: Snapshot) {
    let difference = zip(found.elements, expected.elements).first { !$0.isIdentical(to: $1) }
    if let (found, expected) = difference { Issue.record("\(found), expected \(expected)") }
    same(found.elements.count, expected.elements.count)
  }

  private func expectInvalidatedRects(
    of change: CollectionChange, _ old: [Snapshot.Key: Element], _ new: [Snapshot.Key: Element],
    _ comment: @autoclosure () -> String
  ) {
    var outside: (element: Element, area: InvalidatedRects)?
    func check(_ element: Element, of version: PreparedCollection) {
      let swept = element.sweptFrame(isHorizontal: version.isHorizontal)
      var areas = [change.invalidatedRects]
      if element.pinRange == nil { areas.append(change.invalidatedRectsBesidePins) }
      for area in areas where !area.rects.contains(where: { $0.contains(swept) }) {
        outside = outside ?? (element, area)
      }
    }
    for (key, from) in old {
      let to = new[key]
      if let to, to.isIdentical(to: from) { continue }
      check(from, of: change.previous)
      if let to { check(to, of: change.next) }
    }
    for (key, to) in new where old[key] == nil { check(to, of: change.next) }
    if let (element, area) = outside {
      Issue.record(
        """
        \(element), to (\(element.frame.maxX), \(element.frame.maxY)), is outside \
        \(area.rects) after \(comment())
        """)
    }
  }

  private mutating func expectTransitions(
    of change: CollectionChange, _ next: Snapshot, _ old: [Snapshot.Key: Element],
    _ new: [Snapshot.Key: Element], key: (Snapshot, Element) -> Snapshot.Key
  ) {
    let rect = example.random.rect(
      near: example.random.chance(50) ? snapshot.elements : next.elements,
      in: change.next.prepared.contentSize)
    var found = Transitions()
    let isComplete = change.forEachTransition(in: rect) { transition in
      switch transition {
      case .appearing(let series, let to):
        let to = Element(series, to)
        found.add(key(next, to), nil, to)
      case .disappearing(let series, let from):
        let from = Element(series, from)
        found.add(key(snapshot, from), from, nil)
      case .moving(let series, let from, let to):
        let (from, to) = (Element(series, from), Element(series, to))
        if key(snapshot, from) != key(next, to) { Issue.record("\(from) is not \(to)") }
        found.add(key(next, to), from, to)
      }
      return true
    }
    #expect(isComplete)
    var expected = Transitions()
    for (key, from) in old {
      let to = new[key]
      if to.map({ $0.isIdentical(to: from) }) == true { continue }
      if Element.meet(snapshot.sweptFrame(of: from), rect)
        || to.map({ Element.meet(next.sweptFrame(of: $0), rect) }) == true
      {
        expected.add(key, from, to)
      }
    }
    for (key, to) in new where old[key] == nil && Element.meet(next.sweptFrame(of: to), rect) {
      expected.add(key, nil, to)
    }
    same(found.duplicates, 0)
    same(found.byKey.count, expected.byKey.count, "in \(rect)")
    for (key, transition) in found.byKey where transition != expected.byKey[key] {
      Issue.record(
        "\(transition), expected \(expected.byKey[key].map { "\($0)" } ?? "nothing") in \(rect)")
      return
    }
  }

  /// Each element before and after.
  private struct Transitions {
    struct Pair: Equatable {
      var from: Element?
      var to: Element?
    }

    var byKey: [Snapshot.Key: Pair] = [:]
    var duplicates = 0

    mutating func add(_ key: Snapshot.Key, _ from: Element?, _ to: Element?) {
      if byKey.updateValue(Pair(from: from, to: to), forKey: key) != nil { duplicates += 1 }
    }
  }

  private func expectItemIDs(of collection: PreparedCollection, _ index: ItemIDIndex?) {
    let paths = example.model.pathsByID
    guard let index else {
      #expect(paths.isEmpty)
      return
    }
    for (id, path) in paths {
      same(index.indexPath(of: ItemID(id), in: collection.data), path, "\(id)")
    }
    for id in ["", "nobody", "item 21", "item 1 "] {
      same(index.indexPath(of: ItemID(id), in: collection.data), nil)
    }
  }
}
