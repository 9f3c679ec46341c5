import Glibc

/// Words that were packed: their segments in a style.
///
/// A hash table of open addressing. Words and segments lie one after the other. When it is full it
/// is emptied.
struct WordSegments {
  /// The longest word that is kept, in bytes.
  static let maxWord = 255
  /// The bytes of all words that are kept.
  private static let maxBytes = 400_000
  private static let slotCount = 1 << 17

  /// What is kept of a word.
  struct Word {
    fileprivate var hash: UInt32 = 0
    fileprivate var style: UInt32 = 0
    /// Where its bytes begin.
    fileprivate var start: UInt32 = 0
    /// Where its entries begin.
    fileprivate var firstEntry: UInt32 = 0
    fileprivate var length: UInt8 = 0
    /// How many entries there are; 0 if the word looks different beside others, or cannot be
    /// packed.
    fileprivate(set) var count: UInt8 = 0
    /// Which of them is that of the last segment.
    fileprivate(set) var last: UInt8 = 0

    var entries: Range<Int> { Int(firstEntry)..<Int(firstEntry) + Int(count) }
  }

  private var words: [Word] = []
  private var count = 0
  private var bytes: [UInt8] = []
  private(set) var entries: [UInt64] = []

  @inline(__always)
  func find(_ style: UInt32, _ word: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Word? {
    guard count > 0 else { return nil }
    return words.withUnsafeBufferPointer { words in
      var place = Int(hash) & (Self.slotCount - 1)
      while true {
        let kept = words[place]
        guard kept.length > 0 else { return nil }
        if kept.hash == hash, kept.style == style, Int(kept.length) == word.count,
          isEqual(word, at: Int(kept.start))
        {
          return kept
        }
        place = (place + 1) & (Self.slotCount - 1)
      }
    }
  }

  @inline(__always)
  private func isEqual(_ word: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    bytes.withUnsafeBufferPointer {
      memcmp($0.baseAddress! + start, word.baseAddress!, word.count) == 0
    }
  }

  /// Keeps a word.
  ///
  /// - Parameters:
  ///   - segments: As they were packed; empty if it has no such form.
  ///   - last: Which of them is that of the last segment.
  mutating func insert(
    _ style: UInt32, _ word: UnsafeBufferPointer<UInt8>, _ hash: UInt32, _ segments: [UInt64],
    last: Int
  ) -> Word {
    let isFull = bytes.count + word.count > Self.maxBytes || count >= Self.slotCount / 2
    if words.isEmpty || isFull {
      words = Array(repeating: Word(), count: Self.slotCount)
      count = 0
      bytes.removeAll(keepingCapacity: true)
      entries.removeAll(keepingCapacity: true)
    }
    var place = Int(hash) & (Self.slotCount - 1)
    while words[place].length > 0 { place = (place + 1) & (Self.slotCount - 1) }
    let isPacked = segments.count <= Int(UInt8.max)
    words[place] = Word(
      hash: hash, style: style, start: UInt32(bytes.count), firstEntry: UInt32(entries.count),
      length: UInt8(word.count), count: isPacked ? UInt8(segments.count) : 0,
      last: isPacked ? UInt8(last) : 0)
    count += 1
    bytes.append(contentsOf: word)
    if isPacked { entries.append(contentsOf: segments) }
    return words[place]
  }
}
