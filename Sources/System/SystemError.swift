public import Glibc

/// A call of the system that failed.
public struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The name of the function.
  public var call: String
  /// Of `errno.h`.
  public var number: Int32

  public init(call: String, number: Int32 = errno) {
    self.call = call
    self.number = number
  }

  public var description: String { "\(call) failed: \(String(cString: strerror(number)))" }
}
