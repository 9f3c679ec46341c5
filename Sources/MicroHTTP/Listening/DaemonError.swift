import Glibc

/// The reason why a daemon could not start.
public enum DaemonError: Error, Equatable, CustomStringConvertible {
  case addressInUse(host: String, port: UInt16)
  case addressNotAvailable(host: String)
  case hostNotFound(host: String, reason: String)
  case permissionDenied(host: String, port: UInt16)
  case invalidConfiguration(String)
  /// A system call failed for another reason.
  case system(call: String, errno: Int32)
  /// libmicrohttpd did not start. Its messages, if there are any, say why.
  case libraryRefused(messages: [String])

  public var description: String {
    switch self {
    case .addressInUse(let host, let port):
      "\(host) port \(port) is in use by another process"
    case .addressNotAvailable(let host):
      "this machine does not have the address \(host)"
    case .hostNotFound(let host, let reason):
      "the host name \(host) can't be resolved: \(reason)"
    case .permissionDenied(let host, let port):
      "listening on \(host) port \(port) is not permitted to this user"
    case .invalidConfiguration(let reason):
      reason
    case .system(let call, let number):
      "\(call) failed: \(String(cString: strerror(number)))"
    case .libraryRefused(let messages):
      "libmicrohttpd did not start: \(messages.joined(separator: " "))"
    }
  }
}
