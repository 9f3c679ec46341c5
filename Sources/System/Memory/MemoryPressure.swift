/// Returns freed memory that the process keeps to the system when the process comes near its bound.
///
/// What is kept for reuse makes the next layout cheaper, but counts nowhere. So it may take what
/// the bound leaves, and goes from three quarters of the bound on. What is in use stays, however
/// much it is. So the next time is when a thirty-second of the bound has come to that.
public struct MemoryPressure {
  private let start: Int
  private let step: Int
  private var limit: Int

  /// - Parameter bound: The bytes that the process may take, ≥ 0.
  public init(bound: Int) {
    start = bound / 4 * 3
    step = bound / 32
    limit = start
  }

  /// Returns memory if the process has too much. To be called once a second.
  ///
  /// - Parameters:
  ///   - residentBytes: Reads the bytes that the process takes.
  ///   - release: Returns to the system what is kept.
  public mutating func relieve(
    residentBytes: () -> Int = { ProcessStatistics()?.residentBytes ?? 0 },
    release: () -> Void = KeptMemory.release
  ) {
    let resident = residentBytes()
    guard resident > limit else {
      limit = max(start, min(limit, resident + step))
      return
    }
    release()
    limit = max(start, residentBytes() + step)
  }
}
