import CollectionLayout

extension ShapedTextsBuilder {
  /// How many words are packed as one at most, because they look over the spaces between them.
  private static let maxJoined = 4

  /// A word, or some that are packed as one.
  private struct Piece {
    /// Its place in the text.
    var bytes: Range<Int>
    /// Where its entries begin.
    var firstEntry: Int
    var words = 1
  }

  /// Adds a text of Latin words, each as it was packed before: most texts are made of words that
  /// were met before, and looking them up takes a hundredth of the time of shaping.
  ///
  /// Words that look over the space between them are packed as one. In Inter, a text may have such
  /// a word: there `x` is another letter in `3 x 4`.
  ///
  /// - Returns: False if it is no such text. Then some entries may have been added.
  /// - Complexity: O(length of the text).
  mutating func addWords(_ text: UnsafeBufferPointer<UInt8>, on bench: TextWorkbench) -> Bool {
    let whiteSpace = style.style.whiteSpace
    guard !style.spacesLookAhead,
      let textStart = Self.endOfBlanks(text, from: 0, whiteSpace),
      // Where blanks stay, only single ones between words are as if they collapsed.
      textStart == 0 || whiteSpace != .preWrap
    else { return false }
    var (place, hasLetter, isASCII) = (textStart, false, true)
    /// What was added last, and what waits for the next word because it looks ahead.
    var (previous, waiting): (Piece?, Piece?) = (nil, nil)
    while place < text.count {
      let start = place
      var hash = WordSegments.emptyHash
      while place < text.count, !Self.isBlank(text[place]) {
        let length = LatinCharacters.length(text, place, &hasLetter)
        guard length > 0 else { return false }
        if length > 1 { isASCII = false }
        for _ in 0..<length {
          hash = WordSegments.hash(hash, text[place])
          place += 1
        }
      }
      var piece = Piece(bytes: start..<place, firstEntry: entries.count)
      guard let next = Self.endOfBlanks(text, from: place, whiteSpace),
        piece.bytes.count <= WordSegments.maxWord
      else { return false }
      let blanks = next - place
      if whiteSpace == .preWrap, blanks > 0 {
        guard blanks == 1, next < text.count else { return false }
      }
      place = next
      let end: WordSegments.Place = next == text.count ? .endsText : []
      var word: WordSegments.Word
      if let waiting {
        guard let joined = join(waiting, piece, text) else { return false }
        piece = joined
        word = bench.segments(of: piece.bytes, of: text, end, style)
      } else {
        let bytes = UnsafeBufferPointer(rebasing: text[piece.bytes])
        word = bench.segments(of: bytes, hash, end, style)
      }
      waiting = nil
      if word.looks != [] {
        if word.looks.contains(.back), let before = previous {
          guard let joined = join(before, piece, text) else { return false }
          entries.removeLast(entries.count - before.firstEntry)
          (piece, previous) = (joined, nil)
          word = bench.segments(of: piece.bytes, of: text, end, style)
        }
        if word.looks.contains(.back), piece.bytes.lowerBound == textStart {
          word = bench.segments(of: piece.bytes, of: text, end.union(.beginsText), style)
        }
        if word.looks == .ahead {
          waiting = piece
          continue
        }
      }
      let leading = piece.bytes.lowerBound == textStart ? textStart : 0
      guard add(word, blanksBefore: leading, blanksBehind: blanks, isLast: end != []) else {
        return false
      }
      previous = piece
    }
    // Without a letter, the script of other characters than ASCII would be Common.
    return isASCII || hasLetter
  }

  /// Two pieces with a space between them as one; `nil` if they cannot be.
  private func join(
    _ first: Piece, _ second: Piece, _ text: UnsafeBufferPointer<UInt8>
  ) -> Piece? {
    let joined = Piece(
      bytes: first.bytes.lowerBound..<second.bytes.upperBound, firstEntry: first.firstEntry,
      words: first.words + second.words)
    let hasSpace =
      first.bytes.upperBound + 1 == second.bytes.lowerBound
      && text[first.bytes.upperBound] == 0x20
    let isShort = joined.words <= Self.maxJoined && joined.bytes.count <= WordSegments.maxWord
    return hasSpace && isShort ? joined : nil
  }

  /// Adds what a word became.
  ///
  /// - Returns: False if it became nothing.
  @inline(__always)
  private mutating func add(
    _ word: WordSegments.Word, blanksBefore: Int, blanksBehind: Int, isLast: Bool
  ) -> Bool {
    let segments = word.segments
    guard !segments.isEmpty else { return false }
    let first = entries.count
    if segments.count == 1 {
      entries.append(segments[0])
    } else {
      entries.append(contentsOf: segments)
    }
    let last = first + word.last
    if blanksBefore > 0 {
      guard let entry = Segment.adding(blanksBefore, to: entries[first]) else { return false }
      entries[first] = entry
    }
    if isLast {
      entries[last] = Segment.endingHardLine(entries[last])
    } else {
      guard let entry = Segment.adding(blanksBehind, to: entries[last]) else { return false }
      entries[last] = entry | Segment.isBehindSpace
    }
    return true
  }

  /// Where blanks end; `nil` if there is one that does not collapse, or that breaks.
  @inline(__always)
  private static func endOfBlanks(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ whiteSpace: ParagraphStyle.WhiteSpace
  ) -> Int? {
    var place = start
    while place < text.count, isBlank(text[place]) {
      guard
        text[place] == 0x20 || whiteSpace == .normal
          || whiteSpace == .preLine && text[place] != 0x0a
      else { return nil }
      place += 1
    }
    return place
  }

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x09 || byte == 0x0d
  }
}

// Packed segments of words, put together.
extension Segment {
  static let isBehindSpace: UInt64 = 1 << 42
  private static let unitsMask: UInt64 = 0xfff << 30
  private static let endsHardLine: UInt64 = 1 << 44

  /// An entry of more units; `nil` if it cannot have so many.
  @inline(__always)
  static func adding(_ units: Int, to entry: UInt64) -> UInt64? {
    units <= maxUnits - Int(entry >> 30 & 0xfff) ? entry + UInt64(units) << 30 : nil
  }

  /// The entry as the last of a text.
  @inline(__always)
  static func endingHardLine(_ entry: UInt64) -> UInt64 { entry & ~unitsMask | endsHardLine }

  /// The last entry of a word by itself, to which others are added.
  static func inside(_ entry: UInt64, units: Int) -> UInt64 {
    entry & ~unitsMask & ~endsHardLine | UInt64(units) << 30
  }
}
