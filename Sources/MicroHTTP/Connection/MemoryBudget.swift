import Synchronization

/// A bound on the memory that large contents, being received or sent, take together.
///
/// What a connection needs at least is not counted: their number has a bound of its own.
final class MemoryBudget: Sendable {
  private let limit: Int
  private let used = Atomic(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// Takes some of what is left, or says no.
  func take(_ bytes: Int) -> Bool {
    take(bytes, evenBeyondLimitIf: { _ in false })
  }

  /// Takes what an answer needs, or says no.
  ///
  /// - Parameter isOwed: Whether it is taken even where there is too little: to refuse the answer
  ///   to a change that was made would say that it was not.
  ///
  /// An answer that is alone is never too large, or it would be refused for ever.
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
