import Synchronization

/// When a connection has to be where it is going, in one atomic word that its own thread moves on
/// and the reaper may end.
///
/// Whoever exchanges the word first has decided: either the connection came on in time, or it has
/// expired and its thread gets `false` from then on.
struct Deadline: ~Copyable, Sendable {
  enum Expiry {
    case notYet
    /// A request has begun, and no byte of its answer has been sent: one may be sent from outside.
    case beforeAnswer
    /// No request has begun, or its answer is on its way: there is nothing more to say.
    case silently
  }

  /// The time in nanoseconds with its lowest bit saying whether it ends the connection silently;
  /// the two greatest values are `none` and `expired`.
  private let word: Atomic<Nanoseconds>
  private static var none: Nanoseconds { .max - 1 }
  private static var expired: Nanoseconds { .max }

  /// That of a connection without a request.
  init(_ time: Nanoseconds) {
    word = Atomic(Self.encode(time, isSilent: true))
  }

  /// Sets a new time, `nil` for none.
  ///
  /// - Returns: False if the connection had already expired.
  func moveOn(to time: Nanoseconds?, isSilent: Bool = false) -> Bool {
    let new = Self.encode(time, isSilent: isSilent)
    let old = word.exchange(new, ordering: .acquiringAndReleasing)
    if old != Self.expired { return true }
    word.store(Self.expired, ordering: .releasing)
    return false
  }

  func expire(at now: Nanoseconds) -> Expiry {
    let seen = word.load(ordering: .acquiring)
    guard seen < Self.none, seen <= now else { return .notYet }
    let (exchanged, _) = word.compareExchange(
      expected: seen, desired: Self.expired, ordering: .acquiringAndReleasing)
    guard exchanged else { return .notYet }
    return seen & 1 == 1 ? .silently : .beforeAnswer
  }

  private static func encode(_ time: Nanoseconds?, isSilent: Bool) -> Nanoseconds {
    guard let time else { return none }
    return isSilent ? time | 1 : time & ~1
  }
}
