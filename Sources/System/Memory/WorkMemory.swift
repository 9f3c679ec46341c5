/// The memory of all work that is being done: what is made and not kept yet.
///
///     reserved   20 MB (the oldest) │ 8 MB │ 3 MB    limit 32 MB: the next one waits
///
/// Work asks for what it will need as soon as that can be reckoned, and gives it back when it ends.
/// What would exceed the limit waits for other work. The oldest work always gets what it
/// needs, so some work always goes on. What needs more than the limit and all that may be kept is
/// refused.
public final class WorkMemory: Sendable {
  /// What one piece of work has.
  final class Ticket {
    let memory: WorkMemory
    fileprivate let number: Int
    /// Whether it waits for others.
    fileprivate let waits: Bool
    /// What was asked for and is too little to be counted.
    var pending = 0
    /// What was counted.
    fileprivate var bytes = 0
    /// Whether it is so much that it was looked how much the process takes.
    fileprivate var isLarge = false

    fileprivate init(_ memory: WorkMemory, _ number: Int, waits: Bool) {
      self.memory = memory
      self.number = number
      self.waits = waits
    }
  }

  private struct State {
    var bytes: [Int: Int] = [:]
    var lastNumber = 0
    var total = 0
  }

  /// Less is not counted.
  static let smallBytes = 1 << 20
  /// For more it is looked how much the process takes.
  private static let largeBytes = 8 << 20
  /// How often it is looked whether somebody still waits for work that waits.
  private static let look: Nanoseconds = 50_000_000

  private let limit: Int
  private let bound: Int
  /// The most that one piece of work may keep, in bytes.
  let mostKept: Int
  private let state = Monitor(State())

  /// - Parameters:
  ///   - limit: What all work may have together, in bytes, beside that of the oldest.
  ///   - mostKept: The most that one piece of work may keep, in bytes.
  ///   - bound: What the process may take, in bytes. If it takes half of that, what it keeps for
  ///     reuse goes back to the system before work that needs much.
  public init(limit: Int, mostKept: Int, bound: Int = .max) {
    self.limit = limit
    self.bound = bound
    self.mostKept = mostKept
  }

  /// The bytes that are reserved now.
  public var reservedBytes: Int { state.withLock { $0.total } }

  /// Does work that may reserve memory until it ends.
  ///
  /// - Parameter waits: Whether it waits for others. Short work does not: so little is never much.
  public func during<R, E>(
    waits: Bool = true, _ body: () throws(E) -> R
  ) throws(E) -> R {
    let number = state.withLock {
      $0.lastNumber += 1
      $0.bytes[$0.lastNumber] = 0
      return $0.lastNumber
    }
    defer { state.update { $0.total -= $0.bytes.removeValue(forKey: number) ?? 0 } }
    return try CurrentWork.with(Ticket(self, number, waits: waits), body)
  }

  /// Adds what a piece of work has asked for.
  func add(to ticket: Ticket) throws(WorkRefusal) {
    let bytes = ticket.pending
    ticket.pending = 0
    ticket.bytes += bytes
    let most = limit + mostKept
    guard ticket.bytes <= most else { throw .tooLarge(bytes: ticket.bytes, limit: most) }
    if ticket.bytes > Self.largeBytes, !ticket.isLarge {
      ticket.isLarge = true
      if ProcessStatistics()?.residentBytes ?? 0 > bound / 2 { KeptMemory.release() }
    }
    guard PagePool.hasRoom(for: bytes) else { throw .noMemory }
    let take = { (state: inout State) -> Bool? in
      guard
        !ticket.waits || state.total + bytes <= self.limit
          || state.bytes.keys.allSatisfy({ $0 >= ticket.number })
      else { return nil }
      state.bytes[ticket.number]! += bytes
      state.total += bytes
      return true
    }
    while state.withLock(take) == nil {
      try CurrentWork.check()
      if state.wait(until: SystemTime.monotonic() + Self.look, for: take) != nil { return }
    }
  }
}
