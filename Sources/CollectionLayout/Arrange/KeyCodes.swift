import Glibc

/// Integers that are in the order of the items' keys.
struct KeyCodes {
  private(set) var codes: [UInt64] = []
  private let isDescending: Bool
  private var strings = SortedStrings()

  /// Of items without the key: last in either order.
  private static let none = UInt64.max
  /// Above the codes of all numbers; the ranks of strings are added.
  private static let firstString: UInt64 = 0xfff0_0000_0000_0000

  /// The length of all different strings.
  var stringBytes: Int { strings.differentBytes }

  init(
    _ order: Arrangement.Order, of sections: [CollectionSection], count: Int
  ) throws(LayoutError) {
    isDescending = order.isDescending
    var strings = SortedStrings()
    var codes: [UInt64] = []
    codes.reserveCapacity(count)
    try sections.forEachKey(order.key) { _, key in
      guard let key = key.map({ ItemKey.first(in: $0) }) else { return codes.append(Self.none) }
      guard !ItemKey.isNumber(key) else { return codes.append(ItemKey.orderedBits(key)) }
      codes.append(Self.firstString)
      strings.append(UnsafeBufferPointer(rebasing: key.dropFirst()))
    }
    if strings.count > 0 {
      try LayoutError.reserve(strings.memoryBytes)
      try strings.sort()
      var string = 0
      for place in codes.indices where codes[place] == Self.firstString {
        codes[place] += UInt64(strings.ranks[string])
        string += 1
      }
      self.strings = strings
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
      return .string(strings.string(ofRank: Int(code - Self.firstString)))
    }
    return ItemKey(orderedBits: code)
  }
}

/// Strings that are sorted seven bytes at a time, each seven as one number.
///
///     "pear"        p e a r 0 0 0, and 4 bytes
///     "pearlwort"   p e a r l w o, and more
///
/// Only strings with equal codes have to be looked at again.
struct SortedStrings {
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = [0]
  /// The rank of each string. Equal strings have one.
  private(set) var ranks: [UInt32] = []
  /// A string of each rank.
  private var firsts: [UInt32] = []

  var count: Int { ends.count - 1 }
  /// The length of all different strings.
  var differentBytes: Int { firsts.reduce(0) { $0 + range(of: Int($1)).count } }
  /// What the strings take while they are sorted.
  var memoryBytes: Int { bytes.count + count * 48 }

  mutating func append(_ string: UnsafeBufferPointer<UInt8>) {
    bytes += string
    ends.append(UInt32(bytes.count))
  }

  @inline(__always)
  private func range(of string: Int) -> Range<Int> { Int(ends[string])..<Int(ends[string + 1]) }

  func string(ofRank rank: Int) -> String {
    String(decoding: bytes[range(of: Int(firsts[rank]))], as: UTF8.self)
  }

  /// - Complexity: O(*b*) for *b* bytes, and less for strings that differ early.
  mutating func sort() throws(LayoutError) {
    let pairs = UnsafeMutableBufferPointer<RadixSort.Pair>.allocate(capacity: count)
    let spare = UnsafeMutableBufferPointer<RadixSort.Pair>.allocate(capacity: count)
    defer {
      pairs.deallocate()
      spare.deallocate()
    }
    _ = pairs.initialize(from: (0..<UInt32(count)).lazy.map { (0, $0) })
    spare.initialize(repeating: (0, 0))
    ranks = [UInt32](repeating: 0, count: count)
    try sort(pairs, spare, behind: 0)
  }

  /// Sorts strings of which all bytes up to one are equal, and ranks them.
  private mutating func sort(
    _ pairs: UnsafeMutableBufferPointer<RadixSort.Pair>,
    _ spare: UnsafeMutableBufferPointer<RadixSort.Pair>, behind start: Int
  ) throws(LayoutError) {
    if pairs.count > 1 {
      if pairs.count > 1 << 12 { try LayoutError.check() }
      for index in pairs.indices { pairs[index].code = code(of: Int(pairs[index].place), start) }
      if pairs.count > 256 {
        RadixSort.sort(pairs, spare)
      } else {
        var pairs = pairs
        pairs.sort { $0.code < $1.code }
      }
    }
    var first = 0
    while first < pairs.count {
      let code = pairs[first].code
      var end = first + 1
      while end < pairs.count, pairs[end].code == code { end += 1 }
      if end - first > 1, code & 255 > 7 {
        try sort(
          UnsafeMutableBufferPointer(rebasing: pairs[first..<end]),
          UnsafeMutableBufferPointer(rebasing: spare[first..<end]), behind: start + 7)
      } else {
        for pair in pairs[first..<end] { ranks[Int(pair.place)] = UInt32(firsts.count) }
        firsts.append(pairs[first].place)
      }
      first = end
    }
  }

  /// The seven bytes behind some, and how many there are; 8 for more.
  @inline(__always)
  private func code(of string: Int, _ start: Int) -> UInt64 {
    bytes.withUnsafeBufferPointer { bytes in
      let range = range(of: string)
      let (first, end) = (range.lowerBound + start, range.upperBound)
      var code: UInt64 = 0
      if first + 8 <= bytes.count {
        code = UInt64(
          bigEndian: UnsafeRawPointer(bytes.baseAddress! + first).loadUnaligned(as: UInt64.self))
        let count = min(end - first, 7)
        code &= count == 0 ? 0 : .max << UInt64(64 - 8 * count)
      } else {
        for index in 0..<min(end - first, 7) {
          code |= UInt64(bytes[first + index]) << UInt64(56 - 8 * index)
        }
      }
      return code | UInt64(min(end - first, 8))
    }
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
    var hash = seed ^ UInt64(string.count)
    func mix(_ bits: UInt64) {
      hash = (hash ^ bits) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 32
    }
    var rest = UnsafeRawBufferPointer(string)[...]
    while rest.count >= 8 {
      mix(UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: UInt64.self))
      rest = rest.dropFirst(8)
    }
    mix(rest.reduce(0) { $0 << 8 | UInt64($1) })
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
