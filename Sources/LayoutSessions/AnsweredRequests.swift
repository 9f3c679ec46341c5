/// Remembers the requests that had a key, and what was answered. A request is sent again if its
/// answer was lost. Then it gets the remembered answer, and nothing is made twice.
///
///     begin ──▶ begun ──▶ (make it) ──▶ end
///        │                    └───────▶ abandon
///        └────▶ answered, isUnderWay, isAnother
///
/// All calls may block for as long as those of a ``Log``, and are safe on several threads at
/// once.
public protocol AnsweredRequests: Sendable {
  /// Begins a request, if nobody else has begun it.
  func begin(_ request: KeyedRequest) throws(LogError) -> KeyedRequest.Beginning

  /// Keeps the answer of a request that was begun.
  ///
  /// - Parameter answer: `nil` if it is too long to be kept. Then only that the request was made is
  ///   kept.
  func end(_ request: KeyedRequest, with answer: KeptAnswer?) throws(LogError)

  /// Forgets a request that was begun, and changed nothing.
  func abandon(_ request: KeyedRequest)
}

/// A request with a key, as hashes. Whoever sees the hashes does not know the key.
public struct KeyedRequest: Sendable {
  /// The hash of the key, of the client, and of the method and path that the key is for. The
  /// request is found by this hash.
  public var key: [UInt8]
  /// The hash of what the request asks for.
  public var content: [UInt8]
  /// A random number, which stands for this attempt to make the request.
  public let attempt: UInt64

  public init(key: [UInt8], content: [UInt8]) {
    self.key = key
    self.content = content
    attempt = .random(in: .min ... .max)
  }

  /// What is known of a request when it is to be made.
  public enum Beginning: Equatable, Sendable {
    /// Nothing is known. The request is under way from now on.
    case begun
    /// Another attempt makes the request now.
    case isUnderWay
    /// Another request was sent with the key.
    case isAnother
    /// The request was made; `nil` if the answer was too long to be kept.
    case answered(KeptAnswer?)
  }
}

/// An answer to a change, as it is given again.
public struct KeptAnswer: Equatable, Sendable {
  /// The longest body that is kept, in bytes.
  public static let maxBytes = 1 << 20

  public var status: Int
  public var entityTag: String
  /// The path of the layout that was made; empty if none was made.
  public var location: String
  public var body: [UInt8]

  public init(status: Int, entityTag: String, location: String, body: [UInt8]) {
    self.status = status
    self.entityTag = entityTag
    self.location = location
    self.body = body
  }

  /// The answer as bytes: a line for each part, then the body.
  public var encoded: [UInt8] { Array("\(status)\n\(entityTag)\n\(location)\n".utf8) + body }

  /// Reads what ``encoded`` has written; `nil` for anything else.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.maxBytes + 4096 else { return nil }
    let parts = bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
    let lines = parts.prefix(3).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 4, parts[..<3].joined().allSatisfy({ (0x20..<0x7f).contains($0) }),
      let status = Int(lines[0]), (200..<300).contains(status)
    else { return nil }
    self.init(status: status, entityTag: lines[1], location: lines[2], body: Array(parts[3]))
  }
}
