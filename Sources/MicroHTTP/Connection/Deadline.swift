import Synchronization
import System

/// The deadline of a connection, in one atomic word. The connection's thread moves it, and the
/// reaper may end it.
///
/// The thread that exchanges the word first decides. Either the connection was in time, or it has
/// expired and its thread gets `false` from then on.
struct Deadline: ~Copyable, Sendable {
  enum Expiry {
    case notYet
    /// A request has begun, and no byte of its answer has been sent. So another thread may send
    /// one.
    case beforeAnswer
    /// No request has begun, or its answer is being sent. There is nothing to say.
    case silently
  }

  /// The time in nanoseconds. Its lowest bit says whether the connection ends silently. The two
  /// largest values are `none` and `expired`.
  private let word: Atomic<Nanoseconds>
  private static var none: Nanoseconds { .max - 1 }
  private static var expired: Nanoseconds { .max }

  /// The deadline of a connection without a request.
  init(_ time: Nanoseconds) {
    word = Atomic(Self.encode(time, isSilent: true))
  }

  /// The time, without its lowest bit.
  var time: Nanoseconds { word.load(ordering: .acquiring) & ~1 }

  /// Sets a new time; `nil` for none.
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
