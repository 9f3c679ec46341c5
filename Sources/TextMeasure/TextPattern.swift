import CICU

/// What is looked for in texts: characters that are equal after Unicode's simple case folding, and
/// for each run of blanks one of any length.
///
/// Characters are code points. Nothing is normalised.
public struct TextPattern: Hashable, Sendable {
  /// The folded characters; ``blank`` for a run of blanks.
  private let characters: [UInt32]
  /// Whether characters are as they are, and each blank itself.
  private let isExact: Bool
  /// The first bytes of the characters with which a match may begin.
  private let firstBytes: [UInt8]

  private static let blank = UInt32.max

  /// - Parameter text: Not empty.
  public init(_ text: String, isExact: Bool = false) {
    precondition(!text.isEmpty, "a pattern of nothing is everywhere")
    self.isExact = isExact
    var characters: [UInt32] = []
    for scalar in text.unicodeScalars {
      let character = Self.compared(scalar.value, isExact)
      if character != Self.blank || characters.last != Self.blank { characters.append(character) }
    }
    self.characters = characters
    firstBytes = isExact ? [Array(text.utf8)[0]] : Self.firstBytes(of: characters[0])
  }

  /// Whether every text with a match of this has one of another.
  public func continues(_ other: TextPattern) -> Bool {
    isExact == other.isExact && characters.starts(with: other.characters)
  }

  /// Calls `body` with each match in some texts, from left to right. Matches do not overlap.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, texts one behind another.
  ///   - texts: Those that are looked at.
  ///   - end: Where a text ends. It begins where the one before ends.
  ///   - body: Gets the text, and where the match is in the bytes. It returns false to end.
  /// - Complexity: O(bytes · characters) at worst; mostly O(bytes).
  @inline(__always)
  public func forEachMatch(
    in bytes: UnsafeBufferPointer<UInt8>, texts: Range<Int>, end: (Int) -> Int,
    _ body: (_ text: Int, Range<Int>) -> Bool
  ) {
    guard !texts.isEmpty else { return }
    var text = texts.lowerBound
    var position = text == 0 ? 0 : end(text - 1)
    let last = end(texts.upperBound - 1)
    while let candidate = nextCandidate(in: bytes, from: position, to: last) {
      while end(text) <= candidate { text += 1 }
      if let found = endOfMatch(at: candidate, in: bytes, to: end(text)) {
        guard body(text, candidate..<found) else { return }
        position = found
      } else if characters[0] == Self.blank {
        // Nothing else begins within the run.
        position = Self.endOfBlanks(from: candidate, in: bytes, to: end(text))
      } else {
        position = candidate + 1
      }
    }
  }

  /// The next byte with which a match may begin. Sixteen bytes are compared at once, which takes a
  /// fifth of the time of one after another.
  @inline(__always)
  private func nextCandidate(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
  ) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var position = start
    while position + 16 <= end {
      let block = UnsafeRawPointer(base + position).loadUnaligned(as: SIMD16<UInt8>.self)
      var isFound = SIMDMask<SIMD16<Int8>>(repeating: false)
      for byte in firstBytes { isFound .|= block .== SIMD16(repeating: byte) }
      if any(isFound) {
        for index in 0..<16 where isFound[index] { return position + index }
      }
      position += 16
    }
    while position < end {
      if firstBytes.contains(base[position]) { return position }
      position += 1
    }
    return nil
  }

  /// Where a match ends that begins at a position.
  @inline(__always)
  private func endOfMatch(
    at start: Int, in bytes: UnsafeBufferPointer<UInt8>, to end: Int
  ) -> Int? {
    var position = start
    for character in characters {
      guard position < end else { return nil }
      if character == Self.blank {
        let after = Self.endOfBlanks(from: position, in: bytes, to: end)
        guard after > position else { return nil }
        position = after
        continue
      }
      let byte = bytes[position]
      if byte < 0x80 {
        let folded = isExact || !(0x41...0x5a).contains(byte) ? byte : byte | 0x20
        guard UInt32(folded) == character else { return nil }
        position += 1
      } else {
        let (scalar, length) = Self.character(at: position, in: bytes, to: end)
        guard Self.compared(scalar, isExact) == character else { return nil }
        position += length
      }
    }
    return position
  }

  private static func endOfBlanks(
    from start: Int, in bytes: UnsafeBufferPointer<UInt8>, to end: Int
  ) -> Int {
    var position = start
    while position < end, isBlank(UInt32(bytes[position])) { position += 1 }
    return position
  }

  private static func character(
    at start: Int, in bytes: UnsafeBufferPointer<UInt8>, to end: Int
  ) -> (UInt32, length: Int) {
    let first = UInt32(bytes[start])
    let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    guard first >= 0xc0, start + length <= end else { return (first, 1) }
    var scalar = first & (0xff >> UInt32(length + 1))
    for index in start + 1..<start + length { scalar = scalar << 6 | UInt32(bytes[index] & 0x3f) }
    return (scalar, length)
  }

  private static func isBlank(_ character: UInt32) -> Bool {
    character == 0x20 || character == 0x09 || character == 0x0a || character == 0x0d
  }

  private static func compared(_ character: UInt32, _ isExact: Bool) -> UInt32 {
    guard !isExact else { return character }
    if isBlank(character) { return blank }
    return folded(character)
  }

  private static func folded(_ character: UInt32) -> UInt32 {
    UInt32(cicu_fold_case(Int32(character)))
  }

  private static func firstBytes(of character: UInt32) -> [UInt8] {
    guard character != blank else { return [0x09, 0x0a, 0x0d, 0x20] }
    var bytes = Set(Unicode.Scalar(character).map { [firstByte(of: $0)] } ?? [])
    bytes.formUnion(others[character] ?? [])
    return bytes.sorted()
  }

  private static func firstByte(of scalar: Unicode.Scalar) -> UInt8 {
    UInt8(UTF8.encode(scalar)!.first!)
  }

  /// For each folded character the first bytes of those that become it.
  private static let others: [UInt32: Set<UInt8>] = {
    var others: [UInt32: Set<UInt8>] = [:]
    for character in UInt32(0)...0x1ffff {
      let folded = folded(character)
      guard folded != character, let scalar = Unicode.Scalar(character) else { continue }
      others[folded, default: []].insert(firstByte(of: scalar))
    }
    return others
  }()
}
