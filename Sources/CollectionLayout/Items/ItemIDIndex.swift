/// Finds items by their names: of several with the same name, the first in order.
///
/// A hash table with open addressing; a slot is one more than the index of an item with a name,
/// 0 when it is free.
public struct ItemIDIndex: Sendable {
  private let paths: [IndexPath]
  private var slots: [UInt32]
  private let data: CollectionData

  /// - Returns: `nil` when no item has a name.
  /// - Complexity: O(*n*).
  public init?(_ data: CollectionData) {
    var paths: [IndexPath] = []
    data.forEachID { path, _ in paths.append(path) }
    guard !paths.isEmpty else { return nil }
    self.paths = paths
    slots = Array(repeating: 0, count: Self.slotCount(for: paths.count))
    self.data = data
    var next: UInt32 = 0
    data.forEachID { _, id in
      next += 1
      let slot = slot(of: id)
      if slots[slot] == 0 { slots[slot] = next }
    }
  }

  /// Where the first item with a name is.
  ///
  /// - Complexity: O(1) on average.
  public func indexPath(of id: ItemID) -> IndexPath? {
    let slot = slots[slot(of: id)]
    return slot == 0 ? nil : paths[Int(slot) - 1]
  }

  /// The slot of the first item with a name, or the free one where it would be.
  ///
  /// Names are hashed with the process's own random seed, so that nobody can choose some that
  /// collide.
  private func slot(of id: ItemID) -> Int {
    let mask = slots.count - 1
    var slot = id.hashValue & mask
    while slots[slot] != 0, data.id(at: paths[Int(slots[slot]) - 1]) != id {
      slot = (slot + 1) & mask
    }
    return slot
  }

  /// Bytes held beyond the collection.
  public var memoryBytes: Int {
    paths.count * MemoryLayout<IndexPath>.stride + slots.count * 4 + 96
  }

  /// What tells one from another that was built of the same names.
  var storageAddress: UInt { slots.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

  /// A power of two, at least a half more than the names.
  private static func slotCount(for count: Int) -> Int {
    1 << (Int.bitWidth - (count + count / 2).leadingZeroBitCount)
  }
}

extension CollectionData {
  /// The name of an item or node, if it has one.
  func id(at path: IndexPath) -> ItemID? {
    switch self {
    case .sections(let sections): sections[path.section].items.id(at: path.item)
    case .forest(let forest): forest.id(at: path)
    }
  }

  /// Calls `body` with each name, in order.
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
