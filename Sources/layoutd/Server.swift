import Contract
import Glibc
import LayoutService
import LayoutSessions
import Logging
import MicroHTTP
import RedisStore
import Synchronization
import System
import TextMeasure

/// Connects all parts and runs the server, from start to stop.
struct Server {
  /// The number of seconds after which kept memory goes back to the system, if no large body was
  /// received and no large layout was made in this time.
  private static let memoryPatience = 60

  private let command: Command
  private let logger: Logger
  private let fonts: FontLibrary

  init(_ command: Command) {
    self.command = command
    let format = command.logFormat
    logger = Logger(label: "layoutd") { label in
      switch format {
      case .text: StreamLogHandler.standardError(label: label)
      case .json: JSONLogHandler(label: label)
      }
    }
    fonts = FontLibrary(folders: command.fontFolders) { [logger] in logger.notice("\($0)") }
  }

  /// Serves until SIGTERM or SIGINT. Then the server is not ready any more, accepts no new
  /// connections, and lets running requests finish. A second signal ends their time.
  func run() throws {
    // Signals are blocked before any other thread starts, so only this thread receives them.
    let signals = SignalSet([SIGTERM, SIGINT])
    signal(SIGPIPE, SIG_IGN)
    for variable in EnvironmentArguments.unknownVariables() {
      let hint = EnvironmentArguments.nearest(to: variable).map { ". Did you mean \($0)?" }
      logger.warning("\(variable) is set, but there is no such option\(hint ?? "")")
    }
    KeptMemory.keepWhatMallocFrees()
    if command.cache == .public, command.apiKeysFile != nil {
      logger.warning("a shared cache answers clients without a key, unless it checks keys itself")
    }
    let metrics = Metrics()
    let life = ServerLife()
    var log: (any Log)?
    switch try sharedLog(until: signals) {
    case .none: break
    case .shared(let shared): log = shared
    case .signal(let number):
      return logger.info("stopping", metadata: ["signal": .stringConvertible(Int(number))])
    }
    let sessions = SessionStore(
      limits: command.sessionLimits, clock: SystemClock(), log: log,
      bodies: ServiceBodies(limits: command.serviceLimits, fonts: fonts), warn: warn)
    let service = LayoutService(
      sessions: sessions, limits: command.serviceLimits,
      probes: LayoutService.Probes(
        isReady: { life.isReady },
        metricsText: {
          let daemon = life.daemon
          var observation = Metrics.Observation(sessions.statistics)
          observation.queueDepth = daemon?.workQueueDepth ?? 0
          observation.connections = daemon?.connectionCount ?? 0
          observation.streams = daemon?.streamStatistics ?? .none
          observation.log = sessions.logStatistics
          observation.isHeard = sessions.isHeard
          return metrics.text(observation)
        }),
      metrics: metrics, isCompressing: command.compression == .on, caching: command.caching,
      hasViewer: command.viewer == .on, listsLayouts: command.apiKeysFile != nil,
      fonts: fonts)
    let gateway = Gateway(
      service, configuration: try command.gatewayConfiguration(), metrics: metrics,
      logger: logger)
    var configuration = try command.daemonConfiguration()
    configuration.warn = { [logger] in logger.warning("\($0)") }
    let daemon = try Daemon(configuration: configuration, responder: gateway)
    life.begin(daemon)
    logger.info(
      "listening", metadata: startMetadata(address: daemon.addresses.joined(separator: " ")))
    if command.logFormat == .text {
      let scheme = configuration.tls == nil ? "http" : "https"
      let addresses = daemon.addresses.map { $0.hasPrefix("unix:") ? $0 : "\(scheme)://\($0)" }
      tell(
        "layoutd \(APIContract.version) listens on \(addresses.joined(separator: " and ")), "
          + "press Ctrl-C to stop")
    }
    warnOfLimits()
    let number = keepHouse(of: sessions, service, until: signals)
    logger.info("stopping", metadata: ["signal": .stringConvertible(Int(number))])
    life.stop()
    shutDown(daemon, hurriedBy: signals)
    life.end()
    logger.info("stopped")
  }

  /// How long the store may take to connect, and for each answer.
  private static let storeTimeout = Duration.seconds(1)

  /// How many times the longest body the longest collection in the store is.
  private static let snapshotBodies = 4

  private enum Store {
    /// Layouts are in memory alone.
    case none
    case shared(RedisLog)
    /// A signal came before the store did.
    case signal(Int32)
  }

  /// Connects to the store that servers share, and waits for it if it is not there yet.
  private func sharedLog(until signals: SignalSet) throws -> Store {
    guard let address = try command.storeAddress else { return .none }
    let end = ContinuousClock.now + command.storeWait.duration
    while true {
      do throws(LogError) {
        return .shared(try connect(to: address))
      } catch {
        guard error.cause == .unavailable, ContinuousClock.now < end else {
          throw OptionError(subject: "--store \(address)", reason: error.reason)
        }
        logger.warning(
          "waiting for the store", metadata: ["store": "\(address)", "reason": "\(error.reason)"])
        if let number = signals.next(within: 1) { return .signal(number) }
      }
    }
  }

  /// Tells the operator.
  private var warn: @Sendable (String) -> Void { { [logger] in logger.warning("\($0)") } }

  private func connect(to address: StoreAddress) throws(LogError) -> RedisLog {
    let idleTimeout = command.sessionIdleTimeout.duration
    let maxBodyBytes = command.maxBodyBytes.bytes
    var limits = RedisLog.Limits.standard
    limits.maxBodyBytes = maxBodyBytes
    limits.maxSnapshotBytes = Self.snapshotBodies * maxBodyBytes
    // The time is moved on when a quarter of it is over.
    return try RedisLog(
      address, timeout: Self.storeTimeout, probeInterval: command.storeProbe.duration,
      timeToLive: idleTimeout + idleTimeout / 4, limits: limits, warn: warn)
  }

  /// The address of the server, and the limits that matter to clients.
  private func startMetadata(address: String) -> Logger.Metadata {
    [
      "address": "\(address)", "version": "\(APIContract.version)",
      "tls": .stringConvertible(command.tlsCertificate != nil),
      "api_keys": .stringConvertible(command.apiKeysFile != nil),
      "threads": .stringConvertible(command.threads),
      "workers": .stringConvertible(command.workers),
      "max_connections": .stringConvertible(command.maxConnections),
      "max_event_streams": .stringConvertible(command.maxEventStreams),
      "max_body_bytes": "\(command.maxBodyBytes)",
      "max_buffer_bytes": "\(command.maxBufferBytes)",
      "max_items": .stringConvertible(command.maxItems),
      "max_sessions": .stringConvertible(command.maxSessions),
      "store": "\((try? command.storeAddress)?.description ?? "memory")",
      "max_session_bytes": "\(command.maxSessionBytes)",
      "session_idle_timeout": "\(command.sessionIdleTimeout)",
    ]
  }

  /// Logs a warning if the limits allow more memory than the machine has. Then the system might end
  /// the process with all layouts, instead of the server refusing a request.
  private func warnOfLimits() {
    let (bound, memory) = (command.memoryBound, MachineMemory.limit)
    guard bound > memory else { return }
    logger.warning(
      "the limits allow more memory than there is: lower max-session-bytes or max-buffer-bytes",
      metadata: ["permitted": .stringConvertible(bound), "memory": .stringConvertible(memory)])
  }

  /// Removes expired layouts and releases unused memory, once a second, until a signal comes.
  private func keepHouse(
    of sessions: SessionStore, _ service: LayoutService, until signals: SignalSet
  ) -> Int32 {
    var idleSeconds = IdleCount(limit: Self.memoryPatience)
    var pressure = MemoryPressure(bound: command.memoryBound)
    while true {
      if let number = signals.next(within: 1) { return number }
      service.useFollowedLayouts()
      sessions.removeExpiredSessions()
      sessions.keepHouse()
      if idleSeconds.isOver(uses: PagePool.shared.takeCount) { KeptMemory.release() }
      pressure.relieve()
    }
  }

  /// Waits for running requests to finish, until the grace time is over or another signal comes.
  private func shutDown(_ daemon: Daemon, hurriedBy signals: SignalSet) {
    let isDown = Atomic(false)
    let grace = command.shutdownGrace.duration
    let drain: SystemThread
    do throws(SystemError) {
      drain = try SystemThread("shutdown") {
        daemon.shutDown(grace: grace)
        isDown.store(true, ordering: .releasing)
        kill(getpid(), SIGTERM)
      }
    } catch {
      // Nobody could wait for another signal meanwhile.
      logger.error("stopping at once: \(error)")
      return daemon.shutDown(grace: .zero)
    }
    while !isDown.load(ordering: .acquiring) {
      guard signals.next(within: 3600) != nil, !isDown.load(ordering: .acquiring) else { continue }
      logger.info("stopping at once")
      daemon.shutDown(grace: .zero)
    }
    drain.join()
  }
}

/// The state of the server for its probes: whether it is ready, and its daemon.
private final class ServerLife: Sendable {
  private let state = Mutex<(daemon: Daemon?, isReady: Bool)>((nil, false))

  var isReady: Bool { state.withLock { $0.isReady } }
  var daemon: Daemon? { state.withLock { $0.daemon } }

  func begin(_ daemon: Daemon) { state.withLock { $0 = (daemon, true) } }

  /// Makes the server not ready. Its metrics stay available.
  func stop() { state.withLock { $0.isReady = false } }

  /// Releases the daemon. It is deallocated with its last reference.
  func end() { state.withLock { $0.daemon = nil } }
}
