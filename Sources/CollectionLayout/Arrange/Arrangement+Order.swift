import Glibc

extension Arrangement {
  /// The order in which the items of a collection stand.
  ///
  /// - Parameters:
  ///   - itemLimit: The largest number of items that may be arranged.
  ///   - finder: What finds something in texts.
  /// - Throws: ``LayoutError/tooManyItems(limit:)``, ``LayoutError/tooManySections(limit:)``,
  ///   ``LayoutError/tooManyConditions(limit:)``, ``LayoutError/refused(_:)``.
  /// - Complexity: O(*n* · *k*) for *n* items and *k* keys, and O(*d* · log *d*) for *d*
  ///   different strings.
  func order(
    of sections: [CollectionSection], itemLimit: Int, finding finder: (any TextTypesetter)? = nil
  ) throws(LayoutError) -> ItemOrder {
    let count = sections.reduce(0) { min($0 + $1.items.count, Int(Int32.max)) }
    guard count <= min(itemLimit, Int(Int32.max) - 1) else {
      throw .tooManyItems(limit: min(itemLimit, Int(Int32.max) - 1))
    }
    try LayoutError.reserve(count * Self.bytesPerItem)
    let (groups, places): ([ItemOrder.Group], [UInt32])
    var isListed = true
    switch content {
    case .keys(let conditions, let group, let orders):
      isListed = false
      guard conditions.reduce(0, { $0 + $1.count }) * count <= Self.maxTests else {
        throw .tooManyConditions(limit: Self.maxTests / count)
      }
      (groups, places) = try Self.order(
        sections, count, conditions, group, orders, finder,
        maxGroups: CollectionData.maxSections(forItems: itemLimit))
    case .ids(let ids):
      (groups, places) = try Self.order(
        sections, [ListedSection(id: nil, items: 0..<ids.count)], ids)
    case .sections(let listed, let ids):
      (groups, places) = try Self.order(sections, listed, ids)
    }
    return ItemOrder(self, groups, places, isListed: isListed, of: sections)
  }

  /// About what the work takes for each item.
  private static let bytesPerItem = 56

  /// Refuses groups that take more memory than there is.
  static func checkGroups(_ count: Int, keyBytes: Int) throws(LayoutError) {
    let bytes = count * ItemOrder.bytesPerGroup + 2 * keyBytes
    try LayoutError.checkFits(bytes)
    try LayoutError.reserve(bytes)
  }

  // MARK: By ids

  private static func order(
    _ sections: [CollectionSection], _ listed: [ListedSection], _ ids: IDColumn
  ) throws(LayoutError) -> ([ItemOrder.Group], [UInt32]) {
    try LayoutError.reserve(ids.count * bytesPerItem)
    try checkGroups(listed.count, keyBytes: 0)
    var names = StringTable()
    let numbers = ids.bytes.withUnsafeBufferPointer { bytes in
      (0..<ids.count).map {
        UInt32(names.index(of: UnsafeBufferPointer(rebasing: bytes[ids.range(of: $0)])))
      }
    }
    var found = [UInt32](repeating: ArrangedPlaces.none, count: names.count)
    var (place, looks): (UInt32, Looks) = (0, Looks())
    for section in sections {
      try looks.pass(section.items.count)
      section.items.forEachID { id in
        if let number = id?.withBytes({ names.find($0) }), found[number] == ArrangedPlaces.none {
          found[number] = place
        }
        place += 1
      }
    }
    var (groups, places): ([ItemOrder.Group], [UInt32]) = ([], [])
    groups.reserveCapacity(listed.count)
    for section in listed {
      let start = places.count
      for index in section.items {
        let number = Int(numbers[index])
        guard found[number] != ArrangedPlaces.none else { continue }
        places.append(found[number])
        // Named again, it is left out.
        found[number] = ArrangedPlaces.none
      }
      groups.append(
        ItemOrder.Group(
          key: section.id.map { [0] + $0.string.utf8 }, id: section.id,
          items: start..<places.count))
    }
    return (groups, places)
  }

  // MARK: By keys

  private static func order(
    _ sections: [CollectionSection], _ count: Int, _ conditions: [Condition], _ group: Order?,
    _ orders: [Order], _ finder: (any TextTypesetter)?, maxGroups: Int
  ) throws(LayoutError) -> ([ItemOrder.Group], [UInt32]) {
    let isKept = try Self.kept(of: sections, count, by: conditions, finding: finder)
    var places: [UInt32] = []
    places.reserveCapacity(count)
    for place in 0..<count where isKept[place] { places.append(UInt32(place)) }
    var sorter = PlaceSorter(places)
    for order in orders.reversed() {
      try sorter.sort(by: KeyCodes(order, of: sections, count: count).codes)
    }
    guard let group else {
      return ([ItemOrder.Group(key: nil, id: nil, items: 0..<places.count)], sorter.places)
    }
    let codes = try KeyCodes(group, of: sections, count: count)
    try sorter.sort(by: codes.codes)
    places = sorter.places
    var starts: [Int] = []
    var last: UInt64?
    for (index, place) in places.enumerated() where codes.codes[Int(place)] != last {
      guard starts.count < maxGroups else { throw .tooManySections(limit: maxGroups) }
      last = codes.codes[Int(place)]
      starts.append(index)
    }
    try checkGroups(starts.count, keyBytes: codes.stringBytes)
    let groups = starts.indices.map { group in
      let key = codes.key(ofCode: codes.codes[Int(places[starts[group]])])
      let end = group + 1 < starts.count ? starts[group + 1] : places.count
      return ItemOrder.Group(
        key: key?.bytes, id: key.map { ItemID($0.idText) }, items: starts[group]..<end)
    }
    return (groups, places)
  }

  /// Which of the items meet all conditions.
  static func kept(
    of sections: [CollectionSection], _ count: Int, by conditions: [Condition],
    finding finder: (any TextTypesetter)?
  ) throws(LayoutError) -> [Bool] {
    var isKept = [Bool](repeating: true, count: count)
    for condition in conditions {
      let holds = try condition.any.map { any throws(LayoutError) in
        var holds = [Bool](repeating: condition.isNot, count: count)
        for one in any {
          try one.test(sections, count, finder) { place, oneHolds in
            if isKept[place], holds[place] == condition.isNot, oneHolds() {
              holds[place] = !condition.isNot
            }
          }
        }
        return holds
      }
      if let holds {
        for place in 0..<count where !holds[place] { isKept[place] = false }
      } else {
        try condition.test(sections, count, finder) { place, holds in
          if isKept[place], !holds() { isKept[place] = false }
        }
      }
    }
    return isKept
  }
}

extension ItemKey {
  /// The id of the section of a group.
  var idText: String {
    switch self {
    case .number(let number): number.messageText
    case .string(let text): text
    }
  }
}

extension Arrangement.Condition {
  /// Calls `body` with the place of each item, and with what says whether the condition holds for
  /// it; it has no others in it.
  @inline(__always)
  fileprivate func test(
    _ sections: [CollectionSection], _ count: Int, _ finder: (any TextTypesetter)?,
    _ body: (Int, () -> Bool) -> Void
  ) throws(LayoutError) {
    guard let text else {
      let test = ConditionTest(self)
      return try sections.forEachKey(key) { place, key in body(place) { test.holds(key) } }
    }
    var isFound = [Bool](repeating: false, count: count)
    var (place, looks): (Int, Looks) = (0, Looks())
    for items in sections.lazy.map(\.items) {
      for start in stride(from: 0, to: items.count, by: 1024) {
        let chunk = start..<min(start + 1024, items.count)
        var bytes = chunk.count
        items.forEachRun(in: chunk) { storage, run in
          for (name, column) in zip(storage?.texts?.names ?? [], storage?.texts?.columns ?? [])
          where name.kind == .text && (text.name == nil || text.name == name) {
            bytes += column.place(of: run.upperBound - 1).upperBound
            bytes -= column.place(of: run.lowerBound).lowerBound
            finder?.find(text, in: column, run) { isFound[place + $0 - run.lowerBound] = true }
          }
          place += run.count
        }
        try looks.pass(bytes)
      }
    }
    for place in 0..<count { body(place) { isFound[place] != isNot } }
  }
}

/// A condition, with what it compares as it is stored. As a class it is not copied for each item.
private final class ConditionTest {
  private let isNot: Bool
  /// Whether the range is one of numbers; `nil` without a range.
  private let isOfNumbers: Bool?
  private let from: [UInt8]?
  private let to: [UInt8]?
  private let values: StringTable?
  private let all: StringTable?

  init(_ condition: Arrangement.Condition) {
    isNot = condition.isNot
    from = condition.from?.bytes
    to = condition.to?.bytes
    isOfNumbers = (from ?? to)?.withUnsafeBufferPointer { ItemKey.isNumber($0) }
    values = condition.values.map { StringTable($0) }
    all = condition.all.map { StringTable($0) }
  }

  /// - Parameter key: As stored; `nil` if the item has none.
  @inline(__always)
  func holds(_ key: UnsafeBufferPointer<UInt8>?) -> Bool {
    guard let key else { return isNot }
    return (ItemKey.anyValue(in: key) { meets($0) } && hasAll(key)) != isNot
  }

  /// Whether each of ``all`` is among the values, of which there are at most 64.
  private func hasAll(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let all else { return true }
    guard all.count <= ItemKey.maxValues else { return false }
    var found: UInt64 = 0
    _ = ItemKey.anyValue(in: key) {
      if let index = all.find($0) { found |= 1 << UInt64(index) }
      return false
    }
    return found.nonzeroBitCount == all.count
  }

  @inline(__always)
  private func meets(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    // A range of numbers holds no string, and the other way round.
    if let isOfNumbers, ItemKey.isNumber(key) != isOfNumbers { return false }
    if let from, from.withUnsafeBufferPointer({ key.precedes($0) }) { return false }
    if let to, to.withUnsafeBufferPointer({ !key.precedes($0) }) { return false }
    return values == nil || values?.find(key) != nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes come before others.
  @inline(__always)
  func precedes(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    let order = memcmp(baseAddress!, other.baseAddress!, Swift.min(count, other.count))
    return order != 0 ? order < 0 : count < other.count
  }
}

extension [CollectionSection] {
  /// Calls `body` with the place of each item, and with its key as it is stored; `nil` if it has
  /// none.
  @inline(__always)
  func forEachKey(
    _ name: ValueName, _ body: (Int, UnsafeBufferPointer<UInt8>?) -> Void
  ) throws(LayoutError) {
    var (place, looks): (Int, Looks) = (0, Looks())
    for items in lazy.map(\.items) {
      for start in stride(from: 0, to: items.count, by: Looks.distance) {
        let chunk = start..<Swift.min(start + Looks.distance, items.count)
        try looks.pass(chunk.count)
        items.forEachRun(in: chunk) { storage, run in
          guard let column = storage?.texts?.column(name) else {
            for _ in run {
              body(place, nil)
              place += 1
            }
            return
          }
          column.withBytes { bytes in
            for index in run {
              let range = column.place(of: index)
              body(place, range.isEmpty ? nil : UnsafeBufferPointer(rebasing: bytes[range]))
              place += 1
            }
          }
        }
      }
    }
  }
}

/// Looks after each 64 Ki items whether anybody still waits.
private struct Looks {
  static let distance = 64 << 10
  private var passed = 0

  /// - Throws: ``LayoutError/refused(_:)``.
  mutating func pass(_ items: Int) throws(LayoutError) {
    passed += items
    guard passed >= Self.distance else { return }
    passed = 0
    try LayoutError.check()
  }
}
