import CollectionLayout
import TestSupport
import Testing

@testable import TextMeasure

@Suite("runs")
struct RunTests {
  /// The units at which runs begin, and which of them are from right to left.
  private func runs(_ text: String) throws -> [(start: Int, isRightToLeft: Bool)] {
    let style = try LineTests.library.prepare(
      ParagraphStyle(fonts: ["made"], size: 20))
    let bench = TextWorkbench()
    bench.prepare(text, style)
    return bench.text.runs.map { ($0.units.lowerBound, $0.isRightToLeft) }
  }

  @Test(
    "a run is of one script, and brackets belong to what they enclose",
    arguments: cases("Run.scripts", String.self, [Int].self))
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
