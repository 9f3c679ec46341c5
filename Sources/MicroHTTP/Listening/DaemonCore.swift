import Glibc
import Synchronization
import System

/// The objects that all connections of a daemon share.
final class DaemonCore: Sendable {
  let configuration: DaemonConfiguration
  let responder: any Responder
  let table: ConnectionTable
  let pool: WorkerPool
  let streams: StreamLoop
  let budget: MemoryBudget
  /// The largest content of a request, in bytes. It never exceeds the memory that there can be.
  let bodyLimit: Int
  let reaper: Reaper
  let log: WarningLog
  /// A socket whose peer is closed. It takes the place of a socket that becomes a stream, so that
  /// libmicrohttpd closes nothing else. −1 if there was no descriptor.
  let deadSocket: Int32
  /// Is set when the daemon stops. Then every answer ends its connection.
  let isDraining = Atomic(false)
  /// The time for a request to arrive, from the end of its first line.
  let requestAllowance: Nanoseconds
  /// The time until the first line of the next request must have arrived.
  let idleAllowance: Nanoseconds
  /// A clock that replaces the system's. It is optional, because calling a closure counts
  /// references to what it captures, and the threads would contend for the count.
  private let clock: (@Sendable () -> Nanoseconds)?

  init(
    _ configuration: DaemonConfiguration, _ responder: any Responder,
    clock: (@Sendable () -> Nanoseconds)?
  ) {
    self.clock = clock
    self.configuration = configuration
    self.responder = responder
    log = WarningLog(now: clock ?? SystemTime.monotonic, write: configuration.warn)
    table = ConnectionTable(
      limit: configuration.maxConnections,
      limitPerAddress: configuration.maxConnectionsPerAddress)
    budget = MemoryBudget(limit: configuration.maxBufferBytes)
    bodyLimit = min(
      configuration.maxBodyBytes, DaemonConfiguration.uncountedBytes + configuration.maxBufferBytes)
    pool = WorkerPool(
      workers: configuration.workers, queueLength: configuration.queueLength,
      now: clock ?? SystemTime.monotonic)
    streams = StreamLoop(
      limit: configuration.maxStreams, sendTimeout: configuration.requestTimeout.clampedNanoseconds,
      lifetime: configuration.streamLifetime.clampedNanoseconds,
      now: clock ?? SystemTime.monotonic)
    deadSocket = Self.makeDeadSocket()
    requestAllowance = configuration.requestTimeout.clampedNanoseconds
    idleAllowance = configuration.connectionTimeout.clampedNanoseconds
    reaper = Reaper(tick: min(max(requestAllowance / 4, 10_000_000), 1_000_000_000))
  }

  deinit {
    if deadSocket >= 0 { close(deadSocket) }
  }

  private static func makeDeadSocket() -> Int32 {
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return -1 }
    close(pair[1])
    return pair[0]
  }

  /// The time for the deadlines of requests and connections, and for the pauses of warnings.
  func now() -> Nanoseconds { clock?() ?? SystemTime.monotonic() }

  /// Ends connections that are past their deadline or have lost their client.
  func checkConnections() {
    table.shutDownExpired(at: now()) {
      isEncrypted ? nil : responder.response(to: .requestTimeout, request: $0)
    }
    table.noticeEndsOfInput()
  }

  var isEncrypted: Bool { configuration.tls != nil }

  /// The reason why a request finds no worker.
  var workerShortage: TransportProblem {
    isDraining.load(ordering: .acquiring)
      ? .stopping : .overloaded(retryAfterSeconds: pool.retryAfterSeconds)
  }

  /// Ends the output of a socket now, and closes it once its input has been read.
  func closeSoon(_ descriptor: Int32, lingers: Bool) {
    shutdown(descriptor, Int32(SHUT_WR))
    if lingers {
      reaper.linger(descriptor)
    } else {
      close(descriptor)
    }
  }

  /// Answers a connection that exceeds a limit, except over TLS, and closes it.
  ///
  /// - Parameter lingers: Whether there is a descriptor for it while the client reads the answer.
  func turnAway(_ descriptor: Int32, lingers: Bool) {
    let response = responder.response(to: .tooManyConnections, request: nil)
    if !isEncrypted { sendOnce(response.closingMessage(), to: descriptor) }
    closeSoon(descriptor, lingers: lingers)
  }
}
