/// Where a shared store is: `redis://host:6379/0?prefix=…` or `unix:///run/redis.sock?prefix=…`.
public struct StoreAddress: Equatable, Sendable {
  /// What to connect to.
  public enum Endpoint: Hashable, Sendable {
    case tcp(host: String, port: Int)
    case unix(path: String)
  }

  /// Where the store is; with sentinels, the first of them.
  public var endpoint: Endpoint
  /// The user of Redis' access control list; `nil` is its default user.
  public var user: String?
  /// The password; `nil` connects without authentication.
  public var password: String?
  /// The number of the database, ≥ 0.
  public var database = 0
  /// What all keys and channels begin with.
  public var prefix = defaultPrefix
  /// Whether a store is taken that may drop keys when it is full.
  public var allowsEviction = false
  /// Who says where the store is; `nil` if that is known.
  public var sentinels: Sentinels?

  /// Servers that watch a store and its replicas.
  public struct Sentinels: Equatable, Sendable {
    /// Asked in this order.
    public var endpoints: [Endpoint]
    /// The name by which they know the store.
    public var master: String
  }

  /// The prefix of an address without one.
  public static let defaultPrefix = "layoutd:"
  private static let defaultPort = 6379
  private static let defaultSentinelPort = 26_379

}

extension StoreAddress {
  public init(_ endpoint: Endpoint) {
    self.init(endpoint: endpoint)
  }

  /// Reads an address as an option gives it.
  ///
  /// - Throws: ``Malformed`` with a sentence that says what would be right.
  public init(_ text: String) throws(Malformed) {
    guard let schemeEnd = text.firstRange(of: "://") else { throw .form }
    let scheme = text[..<schemeEnd.lowerBound].lowercased()
    var rest = text[schemeEnd.upperBound...]
    var query = Substring()
    if let mark = rest.firstIndex(of: "?") {
      query = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    switch scheme {
    case "redis": try self.init(tcp: rest)
    case "redis+sentinel": try self.init(sentinels: rest)
    case "unix": try self.init(unix: rest)
    case "rediss": throw .tls
    default: throw .form
    }
    try read(query: query)
  }

  private init(tcp text: Substring) throws(Malformed) {
    self.init(.tcp(host: "", port: Self.defaultPort))
    let (host, path) = try readAuthority(text)
    endpoint = try Self.endpoint(host, port: Self.defaultPort)
    if !path.isEmpty { database = try Self.database(path) }
  }

  /// Reads `user:password@host:26379,host/name`.
  private init(sentinels text: Substring) throws(Malformed) {
    self.init(.tcp(host: "", port: Self.defaultSentinelPort))
    let (hosts, path) = try readAuthority(text)
    let endpoints = try hosts.split(separator: ",", omittingEmptySubsequences: false)
      .map { (part) throws(Malformed) in
        try Self.endpoint(part, port: Self.defaultSentinelPort)
      }
    let master = try Self.decoded(path)
    guard !master.isEmpty, !master.contains("/") else { throw .sentinels }
    endpoint = endpoints[0]
    sentinels = Sentinels(endpoints: endpoints, master: master)
  }

  /// Reads `user:password@` in front of hosts.
  ///
  /// - Returns: The hosts, and what follows the slash behind them.
  private mutating func readAuthority(
    _ text: Substring
  ) throws(Malformed) -> (hosts: Substring, path: Substring) {
    let slash = text.firstIndex(of: "/") ?? text.endIndex
    var authority = text[..<slash]
    if let at = authority.lastIndex(of: "@") {
      try readUser(authority[..<at])
      authority = authority[authority.index(after: at)...]
    }
    return (authority, text[slash...].dropFirst())
  }

  /// Reads `host:port`.
  private static func endpoint(
    _ text: Substring, port defaultPort: Int
  ) throws(Malformed) -> Endpoint {
    var (host, port) = (text, defaultPort)
    let bracket = text.lastIndex(of: "]")
    if let colon = text.lastIndex(of: ":"), bracket.map({ $0 < colon }) ?? true {
      guard let number = Int(text[text.index(after: colon)...]), (1...65_535).contains(number)
      else { throw .port }
      port = number
      host = text[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { throw .form }
    return .tcp(host: try decoded(host), port: port)
  }

  private init(unix text: Substring) throws(Malformed) {
    let slash = text.firstIndex(of: "/") ?? text.endIndex
    self.init(.unix(path: try Self.decoded(text[slash...])))
    // A socket's address has so many bytes, and ends with a zero.
    guard case .unix(let path) = endpoint, (1...107).contains(path.utf8.count) else {
      throw .path
    }
    let user = text[..<slash]
    guard !user.isEmpty else { return }
    guard user.hasSuffix("@") else { throw .path }
    try readUser(user.dropLast())
  }

  /// Reads `user:password`, where either may be empty.
  private mutating func readUser(_ text: Substring) throws(Malformed) {
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    let name = try Self.decoded(text[..<colon])
    user = name.isEmpty ? nil : name
    let word = try Self.decoded(text[colon...].dropFirst())
    password = word.isEmpty ? nil : word
  }

  private mutating func read(query: Substring) throws(Malformed) {
    for parameter in query.split(separator: "&") {
      let mark = parameter.firstIndex(of: "=") ?? parameter.endIndex
      let value = try Self.decoded(parameter[mark...].dropFirst())
      switch parameter[..<mark] {
      case "prefix":
        guard value.utf8.count <= 64, value.utf8.allSatisfy(Self.isPlain) else { throw .prefix }
        prefix = value
      case "db": database = try Self.database(value[...])
      case "eviction":
        guard value == "any" else { throw .eviction }
        allowsEviction = true
      default: throw .parameter(String(parameter[..<mark]))
      }
    }
  }

  /// Braces would say which part of a key decides its slot.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "{") && byte != UInt8(ascii: "}")
  }

  private static func database(_ text: Substring) throws(Malformed) -> Int {
    guard let number = Int(text), (0...1_000_000).contains(number) else { throw .database }
    return number
  }

  private static func decoded(_ text: Substring) throws(Malformed) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), value != 0
      else { throw .encoding }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .encoding }
    return decoded
  }
}

extension StoreAddress {
  /// Why a text is no address of a store.
  public struct Malformed: Error, Equatable, CustomStringConvertible {
    public let description: String

    static let form = Malformed(
      description: """
        must be memory, redis://host:6379/0, redis+sentinel://host:26379,host/name or \
        unix:///path/to/socket
        """)
    static let sentinels = Malformed(
      description: """
        must have the name by which the sentinels know the store, as in \
        redis+sentinel://host:26379,host/name
        """)
    static let tls = Malformed(
      description: """
        must be redis:// or unix://: the client library has no TLS. Let stunnel or spiped carry \
        the connection, or a service mesh, and give the local end of the tunnel, as in \
        redis://127.0.0.1:6379/0
        """)
    static let port = Malformed(description: "must have a port from 1 to 65535")
    static let path = Malformed(
      description: "must have an absolute path of at most 107 bytes, as in unix:///run/redis.sock")
    static let database = Malformed(
      description: "must have the number of a database, as in redis://host/0")
    static let prefix = Malformed(
      description: "must have a prefix of at most 64 ASCII characters without blanks and braces")
    static let eviction = Malformed(description: "must have eviction=any, or no eviction")
    static let encoding = Malformed(description: "is wrongly percent-encoded")

    static func parameter(_ name: String) -> Malformed {
      Malformed(description: "has no parameter \(name); there are prefix, db and eviction")
    }
  }
}

extension StoreAddress: CustomStringConvertible {
  /// For logs: without user and password.
  public var description: String {
    if let sentinels {
      let hosts = sentinels.endpoints.map(\.authority).joined(separator: ",")
      return "redis+sentinel://\(hosts)/\(sentinels.master)?db=\(database)&prefix=\(prefix)"
    }
    return switch endpoint {
    case .tcp: "redis://\(endpoint.authority)/\(database)?prefix=\(prefix)"
    case .unix(let path): "unix://\(path)?db=\(database)&prefix=\(prefix)"
    }
  }
}

extension StoreAddress.Endpoint {
  fileprivate var authority: String {
    switch self {
    case .tcp(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    case .unix(let path): path
    }
  }
}
