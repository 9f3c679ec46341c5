import TestSupport
import Testing
import TextMeasure

/// Lines break where Chromium breaks them.
///
/// What is tested follows from the fonts that are installed: `make test` installs all but
/// fonts-noto-cjk. A font of another version does not count.
@Suite(
  "recorded paragraphs",
  .enabled(if: !RecordedParagraphs.testable.isEmpty, "the fonts are not installed"))
struct RecordedParagraphsTests {
  static let groups = Set(RecordedParagraphs.testable.map(\.group)).sorted()

  @Test("every line begins where it does in Chromium, and is as wide", arguments: groups)
  func lines(group: String) {
    RecordedParagraphs.library.withWorkbench { bench in
      for paragraph in RecordedParagraphs.testable where paragraph.group == group {
        check(paragraph, bench)
      }
    }
  }

  private func check(_ paragraph: RecordedParagraphs.Paragraph, _ bench: TextWorkbench) {
    guard let style = try? RecordedParagraphs.library.prepare(paragraph.style.style) else {
      Issue.record("the fonts of \(paragraph) are not there")
      return
    }
    bench.prepare(paragraph.text, style)
    same(bench.isEstimated, paragraph.estimated, "\(paragraph)")
    guard !paragraph.estimated else { return }
    let lines = bench.lines(width: paragraph.width, style)
    let natural = Double(bench.naturalWidth64()) / 64
    let isEqual =
      lines.starts == paragraph.starts && abs(lines.width - paragraph.widest) <= 1 / 32
      && abs(natural - paragraph.natural) <= 1 / 32
    #expect(isEqual, "\(paragraph) has \(lines.starts), \(lines.width), \(natural)")
  }

  @Test("a text is laid out the same again, and after others")
  func again() {
    RecordedParagraphs.library.withWorkbench { bench in
      let other = TextWorkbench()
      for paragraph in RecordedParagraphs.testable.reversed() {
        guard let style = try? RecordedParagraphs.library.prepare(paragraph.style.style) else {
          continue
        }
        bench.prepare(paragraph.text, style)
        let lines = bench.lines(width: paragraph.width, style)
        _ = bench.lines(width: paragraph.width / 2, style)
        same(bench.lines(width: paragraph.width, style), lines, "\(paragraph)")
        other.prepare(paragraph.text, style)
        same(other.lines(width: paragraph.width, style), lines, "\(paragraph)")
      }
    }
  }
}
