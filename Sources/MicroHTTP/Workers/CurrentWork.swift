import System

/// What the calling thread works for.
public enum CurrentWork {
  private final class Place {
    var job: DeferredJob?
  }

  private static let place = PerThread { Place() }

  /// Does the work of a job.
  static func with<R>(_ job: DeferredJob, _ body: () -> R) -> R {
    place { $0.job = job }
    defer { place { $0.job = nil } }
    return body()
  }

  /// Does work that others need, too. So it is not in vain when the client has left.
  public static func forEverybody<R, E>(_ body: () throws(E) -> R) throws(E) -> R {
    let job = place { $0.job }
    place { $0.job = nil }
    defer { place { $0.job = job } }
    return try body()
  }

  /// Whether a worker does work for a client that has ended its output, or whose connection is
  /// broken: the answer will most likely reach nobody. Or the grace of a shutdown is over, and
  /// another answer was sent.
  ///
  /// - Complexity: A call of the system.
  public static var isAbandoned: Bool { place { $0.job?.isAbandoned ?? false } }
}
