import Glibc

/// Words that were packed: their segments in a style.
///
/// A hash table of open addressing. A slot has the upper half of a hash, and where the record of
/// the word begins:
///
///     records   │ style, length, … │ segments … │ bytes … │ style, length, … │ segments … │ …
///
/// So a look-up reads a slot, and a record which mostly lies in one line of the processor's cache.
/// When the table is full it is emptied. It is used by one thread at a time.
final class WordSegments {
  /// The longest word that is kept, in bytes.
  static let maxWord = 255
  /// Slots, at 8 bytes each. At most half of them are taken.
  private static let slotCount = 1 << 18
  /// The room for all records, in units of 8 bytes. One of an English word takes 3 or 4.
  private static let maxUnits = 384 << 10

  /// Where a word stands. What it looks like may depend on that.
  struct Place: OptionSet {
    var rawValue: UInt8
    /// Nothing is in front of it; else a space is.
    static let beginsText = Place(rawValue: 1)
    /// Nothing is behind it; else a space is.
    static let endsText = Place(rawValue: 2)
  }

  /// Over which spaces a word looks: it may be another beside other words, or change them.
  struct Looks: OptionSet {
    var rawValue: UInt8
    static let back = Looks(rawValue: 4)
    static let ahead = Looks(rawValue: 8)
  }

  /// What is kept of a word. It is there until the next word is added.
  struct Word {
    fileprivate let record: UnsafePointer<UInt64>

    @inline(__always) private var header: UInt64 { record[0] }
    @inline(__always) fileprivate var length: Int { Int(header >> 32 & 0xff) }
    /// The packed segments; none if the word looks over a space, or cannot be packed.
    @inline(__always) var segments: UnsafeBufferPointer<UInt64> {
      UnsafeBufferPointer(start: record + 1, count: Int(header >> 40 & 0xff))
    }
    /// Which of them is that of the last segment.
    @inline(__always) var last: Int { Int(header >> 48 & 0xff) }
    @inline(__always) var looks: Looks { Looks(rawValue: UInt8(header >> 56) & 0xc) }
    @inline(__always) fileprivate var bytes: UnsafePointer<UInt64> {
      record + 1 + Int(header >> 40 & 0xff)
    }

    /// What must be equal of headers: style, length and place.
    fileprivate static let keyMask: UInt64 = 0x03_00_00_ff_ffff_ffff
    @inline(__always) fileprivate static func key(
      _ style: UInt32, _ place: Place, length: Int
    ) -> UInt64 {
      UInt64(style) | UInt64(length) << 32 | UInt64(place.rawValue) << 56
    }
    @inline(__always) fileprivate func has(key: UInt64) -> Bool { header & Self.keyMask == key }
  }

  private let slots: UnsafeMutablePointer<UInt64>
  private let records: UnsafeMutablePointer<UInt64>
  /// How many words there are.
  private(set) var count = 0
  /// The end of the last record. The first is not at 0, which is an empty slot.
  private var end = 1

  init() {
    // Pages that nothing is written to take no memory. Without memory the process ends, as it does
    // where an array cannot grow.
    guard let slots = calloc(Self.slotCount, 8), let records = calloc(Self.maxUnits, 8) else {
      fatalError("no memory for words")
    }
    self.slots = slots.bindMemory(to: UInt64.self, capacity: Self.slotCount)
    self.records = records.bindMemory(to: UInt64.self, capacity: Self.maxUnits)
  }

  deinit {
    free(slots)
    free(records)
  }

  /// - Parameters:
  ///   - word: At least one byte, at most ``maxWord``.
  ///   - hash: That of ``hash(_:)``.
  /// - Returns: `nil` if the word is not kept.
  /// - Complexity: O(length of the word).
  @inline(__always)
  func find(
    _ style: UInt32, _ place: Place, _ word: UnsafeBufferPointer<UInt8>, _ hash: UInt64
  ) -> Word? {
    let key = Word.key(style, place, length: word.count)
    var slot = Self.slot(hash, style)
    while true {
      let kept = slots[slot]
      guard kept != 0 else { return nil }
      if kept >> 32 == hash >> 32 {
        let found = Word(record: records + Int(kept & 0xffff_ffff))
        if found.has(key: key), memcmp(found.bytes, word.baseAddress!, word.count) == 0 {
          return found
        }
      }
      slot = (slot + 1) & (Self.slotCount - 1)
    }
  }

  /// Keeps a word that is not kept.
  ///
  /// - Parameters:
  ///   - segments: As they were packed; empty if it has no such form.
  ///   - last: Which of them is that of the last segment.
  func insert(
    _ style: UInt32, _ place: Place, _ word: UnsafeBufferPointer<UInt8>, _ hash: UInt64,
    _ segments: [UInt64], last: Int, looks: Looks
  ) -> Word {
    let segments = segments.count <= 255 ? segments : []
    let length = 1 + segments.count + (word.count + 7) / 8
    if end + length > Self.maxUnits || count >= Self.slotCount / 2 {
      memset(slots, 0, Self.slotCount * 8)
      (count, end) = (0, 1)
    }
    let record = records + end
    record[0] =
      Word.key(style, place, length: word.count) | UInt64(segments.count) << 40
      | UInt64(segments.isEmpty ? 0 : last) << 48 | UInt64(looks.rawValue) << 56
    for (index, segment) in segments.enumerated() { record[1 + index] = segment }
    memcpy(record + 1 + segments.count, word.baseAddress!, word.count)
    var slot = Self.slot(hash, style)
    while slots[slot] != 0 { slot = (slot + 1) & (Self.slotCount - 1) }
    slots[slot] = (hash & ~0xffff_ffff) | UInt64(end)
    count += 1
    end += length
    return Word(record: record)
  }

  @inline(__always)
  private static func slot(_ hash: UInt64, _ style: UInt32) -> Int {
    Int(truncatingIfNeeded: (hash ^ hash >> 29) &+ UInt64(style) &* 0x9e37_79b1)
      & (slotCount - 1)
  }

  /// The hash of no bytes. Nobody outside of the process can know it, so nobody can choose words
  /// that share a slot.
  static let emptyHash = UInt64.random(in: 0...UInt64.max)

  /// The hash of a word with one byte more.
  @inline(__always)
  static func hash(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  static func hash(_ word: UnsafeBufferPointer<UInt8>) -> UInt64 {
    word.reduce(emptyHash) { hash($0, $1) }
  }
}
