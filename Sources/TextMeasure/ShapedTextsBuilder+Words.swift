extension ShapedTextsBuilder {
  /// Adds a text of Latin words, each as it was packed before: most texts are made of words that
  /// were met before, and looking them up takes a hundredth of the time of shaping.
  ///
  /// - Returns: False if it is no such text. Then some entries may have been added.
  mutating func addWords(_ text: UnsafeBufferPointer<UInt8>, on bench: TextWorkbench) -> Bool {
    let whiteSpace = style.style.whiteSpace
    var (place, last, hasLetter, isASCII) = (0, -1, false, true)
    while true {
      let firstBlank = place
      while place < text.count, Self.isBlank(text[place]) {
        guard
          whiteSpace == .normal || text[place] == 0x20
            || whiteSpace == .preLine && text[place] != 0x0a
        else { return false }
        place += 1
      }
      let blanks = place - firstBlank
      // Where blanks stay, only single ones between words are as if they collapsed.
      if whiteSpace == .preWrap {
        guard blanks <= 1, blanks == 0 || last >= 0 && place < text.count else { return false }
      }
      guard place < text.count else { break }
      let start = place
      var hash = UInt64(style.number) &* 0x9e37_79b9_7f4a_7c15
      while place < text.count, !Self.isBlank(text[place]) {
        let length = LatinCharacters.length(text, place, &hasLetter)
        guard length > 0 else { return false }
        if length > 1 { isASCII = false }
        for _ in 0..<length {
          hash = (hash ^ UInt64(text[place])) &* 0x100_0000_01b3
          place += 1
        }
      }
      let word = UnsafeBufferPointer(rebasing: text[start..<place])
      guard word.count <= WordSegments.maxWord else { return false }
      let kept = bench.segments(of: word, UInt32(truncatingIfNeeded: hash ^ hash >> 32), style)
      guard kept.count > 0 else { return false }
      if last >= 0 {
        guard let entry = Segment.adding(blanks, to: entries[last]) else { return false }
        entries[last] = entry | Segment.isBehindSpace
      }
      let first = entries.count
      bench.wordSegments.entries.withUnsafeBufferPointer {
        entries.append(contentsOf: UnsafeBufferPointer(rebasing: $0[kept.entries]))
      }
      if last < 0, blanks > 0 {
        guard let entry = Segment.adding(blanks, to: entries[first]) else { return false }
        entries[first] = entry
      }
      last = first + Int(kept.last)
    }
    guard last >= 0 else { return true }
    // Without a letter, the script of other characters than ASCII would be Common.
    guard isASCII || hasLetter else { return false }
    entries[last] = Segment.endingHardLine(entries[last])
    return true
  }

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x09 || byte == 0x0d
  }
}

/// Characters of which a text is one run of Latin, and of which a line may end between two as if
/// nothing else were in the text: printable ASCII, letters up to U+017F, and quotes and dashes.
enum LatinCharacters {
  /// The bytes of the character at a place; 0 if it is none of these.
  ///
  /// - Parameter hasLetter: Becomes true if it is a letter.
  @inline(__always)
  static func length(
    _ text: UnsafeBufferPointer<UInt8>, _ place: Int, _ hasLetter: inout Bool
  ) -> Int {
    let byte = text[place]
    if byte < 0x80 {
      if 0x61...0x7a ~= byte | 0x20 { hasLetter = true }
      return 0x21...0x7e ~= byte ? 1 : 0
    }
    return lengthOfMore(text, place)
  }

  private static func lengthOfMore(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
    guard place + 1 < text.count else { return 0 }
    let second = text[place + 1]
    switch text[place] {
    // ¡ £ § « ° » ¿
    case 0xc2: return [0xa1, 0xa3, 0xa7, 0xab, 0xb0, 0xbb, 0xbf].contains(second) ? 2 : 0
    case 0xc3...0xc5: return 2
    // – — ‘ ’ ‚ “ ” „ … and €
    case 0xe2:
      guard place + 2 < text.count else { return 0 }
      switch (second, text[place + 2]) {
      case (0x80, 0x93), (0x80, 0x94), (0x80, 0x98...0x9a), (0x80, 0x9c...0x9e), (0x80, 0xa6),
        (0x82, 0xac):
        return 3
      default: return 0
      }
    default: return 0
    }
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
