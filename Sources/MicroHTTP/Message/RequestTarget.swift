/// The target of a request: the raw bytes of its path and query. They are never percent-decoded
/// here.
///
/// An origin-form target (`/layouts?x=1`) is kept as it was sent. In an absolute-form target
/// (`http://host/layouts?x=1`) the path begins after the authority; if there is nothing after it,
/// the path is `/`. `OPTIONS *` has the path `*`.
///
/// Source: RFC 9112, section 3.2
public struct RequestTarget: Sendable {
  /// The whole target as it was sent.
  public private(set) var bytes: [UInt8]
  /// Where the path begins with the prefix under which the service is reached.
  private var prefixStart = 0
  private var pathStart = 0
  private var pathEnd = 0
  /// The index behind the question mark; it is beyond the end if there is none.
  private var queryStart = 0

  public init(_ string: String) {
    self.init(Array(string.utf8))
  }

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    split(at: bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count)
  }

  /// Replaces the bytes. It reuses the memory if nobody else has a reference to it.
  ///
  /// - Parameter question: The index of the first question mark.
  mutating func replace(with new: UnsafeBufferPointer<UInt8>, question: Int?) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: new)
    split(at: question ?? new.count)
  }

  private mutating func split(at end: Int) {
    let authority = authority
    pathStart = authority?.upperBound ?? 0
    pathEnd = end
    queryStart = pathEnd + 1
    if authority != nil && pathEnd == pathStart {
      // There is no path. The second slash of "://" is used as the root.
      pathStart = bytes.firstIndex(of: UInt8(ascii: "/"))! + 1
      pathEnd = pathStart + 1
    }
    prefixStart = pathStart
  }

  /// Host and port of an absolute-form target; `nil` for other forms. They count instead of `Host`.
  public var authorityText: String? {
    authority.map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// The bytes before `?`.
  public var path: ArraySlice<UInt8> { bytes[pathRange] }

  /// The path with the prefix under which the service is reached, as clients know it.
  public var fullPath: ArraySlice<UInt8> { bytes[prefixStart..<pathEnd] }

  /// The prefix under which the service is reached; empty for the root.
  public var prefix: ArraySlice<UInt8> { bytes[prefixStart..<pathStart] }

  /// The same target, where clients reach the service under a prefix.
  ///
  /// The prefix is no part of `path`. A proxy may have removed it, so the target need not have it.
  ///
  /// - Parameter prefix: Segments that each begin with a slash.
  public func mounted(at prefix: String) -> RequestTarget {
    let prefix = Array(prefix.utf8)
    var rest = path
    if rest.starts(with: prefix),
      rest.count == prefix.count || rest.dropFirst(prefix.count).first == UInt8(ascii: "/")
    {
      rest = rest.dropFirst(prefix.count)
    }
    let start = bytes[..<(authority?.upperBound ?? 0)]
    var target = RequestTarget(
      start + prefix + rest + (query.map { [UInt8(ascii: "?")] + $0 } ?? []))
    target.pathStart += prefix.count
    return target
  }

  /// The bytes after the first `?`; `nil` if there is none.
  public var query: ArraySlice<UInt8>? { queryRange.map { bytes[$0] } }

  /// The range of the path in `bytes`.
  public var pathRange: Range<Int> { pathStart..<pathEnd }

  /// The range of the query in `bytes`; `nil` if there is none.
  public var queryRange: Range<Int>? {
    queryStart <= bytes.count ? queryStart..<bytes.count : nil
  }

  /// The error in this target, if it is used with a method; `nil` if there is none.
  func defect(for method: Method) -> String? {
    let isClean = bytes.withUnsafeBufferPointer {
      !$0.hasByte(below: 0x21, or: 0x7f, or: UInt8(ascii: "#"), orAboveASCII: true)
    }
    guard isClean else { return "the request target has a byte that must be percent-encoded" }
    if bytes.first == UInt8(ascii: "/") { return nil }
    if bytes.elementsEqual("*".utf8) {
      return method == .options ? nil : "the request target * is for OPTIONS only"
    }
    guard let authority else { return "the request target has to begin with a slash" }
    let isHost = bytes.withUnsafeBufferPointer {
      $0[authority.lowerBound] != UInt8(ascii: ":")
        && UnsafeBufferPointer(rebasing: $0[authority]).isHostAndPort
    }
    return isHost ? nil : "the authority of the request target is not a host"
  }

  /// The range of the authority of an absolute-form target in `bytes`; `nil` for other forms. It is
  /// not empty.
  private var authority: Range<Int>? {
    guard let first = bytes.first, first | 0x20 == UInt8(ascii: "h") else { return nil }
    for scheme in ["http://", "https://"] as [StaticString] {
      let count = scheme.utf8CodeUnitCount
      guard bytes.count > count,
        bytes[..<count].withUnsafeBufferPointer({ $0.spells(lowercase: scheme) })
      else { continue }
      let end = bytes[count...].firstIndex {
        $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?")
      }
      let range = count..<(end ?? bytes.count)
      return range.isEmpty ? nil : range
    }
    return nil
  }
}

extension RequestTarget: CustomStringConvertible {
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension RequestTarget {
  /// Whether the path has percent signs, correct or not.
  package var hasEncodedPath: Bool {
    bytes.span.extracting(pathRange).firstIndex(of: UInt8(ascii: "%")) != nil
  }

  /// The target in a form in which equivalent paths are equal: unreserved characters are not
  /// percent-encoded. All other encoded characters stay encoded, for example a slash.
  ///
  /// The scheme and authority of an absolute form are removed.
  ///
  /// Source: RFC 3986, section 6.2.2.2
  package func withPlainPath() -> RequestTarget {
    var plain = PercentCoding.decodeUnreserved(bytes.span.extracting(pathRange))
    if let query { plain += [UInt8(ascii: "?")] + query }
    return RequestTarget(plain)
  }
}
