import CSimdJSON

/// The tokens of a part of a text. The part goes from a token to just before a later separator,
/// which is a comma, a colon, a bracket or a brace.
///
///     text     [{"a": 1}, {"a": 2}, {"a": 3}, {"b": "…, …"}]
///     window              └────────────────┘start … end
///
/// A window begins at a token. At this place simdjson's first stage is in the same state as at the
/// start of a text: not inside a string, number, literal, escape or character. So it finds the same
/// tokens as from the start of the text. If the separator at the end is inside a string, the window
/// has an unfinished string, which is an error. Then the window is made longer until the error is
/// gone, or until the text ends, where it is a real error. Commas are tried first, because they are
/// rarer in strings than colons.
///
/// A window doubles its length each time, also if it has too few tokens. So the number of times
/// that a byte is visited is limited for every text.
final class TokenWindow {
  private let text: UnsafeBufferPointer<UInt8>
  private let byteCount: Int
  private let leastTokens: Int
  private let index: OpaquePointer
  /// The start and the end of the window, as offsets in the text.
  private(set) var start = 0
  private(set) var end = 0
  /// The starts of the tokens, as offsets in the window. They are valid until the window moves.
  private(set) var tokens: UnsafePointer<UInt32>
  private(set) var tokenCount = 0

  /// An empty window.
  ///
  /// - Parameters:
  ///   - text: The text. It must not move while the window is used, and ``JSONReader/padding``
  ///     bytes must follow it.
  ///   - byteCount: The length of a window that has enough tokens.
  ///   - leastTokens: The number of tokens that are enough.
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
  /// - Parameter start: The start of the text or of a token.
  /// - Throws: The first error of the text that simdjson's first stage detects.
  func move(to start: Int) throws(BodyError) {
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

  /// The end of a window of about this length: the end of the text, or the last comma in its second
  /// half, or the last separator.
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
