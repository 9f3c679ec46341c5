extension Double {
  /// Whether content may reach to this coordinate. Up to 10³⁰⁰, rounding up or adding two
  /// coordinates never overflows to infinity.
  var isReachable: Bool { self <= 1e300 }
}
