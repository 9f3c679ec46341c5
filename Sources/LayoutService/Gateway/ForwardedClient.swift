import MicroHTTP

/// The client behind proxies that are trusted.
enum ForwardedClient {
  /// The address of the client, if a trusted proxy says it.
  ///
  /// Each proxy appends the address of its peer. So this is the last address that is not of a
  /// trusted proxy; what stands before it may be invented.
  static func address(of request: borrowing Request, trusting proxies: AddressRanges) -> String? {
    guard !proxies.isEmpty, proxies.contains(request.remoteAddress),
      let list = request["X-Forwarded-For"]
    else { return nil }
    var client: String?
    for part in list.split(separator: ",").reversed() {
      guard let address = address(in: String(part.withoutBlanksAround())) else { return client }
      client = address.host
      if !proxies.contains(address) { return client }
    }
    return client
  }

  /// An address, which some proxies write with a port.
  private static func address(in text: String) -> SocketAddress? {
    if let address = SocketAddress(host: text) { return address }
    if text.hasPrefix("[") {
      return SocketAddress(host: String(text.dropFirst().prefix { $0 != "]" }))
    }
    return SocketAddress(host: String(text.prefix { $0 != ":" }))
  }
}
