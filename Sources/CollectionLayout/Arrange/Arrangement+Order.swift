import Glibc

extension Arrangement {
  /// The order in which the items of a collection stand.
  ///
  /// - Parameters:
  ///   - itemLimit: The largest number of items that may be arranged.
  ///   - finder: What finds something in texts.
  /// - Throws: ``LayoutError/tooManyItems(limit:)``, ``LayoutError/tooManySections(limit:)``,
  ///   ``LayoutError/tooManyConditions(limit:)``, ``LayoutError/refused(_:)``.
  /// - Complexity: O(*n* · *k*) for *n* items and *k* keys, and O(*d* · log *d*) for *d* different
  ///   strings.
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
    return ItemOrder(groups, places, isListed: isListed, of: sections)
  }

  /// About what the work takes for each item.
  private static let bytesPerItem = 56

  private static func checkGroups(_ count: Int, keyBytes: Int) throws(LayoutError) {
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
    var isKept = [Bool](repeating: true, count: count)
    for condition in conditions {
      let holds = try condition.any.map { any throws(LayoutError) in
        var holds = [Bool](repeating: condition.isNot, count: count)
        for one in any {
          try one.test(sections, count, finder) { if $1 { holds[$0] = !condition.isNot } }
        }
        return holds
      }
      if let holds {
        for place in 0..<count where !holds[place] { isKept[place] = false }
      } else {
        try condition.test(sections, count, finder) { if !$1 { isKept[$0] = false } }
      }
    }
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
}

extension ItemKey {
  /// The id of the section of a group.
  fileprivate var idText: String {
    switch self {
    case .number(let number): number.messageText
    case .string(let text): text
    }
  }
}

extension Arrangement.Condition {
  /// Calls `body` with the place of each item, and with whether the condition holds for it; it has
  /// no others in it.
  @inline(__always)
  fileprivate func test(
    _ sections: [CollectionSection], _ count: Int, _ finder: (any TextTypesetter)?,
    _ body: (Int, Bool) -> Void
  ) throws(LayoutError) {
    guard let text else {
      let test = ConditionTest(self)
      return try sections.forEachKey(key) { body($0, test.holds($1)) }
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
    for place in 0..<count { body(place, isFound[place] != isNot) }
  }
}

/// A condition, with what it compares as it is stored.
private struct ConditionTest {
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
    return (ItemKey.anyValue(in: key, meets) && hasAll(key)) != isNot
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
    return values.map { $0.find(key) != nil } ?? true
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes come before others.
  @inline(__always)
  fileprivate func precedes(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    let order = memcmp(baseAddress!, other.baseAddress!, Swift.min(count, other.count))
    return order != 0 ? order < 0 : count < other.count
  }
}

extension [CollectionSection] {
  /// Calls `body` with the place of each item, and with its key as it is stored; `nil` if it has
  /// none.
  @inline(__always)
  fileprivate func forEachKey(
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

/// Integers that are in the order of the items' keys.
private struct KeyCodes {
  private(set) var codes: [UInt64] = []
  private let isDescending: Bool
  private var strings = StringTable()
  /// The indices of the strings in their order.
  private var ranked: [Int] = []

  /// Of items without the key: last in either order.
  private static let none = UInt64.max
  /// Above the codes of all numbers; the ranks of strings are added.
  private static let firstString: UInt64 = 0xfff0_0000_0000_0000

  /// The length of all strings.
  var stringBytes: Int { strings.byteCount }

  init(
    _ order: Arrangement.Order, of sections: [CollectionSection], count: Int
  ) throws(LayoutError) {
    isDescending = order.isDescending
    var known = StringTable()
    var codes: [UInt64] = []
    codes.reserveCapacity(count)
    try sections.forEachKey(order.key) { _, key in
      guard let key = key.map({ ItemKey.first(in: $0) }) else { return codes.append(Self.none) }
      codes.append(
        ItemKey.isNumber(key)
          ? ItemKey.orderedBits(key)
          : Self.firstString + UInt64(known.index(of: key)))
    }
    if known.count > 0 {
      try LayoutError.reserve(known.byteCount + known.count * 32)
      ranked = known.sortedIndices()
      var ranks = [UInt64](repeating: 0, count: ranked.count)
      for (rank, index) in ranked.enumerated() { ranks[index] = UInt64(rank) }
      for place in codes.indices where codes[place] >= Self.firstString {
        guard codes[place] != Self.none else { continue }
        codes[place] = Self.firstString + ranks[Int(codes[place] - Self.firstString)]
      }
      strings = known
      try LayoutError.check()
    }
    if isDescending {
      for place in codes.indices where codes[place] != Self.none { codes[place] = ~codes[place] }
    }
    self.codes = codes
  }

  /// The key that has a code; `nil` for the items without one.
  func key(ofCode code: UInt64) -> ItemKey? {
    guard code != Self.none else { return nil }
    let code = isDescending ? ~code : code
    guard code < Self.firstString else {
      return ItemKey(strings.bytes(of: ranked[Int(code - Self.firstString)]))
    }
    return ItemKey(orderedBits: code)
  }
}

/// Different strings, in the order in which they came.
///
/// Swift's own tables take five times as long.
private struct StringTable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = [0]
  private var slots = [Int32](repeating: -1, count: 64)
  /// Nobody can choose strings that collide.
  private let seed = UInt64.random(in: .min ... .max)

  init() {}

  init(_ values: [ItemKey]) {
    for value in values { value.bytes.withUnsafeBufferPointer { _ = index(of: $0) } }
  }

  var count: Int { ends.count - 1 }
  /// The length of all strings.
  var byteCount: Int { bytes.count }

  func bytes(of index: Int) -> ArraySlice<UInt8> { bytes[ends[index]..<ends[index + 1]] }

  /// The indices in the order of the strings.
  func sortedIndices() -> [Int] {
    // Most strings differ within their first eight bytes behind the tag.
    let prefixes = (0..<count).map { index -> UInt64 in
      let bytes = bytes(of: index).dropFirst().prefix(8)
      return bytes.reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * (8 - bytes.count))
    }
    return bytes.withUnsafeBufferPointer { bytes in
      (0..<count).sorted { a, b in
        guard prefixes[a] == prefixes[b] else { return prefixes[a] < prefixes[b] }
        return UnsafeBufferPointer(rebasing: bytes[ends[a]..<ends[a + 1]])
          .precedes(UnsafeBufferPointer(rebasing: bytes[ends[b]..<ends[b + 1]]))
      }
    }
  }

  /// The index of a string; `nil` if it is not there.
  @inline(__always)
  func find(_ string: UnsafeBufferPointer<UInt8>) -> Int? {
    let index = slots[slot(near: string)]
    return index < 0 ? nil : Int(index)
  }

  mutating func index(of string: UnsafeBufferPointer<UInt8>) -> Int {
    let slot = self.slot(near: string)
    if slots[slot] >= 0 { return Int(slots[slot]) }
    slots[slot] = Int32(ends.count - 1)
    bytes += string
    ends.append(bytes.count)
    if ends.count * 2 > slots.count { grow() }
    return ends.count - 2
  }

  /// The slot of a string, or where it would be.
  @inline(__always)
  private func slot(near string: UnsafeBufferPointer<UInt8>) -> Int {
    var slot = self.slot(of: string)
    while slots[slot] >= 0, !isEqual(Int(slots[slot]), string) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  @inline(__always)
  private func isEqual(_ index: Int, _ string: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = ends[index]
    guard ends[index + 1] - start == string.count else { return false }
    return bytes.withUnsafeBufferPointer {
      memcmp($0.baseAddress! + start, string.baseAddress!, string.count) == 0
    }
  }

  @inline(__always)
  private func slot(of string: UnsafeBufferPointer<UInt8>) -> Int {
    // Each step is a bijection of 64 bits, so the seed reaches all of them.
    var hash = seed
    for byte in string {
      hash = (hash ^ UInt64(byte)) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 29
    }
    return Int(truncatingIfNeeded: hash) & (slots.count - 1)
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 4)
    bytes.withUnsafeBufferPointer { bytes in
      for index in 0..<ends.count - 1 {
        var slot = self.slot(
          of: UnsafeBufferPointer(rebasing: bytes[ends[index]..<ends[index + 1]]))
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(index)
      }
    }
  }
}

/// Sorts places by one key after another, from the least to the most significant.
///
/// Each is a radix sort from the lowest byte on, which keeps the order of equals. For numbers of
/// few digits most bytes are the same in all, and are passed over.
private struct PlaceSorter {
  private typealias Pair = (code: UInt64, place: UInt32)

  private var pairs: [Pair]
  private var sorted: [Pair] = []

  init(_ places: [UInt32]) {
    pairs = places.map { (0, $0) }
  }

  var places: [UInt32] { pairs.map(\.place) }

  /// - Complexity: O(*n*) for each byte in which codes differ.
  mutating func sort(by codes: [UInt64]) throws(LayoutError) {
    try LayoutError.check()
    if sorted.isEmpty { sorted = pairs }
    var counts = [Int](repeating: 0, count: 8 * 256)
    counts.withUnsafeMutableBufferPointer { counts in
      pairs.withUnsafeMutableBufferPointer { pairs in
        for index in pairs.indices {
          let code = codes[Int(pairs[index].place)]
          pairs[index].code = code
          for byte in 0..<8 { counts[byte * 256 + Self.digit(byte, of: code)] += 1 }
        }
      }
      for byte in 0..<8 {
        let buckets = UnsafeMutableBufferPointer(rebasing: counts[byte * 256..<(byte + 1) * 256])
        if !buckets.contains(pairs.count) { sort(by: byte, into: buckets) }
      }
    }
  }

  /// - Parameter buckets: How many codes have each value of the byte.
  private mutating func sort(by byte: Int, into buckets: UnsafeMutableBufferPointer<Int>) {
    var start = 0
    for bucket in buckets.indices {
      (buckets[bucket], start) = (start, start + buckets[bucket])
    }
    sorted.withUnsafeMutableBufferPointer { sorted in
      pairs.withUnsafeBufferPointer { pairs in
        for pair in pairs {
          let bucket = Self.digit(byte, of: pair.code)
          sorted[buckets[bucket]] = pair
          buckets[bucket] += 1
        }
      }
    }
    swap(&pairs, &sorted)
  }

  @inline(__always)
  private static func digit(_ byte: Int, of code: UInt64) -> Int {
    Int(truncatingIfNeeded: code >> UInt64(8 * byte)) & 255
  }
}
