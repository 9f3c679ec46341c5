/// The integers that a JSON number holds without loss.
public enum JSONInteger {
  /// The largest of them, 2⁵³ − 1.
  public static let maximum = 1 << 53 - 1

  /// The value as an integer; `nil` if it has a fraction or is beyond ±``maximum``.
  public static func exactly(_ value: Double) -> Int? {
    guard abs(value) <= Double(maximum), value == value.rounded(.towardZero) else { return nil }
    return Int(value)
  }
}
