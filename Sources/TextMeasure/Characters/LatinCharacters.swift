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
