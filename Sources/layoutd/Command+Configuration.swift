import Glibc
import LayoutService
import LayoutSessions
import MicroHTTP
import SharedSessions

extension Command {
  func daemonConfiguration() throws -> DaemonConfiguration {
    var tls: DaemonConfiguration.TLS?
    if let tlsCertificate, let tlsKey {
      tls = try DaemonConfiguration.TLS(
        certificate: text(ofFile: tlsCertificate), privateKey: text(ofFile: tlsKey))
    }
    return DaemonConfiguration(
      host: host, port: UInt16(port), socketPath: socketPath,
      inheritedSockets: InheritedSockets.descriptors,
      trustedProxies: trustedProxies.flatMap { AddressRanges($0) } ?? AddressRanges(),
      threads: threads, workers: workers,
      queueLength: queueLength, maxBodyBytes: maxBodyBytes.bytes,
      maxBufferBytes: maxBufferBytes.bytes, maxConnections: maxConnections,
      maxStreams: maxEventStreams, streamLifetime: eventStreamLifetime.duration,
      maxConnectionsPerAddress: maxConnectionsPerAddress,
      connectionTimeout: connectionTimeout.duration, requestTimeout: requestTimeout.duration,
      maxHeaderBytes: maxHeaderBytes.bytes,
      maxTargetBytes: maxTargetBytes?.bytes ?? min(8 << 10, maxHeaderBytes.bytes), tls: tls)
  }

  func gatewayConfiguration() throws -> Gateway.Configuration {
    var keys: APIKeys?
    if let apiKeysFile {
      let text = try text(ofFile: apiKeysFile)
      do throws(APIKeyError) {
        keys = try APIKeys(text)
      } catch {
        throw FileError(path: apiKeysFile, reason: "\(error)")
      }
    }
    return Gateway.Configuration(
      cors: CORSPolicy(corsOrigin) ?? .off,
      allowedOrigins: allowedOrigins.flatMap { AllowedOrigins($0) }, apiKeys: keys,
      apiKeyCookie: apiKeyCookie, allowedHosts: hosts, basePath: basePath.flatMap { BasePath($0) },
      trustedProxies: trustedProxies.flatMap { AddressRanges($0) } ?? AddressRanges(),
      logsAccess: accessLog == .on)
  }

  /// The hosts for which it answers; `nil` for all.
  private var hosts: AllowedHosts? {
    switch allowedHosts {
    case nil: host == "localhost" && listen == nil ? .loopback : nil
    case "*"?: nil
    case let names?: AllowedHosts(names)
    }
  }

  /// The path of the Unix socket to listen on; `nil` for none.
  var socketPath: String? {
    guard let listen, listen.hasPrefix("unix:"), listen != "unix:" else { return nil }
    return String(listen.dropFirst("unix:".count))
  }

  var serviceLimits: LayoutService.Limits {
    LayoutService.Limits(
      maxItems: maxItems, maxItemData: maxItemData.bytes, maxBodyBytes: maxBodyBytes.bytes,
      maxResponseBytes: maxResponseBytes.bytes, keyLifetime: idempotencyLifetime.duration,
      maxKeyedBytes: maxIdempotencyBytes.bytes, maxFindTime: maxFindTime.duration,
      maxFindBytes: maxFindBytes.bytes
    ).fitting(into: maxBufferBytes.bytes)
  }

  /// Where the store is that servers share; `nil` for layouts in memory alone.
  var storeAddress: StoreAddress? {
    get throws(StoreAddress.Malformed) { store == "memory" ? nil : try StoreAddress(store) }
  }

  /// The folders of `--fonts`.
  var fontFolders: [String] {
    fonts == "none" ? [] : fonts.split(separator: ",").map(String.init)
  }

  var caching: LayoutService.Caching { cache == .public ? .public : .private }

  /// The largest amount of memory that the process may need with these limits: layouts, buffers and
  /// kept answers, a quarter more for the overhead of malloc and the system, and 100 MiB for the
  /// process itself.
  var memoryBound: Int {
    (maxSessionBytes.bytes + maxHistoryBytes.bytes + maxBufferBytes.bytes
      + maxIdempotencyBytes.bytes) / 4 * 5 + (100 << 20)
  }

  var sessionLimits: SessionStore.Limits {
    SessionStore.Limits(
      maxSessions: maxSessions, maxBytes: maxSessionBytes.bytes,
      idleTimeout: sessionIdleTimeout.duration, maxViews: maxViews,
      maxHistoryBytes: maxHistoryBytes.bytes, maxItems: maxItems)
  }

  private func text(ofFile path: String) throws -> String {
    guard let bytes = FileContents.bytes(at: path) else {
      throw FileError(path: path, reason: String(cString: strerror(errno)))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
