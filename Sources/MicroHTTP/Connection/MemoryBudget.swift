import Synchronization

/// A limit for the memory of all large contents that are being received or sent.
///
/// The memory that every connection needs is not counted, because the number of connections has its
/// own limit.
final class MemoryBudget: Sendable {
  private let limit: Int
  private let used = Atomic(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// Takes memory from the budget.
  ///
  /// - Returns: Whether there was enough.
  func take(_ bytes: Int) -> Bool {
    take(bytes, evenBeyondLimitIf: { _ in false })
  }

  /// Takes the memory of an answer.
  ///
  /// An answer that is alone is never too large. Otherwise it would be refused for ever.
  ///
  /// - Parameter isOwed: Whether to take it even if there is too little. The answer to a change
  ///   must not be refused, because the client would think that the change was not made.
  func take(forAnswer bytes: Int, isOwed: Bool) -> Bool {
    take(bytes, evenBeyondLimitIf: { before in before == 0 || isOwed })
  }

  private func take(_ bytes: Int, evenBeyondLimitIf isPermitted: (_ before: Int) -> Bool) -> Bool {
    let (before, after) = used.wrappingAdd(bytes, ordering: .relaxed)
    if after <= limit || isPermitted(before) { return true }
    giveBack(bytes)
    return false
  }

  func giveBack(_ bytes: Int) {
    used.wrappingSubtract(bytes, ordering: .relaxed)
  }
}
