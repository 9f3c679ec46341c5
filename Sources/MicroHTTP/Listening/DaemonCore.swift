import Glibc
import Synchronization

/// What a daemon's connections share.
final class DaemonCore: Sendable {
  let configuration: DaemonConfiguration
  let responder: ResponderBox
  let table: ConnectionTable
  let pool: WorkerPool
  let budget: MemoryBudget
  /// The most bytes of content that a request may have: no more than there can ever be memory for.
  let bodyLimit: Int
  let reaper: Reaper
  let log: WarningLog
  /// Set when the daemon stops: every answer then ends its connection.
  let isDraining = Atomic(false)
  /// What a request may take to arrive once its first line is there.
  let requestAllowance: Nanoseconds
  /// What may pass before the first line of the next request is there.
  let idleAllowance: Nanoseconds
  /// Tells another time than the system's. Looked for rather than called always: a closure in its
  /// place costs references to what it captures, for whose count the threads would contend.
  private let clock: (@Sendable () -> Nanoseconds)?

  init(
    _ configuration: DaemonConfiguration, _ responder: any Responder,
    clock: (@Sendable () -> Nanoseconds)?
  ) {
    self.clock = clock
    self.configuration = configuration
    self.responder = .make(responder)
    log = WarningLog(now: clock ?? monotonicNow, write: configuration.warn)
    table = ConnectionTable(
      limit: configuration.maxConnections,
      limitPerAddress: configuration.maxConnectionsPerAddress)
    budget = MemoryBudget(limit: configuration.maxBufferBytes)
    bodyLimit = min(
      configuration.maxBodyBytes, DaemonConfiguration.uncountedBytes + configuration.maxBufferBytes)
    pool = WorkerPool(
      workers: configuration.workers, queueLength: configuration.queueLength,
      now: clock ?? monotonicNow)

    requestAllowance = configuration.requestTimeout.clampedNanoseconds
    idleAllowance = configuration.connectionTimeout.clampedNanoseconds
    reaper = Reaper(tick: min(max(requestAllowance / 4, 10_000_000), 1_000_000_000))
  }

  /// The time by which requests and connections have their deadlines, and warnings their pauses.
  func now() -> Nanoseconds { clock?() ?? monotonicNow() }

  /// Ends connections past their deadline or without a client.
  func checkConnections() {
    table.shutDownExpired(at: now()) {
      isEncrypted ? nil : responder.response(to: .requestTimeout, request: nil)
    }
    table.noticeEndsOfInput()
  }

  var isEncrypted: Bool { configuration.tls != nil }

  /// Why a request finds no worker.
  var workerShortage: TransportProblem {
    isDraining.load(ordering: .acquiring)
      ? .stopping : .overloaded(retryAfterSeconds: pool.retryAfterSeconds)
  }

  /// Ends the output of a socket now and closes it when its input has been read.
  func closeSoon(_ descriptor: Int32, lingers: Bool) {
    shutdown(descriptor, Int32(SHUT_WR))
    if lingers {
      reaper.linger(descriptor)
    } else {
      close(descriptor)
    }
  }

  /// Answers a connection that can't be had, unless over TLS, and closes it.
  ///
  /// - Parameter lingers: Whether a descriptor can be spared while the client reads the answer.
  func turnAway(_ descriptor: Int32, lingers: Bool) {
    let response = responder.response(to: .tooManyConnections, request: nil)
    if !isEncrypted { sendOnce(response.closingMessage(), to: descriptor) }
    closeSoon(descriptor, lingers: lingers)
  }
}
