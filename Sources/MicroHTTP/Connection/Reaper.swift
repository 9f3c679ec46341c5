import Glibc
import System

/// A thread with a coarse tick. It ends connections that are past their deadline or have lost their
/// client, and it closes sockets that need more time.
///
/// libmicrohttpd's own timeout is not used. It counts inactivity, so a client that sends one byte
/// per second would never time out, and it sends no answer. Also, libmicrohttpd closes a socket
/// whose input was not read to the end. Then the kernel sends a reset, which may overtake the
/// answer. So the reaper gets a duplicate descriptor of such a socket and reads from it until the
/// client is done, for at most two seconds and 16 MiB.
final class Reaper: Sendable {
  private struct State {
    var arrivals: [Int32] = []
    var lingeringCount = 0
    var isStopping = false
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
  private let thread = DaemonThread()
  private let tick: Nanoseconds

  init(tick: Nanoseconds) {
    self.tick = tick
  }

  /// - Parameter check: Is called at every tick.
  func start(_ check: @escaping @Sendable () -> Void) throws(DaemonError) {
    try thread.start("http-reaper") { [self] in run(check) }
  }

  /// Takes over a socket whose output is shut down and whose input is still to be read.
  func linger(_ descriptor: Int32) {
    let isTaken = monitor.update {
      guard !$0.isStopping, $0.lingeringCount < Self.maxLingering else { return false }
      $0.lingeringCount += 1
      $0.arrivals.append(descriptor)
      return true
    }
    if !isTaken { close(descriptor) }
  }

  /// Ends the thread and closes all sockets that it has.
  func stop() {
    monitor.update { $0.isStopping = true }
    thread.waitForEnd()
  }

  private func run(_ check: () -> Void) {
    var lingering: [Lingering] = []
    var nextCheck = SystemTime.monotonic() + tick
    var isStopping = false
    while !isStopping {
      let wakeUp =
        lingering.isEmpty ? nextCheck : min(nextCheck, SystemTime.monotonic() + Self.lingerTick)
      let arrivals: [Int32]? = monitor.wait(until: wakeUp) { state in
        guard state.isStopping || !state.arrivals.isEmpty else { return nil }
        isStopping = state.isStopping
        defer { state.arrivals = [] }
        return state.arrivals
      }
      let now = SystemTime.monotonic()
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
  }

  /// Reads the input that has arrived.
  ///
  /// - Returns: False if the socket was closed.
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
