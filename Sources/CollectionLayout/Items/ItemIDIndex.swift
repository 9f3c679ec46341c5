/// Finds items by their ids. If several items have the same id, it finds the first in order.
///
/// It does not hold the ids. So an index serves all versions in which the same items have the same
/// ids.
public struct ItemIDIndex: Sendable {
  private let paths: [IndexPath]
  private var slots: [UInt32]

  /// - Returns: `nil` if no item has an id.
  /// - Complexity: O(*n*).
  public init?(_ data: CollectionData) {
    var paths: [IndexPath] = []
    data.forEachID { path, _ in paths.append(path) }
    guard !paths.isEmpty else { return nil }
    self.paths = paths
    slots = Array(repeating: 0, count: Self.slotCount(for: paths.count))
    var next: UInt32 = 0
    data.forEachID { _, id in
      next += 1
      let slot = slot(of: id, in: data)
      if slots[slot] == 0 { slots[slot] = next }
    }
  }

  /// The index path of the first item with an id.
  ///
  /// - Parameter data: A collection with the same ids as the one from which the index was built.
  /// - Complexity: O(1) on average.
  public func indexPath(of id: ItemID, in data: CollectionData) -> IndexPath? {
    let slot = slots[slot(of: id, in: data)]
    return slot == 0 ? nil : paths[Int(slot) - 1]
  }

  /// The slot of the first item with an id, or the free slot where it belongs.
  ///
  /// Ids are hashed with a random seed of this process, so nobody can choose ids that collide.
  private func slot(of id: ItemID, in data: CollectionData) -> Int {
    let mask = slots.count - 1
    var slot = id.hashValue & mask
    while slots[slot] != 0, data.id(at: paths[Int(slots[slot]) - 1]) != id {
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
      for (section, data) in sections.enumerated() where data.items.hasIDs {
        var item = 0
        data.items.forEachRun(in: 0..<data.items.count) { storage, run in
          if let ids = storage?.ids {
            for index in run {
              if let id = ids[index] {
                body(IndexPath(section: section, item: item + index - run.lowerBound), id)
              }
            }
          }
          item += run.count
        }
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
