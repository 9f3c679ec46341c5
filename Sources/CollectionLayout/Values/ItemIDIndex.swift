/// Finds items by their ids. If several items have the same id, it finds the first in order.
///
/// It does not hold the ids. So an index serves all versions in which the same items have the same
/// ids. After other changes, ``following(_:in:)`` makes it serve the next version without going
/// over all items again:
///
///     id ── slots ──▸ paths, of when it was built ── places ──▸ index path
///      └─── added: the items that got their id since
public struct ItemIDIndex: Sendable {
  private let paths: [IndexPath]
  /// The place of an id in `paths`, plus one; 0 for a free slot. The highest bit says that several
  /// items have the id.
  private var slots: [UInt32]
  /// Whether several items have one id.
  private var hasNamesakes = false
  /// Where the items at `paths` are; `nil` if they are there.
  private var places: [SectionOrigin]?
  /// Where the items are that got their id since. No other item has it.
  private var added: [ItemID: IndexPath] = [:]
  /// The items at `paths` before this one are gone.
  private var firstLeft = 0

  /// - Returns: `nil` if no item has an id.
  /// - Complexity: O(*n*).
  public init?(_ data: CollectionData) {
    var paths: [IndexPath] = []
    data.forEachID { path, _ in paths.append(path) }
    guard !paths.isEmpty else { return nil }
    precondition(paths.count < Self.severalBit, "\(paths.count) ids")
    self.paths = paths
    slots = Array(repeating: 0, count: Self.slotCount(for: paths.count))
    var next: UInt32 = 0
    data.forEachID { _, id in
      next += 1
      let slot = slot(of: id, in: data)
      if slots[slot] == 0 {
        slots[slot] = next
      } else {
        slots[slot] |= Self.severalBit
        hasNamesakes = true
      }
    }
  }

  /// The index path of the first item with an id.
  ///
  /// - Parameter data: A collection with the same ids as the one from which the index was built.
  /// - Complexity: O(1) on average.
  public func indexPath(of id: ItemID, in data: CollectionData) -> IndexPath? {
    find(id, in: data)?.path
  }

  /// The index path of the first item with an id, and whether it is the only one.
  ///
  /// - Parameter data: A collection with the same ids as the one from which the index was built.
  /// - Complexity: O(1) on average.
  public func find(_ id: ItemID, in data: CollectionData) -> (path: IndexPath, isOnly: Bool)? {
    if !added.isEmpty, let path = added[id] { return (path, true) }
    let slot = slots[slot(of: id, in: data)]
    guard slot != 0, let path = path(inSlot: slot) else { return nil }
    return (path, slot & Self.severalBit == 0)
  }

  private static let severalBit: UInt32 = 1 << 31

  /// `nil` if the item is gone or was given other fields.
  private func path(inSlot slot: UInt32) -> IndexPath? {
    let path = paths[Int(slot & ~Self.severalBit) - 1]
    guard let places else { return path }
    return places.place(of: path)
  }

  /// The slot of the first item with an id, or the free slot where it belongs.
  ///
  /// Ids are hashed with a random seed of this process, so nobody can choose ids that collide.
  private func slot(of id: ItemID, in data: CollectionData) -> Int {
    let mask = slots.count - 1
    var slot = id.hashValue & mask
    while slots[slot] != 0 {
      if let path = path(inSlot: slots[slot]), data.id(at: path) == id { return slot }
      slot = (slot + 1) & mask
    }
    return slot
  }

  /// The index of the data after a change that gave items other index paths or ids.
  ///
  /// - Parameters:
  ///   - lineage: Which item of `data` is which of the data that the index serves.
  ///   - data: The data after the change.
  /// - Returns: `nil` for a forest, if several items have one id, if no item has one, and if much
  ///   has changed since the index was built. Then it must be built again.
  /// - Complexity: O(*s* + *r* · log *r* + *a*) for *s* sections, *r* runs of items that stayed
  ///   together and *a* items that got their id, both since the index was built.
  public func following(_ lineage: DataLineage, in data: CollectionData) -> ItemIDIndex? {
    guard !hasNamesakes, case .sections(let origins) = lineage.content,
      case .sections(let sections) = data
    else { return nil }
    // An item with other fields may have another id.
    let step = origins.inverse(findingReplaced: false)
    let places = self.places?.following(step) ?? step
    var next = self
    next.places = places
    next.added = added.compactMapValues { step.place(of: $0) }
    var rest = Self.maxChanges - places.movedCount - next.added.count
    for (section, origin) in origins.enumerated() {
      guard let items = origin.items, sections[section].items.hasIDs else { continue }
      for run in items.runs where run.origin?.isReplaced ?? true {
        rest -= run.elements.count
        guard rest >= 0 else { return nil }
        for item in run.elements {
          guard let id = sections[section].items.id(at: item) else { continue }
          guard next.find(id, in: data) == nil else { return nil }
          next.added[id.copied] = IndexPath(section: section, item: item)
        }
      }
    }
    while next.firstLeft < paths.count, places.place(of: paths[next.firstLeft]) == nil {
      next.firstLeft += 1
    }
    let isEmpty = next.firstLeft == paths.count && next.added.isEmpty
    return rest < 0 || isEmpty ? nil : next
  }

  /// How many runs and items an index may have beside those of when it was built.
  private static let maxChanges = 4096

  /// The memory of the index, in bytes, without the collection.
  public var memoryBytes: Int {
    paths.count * MemoryLayout<IndexPath>.stride + slots.count * 4 + (places?.memoryBytes ?? 0)
      + added.count * 192 + 96
  }

  /// Differs between two indexes, even if both were built from the same ids.
  var storageAddress: UInt { slots.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

  /// A power of two, at least 1.5 times the number of ids.
  private static func slotCount(for count: Int) -> Int {
    1 << (Int.bitWidth - (count + count / 2).leadingZeroBitCount)
  }
}

extension [SectionOrigin] {
  /// The index path of an item; `nil` if it is gone.
  fileprivate func place(of path: IndexPath) -> IndexPath? {
    section(path.section).origin(ofItem: path.item)?.path
  }
}

extension CollectionData {
  /// The id of an item or node, if it has one.
  func id(at path: IndexPath) -> ItemID? {
    switch self {
    case .sections(let sections): sections[path.section].items.id(at: path.item)
    case .forest(let forest): forest.id(at: path)
    }
  }

  /// Calls `body` with each id, in order.
  fileprivate func forEachID(_ body: (IndexPath, ItemID) -> Void) {
    switch self {
    case .sections(let sections):
      for (section, data) in sections.enumerated() {
        data.items.forEachID { body(IndexPath(section: section, item: $0), $1) }
      }
    case .forest(let forest):
      forest.items.forEachID { body(forest.indexPath(of: $0), $1) }
    }
  }
}
