import CollectionLayout

/// A part of a text that is likely to be nothing but commas and plain numbers: `,120,80.5,99`.
///
///     text    {"height":[102.5,…,200,80.5,…,99,120,…,180,85.25]}
///                               │ part  │ part  │ part    │
///     values                    0       812     1630      2044
///
/// A hot path: a long column is this but for its beginning. How many commas come before a part
/// tells where its values go, so room for all of them is made once, and each is put straight there.
struct PlainList {
  private struct Part {
    let text: Range<Int>
    let values: Range<Int>
  }

  private let text: UnsafeBufferPointer<UInt8>
  private var parts: [Part] = []
  /// How many values there are, if it is as expected.
  private(set) var count = 0

  /// - Parameter text: Begins with a comma; ``JSONReader/padding`` bytes behind it can be read.
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
  /// - Parameter values: Room for ``count``.
  /// - Returns: Whether the list is as expected; if not, nothing is known of the values.
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
    // A window ends where the part does, unless it has a string: then it may be longer.
    guard window.end == part.text.upperBound, window.tokenCount == 2 * count else { return false }
    return Value.readPlain(
      count, at: window.tokens, in: text.baseAddress! + part.text.lowerBound,
      into: values + part.values.lowerBound) == count
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// How often a byte comes.
  ///
  /// - Complexity: O(*n*).
  fileprivate func count(of byte: UInt8) -> Int {
    var total = 0
    var offset = 0
    while offset < count {
      // So few that the compiler can count them in bytes, sixteen at a time.
      let end = Swift.min(offset + 255, count)
      var few: UInt8 = 0
      for index in offset..<end where self[index] == byte { few &+= 1 }
      total += Int(few)
      offset = end
    }
    return total
  }
}
