import CMicroHTTPD
import Glibc
import Synchronization
import System

/// The thread that accepts connections.
///
/// libmicrohttpd could accept connections itself. But then the daemon could not be drained safely,
/// clients beyond the limit would wait in the kernel's backlog without an answer, and the age of a
/// connection would be unknown.
final class Acceptor: Sendable {
  /// The function that gets a new connection. It owns the descriptor from then on.
  typealias Handler = @Sendable (Int32, SocketAddress) -> Void

  private struct State {
    var isStopping = false
    /// A descriptor that is kept in reserve until the thread takes it; −1 afterwards.
    var reserve: Int32
  }

  private static let backOffMilliseconds: Int32 = 50

  private let sockets: [ListeningSocket]
  private let wakeUp = WakeUp()
  private let thread = DaemonThread()
  private let state: Mutex<State>
  private let accepted: Handler
  private let exhausted: Handler
  private let log: WarningLog

  /// - Parameters:
  ///   - accepted: Is called with each connection.
  ///   - exhausted: Is called instead if this process has no descriptor left except the reserve.
  init(
    _ sockets: [ListeningSocket], accepted: @escaping Handler, exhausted: @escaping Handler,
    log: WarningLog
  ) throws(DaemonError) {
    try DaemonError.of(wakeUp.check)
    // If there is no descriptor now, there would be none for a client either.
    let reserve = Self.openReserve()
    guard reserve >= 0 else {
      throw .system(call: "open /dev/null", errno: errno)
    }
    self.sockets = sockets
    state = Mutex(State(reserve: reserve))
    self.accepted = accepted
    self.exhausted = exhausted
    self.log = log
  }

  deinit {
    let reserve = takeReserve()
    if reserve >= 0 { close(reserve) }
  }

  func start() throws(DaemonError) {
    try thread.start("http-acceptor") { [self] in run() }
  }

  /// Accepts the connections that the kernel has already promised to clients, closes the sockets
  /// and ends the thread.
  func stop() {
    state.withLock { $0.isStopping = true }
    wakeUp.wake()
    thread.waitForEnd()
  }

  private func run() {
    // The reserve is released for a moment if descriptors run out, so that a client gets an answer.
    var reserve = takeReserve()
    var mustBackOff = false
    while !state.withLock({ $0.isStopping }) {
      wait(mustBackOff: mustBackOff)
      mustBackOff = sockets.contains { !acceptAll(from: $0, &reserve) }
      if reserve < 0 { reserve = Self.openReserve() }
    }
    for socket in sockets {
      _ = acceptAll(from: socket, &reserve)
      socket.close()
    }
    if reserve >= 0 { close(reserve) }
  }

  private func wait(mustBackOff: Bool) {
    let listeners = mustBackOff ? [] : sockets.map(\.descriptor)
    var descriptors = (listeners + [wakeUp.descriptor]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    _ = poll(
      &descriptors, nfds_t(descriptors.count), mustBackOff ? Self.backOffMilliseconds : -1)
  }

  /// Accepts until no client waits, at most a thousand connections.
  ///
  /// - Returns: False if another attempt would fail at once.
  private func acceptAll(from socket: ListeningSocket, _ reserve: inout Int32) -> Bool {
    for _ in 0..<1000 {
      let number = acceptOne(from: socket, accepted)
      switch number {
      case 0, EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH,
        ENETUNREACH, EPERM:
        continue
      case EAGAIN:
        return true
      case EMFILE, ENFILE:
        guard reserve >= 0 else { return false }
        close(reserve)
        // The kernel needs a descriptor even to find that nobody waits.
        let result = acceptOne(from: socket, exhausted)
        reserve = Self.openReserve()
        if result == EAGAIN { return reserve >= 0 }
        log.warn("no descriptor left for a new connection")
        if reserve < 0 { return false }
      default:
        log.warn("accept failed: \(String(cString: strerror(number)))")
        return false
      }
    }
    return true
  }

  /// - Returns: 0, or the error number.
  private func acceptOne(from socket: ListeningSocket, _ handler: Handler) -> Int32 {
    withSocketAddress { address, length in
      let descriptor = micro_accept(socket.descriptor, address, length)
      guard descriptor >= 0 else { return errno }
      handler(descriptor, SocketAddress(address))
      return 0
    }
  }

  private func takeReserve() -> Int32 {
    state.withLock { state in
      defer { state.reserve = -1 }
      return state.reserve
    }
  }

  private static func openReserve() -> Int32 {
    open("/dev/null", O_RDONLY | O_CLOEXEC)
  }
}
