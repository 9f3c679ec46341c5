import Glibc
import LayoutService
import LayoutSessions
import MicroHTTP
import RedisStore

extension Command {
  func daemonConfiguration() throws -> DaemonConfiguration {
    var configuration = DaemonConfiguration.standard
    configuration.host = host
    configuration.port = UInt16(port)
    configuration.socketPath = socketPath
    configuration.inheritedSockets = InheritedSockets.descriptors
    configuration.threads = threads
    configuration.workers = workers
    configuration.queueLength = queueLength
    configuration.maxBodyBytes = maxBodyBytes.bytes
    configuration.maxBufferBytes = maxBufferBytes.bytes
    configuration.maxConnections = maxConnections
    configuration.maxStreams = maxEventStreams
    configuration.streamLifetime = eventStreamLifetime.duration
    configuration.maxConnectionsPerAddress = maxConnectionsPerAddress
    configuration.connectionTimeout = connectionTimeout.duration
    configuration.requestTimeout = requestTimeout.duration
    configuration.maxHeaderBytes = maxHeaderBytes.bytes
    configuration.maxTargetBytes = maxTargetBytes?.bytes ?? min(8 << 10, maxHeaderBytes.bytes)
    if let tlsCertificate, let tlsKey {
      configuration.tls = try DaemonConfiguration.TLS(
        certificate: text(ofFile: tlsCertificate), privateKey: text(ofFile: tlsKey))
    }
    return configuration
  }

  func gatewayConfiguration() throws -> Gateway.Configuration {
    var configuration = Gateway.Configuration.standard
    configuration.cors = CORSPolicy(corsOrigin) ?? .off
    configuration.allowedHosts = hosts
    configuration.basePath = basePath.flatMap { BasePath($0) }
    configuration.trustedProxies =
      trustedProxies.flatMap { AddressRanges($0) } ?? AddressRanges()
    configuration.logsAccess = accessLog == .on
    configuration.needsIDsAlone = keysFor == .prepare
    if let apiKeysFile {
      let text = try text(ofFile: apiKeysFile)
      do throws(APIKeyError) {
        configuration.apiKeys = try APIKeys(text)
      } catch {
        throw OptionError(subject: apiKeysFile, reason: "\(error)")
      }
    }
    return configuration
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
    var limits = LayoutService.Limits.standard
    limits.maxItems = maxItems
    limits.maxItemData = maxItemData.bytes
    limits.maxBodyBytes = maxBodyBytes.bytes
    limits.maxResponseBytes = maxResponseBytes.bytes
    limits.maxFindTime = maxFindTime.duration
    limits.maxFindBytes = maxFindBytes.bytes
    limits.memoryBound = memoryBound
    return limits.fitting(into: maxBufferBytes.bytes)
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

  /// The largest amount of memory that the process may need with these limits: layouts and buffers,
  /// a quarter more for the overhead of malloc and the system, and 100 MiB for the process itself.
  var memoryBound: Int {
    (maxSessionBytes.bytes + maxHistoryBytes.bytes + maxBufferBytes.bytes) / 4 * 5 + (100 << 20)
  }

  var sessionLimits: SessionStore.Limits {
    var limits = SessionStore.Limits.standard
    limits.maxSessions = maxSessions
    limits.maxBytes = maxSessionBytes.bytes
    limits.idleTimeout = sessionIdleTimeout.duration
    limits.maxViews = maxViews
    limits.maxHistoryBytes = maxHistoryBytes.bytes
    limits.maxItems = maxItems
    return limits
  }

  private func text(ofFile path: String) throws -> String {
    guard let bytes = FileContents.bytes(at: path) else {
      throw OptionError(subject: path, reason: String(cString: strerror(errno)))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
