import TestSupport
import Testing

@testable import TextMeasure

@Suite("runs")
struct RunTests {
  /// The units at which runs begin, and which of them are from right to left.
  private func runs(_ text: String) throws -> [(start: Int, isRightToLeft: Bool)] {
    let style = try LineTests.library.prepare(
      TextStyle(fonts: ["made"], size: 20, lineHeight: 20))
    let bench = TextWorkbench()
    bench.prepare(text, style)
    return bench.text.runs.map { ($0.units.lowerBound, $0.isRightToLeft) }
  }

  @Test(
    "a run is of one script, and brackets belong to what they enclose",
    arguments: [
      ("abc déf", [0]), ("abc где", [0, 4]), ("где (abc) где", [0, 5, 8]),
      ("abc かなカナ 漢字", [0, 4, 9]), ("a\u{301}b", [0]), ("abc 2023", [0]),
      ("ab 😀 cd", [0, 3, 5]), ("ab 👩‍👩‍👧 cd", [0, 3, 11]), ("א ב", [0]),
    ])
  func scripts(text: String, starts: [Int]) throws {
    try same(runs(text).map(\.start), starts, "\(text)")
  }

  @Test("a run is of one direction; the paragraph's is that of its first letter")
  func directions() throws {
    let mixed = try runs("ab אב 12 cd")
    // The blank before "cd" runs as "cd" does, and is of the script before it.
    same(mixed.map(\.isRightToLeft), [false, true, false, false, false])
    let hebrew = try runs("אב ab")
    same(hebrew.map(\.isRightToLeft), [true, false])
    same(hebrew.map(\.start), [0, 3])
  }
}
