extension PreparedCollection {
  /// The order for another layout; `nil` if it has no arrangement.
  ///
  /// - Parameters:
  ///   - data: What is arranged: that of `owner`.
  ///   - lineage: Which item of it is which of this collection's, whose order is led on then.
  func itemOrder(
    for layout: GivenLayout, _ data: CollectionData, of owner: PreparedCollection,
    after lineage: DataLineage? = nil, itemLimit: Int
  ) throws(LayoutError) -> ItemOrder? {
    guard let arrangement = layout.arrangement, let sections = data.sections,
      let orders = owner.content.stack?.orders
    else { return nil }
    return try orders.order(arrangement) { () throws(LayoutError) in
      if let lineage, let order, order.arrangement == arrangement,
        let next = try order.following(
          lineage, in: sections, maxGroups: CollectionData.maxSections(forItems: itemLimit),
          finding: owner.typesetter)
      {
        return next
      }
      return try arrangement.order(of: sections, itemLimit: itemLimit, finding: owner.typesetter)
    }
  }

  /// Where an item of ``source`` is shown; `nil` if the arrangement leaves it out.
  ///
  /// - Complexity: O(log *n*) for *n* items; in a list of ids O(*n*) for the first call.
  public func indexPath(ofSource path: IndexPath) -> IndexPath? {
    order.map { $0.path(ofSource: path) } ?? path
  }

  /// Which item of a later version is which of this one, where either may be arranged.
  ///
  /// - Parameter lineage: Which item of the later collection is which of that of this version.
  /// - Complexity: O(*n*) for *n* items of the collection. If both have the same arrangement, it is
  ///   O(*g* + *k* · log *n*) for *g* groups and *k* items that were touched.
  public func lineage(to next: PreparedCollection, by lineage: DataLineage) -> DataLineage {
    guard order != nil || next.order != nil, order !== next.order, let own = content.stack,
      let stack = next.content.stack
    else { return lineage }
    let isSameArrangement = layout.arrangement == next.layout.arrangement
    if isSameArrangement, let order,
      let origins = next.order?.origins(from: order, by: lineage)
    {
      return DataLineage(content: .sections(origins))
    }
    let bases = stack.data.indices.map { section -> Int? in
      guard let order, let next = next.order else { return nil }
      if isSameArrangement, next.isListed { return section }
      // A section without a key, or with that of another one before it, is the same only by its
      // place.
      let key = next.groups[section].key
      guard key != nil || isSameArrangement, next.indexByKey[key] == section else { return nil }
      return order.indexByKey[key]
    }
    let (old, new) = (source.sections ?? [], next.source.sections ?? [])
    let places = ArrangedPlaces(
      from: .init(starts: stack.itemStarts, order: next.order),
      to: .init(starts: own.itemStarts, order: order),
      origins: lineage.sections.map {
        $0.places(from: new.map(\.items.count), to: old.map(\.items.count))
      },
      sections: bases)
    let origins = bases.enumerated().map { section, base in
      SectionOrigin(
        base: base, baseCount: base.map { own.data[$0].items.count } ?? 0,
        items: places.origins(ofSection: section, isSameArrangement))
    }
    return DataLineage(content: .arranged(origins, places))
  }
}

extension [SectionOrigin] {
  /// The place of each item in the earlier collection, whose sections stand one behind another.
  fileprivate func places(from counts: [Int], to earlier: [Int]) -> [UInt32] {
    let starts = earlier.reduce(into: [0]) { $0.append($0.last! + $1) }
    var places: [UInt32] = []
    places.reserveCapacity(counts.reduce(0, +))
    for (origin, count) in zip(self, counts) {
      let items = origin.items ?? ItemOrigins(count: count, from: origin.origin(ofItem: 0))
      for run in items.runs {
        guard let origin = run.origin else {
          places += repeatElement(ArrangedPlaces.none, count: run.elements.count)
          continue
        }
        let first = UInt32(starts[origin.path.section] + origin.path.item)
        let mark = origin.isReplaced ? ArrangedPlaces.replaced : 0
        for distance in 0..<UInt32(run.elements.count) { places.append(first + distance | mark) }
      }
    }
    return places
  }
}

/// Where the items of one version are in another one, where either may be arranged.
///
///     item of the one ─ order ─▶ place in its collection ─ origins ─▶ place in the other's
///                                                  item of the other ◀─ inverse ─┘
///
/// Places count all items of a collection. A map of runs would have a run for nearly each item.
struct ArrangedPlaces: Sendable {
  /// One of the versions.
  struct Side: Sendable {
    /// For each section, the number of items before it; and last the number of all items.
    let starts: [Int]
    let order: ItemOrder?

    func path(of item: Int) -> IndexPath {
      let section = partitionPoint(in: 0..<starts.count - 1) { starts[$0 + 1] <= item }
      return IndexPath(section: section, item: item - starts[section])
    }
  }

  /// The place of an item that is not there.
  static let none = UInt32.max
  /// Marks a place of an item whose fields may have changed.
  static let replaced: UInt32 = 1 << 31
  /// Of more pieces nobody asks which is which.
  private static let mostRuns = 512

  private let from: Side
  private let to: Side
  /// Of `to`, see ``ItemOrder/inverse``.
  private let inverseOfTo: [UInt32]?
  /// The places in the other collection; `nil` if they are the same.
  private let origins: [UInt32]?
  /// For each section which one of the other version it is.
  private let sections: [Int?]

  /// - Parameters:
  ///   - from: The version whose items are looked up.
  ///   - origins: For each place in the collection of `from` that in the collection of `to`.
  init(from: Side, to: Side, origins: [UInt32]?, sections: [Int?]) {
    self.from = from
    self.to = to
    inverseOfTo = to.order?.inverse
    self.origins = origins
    self.sections = sections
  }

  /// The other direction.
  var inverse: ArrangedPlaces {
    var others = [Int?](repeating: nil, count: to.starts.count - 1)
    for (index, section) in sections.enumerated() {
      if let section { others[section] = index }
    }
    let count = to.order?.sourceCount ?? to.starts.last!
    let inverted = origins.map { origins in
      var inverted = [UInt32](repeating: Self.none, count: count)
      for (place, origin) in origins.enumerated() where origin != Self.none {
        inverted[Int(origin & ~Self.replaced)] = UInt32(place)
      }
      return inverted
    }
    return ArrangedPlaces(from: to, to: from, origins: inverted, sections: others)
  }

  /// The index path of an element in the other version; `nil` if it is not there.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  func place(of path: IndexPath, _ identity: ElementIdentity) -> IndexPath? {
    switch identity {
    case .section: sections[path.section].map { IndexPath(section: $0, item: path.item) }
    case .item:
      origin(of: from.starts[path.section] + path.item).map { to.path(of: $0.item) }
    }
  }

  /// Which item of the other version one is, and whether its fields may have changed.
  @inline(__always)
  private func origin(of item: Int) -> (item: Int, isReplaced: Bool)? {
    let place = from.order.map { Int($0.places[item]) } ?? item
    var origin = origins.map { $0[place] } ?? UInt32(place)
    guard origin != Self.none else { return nil }
    let isReplaced = origin & Self.replaced != 0
    origin &= ~Self.replaced
    if let inverseOfTo { origin = inverseOfTo[Int(origin)] }
    return origin == Self.none ? nil : (Int(origin), isReplaced)
  }

  /// The origins of a section's items. From some piece on all count as new.
  ///
  /// - Parameter findsThem: If not, all count as new.
  func origins(ofSection section: Int, _ findsThem: Bool) -> ItemOrigins {
    let items = from.starts[section]..<from.starts[section + 1]
    var origins = ItemOrigins()
    var item = items.lowerBound
    while findsThem, item < items.upperBound, origins.runs.count < Self.mostRuns {
      let first = origin(of: item)
      var end = item + 1
      guard let first else {
        origins.append(1, from: nil)
        item = end
        continue
      }
      let path = to.path(of: first.item)
      let room = to.starts[path.section + 1] - first.item
      while end < items.upperBound, end - item < room, let next = origin(of: end),
        next.item == first.item + end - item, next.isReplaced == first.isReplaced
      {
        end += 1
      }
      origins.append(end - item, from: ItemOrigin(path: path, isReplaced: first.isReplaced))
      item = end
    }
    origins.append(items.count - origins.count, from: nil)
    return origins
  }
}
