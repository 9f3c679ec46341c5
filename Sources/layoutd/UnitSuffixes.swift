/// Whole numbers with a unit, such as `64MiB`.
struct UnitSuffixes: Sendable {
  /// Each unit, and its value in the smallest unit. The smallest unit comes first.
  private let units: KeyValuePairs<String, Int>
  /// The value of 1 without a unit, in the smallest unit.
  private let plain: Int

  init(_ units: KeyValuePairs<String, Int>, plain: Int = 1) {
    self.units = units
    self.plain = plain
  }

  /// The value in the smallest unit; `nil` if the text is not a whole number with or without one of
  /// the units.
  func value(of text: String) -> Int? {
    let sign = text.hasPrefix("-") ? "-" : ""
    let digits = text.dropFirst(sign.count).prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(sign.count + digits.count).lowercased()
    guard let number = Int(sign + digits),
      let factor = unit.isEmpty ? plain : units.first(where: { $0.key.lowercased() == unit })?.value
    else { return nil }
    let (value, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    return isTooLarge ? nil : value
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
