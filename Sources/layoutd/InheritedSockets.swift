import Glibc

/// The sockets that systemd has opened for this process.
///
/// Source: sd_listen_fds(3)
enum InheritedSockets {
  private static let first: Int32 = 3
  private static let most = 64

  static var descriptors: [Int32] {
    descriptors(of: getpid()) { name in getenv(name).map { String(cString: $0) } }
  }

  /// - Parameter value: Returns the value of a variable, if it is set.
  static func descriptors(of process: pid_t, value: (_ variable: String) -> String?) -> [Int32] {
    // The variables may be meant for a process that started this one.
    guard value("LISTEN_PID") == "\(process)",
      let count = value("LISTEN_FDS").flatMap({ Int($0) }), (1...most).contains(count)
    else { return [] }
    return (0..<Int32(count)).map { first + $0 }
  }
}
