import ArgumentParser

/// The value of an option that is a time: `900` (seconds), `0.5`, `15m` or `500ms`.
struct TimeSpan: Comparable, ExpressibleByArgument, CustomStringConvertible {
  private let milliseconds: Int

  static func milliseconds(_ count: Int) -> TimeSpan { TimeSpan(milliseconds: count) }
  static func seconds(_ count: Int) -> TimeSpan { TimeSpan(milliseconds: 1000 * count) }

  private init(milliseconds: Int) {
    self.milliseconds = milliseconds
  }

  init?(argument: String) {
    guard let milliseconds = Self.units.value(of: argument) else { return nil }
    self.init(milliseconds: milliseconds)
  }

  var duration: Duration { .milliseconds(milliseconds) }

  var description: String { Self.units.text(of: milliseconds) }
  var defaultValueDescription: String { description }

  static func < (one: TimeSpan, other: TimeSpan) -> Bool { one.milliseconds < other.milliseconds }

  private static let units = UnitSuffixes(
    ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000], plain: 1000,
    maxDecimals: 3)
}
