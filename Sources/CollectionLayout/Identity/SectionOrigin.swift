/// Where an item of a changed collection comes from.
struct ItemOrigin: RunOrigin {
  /// The earlier index path.
  var path: IndexPath
  /// Whether its fields may have changed.
  var isReplaced = false
  /// Whether what was measured of it no longer holds: its size, ratio or text has changed, or its
  /// section has turned its axes.
  var isResized = false

  func advanced(by distance: Int) -> ItemOrigin {
    var origin = self
    origin.path.item += distance
    return origin
  }

  /// The same item, with fields that may have changed.
  var replaced: ItemOrigin { marked(isReplaced: true) }

  /// The same item, of which nothing was measured any more.
  var resized: ItemOrigin { marked(isReplaced: true, isResized: true) }

  /// The same item after a later change that says this of it.
  func marked(isReplaced: Bool, isResized: Bool = false) -> ItemOrigin {
    var origin = self
    origin.isReplaced = self.isReplaced || isReplaced
    origin.isResized = self.isResized || isResized
    return origin
  }
}

typealias ItemOrigins = RunMap<ItemOrigin>

/// The origin of a section of a changed collection.
///
///     before    0: a b c     1: d e
///     after     0: a x c e               base 0, baseCount 3
///     items     (0, 0)   –   (0, 2)   (1, 1)
struct SectionOrigin: Sendable {
  /// The section's index before the changes; `nil` for a new section.
  let base: Int?
  let baseCount: Int
  /// The origins of the section's items; `nil` if all items are unchanged.
  private(set) var items: ItemOrigins?

  /// A section before any change.
  ///
  /// - Parameter count: The number of its items.
  init(base: Int, count: Int) {
    self.base = base
    baseCount = count
  }

  /// A section of which only some items are where they were.
  ///
  /// - Parameter baseCount: The number of items that `base` has; 0 for a new section.
  init(base: Int?, baseCount: Int, items: ItemOrigins) {
    self.base = base
    self.baseCount = baseCount
    self.items = base != nil && items == unchanged ? nil : items
  }

  /// A section that is not there.
  static let absent = SectionOrigin(base: nil, baseCount: 0, items: ItemOrigins())

  /// The items of `base`.
  private var unchanged: ItemOrigins {
    ItemOrigins(
      count: baseCount, from: base.map { ItemOrigin(path: IndexPath(section: $0, item: 0)) })
  }

  /// The origin of an item; `nil` for a new one.
  ///
  /// - Complexity: O(log *r*) for *r* runs.
  func origin(ofItem item: Int) -> ItemOrigin? {
    guard let items else {
      return base.map { ItemOrigin(path: IndexPath(section: $0, item: item)) }
    }
    return items.origin(of: item)
  }

  // MARK: What is the same

  /// The first item that may be another item than before, or have other fields; `nil` if all items
  /// are the same.
  ///
  /// - Complexity: O(*r*) for *r* runs.
  var firstChanged: Int? {
    guard let items else { return nil }
    let changed = items.runs.first { !isInPlace($0) || $0.origin?.isReplaced ?? true }
    return changed?.elements.lowerBound ?? items.count
  }

  /// The items that were in the section before and are unchanged, in their new order; `nil` if all
  /// are the same.
  ///
  /// - Complexity: O(*r*) for *r* runs.
  var kept: [EarlierBody.Kept]? {
    items?.runs.compactMap { run in
      guard let origin = run.origin, origin.path.section == base, !origin.isReplaced else {
        return nil
      }
      return EarlierBody.Kept(run.elements, from: origin.path.item)
    }
  }

  /// The items whose fields may have changed, in order; `nil` if an item was inserted, deleted or
  /// moved.
  ///
  /// - Complexity: O(*r*) for *r* runs.
  var replaced: [Range<Int>]? {
    guard let items else { return [] }
    guard items.count == baseCount, items.runs.allSatisfy({ isInPlace($0) }) else { return nil }
    return items.runs.filter { $0.origin?.isReplaced ?? false }.map(\.elements)
  }

  /// Whether items were at the same index paths before.
  func isInPlace(_ run: ItemOrigins.Run) -> Bool {
    guard let path = run.origin?.path else { return false }
    return path.section == base && path.item == run.elements.lowerBound
  }

  // MARK: Editing

  /// Puts other items in the place of some.
  ///
  /// - Parameter new: Returns the origins of the new items, given those of the old ones.
  /// - Returns: The origins of the old items.
  mutating func replace(
    _ range: Range<Int>, with new: (ItemOrigins) -> ItemOrigins
  ) -> ItemOrigins {
    var items = self.items ?? unchanged
    // The property no longer holds the runs, so a change in place copies nothing.
    self.items = nil
    let removed = items.slice(range)
    items.replaceSubrange(range, with: new(removed))
    if base == nil || items != unchanged { self.items = items }
    return removed
  }

  /// The origin in which new items have no origins.
  ///
  /// - Parameter isNew: Whether an origin is that of a new item.
  func withoutOrigins(_ isNew: (IndexPath) -> Bool) -> SectionOrigin {
    guard let items, items.runs.contains(where: { $0.origin.map { isNew($0.path) } ?? false })
    else {
      return self
    }
    var section = self
    section.items = items.mapOrigins { isNew($0.path) ? nil : $0 }
    return section
  }
}

extension ItemOrigins {
  /// The origins of the same items, of which something is said.
  ///
  /// - Parameters:
  ///   - items: In ascending order.
  ///   - mark: Says it of these items.
  ///   - others: Says it of all others.
  /// - Complexity: O(*r* + *i*) for *r* runs and *i* items.
  func marking(
    _ items: [Int], _ mark: (ItemOrigin) -> ItemOrigin,
    others: (ItemOrigin) -> ItemOrigin = { $0 }
  ) -> ItemOrigins {
    var result = ItemOrigins()
    var index = 0
    func append(to end: Int, _ mark: (ItemOrigin) -> ItemOrigin) {
      forEachPart(of: result.count..<end, near: &index) { result.append($0, from: $1.map(mark)) }
    }
    for item in items {
      append(to: item, others)
      append(to: item + 1, mark)
    }
    append(to: count, others)
    return result
  }
}
