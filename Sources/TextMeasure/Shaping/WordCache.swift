/// Words that were shaped: what they became in a style.
///
/// A hash table of open addressing. Words lie one after the other in three columns. When it is full
/// it is emptied.
struct WordCache {
  /// The longest word that is kept, in UTF-16 units.
  static let maxWord = 48
  /// The units of all words that are kept: with their results some 4 MiB.
  static let maxUnits = 400_000
  private static let slotCount = 1 << 17

  struct Key: Equatable {
    var style: UInt32
    var script: UInt8
    var isRightToLeft: Bool
  }

  private struct Slot {
    var hash: UInt32
    var start: UInt32
    var length: UInt16
    var script: UInt8
    var isRightToLeft: Bool
    var style: UInt32
  }

  private var slots: [Slot] = []
  private var count = 0
  private var units: [UInt16] = []
  private(set) var advances: [Int32] = []
  private(set) var flags: [LaidOutText.Flags] = []

  /// The bytes that are taken.
  var memoryBytes: Int {
    slots.capacity * MemoryLayout<Slot>.stride + units.capacity * 7
  }

  /// Where the results of a word begin, if it is kept.
  func find(_ key: Key, _ word: ArraySlice<UInt16>, _ hash: UInt32) -> Int? {
    guard count > 0 else { return nil }
    var place = Int(hash) & (Self.slotCount - 1)
    while slots[place].length > 0 {
      let slot = slots[place]
      if slot.hash == hash, slot.style == key.style, Int(slot.length) == word.count,
        slot.script == key.script, slot.isRightToLeft == key.isRightToLeft
      {
        let start = Int(slot.start)
        var index = 0
        while index < word.count, units[start + index] == word[word.startIndex + index] {
          index += 1
        }
        if index == word.count { return start }
      }
      place = (place + 1) & (Self.slotCount - 1)
    }
    return nil
  }

  /// Keeps what a word became.
  mutating func insert(
    _ key: Key, _ word: ArraySlice<UInt16>, _ hash: UInt32, _ wordAdvances: ArraySlice<Int32>,
    _ wordFlags: ArraySlice<LaidOutText.Flags>
  ) {
    if units.count + word.count > Self.maxUnits || count >= Self.slotCount / 2 || slots.isEmpty {
      slots = Array(
        repeating: Slot(hash: 0, start: 0, length: 0, script: 0, isRightToLeft: false, style: 0),
        count: Self.slotCount)
      count = 0
      units.removeAll(keepingCapacity: true)
      advances.removeAll(keepingCapacity: true)
      flags.removeAll(keepingCapacity: true)
    }
    var place = Int(hash) & (Self.slotCount - 1)
    while slots[place].length > 0 { place = (place + 1) & (Self.slotCount - 1) }
    slots[place] = Slot(
      hash: hash, start: UInt32(units.count), length: UInt16(word.count), script: key.script,
      isRightToLeft: key.isRightToLeft, style: key.style)
    count += 1
    units.append(contentsOf: word)
    advances.append(contentsOf: wordAdvances)
    flags.append(contentsOf: wordFlags)
  }

  static func hash(_ key: Key, _ word: ArraySlice<UInt16>) -> UInt32 {
    // Nobody outside of the process can choose words that share a slot.
    var hash = WordSegments.emptyHash
    hash ^= UInt64(key.style) << 9 | UInt64(key.script) << 1 | (key.isRightToLeft ? 1 : 0)
    for unit in word { hash = (hash ^ UInt64(unit)) &* 0x9e37_79b9_7f4a_7c15 &+ hash >> 29 }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
