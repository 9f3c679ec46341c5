import CSimdJSON

/// The tokens of a part of a text: from one token to shortly before a later separator, which is a
/// comma, a colon, a bracket or a brace.
///
///     text     [{"a": 1}, {"a": 2}, {"a": 3}, {"b": "…, …"}]
///     window              └────────────────┘start … end
///
/// A window begins where a token does. There simdjson's first stage is in the state in which it
/// begins a text: not in a string, not in a number or literal, not behind a backslash, not in a
/// character. So it finds from there what it would have found coming from the front. If the
/// separator is in a string, the window has a string that does not end; that is an error, and the
/// window is made longer until it has none, in the end to the end of the text, where an error is
/// one. Commas are tried first, which are rarer in strings than colons.
///
/// Twice as long each time, and as long as there are too few tokens in it: a byte is looked at a
/// limited number of times whatever the text is.
final class TokenWindow {
  private let text: UnsafeBufferPointer<UInt8>
  private let byteCount: Int
  private let leastTokens: Int
  private let index: OpaquePointer
  /// The offsets in the text where the window begins and ends.
  private(set) var start = 0
  private(set) var end = 0
  /// Where the tokens begin, as offsets in the window; valid until it is moved.
  private(set) var tokens: UnsafePointer<UInt32>
  private(set) var tokenCount = 0

  /// A window of nothing.
  ///
  /// - Parameters:
  ///   - text: Stays where it is while the window is used, with ``JSONReader/padding`` behind it.
  ///   - byteCount: How long a window is that has tokens enough.
  ///   - leastTokens: How many are enough.
  init(of text: UnsafeBufferPointer<UInt8>, byteCount: Int, leastTokens: Int) {
    guard let index = csimdjson_index_create() else { preconditionFailure("no memory") }
    self.text = text
    self.byteCount = byteCount
    self.leastTokens = leastTokens
    self.index = index
    tokens = UnsafePointer(bitPattern: 4)!
  }

  deinit {
    csimdjson_index_destroy(index)
  }

  /// Finds the tokens from an offset on.
  ///
  /// - Parameter start: Where the text or a token begins.
  /// - Throws: The first fault of the text, if it is one that the first stage sees.
  func move(to start: Int) throws(JSONError) {
    var length = byteCount
    while true {
      let end = Self.end(of: text, from: start, length: length)
      if let end, find(from: start, to: end), tokenCount >= leastTokens || end == text.count {
        self.start = start
        self.end = end
        return
      }
      if end == text.count { throw .syntax(offset: JSONFirstFault.offset(in: text)) }
      length *= 2
    }
  }

  /// Where a window of about this length may end: with the text, or before the last comma of its
  /// second half or else the last separator.
  static func end(of text: UnsafeBufferPointer<UInt8>, from start: Int, length: Int) -> Int? {
    guard length < text.count - start else { return text.count }
    let middle = start + max(length / 2, 1)
    let behind = start + max(length, 1)
    return text[middle..<max(middle, behind)].lastIndex(of: UInt8(ascii: ","))
      ?? text[(start + 1)..<behind].lastIndex(where: \.isSeparator)
  }

  private func find(from start: Int, to end: Int) -> Bool {
    var positions: UnsafePointer<UInt32>?
    guard
      csimdjson_index_build(
        index, text.baseAddress! + start, end - start, &positions, &tokenCount),
      let positions, tokenCount > 0
    else { return false }
    tokens = positions
    return true
  }
}

extension UInt8 {
  fileprivate var isSeparator: Bool {
    switch self {
    case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "{"), UInt8(ascii: "}"):
      true
    default: false
    }
  }
}
