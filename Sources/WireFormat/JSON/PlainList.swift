import CollectionLayout

/// A part of a text that probably consists of commas and plain numbers: `,120,80.5,99`.
///
///     text    {"height":[102.5,…,200,80.5,…,99,120,…,180,85.25]}
///                               │ part  │ part  │ part    │
///     values                    0       812     1630      2044
///
/// This is a hot path: a long column is such a list, except for its start. The number of commas
/// before a part says where the values of the part belong. So room is made once for all values, and
/// each is stored directly in its place. Without this, a prepare of 200,000 rows takes 8.1 % more
/// instructions, and one of a waterfall of 1,000,000 takes 3.5 % more.
struct PlainList {
  private struct Part {
    let text: Range<Int>
    let values: Range<Int>
  }

  private let text: UnsafeBufferPointer<UInt8>
  private var parts: [Part] = []
  /// The number of values, if the list is plain.
  private(set) var count = 0

  /// - Parameter text: The text. It begins with a comma, and ``JSONReader/padding`` bytes behind it
  ///   are readable.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
    var start = 0
    while start < text.count {
      let end = TokenWindow.end(of: text, from: start, length: JSONReader.windowBytes) ?? text.count
      let commas = UnsafeBufferPointer(rebasing: text[start..<end]).count(of: UInt8(ascii: ","))
      parts.append(Part(text: start..<end, values: count..<count + commas))
      count += commas
      start = end
    }
  }

  var byteCount: Int { text.count }

  /// Reads all values.
  ///
  /// - Parameter values: Memory with room for ``count`` values.
  /// - Returns: Whether the list is plain. If not, the values are undefined.
  func read<Value: PlainValue>(into values: UnsafeMutablePointer<Value>) -> Bool {
    let window = TokenWindow(of: text, byteCount: JSONReader.windowBytes, leastTokens: 1)
    for (index, part) in parts.enumerated() {
      giveWay(atStep: index, of: 4)
      guard read(part, window, into: values) else { return false }
    }
    return true
  }

  private func read<Value: PlainValue>(
    _ part: Part, _ window: TokenWindow, into values: UnsafeMutablePointer<Value>
  ) -> Bool {
    do { try window.move(to: part.text.lowerBound) } catch { return false }
    let count = part.values.count
    // The window ends where the part ends, unless the part has a string. Then the window may be
    // longer.
    guard window.end == part.text.upperBound, window.tokenCount == 2 * count else { return false }
    return Value.readPlain(
      count, at: window.tokens, in: text.baseAddress! + part.text.lowerBound,
      into: values + part.values.lowerBound) == count
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// How often a byte occurs.
  ///
  /// - Complexity: O(*n*).
  fileprivate func count(of byte: UInt8) -> Int {
    var total = 0
    var offset = 0
    while offset < count {
      // A count of at most 255 fits in a byte, so the compiler can count sixteen bytes at a time.
      let end = Swift.min(offset + 255, count)
      var few: UInt8 = 0
      for index in offset..<end where self[index] == byte { few &+= 1 }
      total += Int(few)
      offset = end
    }
    return total
  }
}
