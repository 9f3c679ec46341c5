import CSimdJSON
import CollectionLayout

enum JSONType {
  case null, boolean, number, string, object, array
}

/// Reads a JSON text in one pass, from front to back.
///
///     text     {  "height" :  [ 120 ,  null ] }
///     tokens   0  1        2  3 4   5  6    7 8
///     cursor   ───────────────▲
///
/// simdjson's first stage finds the start of every token and checks the UTF-8. Then the reader's
/// cursor moves over the tokens once. The cursor is either before a value, which must be read or
/// skipped next, or behind a value in the container that was opened last. Everything that is
/// skipped is checked too. No step depends on how deep the text is nested.
///
/// In a large text, tokens are found for one window at a time. So the window and its tokens are in
/// the cache when they are read, and the tokens of only one window need memory; see
/// ``TokenWindow``. Encoding errors in later parts are only found when the reader gets there.
/// ``checkRest()`` finds them at once.
///
/// The text must not move while the reader is used.
struct JSONReader: ~Copyable {
  /// The number of bytes that must follow the text in memory. They are overwritten.
  static let padding = Int(CSIMDJSON_PADDING)
  /// The size of a window. With small windows the tokens stay in the cache and need no new pages of
  /// memory.
  static let windowBytes = 64 << 10
  /// The number of tokens that are always known from the cursor on, unless the text ends before. It
  /// is more than a plain row has.
  private static let lookahead = 64

  let text: UnsafeMutablePointer<UInt8>
  let count: Int
  private let tokenWindow: TokenWindow
  /// The start of the window. The tokens are offsets in it.
  private(set) var window: UnsafeMutablePointer<UInt8>
  /// The end of the window, as an offset in the text.
  private var windowEnd: Int
  private(set) var tokens: UnsafePointer<UInt32>
  private(set) var tokenCount: Int
  /// The next token.
  private(set) var cursor = 0
  /// The open containers, the outermost first.
  private var containers: [Container] = []
  /// Memory for the columns of a block of rows. Every block uses it again.
  lazy var scratch = RowScratch(rows: blockRows)
  /// The longest data of an item, in bytes; at most ``TextColumn/maxBytes``.
  var maxItemData = TextColumn.maxBytes
  /// The element of the last list of values that cannot be one; `nil` if the list itself is wrong.
  var wrongElement: Int?
  /// The largest number of rows in a block. It is small enough that the columns stay in the cache
  /// until they are stored. It must not change once rows have been read.
  var blockRows = 8192
  /// The way from the body to the value that is being read.
  var path: [Step] = []
  /// What was found wrong so far.
  var faults = InvalidMembers()
  /// How many more values the options that are being read may have. If it is negative, there are
  /// too many, and the rest is skipped.
  var optionRoom = 0

  private enum Container: UInt8 {
    case object, array
    /// The container was opened, but none of its elements was read.
    case newObject, newArray
  }

  /// - Parameters:
  ///   - bytes: The text, followed by `padding` bytes in the same memory.
  ///   - windowBytes: About how many bytes a window has.
  /// - Complexity: O(*bytes*) until everything has been read.
  init(
    _ bytes: UnsafeMutableRawBufferPointer, windowBytes: Int = Self.windowBytes
  ) throws(BodyError) {
    guard bytes.count < Int(UInt32.max) - Self.padding else { throw .bodyTooLarge }
    guard let base = bytes.baseAddress else { throw .syntax(offset: 0) }
    let text = base.assumingMemoryBound(to: UInt8.self)
    // A byte order mark may be ignored (RFC 8259, section 8.1). Blanks leave all offsets as they
    // are.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      text.update(repeating: UInt8(ascii: " "), count: 3)
    }
    (text + bytes.count).update(repeating: UInt8(ascii: " "), count: Self.padding)
    let tokenWindow = TokenWindow(
      of: UnsafeBufferPointer(start: text, count: bytes.count), byteCount: windowBytes,
      leastTokens: 4 * Self.lookahead)
    try tokenWindow.move(to: 0)
    self.text = text
    count = bytes.count
    self.tokenWindow = tokenWindow
    window = text
    windowEnd = tokenWindow.end
    tokens = tokenWindow.tokens
    tokenCount = tokenWindow.tokenCount
  }

  /// Moves the cursor. It also moves the window if the cursor comes near its end, which renumbers
  /// the tokens.
  @inline(__always)
  mutating func advance(by count: Int) throws(BodyError) {
    cursor += count
    if tokenCount - cursor < Self.lookahead && windowEnd < self.count {
      try moveWindow(to: offset(cursor))
    }
  }

  /// Moves the window to a token. The cursor is then at its first token.
  ///
  /// - Parameter offset: The start of a token.
  @inline(never)
  mutating func moveWindow(to offset: Int) throws(BodyError) {
    giveWay(atStep: offset / Self.windowBytes, of: 4)
    do {
      try tokenWindow.move(to: offset)
    } catch {
      // The old tokens are gone and there are no new ones, so the text ends here.
      cursor = 0
      tokenCount = 0
      windowEnd = count
      throw error
    }
    window = text + tokenWindow.start
    windowEnd = tokenWindow.end
    tokens = tokenWindow.tokens
    tokenCount = tokenWindow.tokenCount
    cursor = 0
  }

  /// Checks the encoding of the rest of the text. Such an error has priority over other errors.
  mutating func checkRest() throws(BodyError) {
    while windowEnd < count {
      try moveWindow(to: offset(tokenCount - 1))
    }
  }

  // MARK: Tokens

  /// The first byte of a token; a space after the last token.
  @inline(__always)
  func byte(_ token: Int) -> UInt8 {
    token < tokenCount ? window[Int(tokens[token])] : UInt8(ascii: " ")
  }

  /// The offset of the next value.
  var position: Int { offset(cursor) }

  @inline(__always)
  func offset(_ token: Int) -> Int {
    token < tokenCount ? window - text + Int(tokens[token]) : windowEnd
  }

  func syntaxError(at token: Int) -> BodyError { .syntax(offset: offset(token)) }

  /// A limit for the end of a scalar's text: the start of the next token.
  func end(_ token: Int) -> Int { offset(token + 1) }

  // MARK: Containers

  /// Skips a value and checks all of it.
  ///
  /// - Parameter isRaw: Whether nobody evaluates its strings.
  mutating func skipValue(isRaw: Bool = false) throws(BodyError) {
    let depth = containers.count
    repeat {
      if containers.count > depth {
        switch containers[containers.count - 1] {
        case .object, .newObject: if try !skipFieldName(isRaw: isRaw) { continue }
        case .array, .newArray: if try !nextElement() { continue }
        }
      }
      switch try nextType() {
      case .null:
        try checkLiteral("null")
        try advance(by: 1)
      case .boolean: _ = try readBoolean()
      case .number: _ = try readNumber()
      case .string:
        guard JSONGrammar.endOfString(text + offset(cursor) + 1, isRaw: isRaw) != nil else {
          throw syntaxError(at: cursor)
        }
        try advance(by: 1)
      case .object: try openObject()
      case .array: try openArray()
      }
    } while containers.count > depth
  }

  /// - Precondition: The next value is an object.
  mutating func openObject() throws(BodyError) {
    containers.append(.newObject)
    try advance(by: 1)
  }

  /// - Precondition: The next value is an array.
  mutating func openArray() throws(BodyError) {
    containers.append(.newArray)
    try advance(by: 1)
  }

  /// Moves to the next member of the object that was opened last, and reads its name as a word;
  /// `nil` at the end, which closes the object.
  mutating func nextField() throws(BodyError) -> String? {
    guard let name = try nextFieldName() else { return nil }
    var bytes: [UInt8] = []
    try appendString(at: name, to: &bytes)
    return Self.shortenedWord(bytes)
  }

  private mutating func skipFieldName(isRaw: Bool) throws(BodyError) -> Bool {
    guard let name = try nextFieldName() else { return false }
    guard JSONGrammar.endOfString(text + name + 1, isRaw: isRaw) != nil else {
      throw .syntax(offset: name)
    }
    return true
  }

  /// Moves to the next member. The result is the offset of its name, or `nil` at the end.
  private mutating func nextFieldName() throws(BodyError) -> Int? {
    let last = containers.count - 1
    guard let name = try nextMemberName(isFirst: containers[last] == .newObject) else {
      containers.removeLast()
      return nil
    }
    containers[last] = .object
    return name
  }

  /// Like `nextFieldName()`, for an object that is not in the list of open containers, such as a
  /// row.
  @inline(__always)
  mutating func nextMemberName(isFirst: Bool) throws(BodyError) -> Int? {
    if byte(cursor) == UInt8(ascii: "}") {
      try advance(by: 1)
      return nil
    }
    if !isFirst {
      guard byte(cursor) == UInt8(ascii: ",") else { throw syntaxError(at: cursor) }
      try advance(by: 1)
    }
    guard byte(cursor) == UInt8(ascii: "\"") else { throw syntaxError(at: cursor) }
    guard byte(cursor + 1) == UInt8(ascii: ":") else { throw syntaxError(at: cursor + 1) }
    let name = offset(cursor)
    try advance(by: 2)
    return name
  }

  /// Moves to the next element of the array that was opened last; false at the end, which closes
  /// the array.
  mutating func nextElement() throws(BodyError) -> Bool {
    if byte(cursor) == UInt8(ascii: "]") {
      containers.removeLast()
      try advance(by: 1)
      return false
    }
    if containers[containers.count - 1] == .newArray {
      containers[containers.count - 1] = .array
    } else {
      guard byte(cursor) == UInt8(ascii: ",") else { throw syntaxError(at: cursor) }
      try advance(by: 1)
    }
    return true
  }

  /// Checks that nothing follows the value.
  func finish() throws(BodyError) {
    if cursor < tokenCount { throw syntaxError(at: cursor) }
  }
}
