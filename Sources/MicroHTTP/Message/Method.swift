import Glibc

/// A request method (RFC 9110, section 9). It is case-sensitive.
///
/// Unknown methods are kept as they were sent.
public struct Method: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  public let rawValue: String
  /// The method as an integer, if it has a static member. Then a comparison is quick.
  private let known: Known?

  private enum Known: UInt8 {
    case get, head, post, put, patch, delete, options
  }

  public init(rawValue: String) {
    var name = rawValue
    self = name.withUTF8 { Self.known($0) } ?? Method(nil, rawValue)
  }

  /// A method as it was sent. The known methods cost no allocation, nor do others of up to 15
  /// bytes.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self = Self.known(bytes) ?? Method(nil, String(ascii: bytes))
  }

  private init(_ known: Known?, _ rawValue: String) {
    self.known = known
    self.rawValue = rawValue
  }

  public static var get: Method { Method(.get, "GET") }
  public static var head: Method { Method(.head, "HEAD") }
  public static var post: Method { Method(.post, "POST") }
  public static var put: Method { Method(.put, "PUT") }
  public static var patch: Method { Method(.patch, "PATCH") }
  public static var delete: Method { Method(.delete, "DELETE") }
  public static var options: Method { Method(.options, "OPTIONS") }

  private static func known(_ bytes: UnsafeBufferPointer<UInt8>) -> Method? {
    func spells(_ text: StaticString) -> Bool {
      memcmp(bytes.baseAddress!, text.utf8Start, bytes.count) == 0
    }
    return switch bytes.count {
    case 3 where spells("GET"): .get
    case 3 where spells("PUT"): .put
    case 4 where spells("POST"): .post
    case 4 where spells("HEAD"): .head
    case 5 where spells("PATCH"): .patch
    case 6 where spells("DELETE"): .delete
    case 7 where spells("OPTIONS"): .options
    default: nil
    }
  }

  public static func == (a: Method, b: Method) -> Bool {
    if a.known != nil || b.known != nil { return a.known == b.known }
    return a.rawValue == b.rawValue
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  public var description: String { rawValue }

  /// Whether a request with this method should have content. Without a length it gets 411.
  public var expectsContent: Bool {
    switch known {
    case .post, .put, .patch: true
    default: false
    }
  }
}
