extension Int {
  /// The nearest integer, whatever the value.
  init(clamping value: Double) {
    self = value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -0x1p62), 0x1p62))
  }
}
