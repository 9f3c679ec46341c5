extension Int {
  /// The value without its fraction, as far as ±2⁶²; 0 for what is no number.
  init(clamping value: Double) {
    self = value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -0x1p62), 0x1p62))
  }
}
