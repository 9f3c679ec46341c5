/// Numbers with a unit, such as `64MiB` or `1.5s`.
struct UnitSuffixes: Sendable {
  /// Each unit, and its value in the smallest unit. The smallest unit comes first.
  private let units: KeyValuePairs<String, Int>
  /// The value of 1 without a unit, in the smallest unit.
  private let plain: Int
  /// The most digits behind a point, at most 3.
  private let maxDecimals: Int

  init(_ units: KeyValuePairs<String, Int>, plain: Int = 1, maxDecimals: Int = 0) {
    self.units = units
    self.plain = plain
    self.maxDecimals = maxDecimals
  }

  /// The value in the smallest unit; `nil` if the text is no number with or without one of the
  /// units, or if the value is no whole number.
  func value(of text: String) -> Int? {
    let sign = text.hasPrefix("-") ? "-" : ""
    var rest = text.dropFirst(sign.count)
    func takeDigits() -> Substring {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      return digits
    }
    let digits = takeDigits()
    var decimals = Substring()
    if rest.first == "." {
      rest = rest.dropFirst()
      decimals = takeDigits()
      guard !decimals.isEmpty, decimals.count <= maxDecimals else { return nil }
    }
    let unit = rest.lowercased()
    guard !digits.isEmpty, let number = Int(sign + digits + decimals),
      let factor = unit.isEmpty ? plain : units.first(where: { $0.key.lowercased() == unit })?.value
    else { return nil }
    let (value, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    let divisor = [1, 10, 100, 1000][decimals.count]
    return isTooLarge || !value.isMultiple(of: divisor) ? nil : value / divisor
  }

  /// The value as a text in the largest unit that divides it.
  func text(of value: Int) -> String {
    let fitting = units.filter { value.isMultiple(of: $0.value) }
    guard value != 0, let unit = fitting.max(by: { $0.value < $1.value }) else {
      return "\(value)"
    }
    return "\(value / unit.value)\(unit.key)"
  }
}
