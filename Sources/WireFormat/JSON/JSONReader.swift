import CSimdJSON
import CollectionLayout

/// Why a text cannot be read.
enum JSONError: Error, Equatable {
  /// No JSON (RFC 8259); the offset is that of the first byte that cannot stand where it stands,
  /// as near as the reader can tell.
  case syntax(offset: Int)
  /// Longer than 4 GiB.
  case tooLarge
}

enum JSONType {
  case null, boolean, number, string, object, array
}

/// Reads a JSON text in one pass, from front to back.
///
///     text     {  "height" :  [ 120 ,  null ] }
///     tokens   0  1        2  3 4   5  6    7 8
///     cursor   ───────────────▲
///
/// simdjson's first stage finds where every token begins and checks the UTF-8; the reader's cursor
/// then moves over the tokens once. It stands either before a value, which must be read or skipped
/// before anything else, or behind one, in the container that was opened last. All that is passed
/// over is checked, and nothing depends on how deep the text is nested.
///
/// The tokens of a large text are found a window at a time, so that both the window and its tokens
/// are in the cache when they are read, and no more memory is needed for them than for a window;
/// see ``TokenWindow``. What is wrong with the encoding of later parts is not known before they are
/// reached: ``checkRest()`` tells.
///
/// The text must stay where it is as long as the reader is used.
struct JSONReader: ~Copyable {
  /// Bytes that must follow the text in memory; they are overwritten.
  static let padding = Int(CSIMDJSON_PADDING)
  /// A text of a million rows is read in a sixth less time than with all its tokens found first:
  /// they are 24 MB, of which every page is new.
  static let windowBytes = 64 << 10
  /// So many tokens from the cursor on are always known, if the text has as many: more than a row
  /// that is read at once has.
  private static let lookahead = 64

  let text: UnsafeMutablePointer<UInt8>
  let count: Int
  private let tokenWindow: TokenWindow
  /// Where the window begins that the tokens are offsets in.
  private(set) var window: UnsafeMutablePointer<UInt8>
  /// Where the window ends, as an offset in the text.
  private var windowEnd: Int
  private(set) var tokens: UnsafePointer<UInt32>
  private(set) var tokenCount: Int
  /// The token that comes next.
  private(set) var cursor = 0
  /// The containers that are open, from the outermost.
  private var containers: [Container] = []
  /// Memory for the columns of a block of rows, used again for the next.
  lazy var scratch = RowScratch(rows: blockRows)
  /// The most rows of a block: few enough for its columns to stay in the cache until they are
  /// stored. Not to be changed once rows have been read.
  var blockRows = 8192

  private enum Container: UInt8 {
    case object, array
    /// Opened, and nothing of it read.
    case newObject, newArray
  }

  /// - Parameters:
  ///   - bytes: The text; `padding` more bytes of the same memory follow it.
  ///   - windowBytes: About how much of it is looked through at once.
  /// - Complexity: O(bytes) until all of it has been read.
  init(
    _ bytes: UnsafeMutableRawBufferPointer, windowBytes: Int = Self.windowBytes
  ) throws(JSONError) {
    guard bytes.count < Int(UInt32.max) - Self.padding else { throw .tooLarge }
    guard let base = bytes.baseAddress else { throw .syntax(offset: 0) }
    let text = base.assumingMemoryBound(to: UInt8.self)
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

  /// Moves the cursor, and the window when the cursor comes near its end: the numbers of tokens are
  /// then others.
  @inline(__always)
  mutating func advance(by count: Int) throws(JSONError) {
    cursor += count
    if tokenCount - cursor < Self.lookahead && windowEnd < self.count {
      try moveWindow(to: offset(cursor))
    }
  }

  /// Moves the window, and the cursor to its first token.
  ///
  /// - Parameter offset: Where a token begins.
  @inline(never)
  mutating func moveWindow(to offset: Int) throws(JSONError) {
    giveWay(atStep: offset / Self.windowBytes, of: 4)
    do {
      try tokenWindow.move(to: offset)
    } catch {
      // The tokens that there were are gone, and no others are known: the text ends here.
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

  /// Checks the encoding of what has not been reached, which comes before whatever else is wrong.
  mutating func checkRest() throws(JSONError) {
    while windowEnd < count {
      try moveWindow(to: offset(tokenCount - 1))
    }
  }

  // MARK: Tokens

  /// The first byte of a token; a space behind the last.
  @inline(__always)
  func byte(_ token: Int) -> UInt8 {
    token < tokenCount ? window[Int(tokens[token])] : UInt8(ascii: " ")
  }

  /// Where the next value begins.
  var position: Int { offset(cursor) }

  @inline(__always)
  func offset(_ token: Int) -> Int {
    token < tokenCount ? window - text + Int(tokens[token]) : windowEnd
  }

  func syntaxError(at token: Int) -> JSONError { .syntax(offset: offset(token)) }

  /// Where a scalar's own text may end: the next token.
  func end(_ token: Int) -> Int { offset(token + 1) }

  // MARK: Values

  /// The type of the value that comes next.
  func nextType() throws(JSONError) -> JSONType {
    switch byte(cursor) {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    default: throw syntaxError(at: cursor)
    }
  }

  /// - Precondition: A boolean comes next.
  mutating func readBoolean() throws(JSONError) -> Bool {
    let value = byte(cursor) == UInt8(ascii: "t")
    try checkLiteral(value ? "true" : "false")
    try advance(by: 1)
    return value
  }

  /// Reads a number as the nearest double: infinite where no double is as large.
  ///
  /// - Precondition: A number comes next.
  mutating func readNumber() throws(JSONError) -> Double {
    let value = try number(at: cursor)
    try advance(by: 1)
    return value
  }

  @inline(__always)
  func number(at token: Int) throws(JSONError) -> Double {
    let start = offset(token)
    if let value = Double.plain(text + start, length: UInt32(end(token) - start)) { return value }
    return try unusualNumber(at: token)
  }

  /// The most characters of a number that simdjson converts. Version 3.0 misreads some longer ones:
  /// those with 20 and more digits behind "0.", and with exponents of 19.
  static let plainNumberLength = 20

  /// A number that is long or too large for a double, or none at all.
  @inline(never)
  private func unusualNumber(at token: Int) throws(JSONError) -> Double {
    let start = UnsafePointer(text + offset(token))
    guard let end = JSONGrammar.endOfNumber(start), JSONGrammar.endsScalar(end.pointee) else {
      throw syntaxError(at: token)
    }
    var value = 0.0
    if end - start <= Self.plainNumberLength, csimdjson_number(start, &value) { return value }
    let digits = UnsafeBufferPointer(start: start, count: end - start)
    guard let value = Double(String(decoding: digits, as: UTF8.self)) else {
      throw syntaxError(at: token)
    }
    return value
  }

  /// Reads a string that is to be compared with words of ours.
  ///
  /// - Precondition: A string comes next.
  mutating func readWord() throws(JSONError) -> String {
    var bytes: [UInt8] = []
    try readString(appendingTo: &bytes)
    return Self.shortenedWord(bytes)
  }

  /// The text of a word; of more bytes than any word of ours has, the beginning and an ellipsis.
  ///
  /// Comparing and hashing strings takes time by the square of the combining characters that stand
  /// together: minutes for a megabyte of them.
  static func shortenedWord(_ bytes: [UInt8]) -> String {
    guard bytes.count > maxWordLength else { return String(decoding: bytes, as: UTF8.self) }
    var end = maxWordLength
    while bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "…"
  }

  private static let maxWordLength = 128

  /// Reads a string, unescaped.
  ///
  /// - Precondition: A string comes next.
  mutating func readString(appendingTo bytes: inout [UInt8]) throws(JSONError) {
    try appendString(at: offset(cursor), to: &bytes)
    try advance(by: 1)
  }

  func appendString(at offset: Int, to bytes: inout [UInt8]) throws(JSONError) {
    guard JSONGrammar.unescape(text + offset + 1, into: &bytes) != nil else {
      throw .syntax(offset: offset)
    }
  }

  /// Passes over a value as ``skipValue()`` does and gives its text for a message.
  mutating func skipValueText() throws -> String {
    let start = position
    try skipValue()
    return text(from: start)
  }

  /// The text of the value that was read last, for a message: cut to some 40 bytes.
  ///
  /// - Parameter start: Where it begins.
  func text(from start: Int) -> String {
    var end = min(position, count)
    func trim() { while end > start, JSONGrammar.isWhitespace(text[end - 1]) { end -= 1 } }
    trim()
    let isCut = end - start > 40
    if isCut {
      end = start + 40
      while end > start, text[end] & 0xC0 == 0x80 { end -= 1 }
      trim()
    }
    let bytes = UnsafeBufferPointer(start: text + start, count: end - start)
    return String(decoding: bytes, as: UTF8.self) + (isCut ? "…" : "")
  }

  private func checkLiteral(_ literal: StaticString) throws(JSONError) {
    let start = text + offset(cursor)
    for index in 0..<literal.utf8CodeUnitCount where start[index] != literal.utf8Start[index] {
      throw syntaxError(at: cursor)
    }
    guard JSONGrammar.endsScalar(start[literal.utf8CodeUnitCount]) else {
      throw syntaxError(at: cursor)
    }
  }

  /// Passes over a value, checking all of it.
  mutating func skipValue() throws {
    let depth = containers.count
    repeat {
      if containers.count > depth {
        switch containers[containers.count - 1] {
        case .object, .newObject: if try !skipFieldName() { continue }
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
        guard JSONGrammar.endOfString(text + offset(cursor) + 1) != nil else {
          throw syntaxError(at: cursor)
        }
        try advance(by: 1)
      case .object: try openObject()
      case .array: try openArray()
      }
    } while containers.count > depth
  }

  // MARK: Containers

  /// - Precondition: An object comes next.
  mutating func openObject() throws(JSONError) {
    containers.append(.newObject)
    try advance(by: 1)
  }

  /// - Precondition: An array comes next.
  mutating func openArray() throws(JSONError) {
    containers.append(.newArray)
    try advance(by: 1)
  }

  /// Moves to the next member of the object that was opened last and reads its name, a word; `nil`
  /// closes the object.
  mutating func nextField() throws(JSONError) -> String? {
    guard let name = try nextFieldName() else { return nil }
    var bytes: [UInt8] = []
    try appendString(at: name, to: &bytes)
    return Self.shortenedWord(bytes)
  }

  private mutating func skipFieldName() throws(JSONError) -> Bool {
    guard let name = try nextFieldName() else { return false }
    guard JSONGrammar.endOfString(text + name + 1) != nil else { throw .syntax(offset: name) }
    return true
  }

  /// Moves to the next member; the offset of its name, or `nil` at the end.
  private mutating func nextFieldName() throws(JSONError) -> Int? {
    let last = containers.count - 1
    guard let name = try nextMemberName(isFirst: containers[last] == .newObject) else {
      containers.removeLast()
      return nil
    }
    containers[last] = .object
    return name
  }

  /// The same for an object that need not be among the containers, as a row is not.
  @inline(__always)
  mutating func nextMemberName(isFirst: Bool) throws(JSONError) -> Int? {
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

  /// Moves to the next element of the array that was opened last; false closes the array.
  mutating func nextElement() throws(JSONError) -> Bool {
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

  /// Checks that nothing follows the value that was read.
  func finish() throws(JSONError) {
    if cursor < tokenCount { throw syntaxError(at: cursor) }
  }
}
