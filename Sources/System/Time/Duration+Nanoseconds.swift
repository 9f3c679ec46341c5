extension Duration {
  /// The duration in nanoseconds, from 0 to about 146 years, so that it can be added to a time.
  public var clampedNanoseconds: Nanoseconds {
    let limit = Nanoseconds.max / 2
    let (seconds, attoseconds) = components
    if seconds >= limit / 1_000_000_000 { return limit }
    return seconds < 0 ? 0 : seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
