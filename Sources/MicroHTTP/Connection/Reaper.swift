import Glibc

/// A thread with a coarse tick that ends connections past their deadline or without a client, and
/// closes sockets that need a moment more.
///
/// libmicrohttpd's own timeout, which is not used, counts inactivity, so that a client that sends a
/// byte a second would live for ever, and it has no answer for who is too slow. And libmicrohttpd
/// closes a socket whose input was not read to the end, upon which the kernel sends a reset that
/// may overtake the answer. Such sockets come here (as a duplicate descriptor) and are read until
/// the client is done, for two seconds and 16 MiB at the most.
final class Reaper: Sendable {
  private struct State {
    var arrivals: [Int32] = []
    var lingeringCount = 0
    var isStopping = false
    var hasEnded = false
  }

  private struct Lingering {
    var descriptor: Int32
    var until: Nanoseconds
    var bytesLeft = 16 << 20
  }

  private static let maxLingering = 256
  private static let lingerTime: Nanoseconds = 2_000_000_000
  private static let lingerTick: Nanoseconds = 20_000_000

  private let monitor = Monitor(State())
  private let tick: Nanoseconds

  init(tick: Nanoseconds) {
    self.tick = tick
  }

  /// - Parameter check: Called at every tick.
  func start(_ check: @escaping @Sendable () -> Void) throws(DaemonError) {
    try PlatformThread.start("http-reaper") { [self] in run(check) }
  }

  /// Takes over a socket of which only the input is left to read; its output must be shut down.
  func linger(_ descriptor: Int32) {
    let isTaken = monitor.update {
      guard !$0.isStopping, $0.lingeringCount < Self.maxLingering else { return false }
      $0.lingeringCount += 1
      $0.arrivals.append(descriptor)
      return true
    }
    if !isTaken { close(descriptor) }
  }

  /// Ends the thread and closes what lingers.
  func stop() {
    monitor.update { $0.isStopping = true }
    _ = monitor.wait { $0.hasEnded ? true : nil }
  }

  private func run(_ check: () -> Void) {
    var lingering: [Lingering] = []
    var nextCheck = monotonicNow() + tick
    var isStopping = false
    while !isStopping {
      let wakeUp = lingering.isEmpty ? nextCheck : min(nextCheck, monotonicNow() + Self.lingerTick)
      let arrivals: [Int32]? = monitor.wait(until: wakeUp) { state in
        guard state.isStopping || !state.arrivals.isEmpty else { return nil }
        isStopping = state.isStopping
        defer { state.arrivals = [] }
        return state.arrivals
      }
      let now = monotonicNow()
      for descriptor in arrivals ?? [] {
        lingering.append(Lingering(descriptor: descriptor, until: now + Self.lingerTime))
      }
      var remaining: [Lingering] = []
      for var socket in lingering where drain(&socket, now: now, isLast: isStopping) {
        remaining.append(socket)
      }
      let ended = lingering.count - remaining.count
      lingering = remaining
      if ended > 0 { monitor.withLock { $0.lingeringCount -= ended } }
      if now >= nextCheck {
        check()
        nextCheck = now + tick
      }
    }
    monitor.update { $0.hasEnded = true }
  }

  /// Reads what has come.
  ///
  /// - Returns: False when the socket has been closed.
  private func drain(_ socket: inout Lingering, now: Nanoseconds, isLast: Bool) -> Bool {
    let hasEnded = withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 16) { buffer in
      while socket.bytesLeft > 0 {
        let count = recv(
          socket.descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 {
          socket.bytesLeft -= count
        } else {
          return count == 0 || (errno != EAGAIN && errno != EINTR)
        }
      }
      return true
    }
    guard hasEnded || isLast || now >= socket.until else { return true }
    close(socket.descriptor)
    return false
  }
}
