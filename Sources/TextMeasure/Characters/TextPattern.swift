import CICU

/// What is looked for in texts: characters that are equal after Unicode's simple case folding, and
/// for each run of blanks one of any length.
///
/// Characters are code points. What is looked for has the form in which it was given, and is
/// composed (NFC) and decomposed (NFD), too; the longest match counts. Texts are not normalised.
public struct TextPattern: Hashable, Sendable {
  /// The folded characters of each form; ``blank`` for a run of blanks.
  private let forms: [[UInt32]]
  /// Whether characters are as they are, and each blank itself.
  private let isExact: Bool
  /// With which bytes a match may begin.
  private let start: StartBytes

  private static let blank = UInt32.max

  /// - Parameter text: Not empty.
  public init(_ text: String, isExact: Bool = false) {
    precondition(!text.isEmpty, "a pattern of nothing is everywhere")
    self.isExact = isExact
    var forms: [[UInt32]] = []
    for form in [
      text, Self.normalized(text, composed: true), Self.normalized(text, composed: false),
    ] {
      var characters: [UInt32] = []
      for scalar in form.unicodeScalars {
        let character = Self.compared(scalar.value, isExact)
        if character != Self.blank || characters.last != Self.blank { characters.append(character) }
      }
      if !characters.isEmpty, !forms.contains(characters) { forms.append(characters) }
    }
    self.forms = forms
    func bytes(at index: Int) -> Set<UInt8>? {
      forms.reduce([]) { bytes, form in
        index < form.count ? bytes?.union(Self.firstBytes(of: form[index], isExact)) : nil
      }
    }
    start = StartBytes(bytes(at: 0) ?? [], bytes(at: 1))
  }

  private static func normalized(_ text: String, composed: Bool) -> String {
    let units = Array(text.utf16)
    // A character has at most 18 units in either form.
    let result = [UInt16](unsafeUninitializedCapacity: 18 * units.count) { buffer, count in
      count = Int(
        cicu_normalize(
          composed, units, Int32(units.count), buffer.baseAddress, Int32(buffer.count)))
    }
    return String(decoding: result, as: UTF16.self)
  }

  /// The memory of the pattern, in bytes.
  public var memoryBytes: Int { forms.reduce(512) { $0 + $1.capacity * 4 } }

  /// Whether every text with a match of this has one of another.
  public func continues(_ other: TextPattern) -> Bool {
    isExact == other.isExact
      && forms.allSatisfy { form in other.forms.contains { form.starts(with: $0) } }
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
    while let candidate = start.next(in: bytes, from: position, to: last) {
      while end(text) <= candidate { text += 1 }
      if let found = endOfMatch(at: candidate, in: bytes, to: end(text)) {
        guard body(text, candidate..<found) else { return }
        position = found
      } else if forms[0][0] == Self.blank {
        // Nothing else begins within the run.
        position = Self.endOfBlanks(from: candidate, in: bytes, to: end(text))
      } else {
        position = candidate + 1
      }
    }
  }

  /// Where the longest match ends that begins at a position.
  @inline(__always)
  private func endOfMatch(
    at start: Int, in bytes: UnsafeBufferPointer<UInt8>, to end: Int
  ) -> Int? {
    guard forms.count > 1 else {
      return Self.end(of: forms[0], isExact, at: start, in: bytes, to: end)
    }
    return forms.compactMap { Self.end(of: $0, isExact, at: start, in: bytes, to: end) }.max()
  }

  @inline(__always)
  private static func end(
    of characters: [UInt32], _ isExact: Bool, at start: Int, in bytes: UnsafeBufferPointer<UInt8>,
    to end: Int
  ) -> Int? {
    var position = start
    for character in characters {
      guard position < end else { return nil }
      if character == blank {
        let after = endOfBlanks(from: position, in: bytes, to: end)
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
        guard compared(scalar, isExact) == character else { return nil }
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

  private static func firstBytes(of character: UInt32, _ isExact: Bool) -> Set<UInt8> {
    guard character != blank else { return [0x09, 0x0a, 0x0d, 0x20] }
    let bytes = Set(Unicode.Scalar(character).map { [firstByte(of: $0)] } ?? [])
    return isExact ? bytes : bytes.union(others[character] ?? [])
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

/// With which bytes a match may begin: mostly a letter, large or small, and another one behind it.
///
/// Eight places are looked at in one word. With the second letter, which spares most places a
/// closer look, that takes a third of the time of sixteen places by the first letter alone.
private struct StartBytes: Hashable, Sendable {
  /// Up to two bytes that differ in the bit of letters' case, and one more; in all bytes of a word.
  private struct Letter: Hashable {
    let caseBit: UInt64
    let byte: UInt64
    let other: UInt64

    /// `nil` if there are more.
    init?(_ bytes: Set<UInt8>) {
      let plain = bytes.filter { $0 < 0x80 }.sorted()
      let others = bytes.filter { $0 >= 0x80 }
      guard plain.count <= 2, others.count <= 1, let last = plain.last ?? others.first,
        plain.count < 2 || plain[0] | 0x20 == last
      else { return nil }
      caseBit = plain.count == 2 ? 0x20 &* Self.ones : 0
      byte = UInt64(last) &* Self.ones
      // No byte of UTF-8 is 0xff.
      other = UInt64(others.first ?? 0xff) &* Self.ones
    }

    static let ones: UInt64 = 0x0101_0101_0101_0101

    /// The highest bit of each byte that is one of them.
    @inline(__always)
    func isIn(_ word: UInt64) -> UInt64 { Self.zeros((word | caseBit) ^ byte) }
    @inline(__always)
    func otherIsIn(_ word: UInt64) -> UInt64 { Self.zeros(word ^ other) }

    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 {
      let low = 0x7f &* ones
      return ~((word & low) &+ low | word | low)
    }
  }

  private let bytes: Set<UInt8>
  private let first: Letter?
  /// `nil` if anything may be second.
  private let second: Letter?

  init(_ first: Set<UInt8>, _ second: Set<UInt8>?) {
    bytes = first
    // The second one lies directly behind if the first has one byte.
    self.first = first.contains { $0 < 0x80 } ? Letter(first) : nil
    self.second = second.flatMap { Letter($0) }
  }

  /// The next place where a match may begin.
  @inline(__always)
  func next(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var position = start
    if let first {
      while position + 9 <= end {
        let place = UnsafeRawPointer(base + position)
        let word = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
        var found = first.isIn(word)
        if let second {
          let behind = UInt64(littleEndian: (place + 1).loadUnaligned(as: UInt64.self))
          found &= second.isIn(behind) | second.otherIsIn(behind)
        }
        found |= first.otherIsIn(word)
        if found != 0 { return position + found.trailingZeroBitCount / 8 }
        position += 8
      }
    }
    while position < end {
      if self.bytes.contains(base[position]) { return position }
      position += 1
    }
    return nil
  }
}
