public import MicroHTTP

extension Gateway {
  /// The configuration of the gateway.
  public struct Configuration: Sendable {
    /// The web pages that may read the answers.
    public var cors: CORSPolicy = .anyOrigin
    /// The keys, of which a request needs one; `nil` for an open service.
    public var apiKeys: APIKeys?
    /// Whether no key is needed for what is done with a layout whose id is known.
    public var needsIDsAlone = false
    /// The hosts for which it answers; `nil` for all.
    public var allowedHosts: AllowedHosts?
    /// Where clients reach the service; `nil` for the root.
    public var basePath: BasePath?
    /// The proxies that may say who a client is.
    public var trustedProxies = AddressRanges()
    /// Whether every request is logged.
    public var logsAccess = false

    /// The defaults.
    public static let standard = Self()
  }
}

extension Gateway.Configuration {
  /// Whether a request without content may be refused for its header section.
  var checksEveryRequest: Bool { apiKeys != nil || allowedHosts != nil }
}
