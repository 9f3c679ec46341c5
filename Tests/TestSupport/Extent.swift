import Glibc

/// How much a test does: each day what `make test` has time for, with `TEST_ALL=1` all.
public enum Extent {
  /// Whether all seeds and sizes are tried: `make test-all`.
  public static let isWide = getenv("TEST_ALL") != nil

  /// The seeds of a random test: the first ones each day.
  public static func seeds(_ everyDay: Int, of all: Int) -> Range<Int> {
    0..<count(everyDay, of: all)
  }

  /// How many steps a test goes.
  public static func count(_ everyDay: Int, of all: Int) -> Int {
    isWide ? all : everyDay
  }
}
