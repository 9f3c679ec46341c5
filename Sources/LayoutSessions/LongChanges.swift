import Synchronization

/// The changes of a session that take long.
///
/// A change takes a version and has to put the next one in its place; when another one was put
/// there meanwhile, it is made again. Beside many short changes a long one would never succeed. So
/// as long as one is being made, the others have to come after it; and long ones, which are in vain
/// but for one if they are made at once, are best made one after another by whoever makes them.
public final class LongChanges: Sendable {
  private let count = Atomic(0)

  init() {}

  /// Whether one is being made.
  public var isUnderWay: Bool { count.load(ordering: .acquiring) > 0 }

  /// Makes one.
  public func make<R, E>(_ change: () throws(E) -> R) throws(E) -> R {
    count.wrappingAdd(1, ordering: .acquiringAndReleasing)
    defer { count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
    return try change()
  }
}
