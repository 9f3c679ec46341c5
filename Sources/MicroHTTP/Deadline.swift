import Synchronization

/// When a connection has to be where it is going, in one atomic word that its own thread moves on and
/// the reaper may end.
///
/// Whoever exchanges the word first has decided: either the connection came on in time, or it has
/// expired and its thread gets `false` from then on.
struct Deadline: ~Copyable, Sendable {
  enum Expiry {
    case notYet
    /// No byte of an answer has been sent: one may be sent from outside.
    case beforeAnswer
    case duringAnswer
  }

  /// The time in nanoseconds with its lowest bit saying whether an answer is on its way; the two
  /// greatest values are `none` and `expired`.
  private let word: Atomic<Nanoseconds>
  private static var none: Nanoseconds { .max - 1 }
  private static var expired: Nanoseconds { .max }

  init(_ time: Nanoseconds?) {
    word = Atomic(Self.encode(time, isAnswering: false))
  }

  /// Sets a new time, nil for none.
  ///
  /// - Returns: False if the connection had already expired.
  func moveOn(to time: Nanoseconds?, isAnswering: Bool = false) -> Bool {
    let new = Self.encode(time, isAnswering: isAnswering)
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
    return seen & 1 == 1 ? .duringAnswer : .beforeAnswer
  }

  private static func encode(_ time: Nanoseconds?, isAnswering: Bool) -> Nanoseconds {
    guard let time else { return none }
    return isAnswering ? time | 1 : time & ~1
  }
}
