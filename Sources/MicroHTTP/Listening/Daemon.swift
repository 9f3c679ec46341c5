import Glibc
import Synchronization

/// An HTTP/1.1 server on one port.
///
///     clients ──▶ acceptor ──▶ libmicrohttpd's threads ──▶ Responder ──▶ answer
///                    │              │          ▲  └──deferred──▶ workers ──┘
///                 too many          └─ reaper ─┘ (deadlines)
///
/// It listens when the initializer returns, and has to be ended with `shutDown(grace:)`.
public final class Daemon: Sendable {
  private enum Life {
    case running
    /// Requests may go on until the deadline.
    case draining(Nanoseconds)
    case stopped
  }

  let core: DaemonCore
  private let library: LibraryDaemon
  private let acceptor: Acceptor
  private let socket: ListeningSocket
  private let life = Monitor(Life.running)

  /// Binds, listens and starts all threads.
  ///
  /// - Throws: `DaemonError` if the address can't be had, the configuration can't work, or the
  ///   system or libmicrohttpd refuses.
  public convenience init(
    configuration: DaemonConfiguration, responder: any Responder
  ) throws(DaemonError) {
    try self.init(configuration: configuration, responder: responder, clock: nil)
  }

  /// - Parameter clock: Tells the time by which requests and connections have their deadlines, and
  ///   how long work takes; `nil` for the system's.
  init(
    configuration: DaemonConfiguration, responder: any Responder,
    clock: (@Sendable () -> Nanoseconds)?
  ) throws(DaemonError) {
    try configuration.validate()
    socket = try ListeningSocket(host: configuration.host, port: configuration.port)
    var begun: [() -> Void] = [{ [socket] in close(socket.descriptor) }]
    do throws(DaemonError) {
      let core = DaemonCore(configuration, responder, clock: clock)
      try core.reaper.start { core.checkConnections() }
      begun.append { core.reaper.stop() }
      try core.pool.start { core.responder.response(to: core.workerShortage, request: nil) }
      begun.append { core.pool.close() }
      let library = try LibraryDaemon(core)
      begun.append { library.stop() }
      let acceptor = try Acceptor(
        socket,
        accepted: { descriptor, address, length in
          if let shortage = core.table.admit(descriptor, from: SocketAddress(address)) {
            core.log.warn(shortage.rawValue)
            return core.turnAway(descriptor, lingers: true)
          }
          if !library.add(descriptor, address, length) {
            core.table.remove(descriptor)
            core.log.warn("libmicrohttpd refused a connection")
          }
        },
        exhausted: { descriptor, _, _ in core.turnAway(descriptor, lingers: false) },
        log: core.log)
      try acceptor.start()
      // Only now is there something for `deinit` to end.
      self.core = core
      self.library = library
      self.acceptor = acceptor
    } catch {
      for undo in begun.reversed() { undo() }
      throw error
    }
  }

  deinit {
    shutDown(grace: .zero)
  }

  /// The port that it listens on.
  public var port: UInt16 { socket.address.port }

  /// The address and port that it listens on, such as `127.0.0.1:8080`.
  public var address: String { socket.address.description }

  /// Deferred requests that wait or are being worked on.
  public var workQueueDepth: Int { core.pool.depth }

  /// Connections from being accepted until just before their descriptors are closed; those that are
  /// turned away at once do not count.
  public var connectionCount: Int { core.table.count }

  /// Requests whose answers are not out yet, deferred ones included.
  ///
  /// - Complexity: O(number of connections).
  var requestsInFlight: Int { core.table.busyCount }

  /// Ends the daemon: accepts nobody any more, ends each connection with its next answer, waits for
  /// the requests in flight, and closes the rest when `grace` is over.
  ///
  /// Deferred work that is not done by then is answered as if it had found no place. Blocks until
  /// all is over, so it must not be called on a thread of the daemon or of Swift's cooperative
  /// pool. A call from another thread meanwhile may shorten the grace, and returns at the same
  /// time; a later call returns at once.
  public func shutDown(grace: Duration) {
    let deadline = monotonicNow() + grace.clampedNanoseconds
    let isFirst = life.update {
      switch $0 {
      case .running:
        $0 = .draining(deadline)
        return true
      case .draining(let earlier):
        $0 = .draining(min(earlier, deadline))
        return false
      case .stopped:
        return false
      }
    }
    guard isFirst else {
      _ = life.wait { if case .stopped = $0 { true } else { nil } }
      return
    }
    core.isDraining.store(true, ordering: .releasing)
    acceptor.stop()
    waitForRequests()
    let unfinished = core.pool.close()
    for job in unfinished { job.giveUp { core.responder.response(to: .stopping, request: nil) } }
    if !unfinished.isEmpty { waitForAnswers() }
    library.stop()
    core.reaper.stop()
    life.update { $0 = .stopped }
  }

  private static let tick: Nanoseconds = 5_000_000

  /// Waits until no request is in flight for some ticks on end, since one may be between the
  /// network and libmicrohttpd's thread, or until the deadline.
  private func waitForRequests() {
    var quietTicks = 0
    while quietTicks < 10 && core.table.count > 0 {
      let isOver = life.wait(until: monotonicNow() + Self.tick) { life -> Bool? in
        if case .draining(let deadline) = life, deadline <= monotonicNow() { true } else { nil }
      }
      if isOver != nil { return }
      quietTicks = requestsInFlight == 0 ? quietTicks + 1 : 0
    }
  }

  /// Gives answers that were queued just now a moment to leave.
  private func waitForAnswers() {
    let end = monotonicNow() + 500_000_000
    while requestsInFlight > 0 && monotonicNow() < end {
      _ = life.wait(until: monotonicNow() + Self.tick) { _ -> Bool? in nil }
    }
  }
}
