import TestSupport
import Testing

@testable import System

@Suite("How long nothing was used")
struct IdleCountTests {
  @Test("it is over once, so many ticks after each use")
  func once() {
    var idle = IdleCount(limit: 3)
    let uses = [1, 1, 1, 2, 2, 2, 2, 2, 2, 5, 5, 5, 5]
    let isOver = uses.map { idle.isOver(uses: $0) }
    same(isOver.indices.filter { isOver[$0] }, [6, 12])
  }
}
