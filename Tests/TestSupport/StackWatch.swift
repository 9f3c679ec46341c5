import Glibc
import Synchronization

/// Watches how deep in the stack of its thread something is called.
public final class StackWatch: Sendable {
  private let places = Mutex<[pthread_t: ClosedRange<UInt>]>([:])

  public init() {}

  /// Notes where in the stack of the calling thread this is.
  public func note() {
    var local = 0
    let place = withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
    places.withLock { places in
      let known = places[pthread_self()] ?? place...place
      places[pthread_self()] = min(known.lowerBound, place)...max(known.upperBound, place)
    }
  }

  /// The most bytes between two notes of one thread.
  public var span: Int {
    places.withLock { $0.values.map { Int($0.upperBound - $0.lowerBound) }.max() ?? 0 }
  }
}
