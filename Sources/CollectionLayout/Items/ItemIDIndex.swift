/// Finds items by their ids. If several items have the same id, it finds the first in order.
///
/// It does not hold the ids. So an index serves all versions in which the same items have the same
/// ids.
public struct ItemIDIndex: Sendable {
  private let paths: [IndexPath]
  /// The place of an id in `paths`, plus one; 0 for a free slot. The highest bit says that several
  /// items have the id.
  private var slots: [UInt32]

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
      slots[slot] = slots[slot] == 0 ? next : slots[slot] | Self.severalBit
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
    let slot = slots[slot(of: id, in: data)]
    return slot == 0 ? nil : (path(inSlot: slot), slot & Self.severalBit == 0)
  }

  private static let severalBit: UInt32 = 1 << 31

  private func path(inSlot slot: UInt32) -> IndexPath {
    paths[Int(slot & ~Self.severalBit) - 1]
  }

  /// The slot of the first item with an id, or the free slot where it belongs.
  ///
  /// Ids are hashed with a random seed of this process, so nobody can choose ids that collide.
  private func slot(of id: ItemID, in data: CollectionData) -> Int {
    let mask = slots.count - 1
    var slot = id.hashValue & mask
    while slots[slot] != 0, data.id(at: path(inSlot: slots[slot])) != id {
      slot = (slot + 1) & mask
    }
    return slot
  }

  /// The memory of the index, in bytes, without the collection.
  public var memoryBytes: Int {
    paths.count * MemoryLayout<IndexPath>.stride + slots.count * 4 + 96
  }

  /// Differs between two indexes, even if both were built from the same ids.
  var storageAddress: UInt { slots.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

  /// A power of two, at least 1.5 times the number of ids.
  private static func slotCount(for count: Int) -> Int {
    1 << (Int.bitWidth - (count + count / 2).leadingZeroBitCount)
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
      guard let ids = forest.ids else { return }
      for depth in 0..<forest.depthCount {
        for node in forest.nodes(atDepth: depth) {
          if let id = ids[node] {
            body(IndexPath(section: depth, item: node - forest.depthStarts[depth]), id)
          }
        }
      }
    }
  }
}
