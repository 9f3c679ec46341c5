import CMicroHTTPD
import Glibc
import System

/// libmicrohttpd's daemon: its options, its callbacks and its end.
///
/// It has no timeout, because libmicrohttpd would silently close a connection that should get 408,
/// and one whose answer has more time. `Deadline` has a time for each state of a connection.
///
/// `@unchecked Sendable`: the handle is constant, libmicrohttpd allows any thread to add
/// connections, and `Daemon` calls `stop` once, when nobody adds connections any more.
struct LibraryDaemon: @unchecked Sendable {
  private let handle: OpaquePointer
  /// Retained while libmicrohttpd runs, and released in `stop`.
  private let core: Unmanaged<DaemonCore>
  /// Retained while libmicrohttpd runs, and released in `stop`.
  private let log: Unmanaged<StartLog>
  private let logSink: UnsafeMutablePointer<micro_log_sink>

  init(_ core: DaemonCore) throws(DaemonError) {
    let configuration = core.configuration
    let retained = Unmanaged.passRetained(core)
    let startLog = StartLog()
    let log = Unmanaged.passRetained(startLog)
    let logSink = UnsafeMutablePointer<micro_log_sink>.allocate(capacity: 1)
    logSink.initialize(to: micro_log_sink(write: writeLog, context: log.toOpaque()))

    var options = micro_daemon_options()
    // During a TLS handshake, libmicrohttpd with epoll believes for ever that a socket is readable.
    // A client that sends three bytes and waits would make a thread spin. With poll this does not
    // happen.
    let waiting =
      configuration.tls == nil ? MHD_USE_EPOLL_INTERNAL_THREAD : MHD_USE_POLL_INTERNAL_THREAD
    options.flags =
      waiting.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue
      | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ITC.rawValue | MHD_USE_ERROR_LOG.rawValue
    options.threads = UInt32(configuration.threads)
    options.connection_memory_limit = configuration.connectionMemoryBytes
    // Our own limit counts. libmicrohttpd divides its limit among the threads, so it must be large
    // enough for each.
    options.connection_limit = UInt32(
      clamping: (configuration.maxConnections + configuration.maxStreams + 64)
        * configuration.threads)
    options.context = retained.toOpaque()
    options.log = logSink
    options.handle = handleRequest
    options.begin = beginRequest
    options.completed = completeRequest
    options.connection_changed = changeConnection

    let handle = SystemThread.withSignalsBlocked {
      SystemThread.withThreadsInBatches { Self.start(&options, configuration.tls) }
    }
    guard let handle else {
      retained.release()
      log.release()
      logSink.deallocate()
      throw .libraryRefused(messages: startLog.messages)
    }
    startLog.end()
    self.handle = handle
    self.log = log
    self.logSink = logSink
    self.core = retained
  }

  private static func start(
    _ options: inout micro_daemon_options, _ tls: DaemonConfiguration.TLS?
  ) -> OpaquePointer? {
    guard let tls else { return micro_start_daemon(&options) }
    options.flags |= MHD_USE_TLS.rawValue
    return tls.certificate.withCString { certificate in
      tls.privateKey.withCString { key in
        options.certificate = certificate
        options.private_key = key
        return micro_start_daemon(&options)
      }
    }
  }

  /// Passes a connection to libmicrohttpd, which closes the descriptor even if it refuses it.
  ///
  /// libmicrohttpd only copies the address, so this is none. The `ConnectionTable` has the right
  /// one.
  func add(_ descriptor: Int32) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return MHD_add_connection(handle, descriptor, $0, length) == .YES
      }
    }
  }

  func stop() {
    MHD_stop_daemon(handle)
    logSink.deallocate()
    log.release()
    core.release()
  }
}

private func writeLog(_ context: UnsafeMutableRawPointer?, _ message: UnsafePointer<CChar>?) {
  guard let message else { return }
  Unmanaged<StartLog>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.append(message) }
}

/// The result is passed to the other callbacks of this request. It is not retained, because the
/// connection outlives its requests.
private func beginRequest(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let connection = micro_socket_context(handle) else { return nil }
  Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef {
    $0.begin(target: target)
  }
  return connection
}

private func handleRequest(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
  _ content: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>?,
  _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let connection = request?.pointee, let handle, let method, let version, let count else {
    return .NO
  }
  return Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef {
    $0.handle(handle, method: method, version: version, content: content, count: count)
  }
}

private func completeRequest(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
  _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let connection = request?.pointee else { return }
  Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef { $0.complete(reason) }
}

private func changeConnection(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
  _ connection: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ change: MHD_ConnectionNotificationCode
) {
  guard let connection else { return }
  let core = Unmanaged<DaemonCore>.fromOpaque(context!).takeUnretainedValue()
  if change == .CONNECTION_NOTIFY_STARTED {
    let descriptor = micro_descriptor(handle)
    let address = core.table.address(of: descriptor) ?? SocketAddress(0, 0, 0, 0)
    let new = Connection(descriptor, from: address, core: core)
    core.table.attach(new)
    // Retained for the life of the connection, and released below when it ends.
    connection.pointee = Unmanaged.passRetained(new).toOpaque()
  } else if let old = connection.pointee {
    connection.pointee = nil
    Unmanaged<Connection>.fromOpaque(old).takeRetainedValue().close()
  }
}
