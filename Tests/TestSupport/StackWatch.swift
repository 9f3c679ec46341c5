import Foundation
import Synchronization

/// Watches how deep in the stack of its thread something is called.
public final class StackWatch: Sendable {
  private let depths = Mutex<[pthread_t: ClosedRange<Int>]>([:])

  public init() {}

  /// Notes how many calls deep in the calling thread this is, as far as Foundation counts.
  public func note() {
    let depth = Thread.callStackReturnAddresses.count
    depths.withLock { depths in
      let known = depths[pthread_self()] ?? depth...depth
      depths[pthread_self()] = min(known.lowerBound, depth)...max(known.upperBound, depth)
    }
  }

  /// The most calls between two notes of one thread.
  public var span: Int {
    depths.withLock { $0.values.map { $0.upperBound - $0.lowerBound }.max() ?? 0 }
  }
}
