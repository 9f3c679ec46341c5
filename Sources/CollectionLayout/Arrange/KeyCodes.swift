import Glibc

/// Integers that are in the order of the items' keys.
struct KeyCodes {
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
struct StringTable {
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
