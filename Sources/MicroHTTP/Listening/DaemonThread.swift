import System

/// The daemon's own threads: the acceptor, the greeter, the reaper, the streams and the workers.
enum DaemonThread {
  /// Starts a thread. `body` must report by itself when it ends.
  ///
  /// - Parameter name: At most 15 bytes.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(DaemonError) {
    do throws(SystemError) {
      try SystemThread.start(name, body)
    } catch {
      throw DaemonError(error)
    }
  }
}

extension DaemonError {
  init(_ error: SystemError) {
    self = .system(call: error.call, errno: error.number)
  }
}
