import Glibc

extension Arrangement {
  /// The order in which the items of a collection stand.
  ///
  /// - Parameter itemLimit: The largest number of items that may be arranged.
  /// - Throws: ``LayoutError/tooManyItems(limit:)``, ``LayoutError/tooManySections(limit:)``.
  /// - Complexity: O(*n* · *k*) for *n* items and *k* keys, if few strings differ.
  func order(
    of sections: [CollectionSection], itemLimit: Int
  ) throws(LayoutError) -> ItemOrder {
    let count = sections.reduce(0) { min($0 + $1.items.count, Int(Int32.max)) }
    guard count <= min(itemLimit, Int(Int32.max) - 1) else {
      throw .tooManyItems(limit: min(itemLimit, Int(Int32.max) - 1))
    }
    let (groups, places): ([ItemOrder.Group], [UInt32])
    switch content {
    case .keys(let conditions, let group, let orders):
      (groups, places) = Self.order(sections, count, conditions, group, orders)
    case .ids(let ids):
      (groups, places) = Self.order(sections, [ListedSection(id: nil, ids: ids)])
    case .sections(let listed): (groups, places) = Self.order(sections, listed)
    }
    let maxSections = CollectionData.maxSections(forItems: itemLimit)
    guard groups.count <= maxSections else { throw .tooManySections(limit: maxSections) }
    return ItemOrder(groups, places, of: sections)
  }

  // MARK: By ids

  private static func order(
    _ sections: [CollectionSection], _ listed: [ListedSection]
  ) -> ([ItemOrder.Group], [UInt32]) {
    var found: [ItemID: UInt32?] = [:]
    for section in listed {
      for index in 0..<section.ids.count { found.updateValue(nil, forKey: section.ids[index]!) }
    }
    var place: UInt32 = 0
    for section in sections {
      section.items.forEachID { id in
        if let id, found[id] == .some(nil) { found[id] = place }
        place += 1
      }
    }
    var (groups, places): ([ItemOrder.Group], [UInt32]) = ([], [])
    for section in listed {
      let start = places.count
      for index in 0..<section.ids.count {
        let id = section.ids[index]!
        guard let place = found[id] ?? nil else { continue }
        places.append(place)
        // Named again, it is left out.
        found[id] = nil
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
    _ orders: [Order]
  ) -> ([ItemOrder.Group], [UInt32]) {
    var isKept = [Bool](repeating: true, count: count)
    isKept.withUnsafeMutableBufferPointer { isKept in
      for condition in conditions {
        let test = ConditionTest(condition)
        sections.forEachKey(condition.key) { place, key in
          if isKept[place], !test.holds(key) { isKept[place] = false }
        }
      }
    }
    var places: [UInt32] = []
    places.reserveCapacity(count)
    for place in 0..<count where isKept[place] { places.append(UInt32(place)) }
    var sorter = PlaceSorter(places)
    for order in orders.reversed() {
      sorter.sort(by: KeyCodes(order, of: sections, count: count).codes)
    }
    guard let group else {
      return ([ItemOrder.Group(key: nil, id: nil, items: 0..<places.count)], sorter.places)
    }
    let codes = KeyCodes(group, of: sections, count: count)
    sorter.sort(by: codes.codes)
    places = sorter.places
    var groups: [ItemOrder.Group] = []
    var start = 0
    while start < places.count {
      let code = codes.codes[Int(places[start])]
      let end = partitionPoint(in: start..<places.count) { codes.codes[Int(places[$0])] == code }
      let key = codes.key(ofCode: code)
      groups.append(
        ItemOrder.Group(
          key: key?.bytes, id: key.map { ItemID($0.idText) }, items: start..<end))
      start = end
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

/// A condition, with what it compares as it is stored.
private struct ConditionTest {
  private let isNot: Bool
  /// Whether the range is one of numbers; `nil` without a range.
  private let isOfNumbers: Bool?
  private let from: [UInt8]?
  private let to: [UInt8]?
  private let values: Set<[UInt8]>?

  init(_ condition: Arrangement.Condition) {
    isNot = condition.isNot
    from = condition.from?.bytes
    to = condition.to?.bytes
    isOfNumbers = (from ?? to)?.withUnsafeBufferPointer { ItemKey.isNumber($0) }
    values = condition.values.map { Set($0.map(\.bytes)) }
  }

  /// - Parameter key: As stored; `nil` if the item has none.
  @inline(__always)
  func holds(_ key: UnsafeBufferPointer<UInt8>?) -> Bool {
    guard let key else { return isNot }
    return meets(key) != isNot
  }

  @inline(__always)
  private func meets(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    // A range of numbers holds no string, and the other way round.
    if let isOfNumbers, ItemKey.isNumber(key) != isOfNumbers { return false }
    if let from, from.withUnsafeBufferPointer({ key.precedes($0) }) { return false }
    if let to, to.withUnsafeBufferPointer({ !key.precedes($0) }) { return false }
    return values?.contains(Array(key)) ?? true
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
  ) {
    var place = 0
    for section in self {
      section.items.forEachRun(in: 0..<section.items.count) { storage, run in
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

/// Integers that are in the order of the items' keys.
private struct KeyCodes {
  private(set) var codes: [UInt64] = []
  private let isDescending: Bool
  /// The strings in their order.
  private var strings: [[UInt8]] = []

  /// Of items without the key: last in either order.
  private static let none = UInt64.max
  /// Above the codes of all numbers; the ranks of strings are added.
  private static let firstString: UInt64 = 0xfff0_0000_0000_0000

  init(_ order: Arrangement.Order, of sections: [CollectionSection], count: Int) {
    isDescending = order.isDescending
    var known = StringTable()
    var codes: [UInt64] = []
    codes.reserveCapacity(count)
    sections.forEachKey(order.key) { _, key in
      guard let key else { return codes.append(Self.none) }
      codes.append(
        ItemKey.isNumber(key)
          ? ItemKey.orderedBits(key)
          : Self.firstString + UInt64(known.index(of: key)))
    }
    if !known.isEmpty {
      let strings = known.strings
      let sorted = strings.indices.sorted {
        strings[$0].lexicographicallyPrecedes(strings[$1])
      }
      var ranks = [UInt64](repeating: 0, count: sorted.count)
      for (rank, index) in sorted.enumerated() { ranks[index] = UInt64(rank) }
      for place in codes.indices where codes[place] >= Self.firstString {
        guard codes[place] != Self.none else { continue }
        codes[place] = Self.firstString + ranks[Int(codes[place] - Self.firstString)]
      }
      self.strings = sorted.map { strings[$0] }
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
    guard code < Self.firstString else { return ItemKey(strings[Int(code - Self.firstString)]) }
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

  var isEmpty: Bool { bytes.isEmpty }

  /// All strings, by their indices.
  var strings: [[UInt8]] { (0..<ends.count - 1).map { Array(bytes[ends[$0]..<ends[$0 + 1]]) } }

  mutating func index(of string: UnsafeBufferPointer<UInt8>) -> Int {
    var slot = self.slot(of: string)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if isEqual(index, string) { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(ends.count - 1)
    bytes += string
    ends.append(bytes.count)
    if ends.count * 2 > slots.count { grow() }
    return ends.count - 2
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
  mutating func sort(by codes: [UInt64]) {
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
