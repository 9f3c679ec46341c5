import CMicroHTTPD

/// Reads a header section once, as libmicrohttpd holds it. It checks what libmicrohttpd does not,
/// and collects the fields.
///
/// libmicrohttpd cuts the received text in place, so the parts still follow one another:
///
///     G E T ␀ / x ␀ H T T P / 1 . 1 ␀ ␀ H o s t ␀   l o c a l ␀ ␀ ␀ ␀
///     └method┘└tgt┘└── version ───┘     └name─┘   └─value─┘     └ end of the section
///
/// So each part must begin where the one before it ends. If it does not, something is hidden: a NUL
/// that cut a value short, or a folded line, which libmicrohttpd moves and appends to the name.
struct HeaderSectionReader: ~Copyable {
  /// The parts of the request line.
  struct RequestLine {
    var method: UnsafeBufferPointer<UInt8>
    /// The address of the target when it was copied. It must not be read any more.
    var target: UnsafeRawPointer
    var targetCount: Int
    var version: UnsafeRawPointer
  }

  /// How the content is delimited.
  enum ContentLength: Equatable {
    case none
    case known(Int)
    case chunked
  }

  private let storage: RequestStorage
  /// The start of the field lines.
  private let start: UnsafeRawPointer
  private var cursor: UnsafeRawPointer
  private var hostCount = 0
  private var lengthCount = 0
  private var codingCount = 0
  private var hasCookies = false
  private(set) var contentLength = ContentLength.none
  private(set) var expectsContinue = false
  /// The memory of a connection that libmicrohttpd's records of the fields need, with its copies,
  /// in bytes.
  private(set) var recordBytes = 0
  /// The error in the request, in words for its sender. Only the first one is kept.
  private(set) var defect: String?

  private static let versionCount = 8
  /// A record has 56 bytes and is aligned to 16.
  private static let bytesPerRecord = 64

  /// - Parameter storage: The storage for the fields. Fields of an earlier request are removed.
  init(_ line: RequestLine, into storage: consuming RequestStorage) {
    storage.headers.removeAll()
    self.storage = storage
    start = line.version + Self.versionCount
    cursor = start
    let method = UnsafeRawPointer(line.method.baseAddress!)
    if line.method.isEmpty || !line.method.allSatisfy(\.isTokenByte) {
      defect = "the method is not a token"
    } else if line.target != method + line.method.count + 1
      || line.version != line.target + line.targetCount + 1
    {
      defect = "the request line is not method, target and version with single spaces between"
    }
  }

  /// Reads all fields of a connection and finishes the checks.
  ///
  /// - Parameter end: The end of the header section.
  mutating func read(_ connection: OpaquePointer, until end: UnsafeRawPointer, isHTTP10: Bool) {
    let fieldCount = withUnsafeMutablePointer(to: &self) {
      MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { context, _, name, nameCount, value, valueCount in
          context!.assumingMemoryBound(to: HeaderSectionReader.self).pointee
            .take(name, nameCount, value, valueCount)
        }, $0)
    }
    recordBytes += Int(fieldCount) * Self.bytesPerRecord
    if hasCookies {
      let cookieCount = MHD_get_connection_values_n(connection, .COOKIE_KIND, nil, nil)
      recordBytes += Int(cookieCount) * Self.bytesPerRecord
    }
    storage.headers.append(bytes: Self.bytes(start, cursor - start))
    // This is the end of the last line and the empty line, each one or two bytes.
    if !(2...4).contains(end - cursor) {
      report("a header field has a NUL or continues on the next line")
    }
    if codingCount > 0 {
      if lengthCount > 0 { report("Transfer-Encoding and Content-Length exclude each other") }
      if isHTTP10 { report("HTTP/1.0 has no Transfer-Encoding") }
    }
    if codingCount > 1 { report("Transfer-Encoding was sent more than once") }
    if lengthCount > 1 { report("Content-Length was sent more than once") }
    if hostCount > 1 { report("Host was sent more than once") }
    if hostCount == 0 && !isHTTP10 { report("Host is missing") }
  }

  /// The memory of a connection that the trailers of chunked content need. Nobody reads trailers.
  ///
  /// Bytes that libmicrohttpd does not show are not counted: those after a NUL in the last trailer,
  /// those of a folded line, and those of a line without a name.
  ///
  /// - Parameter headerEnd: The end of the header section.
  static func trailerBytes(of connection: OpaquePointer, from headerEnd: UnsafeRawPointer) -> Int {
    var end = headerEnd
    let fieldCount = withUnsafeMutablePointer(to: &end) {
      MHD_get_connection_values_n(
        connection, .FOOTER_KIND,
        { end, _, _, _, value, valueCount in
          // The last line of the header section is also among them.
          let end = end!.assumingMemoryBound(to: UnsafeRawPointer.self)
          if let value { end.pointee = max(end.pointee, UnsafeRawPointer(value) + valueCount) }
          return .YES
        }, $0)
    }
    return end - headerEnd + Int(fieldCount) * bytesPerRecord
  }

  private mutating func take(
    _ name: UnsafePointer<CChar>?, _ nameCount: Int, _ value: UnsafePointer<CChar>?,
    _ valueCount: Int
  ) -> MHD_Result {
    guard let nameStart = UnsafeRawPointer(name), let valueStart = UnsafeRawPointer(value) else {
      report("a header field has no value")
      return .NO
    }
    let nameEnd = nameStart + nameCount
    guard (1...2).contains(nameStart - cursor), valueStart > nameEnd else {
      report("a header field has a NUL or continues on the next line")
      return .NO
    }
    cursor = valueStart + valueCount
    let name = Self.bytes(nameStart, nameCount)
    let known = KnownField(name)
    if known == nil, name.isEmpty || !name.allSatisfy({ $0.isTokenByte }) {
      report("the name of a header field is not a token")
      return .NO
    }
    var count = valueCount
    while count > 0, valueStart.load(fromByteOffset: count - 1, as: UInt8.self).isSpaceOrTab {
      count -= 1
    }
    let value = Self.bytes(valueStart, count)
    if value.hasByte(below: 0x20, or: 0x7f, or: 0x7f),
      value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f })
    {
      report("a header field has a control character")
      return .NO
    }
    if let known { check(known, value, Self.bytes(valueStart, valueCount)) }
    let (nameOffset, valueOffset) = (UInt32(nameStart - start), UInt32(valueStart - start))
    storage.headers.append(
      HeaderFields.Field(
        nameStart: nameOffset, nameEnd: nameOffset + UInt32(nameCount), valueStart: valueOffset,
        valueEnd: valueOffset + UInt32(count), known: known))
    return .YES
  }

  /// - Parameter untrimmed: The value as libmicrohttpd compares it.
  private mutating func check(
    _ field: KnownField, _ value: UnsafeBufferPointer<UInt8>,
    _ untrimmed: UnsafeBufferPointer<UInt8>
  ) {
    switch field {
    case .host:
      hostCount += 1
      if !value.isHostAndPort { report("Host is not a valid host") }
    case .contentLength:
      lengthCount += 1
      if let length = Decimal.digits(untrimmed.span) {
        contentLength = length == 0 ? .none : .known(length)
      } else {
        report("Content-Length is not a number")
      }
    case .transferEncoding:
      codingCount += 1
      if untrimmed.spells(lowercase: "chunked") {
        contentLength = .chunked
      } else {
        report("the only supported transfer coding is chunked")
      }
    case .cookie:
      hasCookies = true
      recordBytes += untrimmed.count + 1
    case .expect:
      if untrimmed.spells(lowercase: "100-continue") { expectsContinue = true }
    default:
      break
    }
  }

  /// Whether a length was declared, by `Content-Length` (even 0) or by `Transfer-Encoding`.
  var hasDeclaredLength: Bool { lengthCount > 0 || codingCount > 0 }

  private mutating func report(_ defect: String) {
    if self.defect == nil { self.defect = defect }
  }

  private static func bytes(_ start: UnsafeRawPointer, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
  }
}
