/// Numbers for people: three significant digits and a unit.
enum Figure {
  static func time(_ duration: Duration) -> String {
    let nanoseconds = duration.inNanoseconds
    switch nanoseconds {
    case ..<999.5: return number(nanoseconds) + " ns"
    case ..<999.5e3: return number(nanoseconds / 1e3) + " µs"
    case ..<999.5e6: return number(nanoseconds / 1e6) + " ms"
    default: return number(nanoseconds / 1e9) + " s"
    }
  }

  static func bytes(_ count: Int) -> String {
    let count = Double(count)
    switch abs(count) {
    case ..<999.5: return number(count) + " B"
    case ..<999.5e3: return number(count / 1e3) + " kB"
    case ..<999.5e6: return number(count / 1e6) + " MB"
    default: return number(count / 1e9) + " GB"
    }
  }

  /// A count in thousands, millions or billions, if it is a whole number of them.
  static func count(_ count: Int) -> String {
    if count >= 1_000_000_000, count % 1_000_000_000 == 0 { return "\(count / 1_000_000_000)G" }
    if count >= 1_000_000, count % 1_000_000 == 0 { return "\(count / 1_000_000)M" }
    if count >= 1000, count % 1000 == 0 { return "\(count / 1000)k" }
    return "\(count)"
  }

  static func ratio(_ value: Double) -> String { number(value) + " ×" }

  static func ratio(_ time: Duration, to other: Duration) -> String {
    ratio(time.inNanoseconds / max(other.inNanoseconds, 1))
  }

  /// Three significant digits without an exponent, at most six decimals.
  static func number(_ value: Double) -> String {
    if value < 0 { return "−" + number(-value) }
    guard value.isFinite else { return "\(value)" }
    guard value > 0 else { return "0" }
    var decimals = 0
    var scale = 1
    while decimals < 6, value * Double(scale) < 99.95 {
      decimals += 1
      scale *= 10
    }
    let scaled = Int((value * Double(scale)).rounded())
    guard decimals > 0 else { return "\(scaled)" }
    let fraction = "\(scaled % scale)"
    return "\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count)
      + fraction
  }
}

extension Duration {
  var inNanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}
