public import MicroHTTP

extension Gateway {
  /// The configuration of the gateway.
  public struct Configuration: Sendable {
    /// The web pages that may read the answers.
    public var cors: CORSPolicy = .anyOrigin
    /// The web pages that may send credentials as well; `nil` for none.
    public var allowedOrigins: AllowedOrigins?
    /// The keys, of which a request needs one; `nil` for an open service.
    public var apiKeys: APIKeys?
    /// The name of the cookie that may have the key of a request that only reads.
    public var apiKeyCookie: String?
    /// The hosts for which it answers; `nil` for all.
    public var allowedHosts: AllowedHosts?
    /// Where clients reach the service; `nil` for the root.
    public var basePath: BasePath?
    /// The proxies that may say who a client is, and where it reaches the service.
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

  /// Whether any web page may read the answers.
  var hasCORS: Bool { cors != .off || allowedOrigins != nil }

  /// Whether the page that sent a request may send credentials.
  func mayHaveCredentials(_ request: borrowing Request) -> Bool {
    guard let allowedOrigins, let origin = request[.origin] else { return false }
    return allowedOrigins.contains(origin)
  }

  /// The fields of an answer for the page that sent the request; empty if no page did, or if the
  /// page may not read it.
  func corsHeaders(for request: borrowing Request) -> [Response.Field] {
    guard mayHaveCredentials(request), let origin = request[.origin] else {
      return cors.headers(for: request)
    }
    return CORSPolicy.credentialFields(allowing: origin)
  }

  /// The key in a request's cookie. Browsers send cookies whoever makes them ask, so a cookie
  /// counts only where nothing is changed.
  func keyInCookie(of request: borrowing Request) -> ArraySlice<UInt8>? {
    guard let apiKeyCookie, request.method == .get || request.method == .head else { return nil }
    return APIKeys.cookie(apiKeyCookie, in: request["Cookie"])
  }

  /// Where the client of a request reaches the service; `nil` for the root.
  func basePath(of request: borrowing Request) -> BasePath? {
    guard !trustedProxies.isEmpty, trustedProxies.contains(request.remoteAddress) else {
      return basePath
    }
    return BasePath(forwardedFor: request) ?? basePath
  }
}
