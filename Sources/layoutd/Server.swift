import Contract
import Glibc
import LayoutService
import LayoutSessions
import Logging
import Memory
import MicroHTTP
import PrometheusMetrics
import Synchronization

/// The parts wired together, from start to stop.
struct Server {
  /// After so many seconds in which no large body came and no large layout was made, the memory
  /// that is kept for them goes back to the system.
  private static let memoryPatience = 60

  private let command: Command
  private let logger: Logger

  init(_ command: Command) {
    self.command = command
    let format = command.logFormat
    logger = Logger(label: "layoutd") { label in
      switch format {
      case .text: StreamLogHandler.standardError(label: label)
      case .json: JSONLogHandler(label: label)
      }
    }
  }

  /// Serves until SIGTERM or SIGINT; then it is not ready any more, takes no new connections and
  /// lets running requests finish. A second signal ends their grace.
  func run() throws {
    // Blocked here, before there is another thread, so that only this one takes them.
    let signals = SignalSet([SIGTERM, SIGINT])
    signal(SIGPIPE, SIG_IGN)
    for variable in EnvironmentArguments.unknownVariables() {
      logger.warning("\(variable) is set, and no option is called so")
    }
    KeptMemory.keepWhatMallocFrees()
    let sessions = SessionStore(limits: command.sessionLimits, clock: SystemClock())
    let registry = PrometheusRegistry(
      help: ServiceMetrics.help.merging(ProcessMetrics.help) { own, _ in own })
    let metrics = ServiceMetrics(factory: registry)
    let process = ProcessMetrics(factory: registry)
    let life = ServerLife()
    let service = LayoutService(
      sessions: sessions, limits: command.serviceLimits,
      probes: LayoutService.Probes(
        isReady: { life.isReady },
        metricsText: {
          let daemon = life.daemon
          metrics.observe(
            sessions.statistics, queueDepth: daemon?.workQueueDepth ?? 0,
            connections: daemon?.connectionCount ?? 0)
          process.observe()
          return registry.text()
        }),
      metrics: metrics, isCompressing: command.compression == .on)
    let gateway = Gateway(
      service, configuration: try command.gatewayConfiguration(), metrics: metrics,
      logger: logger)
    var configuration = try command.daemonConfiguration()
    configuration.warn = { [logger] in logger.warning("\($0)") }
    let daemon = try Daemon(configuration: configuration, responder: gateway)
    life.begin(daemon)
    logger.info("listening", metadata: startMetadata(address: "\(daemon.address)"))
    if command.logFormat == .text {
      let scheme = configuration.tls == nil ? "http" : "https"
      tell(
        "layoutd \(APIContract.version) listens on \(scheme)://\(daemon.address), "
          + "press Ctrl-C to stop")
    }
    warnOfLimits()
    let number = keepHouse(of: sessions, until: signals)
    logger.info("stopping", metadata: ["signal": .stringConvertible(Int(number))])
    life.stop()
    shutDown(daemon, hurriedBy: signals)
    life.end()
    logger.info("stopped")
  }

  /// Where clients find the server and, so that nobody has to guess, what it will bear.
  private func startMetadata(address: String) -> Logger.Metadata {
    [
      "address": "\(address)", "version": "\(APIContract.version)",
      "tls": .stringConvertible(command.tlsCertificate != nil),
      "api_keys": .stringConvertible(command.apiKeysFile != nil),
      "threads": .stringConvertible(command.threads),
      "workers": .stringConvertible(command.workers),
      "max_connections": .stringConvertible(command.maxConnections),
      "max_body": "\(command.maxBodyBytes)", "max_buffers": "\(command.maxBufferBytes)",
      "max_items": .stringConvertible(command.maxItems),
      "max_sessions": .stringConvertible(command.maxSessions),
      "max_session_memory": "\(command.maxSessionBytes)",
      "session_idle_timeout": "\(command.sessionIdleTimeout)",
    ]
  }

  /// Says so where the limits permit more than there is: the system would end the process, and all
  /// layouts with it, where a request could have been refused.
  private func warnOfLimits() {
    let (bound, memory) = (command.memoryBound, MachineMemory.limit)
    guard bound > memory else { return }
    logger.warning(
      "the limits permit more memory than there is: lower max-session-bytes or max-buffer-bytes",
      metadata: ["permitted": .stringConvertible(bound), "memory": .stringConvertible(memory)])
  }

  /// Removes what has expired and releases memory that nobody needs, every second until a signal
  /// comes.
  private func keepHouse(of sessions: SessionStore, until signals: SignalSet) -> Int32 {
    var idleSeconds = IdleCount(limit: Self.memoryPatience)
    while true {
      if let number = signals.next(within: 1) { return number }
      sessions.removeExpiredSessions()
      if idleSeconds.isOver(uses: PagePool.shared.takeCount) { KeptMemory.release() }
    }
  }

  /// Waits for running requests, for as long as their grace is; another signal ends it.
  private func shutDown(_ daemon: Daemon, hurriedBy signals: SignalSet) {
    let isDown = Atomic(false)
    let drain = PlainThread {
      daemon.shutDown(grace: command.shutdownGrace.duration)
      isDown.store(true, ordering: .releasing)
      kill(getpid(), SIGTERM)
    }
    while !isDown.load(ordering: .acquiring) {
      guard signals.next(within: 3600) != nil, !isDown.load(ordering: .acquiring) else { continue }
      logger.info("stopping at once")
      daemon.shutDown(grace: .zero)
    }
    drain.join()
  }
}

/// Whether the server takes work, and what it is asked about meanwhile.
private final class ServerLife: Sendable {
  private let state = Mutex<(daemon: Daemon?, isReady: Bool)>((nil, false))

  var isReady: Bool { state.withLock { $0.isReady } }
  var daemon: Daemon? { state.withLock { $0.daemon } }

  func begin(_ daemon: Daemon) { state.withLock { $0 = (daemon, true) } }

  /// Not ready any more; what there is still to do can be asked about.
  func stop() { state.withLock { $0.isReady = false } }

  /// Lets go of the daemon, which goes with its last user.
  func end() { state.withLock { $0.daemon = nil } }
}
