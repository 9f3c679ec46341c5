import System

/// When which stream has its heartbeat.
///
/// Heartbeats are spread: time goes round a wheel of slots, a slot at each tick, and each stream
/// has a slot. So all have one heartbeat in a round, and they never come together.
struct HeartbeatWheel {
  /// The time between two heartbeats of a stream. Proxies end connections that are silent for a
  /// minute or so.
  private static let round: Nanoseconds = 15_000_000_000
  private static let slotCount = 150
  /// The number of slots from one new stream to the next: prime to ``slotCount``.
  private static let stride = 67
  /// The time from one slot to the next.
  static let tick = round / Nanoseconds(slotCount)

  /// The serial numbers of the streams.
  private var slots = [[UInt64]](repeating: [], count: slotCount)
  /// The last tick that was.
  private var turn: Nanoseconds

  init(at now: Nanoseconds) {
    turn = now / Self.tick
  }

  mutating func add(_ serial: UInt64) {
    slots[Int(serial % UInt64(Self.slotCount)) * Self.stride % Self.slotCount].append(serial)
  }

  /// Goes on to a time without heartbeats.
  mutating func skip(to now: Nanoseconds) {
    turn = now / Self.tick
  }

  /// Goes on to a time.
  ///
  /// - Parameter beat: Is called for each stream whose turn it is. It returns whether the stream is
  ///   still there.
  mutating func turn(to now: Nanoseconds, _ beat: (UInt64) -> Bool) {
    let present = now / Self.tick
    // If the clock has gone far, one round is enough.
    turn = max(turn, present - Nanoseconds(Self.slotCount))
    while turn < present {
      turn += 1
      slots[Int(turn % Nanoseconds(Self.slotCount))].removeAll { !beat($0) }
    }
  }
}
