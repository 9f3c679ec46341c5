import System

/// One of the daemon's own threads: the acceptor, the reaper, that of the streams, or
/// a worker.
final class DaemonThread: Sendable {
  private let isRunning = Monitor(false)

  /// Starts the thread.
  ///
  /// - Parameter name: At most 15 bytes.
  func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(DaemonError) {
    isRunning.update { $0 = true }
    try DaemonError.of { () throws(SystemError) in
      try SystemThread.start(name) { [isRunning] in
        body()
        isRunning.update { $0 = false }
      }
    }
  }

  /// Waits until the thread has ended; not at all if nobody has started it.
  func waitForEnd() { _ = isRunning.wait { $0 ? nil : true } }
}

extension DaemonError {
  /// Does something, with errors of the system as this one.
  static func of(_ body: () throws(SystemError) -> Void) throws(DaemonError) {
    do throws(SystemError) {
      try body()
    } catch {
      throw .system(call: error.call, errno: error.number)
    }
  }
}
