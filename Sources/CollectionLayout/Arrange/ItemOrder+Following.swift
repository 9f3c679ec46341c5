extension Arrangement.Order {
  /// Whether one key comes before another one (< 0), behind it, or neither. Those of items without
  /// a key, which are empty, come last.
  fileprivate func compare(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Int {
    if a.isEmpty || b.isEmpty { return (a.isEmpty ? 1 : 0) - (b.isEmpty ? 1 : 0) }
    let order = a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in a.precedes(b) ? -1 : b.precedes(a) ? 1 : 0 }
    }
    return isDescending ? -order : order
  }
}

extension Items {
  /// The first value of an item's key; empty if it has none.
  fileprivate func firstKey(_ name: ValueName, at item: Int) -> ArraySlice<UInt8> {
    let (storage, index) = storage(at: item)
    return ItemKey.first(in: storage?.texts?.text(name, of: index) ?? [])
  }
}

extension ItemOrder {
  private func keys(at place: Int) -> [ArraySlice<UInt8>] {
    (arrangement.sortKeys ?? []).map { source.firstKey($0.key, at: place) }
  }

  private func compare(_ place: Int, with keys: [ArraySlice<UInt8>]) -> Int {
    for (order, key) in zip(arrangement.sortKeys ?? [], keys) {
      let order = order.compare(source.firstKey(order.key, at: place), key)
      if order != 0 { return order }
    }
    return 0
  }

  /// Where an item of the collection stands; `nil` if it is left out.
  ///
  /// - Complexity: O(log *n*) for *n* items; in a list of ids O(*n*) for the first call.
  func index(ofPlace place: Int) -> Int? {
    guard arrangement.sortKeys != nil else {
      let index = inverse[place]
      return index == ArrangedPlaces.none ? nil : Int(index)
    }
    let keys = keys(at: place)
    let index = partitionPoint(in: 0..<places.count) {
      let order = compare(Int(places[$0]), with: keys)
      return order < 0 || order == 0 && places[$0] < place
    }
    return index < places.count && places[index] == place ? index : nil
  }

  /// The order after a change of the collection. What was touched is taken out, and put in by
  /// search.
  ///
  /// - Parameter sections: The changed collection.
  /// - Returns: `nil` if all must be arranged anew.
  /// - Complexity: O(*n* + *k* · log *n*) for *n* items of which *k* were touched, and O(*g*) for
  ///   *g* groups; without the *n* where no place and no key has changed.
  func following(
    _ lineage: DataLineage, in sections: [CollectionSection], maxGroups: Int,
    finding finder: (any TextTypesetter)?
  ) throws(LayoutError) -> ItemOrder? {
    let unsorted = ItemOrder(arrangement, [], [], isListed: isListed, of: sections)
    guard let touched = TouchedItems(from: self, to: unsorted, by: lineage) else { return nil }
    if touched.keepsPlaces, touched.touched.isEmpty, touched.removed.isEmpty {
      return ItemOrder(arrangement, groups, places, isListed: isListed, of: sections, after: self)
    }
    guard case .keys(let conditions, let group, _) = arrangement.content,
      let orders = arrangement.sortKeys
    else { return nil }
    try LayoutError.reserve((places.count + sourceCount) * 2 * MemoryLayout<UInt32>.stride)
    let new = touched.touched.map { UInt32($0.new) }
    let isShown = try Arrangement.kept(
      of: [CollectionSection(items: Items(unsorted.source.blocks, order: new[...]))], new.count,
      by: conditions, finding: finder)
    var come: [(index: Int, keys: [ArraySlice<UInt8>], place: Int)] = []
    for (item, isShown) in zip(touched.touched, isShown) where isShown {
      if come.count.isMultiple(of: 1024) { try LayoutError.check() }
      let keys = unsorted.keys(at: item.new)
      let index = partitionPoint(in: 0..<places.count) {
        let order = compare(Int(places[$0]), with: keys)
        return order < 0 || order == 0 && touched.newPlace(of: Int(places[$0])) < item.new
      }
      come.append((index, keys, item.new))
    }
    come.sort { a, b in
      if a.index != b.index { return a.index < b.index }
      for (index, order) in orders.enumerated() {
        let order = order.compare(a.keys[index], b.keys[index])
        if order != 0 { return order < 0 }
      }
      return a.place < b.place
    }
    let gone = touched.removed.compactMap { index(ofPlace: $0) }.sorted()

    let newPlaces = touched.keepsPlaces ? nil : touched.newPlaces
    let made = [UInt32](unsafeUninitializedCapacity: places.count + come.count) { made, count in
      places.withUnsafeBufferPointer { places in
        var (start, next) = (0, 0)
        func append(to end: Int) {
          if let newPlaces {
            newPlaces.withUnsafeBufferPointer { newPlaces in
              for index in start..<end {
                made[count + index - start] = newPlaces[Int(places[index])]
              }
            }
          } else {
            _ = made[count...].initialize(fromContentsOf: places[start..<end])
          }
          count += end - start
          start = end
        }
        for index in gone + [places.count] {
          while next < come.count, come[next].index <= index {
            append(to: come[next].index)
            made[count] = UInt32(come[next].place)
            count += 1
            next += 1
          }
          append(to: index)
          start = index + 1
        }
      }
    }
    let groups = try regrouped(
      gone: gone, come: group == nil ? come.map { _ in nil } : come.map { $0.keys[0] }, by: group,
      maxGroups: maxGroups)
    return ItemOrder(arrangement, groups, made, isListed: false, of: sections, after: self)
  }

  /// The groups after some items have gone and others have come.
  ///
  /// - Parameters:
  ///   - gone: Where they stood.
  ///   - come: The first key of each; `nil` without groups.
  private func regrouped(
    gone: [Int], come: [ArraySlice<UInt8>?], by order: Arrangement.Order?, maxGroups: Int
  ) throws(LayoutError) -> [Group] {
    var counts = groups.map(\.items.count)
    for index in gone {
      counts[partitionPoint(in: 0..<groups.count) { groups[$0].items.upperBound <= index }] -= 1
    }
    var fresh: [[UInt8]?: Int] = [:]
    for key in come {
      let key = key.flatMap { $0.isEmpty ? nil : Array($0) }
      if let group = indexByKey[key] { counts[group] += 1 } else { fresh[key, default: 0] += 1 }
    }
    var made = zip(groups, counts).map { (key: $0.key, id: $0.id, count: $1) }
    if let order {
      made.removeAll { $0.count == 0 }
      made += fresh.map { (key: $0, id: $0.map { ItemID(ItemKey($0).idText) }, count: $1) }
      if !fresh.isEmpty {
        made.sort { order.compare($0.key?[...] ?? [], $1.key?[...] ?? []) < 0 }
        guard made.count <= maxGroups else { throw .tooManySections(limit: maxGroups) }
        try Arrangement.checkGroups(
          made.count, keyBytes: made.reduce(0) { $0 + ($1.key?.count ?? 0) })
      }
    }
    var end = 0
    return made.map { group in
      defer { end += group.count }
      return Group(key: group.key, id: group.id, items: end..<end + group.count)
    }
  }

  /// Which item is which of an earlier order of the same arrangement.
  ///
  /// - Parameter lineage: Which item of the collection is which of the earlier one.
  /// - Returns: `nil` if too many were touched to tell them one by one.
  /// - Complexity: O(*g* + *k* · log *n*) for *g* groups and *k* touched ones of *n* items.
  func origins(from old: ItemOrder, by lineage: DataLineage) -> [SectionOrigin]? {
    guard let touched = TouchedItems(from: old, to: self, by: lineage),
      // An id counts for the first item that has it, whatever was touched.
      arrangement.sortKeys != nil || touched.touched.isEmpty && touched.removed.isEmpty
    else { return nil }
    var special: [(index: Int, old: Int?, isKept: Bool)] = []
    for item in touched.touched {
      guard let index = index(ofPlace: item.new) else { continue }
      special.append((index, item.old.flatMap { old.index(ofPlace: $0) }, false))
    }
    for place in touched.marked {
      if let index = index(ofPlace: place) { special.append((index, nil, true)) }
    }
    special.sort { $0.index < $1.index }
    var gone = touched.removed.compactMap { old.index(ofPlace: $0) }.sorted()[...]
    var rest = special[...]
    /// The item of before that comes next, and its group.
    var (item, group) = (0, 0)
    func origin(of item: Int, isReplaced: Bool) -> ItemOrigin {
      let group = partitionPoint(in: 0..<old.groups.count) {
        old.groups[$0].items.upperBound <= item
      }
      return ItemOrigin(
        path: IndexPath(section: group, item: item - old.groups[group].items.lowerBound),
        isReplaced: isReplaced)
    }
    return groups.indices.map { section in
      var origins = ItemOrigins()
      var index = groups[section].items.lowerBound
      let end = groups[section].items.upperBound
      while index < end {
        if let next = rest.first, next.index == index, !next.isKept {
          origins.append(1, from: next.old.map { origin(of: $0, isReplaced: true) })
          rest = rest.dropFirst()
          index += 1
          continue
        }
        while gone.first == item {
          gone = gone.dropFirst()
          item += 1
        }
        while old.groups[group].items.upperBound <= item { group += 1 }
        let isMarked = rest.first?.index == index
        if isMarked { rest = rest.dropFirst() }
        var count = min(end - index, old.groups[group].items.upperBound - item)
        if let next = rest.first { count = min(count, next.index - index) }
        if let next = gone.first { count = min(count, next - item) }
        if isMarked { count = 1 }
        origins.append(
          count,
          from: ItemOrigin(
            path: IndexPath(
              section: group, item: item - old.groups[group].items.lowerBound),
            isReplaced: isMarked))
        index += count
        item += count
      }
      let base =
        isListed
        ? section
        : indexByKey[groups[section].key] == section ? old.indexByKey[groups[section].key] : nil
      return SectionOrigin(
        base: base, baseCount: base.map { old.groups[$0].items.count } ?? 0, items: origins)
    }
  }
}
