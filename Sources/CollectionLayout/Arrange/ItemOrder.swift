import Synchronization

/// The sections of an arrangement, and where their items stand in the collection.
///
///     place in the collection   0 1 2 | 3 4          sections of 3 and 2 items
///     places                    4 0 | 3              groups of 2 items and 1; 1 and 2 are left out
final class ItemOrder: Sendable {
  struct Group: Sendable {
    /// What makes it the same group in another arrangement; `nil` if nothing does.
    var key: [UInt8]?
    var id: ItemID?
    /// Its items in ``ItemOrder/places``.
    var items: Range<Int>
  }

  let groups: [Group]
  /// Whether an arrangement lists the sections, which keep their places then.
  let isListed: Bool
  /// The first group of each key.
  let indexByKey: [[UInt8]?: Int]
  /// The place of each item in the collection, whose sections stand one behind another.
  let places: [UInt32]
  /// All items of the collection.
  let source: Items
  /// The first place of each section of the collection, and last the number of its items.
  let sourceStarts: [Int]
  let arrangement: Arrangement
  /// The sections, of which nothing was measured.
  let sections: [CollectionSection]
  /// ``inverse`` once it is needed.
  private let known = Mutex<[UInt32]?>(nil)

  /// - Parameter earlier: What has the settings of sections that stay.
  init(
    _ arrangement: Arrangement, _ groups: [Group], _ places: [UInt32], isListed: Bool,
    of sections: [CollectionSection], after earlier: ItemOrder? = nil
  ) {
    self.arrangement = arrangement
    self.groups = groups
    self.isListed = isListed
    indexByKey = Dictionary(zip(groups.map(\.key), groups.indices)) { first, _ in first }
    self.places = places
    sourceStarts = sections.reduce(into: [0]) { $0.append($0.last! + $1.items.count) }
    let source = Items(inOneList: sections.lazy.flatMap(\.items.blocks))
    self.source = source
    self.sections = groups.map { group in
      let settings = earlier?.indexByKey[group.key].flatMap { earlier?.sections[$0].settings }
      return CollectionSection(
        items: Items(source.blocks, order: places[group.items]),
        settings: settings?.id == group.id
          ? settings : group.id.map { SectionSettings(id: $0) })
    }
  }

  /// The sections, with what was measured of the items in the collection.
  ///
  /// - Complexity: O(*s*) for *s* sections if nothing was measured; else O(*n*) for *n* items.
  func sections(withMeasuredOf source: [CollectionSection]) -> [CollectionSection] {
    guard source.contains(where: \.items.hasMeasured) else { return sections }
    return zip(sections, groups).map { section, group in
      var entries: [MeasuredSizes.Entry] = []
      for (item, place) in places[group.items].enumerated() {
        let path = sourcePath(ofPlace: Int(place))
        guard var entry = source[path.section].items.measured[path.item] else { continue }
        entry.item = item
        entries.append(entry)
      }
      var section = section
      section.items.measured.append(entries, at: 0)
      return section
    }
  }

  /// Where an item stands in the collection.
  func sourcePath(of path: IndexPath) -> IndexPath {
    sourcePath(ofPlace: Int(places[groups[path.section].items.lowerBound + path.item]))
  }

  private func sourcePath(ofPlace place: Int) -> IndexPath {
    let section = partitionPoint(in: 0..<sourceStarts.count - 1) { sourceStarts[$0 + 1] <= place }
    return IndexPath(section: section, item: place - sourceStarts[section])
  }

  /// For each place in the collection which item it is here; ``ArrangedPlaces/none`` for those that
  /// are left out.
  ///
  /// - Complexity: O(*n*) for the first call, then O(1).
  var inverse: [UInt32] {
    known.withLock { known in
      if let known { return known }
      var made = [UInt32](repeating: ArrangedPlaces.none, count: sourceCount)
      for (index, place) in places.enumerated() { made[Int(place)] = UInt32(index) }
      known = made
      return made
    }
  }

  func path(ofSource path: IndexPath) -> IndexPath? {
    guard sourceStarts.indices.dropLast().contains(path.section),
      case let place = sourceStarts[path.section] + path.item,
      (0..<sourceStarts[path.section + 1]).contains(place),
      let item = index(ofPlace: place)
    else { return nil }
    let group = partitionPoint(in: 0..<groups.count) { groups[$0].items.upperBound <= item }
    return IndexPath(section: group, item: item - groups[group].items.lowerBound)
  }

  /// The number of items of the collection.
  var sourceCount: Int { sourceStarts.last! }

  /// The order itself, the sections' own, and what finds an item of the collection.
  var memoryBytes: Int {
    (places.count + sourceCount) * MemoryLayout<UInt32>.stride
      + source.blocks.count * MemoryLayout<Items.Block>.stride + sourceStarts.count * 8
      + groups.count * Self.bytesPerGroup + 256
      + groups.reduce(0) { $0 + 2 * ($1.key?.count ?? 0) }
  }

  /// What a group takes beside its items, and beside two copies of its key.
  static let bytesPerGroup = 352
}

/// The orders of a collection that layouts hold, so that equal arrangements share one.
final class SharedOrders: Sendable {
  private struct WeakOrder {
    weak var order: ItemOrder?
  }

  private struct Known {
    var orders: [Arrangement: WeakOrder] = [:]
    /// From how many on it is looked which are still held.
    var limit = 64
  }

  private let known = Mutex(Known())

  func order(
    _ arrangement: Arrangement, _ make: () throws(LayoutError) -> ItemOrder
  ) throws(LayoutError) -> ItemOrder {
    if let order = known.withLock({ $0.orders[arrangement]?.order }) { return order }
    let made = try make()
    return known.withLock { known in
      if let order = known.orders[arrangement]?.order { return order }
      if known.orders.count >= known.limit {
        known.orders = known.orders.filter { $0.value.order != nil }
        known.limit = 64 + 2 * known.orders.count
      }
      known.orders[arrangement] = WeakOrder(order: made)
      return made
    }
  }
}
