/// What the calling thread works for: who waits for it, and the memory that it was given.
///
/// Whatever is long asks every few milliseconds whether anybody still waits (``check()``), and
/// whatever needs much memory asks for it before (``reserve(_:)``). On a thread that works for
/// nobody in particular both are granted.
public enum CurrentWork {
  private final class Place {
    var isAbandoned: (@Sendable () -> Bool)?
    var ticket: WorkMemory.Ticket?
  }

  private static let place = PerThread { Place() }

  /// Does work for a client.
  ///
  /// - Parameter isAbandoned: Whether the answer will most likely reach nobody.
  public static func with<R>(
    abandonedIf isAbandoned: @escaping @Sendable () -> Bool, _ body: () -> R
  ) -> R {
    place { $0.isAbandoned = isAbandoned }
    defer { place { $0.isAbandoned = nil } }
    return body()
  }

  /// Does work that others need, too. So it is not in vain when the client has left.
  public static func forEverybody<R, E>(_ body: () throws(E) -> R) throws(E) -> R {
    let isAbandoned = place { $0.isAbandoned }
    place { $0.isAbandoned = nil }
    defer { place { $0.isAbandoned = isAbandoned } }
    return try body()
  }

  /// Whether a worker does work for a client that has ended its output, or whose connection is
  /// broken. Or the grace of a shutdown is over, and another answer was sent.
  ///
  /// - Complexity: A call of the system.
  public static var isAbandoned: Bool { place { $0.isAbandoned?() ?? false } }

  /// Refuses to go on where nobody waits any more.
  public static func check() throws(WorkRefusal) {
    if isAbandoned { throw .abandoned }
  }

  /// Asks for memory until the work is done. It may have to wait for other work.
  ///
  /// - Parameter bytes: What will be needed beside what was reserved before.
  public static func reserve(_ bytes: Int) throws(WorkRefusal) {
    guard let ticket = place({ $0.ticket }) else { return }
    ticket.pending += bytes
    guard ticket.pending > WorkMemory.smallBytes else { return }
    try ticket.memory.add(to: ticket)
  }

  /// Refuses to make what is too large to be kept.
  ///
  /// - Parameter bytes: So much it will take at least.
  public static func checkFits(_ bytes: Int) throws(WorkRefusal) {
    guard let most = place({ $0.ticket?.memory.mostKept }), bytes > most else { return }
    throw .tooLarge(bytes: bytes, limit: most)
  }

  static func with<R, E>(_ ticket: WorkMemory.Ticket, _ body: () throws(E) -> R) throws(E) -> R {
    let outer = place { $0.ticket }
    place { $0.ticket = ticket }
    defer { place { $0.ticket = outer } }
    return try body()
  }
}

/// Why work is not done.
public enum WorkRefusal: Error, Equatable, Sendable {
  /// Nobody waits for the result any more.
  case abandoned
  /// What would be kept is larger than all that may be.
  case tooLarge(bytes: Int, limit: Int)
  /// The system has no memory for it.
  case noMemory
}
