/// How long nothing has been used, in ticks of whoever asks.
public struct IdleCount {
  private let limit: Int
  private var uses = 0
  private var ticks = 0

  /// - Parameter limit: After how many ticks it is over, ≥ 1.
  public init(limit: Int) {
    self.limit = limit
  }

  /// Counts a tick.
  ///
  /// - Parameter uses: How many uses there have been since the start.
  /// - Returns: Whether this is the tick at which there has been none for long enough; there is one
  ///   after each use.
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
