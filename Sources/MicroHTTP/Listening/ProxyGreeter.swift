import CMicroHTTPD
import Glibc
import Synchronization
import System

/// The thread that reads what trusted proxies say of their clients, before libmicrohttpd has the
/// connection. A proxy need not say anything.
///
///     acceptor ──connections of trusted proxies──▶ greeter ──with the client's address──▶ daemon
final class ProxyGreeter: Sendable {
  /// A connection of which no byte of HTTP has been read.
  private struct Guest: Sendable {
    let descriptor: Int32
    let peer: SocketAddress
    let until: Nanoseconds
    /// Whether a part of the preface is there, so that polling would not wait for the rest.
    var isPartial = false
  }

  private struct State {
    var arrivals: [Guest] = []
    var count = 0
    var isStopping = false
  }

  /// How often a connection is looked at that has sent a part of a preface.
  private static let partialMilliseconds: Int32 = 20

  private let limit: Int
  private let patience: Nanoseconds
  private let now: @Sendable () -> Nanoseconds
  private let welcome: @Sendable (Int32, SocketAddress) -> Void
  private let wakeUp = WakeUp()
  private let thread = DaemonThread()
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: The largest number of connections that wait.
  ///   - patience: How long each may wait.
  ///   - welcome: Is given each connection, with the address of its client.
  init(
    limit: Int, patience: Nanoseconds, now: @escaping @Sendable () -> Nanoseconds,
    welcome: @escaping @Sendable (Int32, SocketAddress) -> Void
  ) {
    self.limit = limit
    self.patience = patience
    self.now = now
    self.welcome = welcome
  }

  func start() throws(DaemonError) {
    try DaemonError.of(wakeUp.check)
    try thread.start("http-greeter") { [self] in run() }
  }

  /// Takes over a connection.
  ///
  /// - Returns: False if too many wait.
  func take(_ descriptor: Int32, from peer: SocketAddress) -> Bool {
    let guest = Guest(descriptor: descriptor, peer: peer, until: now() + patience)
    let isTaken = state.withLock {
      guard !$0.isStopping, $0.count < limit else { return false }
      $0.count += 1
      $0.arrivals.append(guest)
      return true
    }
    if isTaken { wakeUp.wake() }
    return isTaken
  }

  /// Closes all connections that wait, and ends the thread.
  func stop() {
    state.withLock { $0.isStopping = true }
    wakeUp.wake()
    thread.waitForEnd()
  }

  private func run() {
    var guests: [Guest] = []
    while true {
      wait(for: guests)
      wakeUp.clear()
      let isStopping = state.withLock {
        guests += $0.arrivals
        $0.arrivals = []
        return $0.isStopping
      }
      if isStopping { break }
      let before = guests.count
      guests = guests.compactMap(greet)
      state.withLock { $0.count -= before - guests.count }
    }
    for guest in guests { close(guest.descriptor) }
  }

  private func wait(for guests: [Guest]) {
    var descriptors = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
    for guest in guests where !guest.isPartial {
      descriptors.append(pollfd(fd: guest.descriptor, events: Int16(POLLIN), revents: 0))
    }
    let hasPartial = descriptors.count <= guests.count
    let milliseconds = hasPartial ? Self.partialMilliseconds : guests.isEmpty ? -1 : 1000
    _ = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
  }

  /// - Returns: The connection, if it still has to wait.
  private func greet(_ guest: Guest) -> Guest? {
    guard now() < guest.until else {
      close(guest.descriptor)
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: ProxyPreface.limit)
    let count = recv(
      guest.descriptor, &bytes, bytes.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return guest }
    guard count > 0 else {
      close(guest.descriptor)
      return nil
    }
    switch ProxyPreface(Array(bytes[..<count])) {
    case .incomplete:
      var partial = guest
      partial.isPartial = true
      return partial
    case .absent: welcome(guest.descriptor, guest.peer)
    case .present(let count, let client):
      // It is all there, so this reads all of it.
      recv(guest.descriptor, &bytes, count, 0)
      welcome(guest.descriptor, client ?? guest.peer)
    case .malformed: close(guest.descriptor)
    }
    return nil
  }
}
