import Glibc
import Synchronization
import System

/// An HTTP/1.1 server on one port, or on a Unix socket.
///
///     clients ──▶ acceptor ──▶ libmicrohttpd's threads ──▶ Responder ──▶ answer
///                    │              │          ▲  ├──deferred──▶ workers ──┘
///                 too many          └─ reaper ─┘  └──stream──▶ StreamLoop
///                                    (deadlines)
///
/// It listens once the initializer returns. It must be ended with `shutDown(grace:)`.
public final class Daemon: Sendable {
  private enum Life {
    case running
    /// Requests may continue until the deadline.
    case draining(Nanoseconds)
    case stopped
  }

  let core: DaemonCore
  private let library: LibraryDaemon
  private let acceptor: Acceptor
  private let sockets: [ListeningSocket]
  private let life = Monitor(Life.running)

  /// Binds, listens and starts all threads.
  ///
  /// - Throws: `DaemonError` if the address is not available, if the configuration is wrong, or if
  ///   the system or libmicrohttpd refuses.
  public convenience init(
    configuration: DaemonConfiguration, responder: any Responder
  ) throws(DaemonError) {
    try self.init(configuration: configuration, responder: responder, clock: nil)
  }

  /// - Parameter clock: The clock for deadlines and for the duration of work; `nil` for the
  ///   system's clock.
  init(
    configuration: DaemonConfiguration, responder: any Responder,
    clock: (@Sendable () -> Nanoseconds)?
  ) throws(DaemonError) {
    try configuration.validate()
    sockets = try ListeningSocket.all(configuration)
    var begun: [() -> Void] = [{ [sockets] in for socket in sockets { socket.close() } }]
    do throws(DaemonError) {
      let core = DaemonCore(configuration, responder, clock: clock)
      try core.reaper.start { core.checkConnections() }
      begun.append { core.reaper.stop() }
      try core.pool.start { core.responder.response(to: core.workerShortage, request: $0) }
      begun.append { core.pool.close() }
      try core.streams.start()
      begun.append { core.streams.stop() }
      let library = try LibraryDaemon(core)
      begun.append { library.stop() }
      let acceptor = try Acceptor(
        sockets,
        accepted: { descriptor, client in
          if let shortage = core.table.admit(descriptor, from: client) {
            core.log.warn(shortage.rawValue)
            return core.turnAway(descriptor, lingers: true)
          }
          if !library.add(descriptor) {
            core.table.remove(descriptor)
            core.log.warn("libmicrohttpd refused a connection")
          }
        },
        exhausted: { descriptor, _ in core.turnAway(descriptor, lingers: false) },
        log: core.log)
      try acceptor.start()
      // From here on `deinit` has something to end.
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

  /// The port on which it listens; 0 for a Unix socket.
  public var port: UInt16 { sockets[0].address.port }

  /// Where it listens: an address and port, such as `127.0.0.1:8080`, or `unix:` and a path.
  public var addresses: [String] { sockets.map(\.description) }

  /// The number of deferred requests that wait or are in progress.
  public var workQueueDepth: Int { core.pool.depth }

  /// The number of open connections, from the moment they are accepted until just before they are
  /// closed. Connections that are refused at once do not count, nor do streams.
  public var connectionCount: Int { core.table.count }

  /// The number of streams, and what became of them.
  public var streamStatistics: StreamStatistics { core.streams.statistics }

  /// The number of requests whose answers are not sent yet, with deferred ones. Streams do not
  /// count.
  ///
  /// - Complexity: O(number of connections).
  var requestsInFlight: Int { core.table.busyCount }

  /// Ends the daemon. It accepts no more connections, ends each connection with its next answer,
  /// waits for the requests in progress, and closes the rest when `grace` is over. Streams end
  /// after the requests, each with what there is to send by then.
  ///
  /// Deferred work that is not finished by then is answered as if the queue were full. This call
  /// blocks until everything has ended. So it must not be called on a thread of the daemon or of
  /// Swift's cooperative pool. A concurrent call from another thread may shorten the grace and
  /// returns at the same time. A later call returns at once.
  public func shutDown(grace: Duration) {
    let deadline = SystemTime.monotonic() + grace.clampedNanoseconds
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
    endStreams()
    let unfinished = core.pool.close()
    for job in unfinished { job.giveUp { core.responder.response(to: .stopping, request: $0) } }
    if !unfinished.isEmpty { waitForAnswers() }
    library.stop()
    core.reaper.stop()
    life.update { $0 = .stopped }
  }

  private static let tick: Nanoseconds = 5_000_000

  /// Waits until no request is in progress for several ticks, or until the deadline. One quiet tick
  /// is not enough, because a request may be between the network and libmicrohttpd's thread.
  private func waitForRequests() {
    var quietTicks = 0
    while quietTicks < 10 && core.table.count > 0 {
      if isOverAfterTick() { return }
      quietTicks = requestsInFlight == 0 ? quietTicks + 1 : 0
    }
  }

  /// Ends all streams, and cuts those that take longer than the deadline.
  private func endStreams() {
    core.streams.drain()
    while core.streams.count > 0, !isOverAfterTick() {}
    core.streams.stop()
  }

  /// Waits for a tick, or until the deadline.
  ///
  /// - Returns: Whether the deadline has passed.
  private func isOverAfterTick() -> Bool {
    let isOver = life.wait(until: SystemTime.monotonic() + Self.tick) { life -> Bool? in
      guard case .draining(let deadline) = life, deadline <= SystemTime.monotonic() else {
        return nil
      }
      return true
    }
    return isOver ?? false
  }

  /// Gives answers that were just queued a moment to be sent.
  private func waitForAnswers() {
    let end = SystemTime.monotonic() + 500_000_000
    while requestsInFlight > 0 && SystemTime.monotonic() < end {
      _ = life.wait(until: SystemTime.monotonic() + Self.tick) { _ -> Bool? in nil }
    }
  }
}
