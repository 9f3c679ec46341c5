import MicroHTTP

/// The hosts for which the service answers.
///
/// A page of another site can have its own name lead to this machine (DNS rebinding). Browsers then
/// let it read all answers. But the requests have that name in `Host`.
public struct AllowedHosts: Equatable, Sendable {
  private let names: NamePatterns

  /// The names of the machine on which it runs, for its own users.
  public static let loopback = AllowedHosts(
    names: NamePatterns(["localhost", "*.localhost", "127.0.0.1", "[::1]"]))

  private init(names: NamePatterns) {
    self.names = names
  }

  /// Reads names and addresses, separated by commas. `*.example.com` stands for all names below
  /// `example.com`. `nil` if one has a port or cannot be a host.
  public init?(_ text: String) {
    var hosts: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let host = part.withoutBlanksAround().lowercased()
      let address = SocketAddress(host: host)
      let isIPv6 = address != nil && host.contains(":")
      guard isIPv6 || Self.isHost(host) else { return nil }
      hosts.append(isIPv6 ? "[\(host)]" : host)
    }
    names = NamePatterns(hosts)
  }

  private static func isHost(_ text: String) -> Bool {
    if text.hasPrefix("[") {
      return text.hasSuffix("]") && SocketAddress(host: String(text.dropFirst().dropLast())) != nil
    }
    let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
    return !name.isEmpty && name.utf8.allSatisfy(NamePatterns.mayStandInName)
  }

  /// Whether it answers a request with this `Host`.
  func admit(_ field: String?) -> Bool {
    guard let field else { return false }
    let text = field.lowercased()
    let host =
      text.hasPrefix("[")
      ? text.prefix { $0 != "]" } + "]"
      : text.prefix { $0 != ":" }
    // A dot at the end makes a name absolute, and means the same.
    return names.contains(String(host.hasSuffix(".") ? host.dropLast() : host))
  }
}
