extension Double {
  /// Whether content may reach as far: so far below the largest double that a few units in the last
  /// place more, or the sum of two, are still numbers.
  var isReachable: Bool { self <= 1e300 }
}
