import TestSupport
import Testing

@testable import System

@Suite("Runs of pages")
struct PageRunsTests {
  private typealias Run = PageRuns.Run

  @Test(
    "runs that touch are one, in whatever order they come",
    arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func joining(order: [Int]) {
    let pieces = [
      Run(start: 0x1000, count: 0x1000), Run(start: 0x2000, count: 0x3000),
      Run(start: 0x5000, count: 0x1000),
    ]
    var runs = PageRuns()
    runs.add(Run(start: 0x9000, count: 0x1000))
    for index in order { runs.add(pieces[index]) }
    same(runs.runs, [Run(start: 0x1000, count: 0x5000), Run(start: 0x9000, count: 0x1000)])
    same(runs.bytes, 0x6000)
  }

  @Test("what is taken is the beginning of the smallest run that suffices")
  func bestFit() {
    var runs = PageRuns()
    runs.add(Run(start: 0x1000, count: 0x8000))
    runs.add(Run(start: 0xa000, count: 0x3000))
    runs.add(Run(start: 0xe000, count: 0x1000))
    same(runs.take(0x2000), 0xa000)
    same(runs.take(0x1000), 0xc000)
    same(runs.take(0x2000), 0x1000)
    same(runs.take(0x7000), nil)
    same(runs.runs, [Run(start: 0x3000, count: 0x6000), Run(start: 0xe000, count: 0x1000)])
    same(runs.bytes, 0x7000)
  }

  @Test("all that are taken out are those that were there")
  func removing() {
    var runs = PageRuns()
    runs.add(Run(start: 0x1000, count: 0x1000))
    same(runs.removeAll(), [Run(start: 0x1000, count: 0x1000)])
    #expect(runs.runs.isEmpty)
    same(runs.bytes, 0)
  }
}
