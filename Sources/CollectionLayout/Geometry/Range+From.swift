extension Range<Int> {
  /// What the range holds from a number on; empty, and there, when it ends before.
  @inline(__always)
  func from(_ start: Int) -> Self {
    Swift.max(lowerBound, start)..<Swift.max(upperBound, start)
  }
}
