extension Int {
  /// The value without its fraction, limited to ±2⁶²; 0 for NaN.
  init(clamping value: Double) {
    self = value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -0x1p62), 0x1p62))
  }
}
