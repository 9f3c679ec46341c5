/// Counts for how many ticks something was not used. The caller decides how long a tick is.
public struct IdleCount {
  private let limit: Int
  private var uses = 0
  private var ticks = 0

  /// - Parameter limit: The number of ticks without use after which it is idle, ≥ 1.
  public init(limit: Int) {
    self.limit = limit
  }

  /// Counts a tick.
  ///
  /// - Parameter uses: The number of uses since the start.
  /// - Returns: True at the tick at which the limit is reached. This happens once after each use.
  public mutating func isOver(uses: Int) -> Bool {
    guard uses == self.uses else {
      self.uses = uses
      ticks = 0
      return false
    }
    ticks += 1
    return ticks == limit
  }
}
