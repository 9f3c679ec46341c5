extension Range<Int> {
  /// The part of the range from `start` on. If the range ends before, the result is empty and lies
  /// at `start`.
  @inline(__always)
  func from(_ start: Int) -> Self {
    Swift.max(lowerBound, start)..<Swift.max(upperBound, start)
  }
}
