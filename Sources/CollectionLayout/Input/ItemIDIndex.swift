/// Finds items by their names: of several with the same name, the first in order.
///
/// A hash table with open addressing; a slot is one more than the index of an item with a name,
/// 0 when it is free.
public struct ItemIDIndex: Sendable {
  private let paths: [IndexPath]
  private let slots: [UInt32]
  private let data: CollectionData

  /// - Returns: `nil` when no item has a name.
  /// - Complexity: O(*n*).
  public init?(_ data: CollectionData) {
    var paths: [IndexPath] = []
    data.forEachID { path, _ in paths.append(path) }
    guard !paths.isEmpty else { return nil }
    var slots = [UInt32](repeating: 0, count: Self.slotCount(for: paths.count))
    var next: UInt32 = 0
    data.forEachID { _, id in
      next += 1
      var slot = Self.firstSlot(of: id, among: slots.count)
      while slots[slot] != 0 {
        if data.id(at: paths[Int(slots[slot]) - 1]) == id { return }
        slot = (slot + 1) & (slots.count - 1)
      }
      slots[slot] = next
    }
    self.paths = paths
    self.slots = slots
    self.data = data
  }

  /// Where the first item with a name is.
  ///
  /// - Complexity: O(1) on average.
  public func indexPath(of id: ItemID) -> IndexPath? {
    var slot = Self.firstSlot(of: id, among: slots.count)
    while slots[slot] != 0 {
      let path = paths[Int(slots[slot]) - 1]
      if data.id(at: path) == id { return path }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Bytes held beyond the collection.
  public var memoryBytes: Int {
    paths.count * MemoryLayout<IndexPath>.stride + slots.count * 4 + 96
  }

  /// A power of two, at least a half more than the names.
  private static func slotCount(for count: Int) -> Int {
    1 << (Int.bitWidth - (count + count / 2).leadingZeroBitCount)
  }

  /// Hashed with the process's own random seed, so that nobody can choose names that collide.
  private static func firstSlot(of id: ItemID, among count: Int) -> Int {
    id.hashValue & (count - 1)
  }
}

extension CollectionData {
  /// The name of an item or node, if it has one.
  func id(at path: IndexPath) -> ItemID? {
    switch self {
    case .sections(let sections): sections[path.section].id(at: path.item)
    case .forest(let forest): forest.ids?[forest.depthStarts[path.section] + path.item]
    }
  }

  /// Calls `body` with each name, in order.
  fileprivate func forEachID(_ body: (IndexPath, ItemID) -> Void) {
    switch self {
    case .sections(let sections):
      for (section, items) in sections.enumerated() where items.hasIDs {
        var item = 0
        items.forEachRun(in: 0..<items.count) { storage, run in
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
