import TestSupport
import Testing

@testable import MicroHTTP

@Suite("The queue of jobs")
struct JobQueueTests {
  @Test("what was taken is not held, though others still wait", arguments: [0, 1, 7, 69])
  func nothingIsHeld(rest: Int) throws {
    var queue = JobQueue<Witness>()
    let count = Witness.Count()
    for _ in 0..<70 { queue.append(Witness(countedBy: count)) }
    while queue.count > rest {
      #expect(count.value == queue.count)
      #expect(queue.popFirst { _ in true } != nil)
    }
    #expect(count.value == rest)
    #expect(queue.removeAll().count == rest)
    #expect(count.value == 0)
  }

  @Test("the order is that of arrival, in any mixture of steps", arguments: 0..<50)
  func order(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var queue = JobQueue<Int>()
    var expected: [Int] = []
    for number in 0..<1000 {
      switch random.integer(0...5) {
      case 0...2:
        queue.append(number)
        expected.append(number)
      case 3:
        queue.prepend(number)
        expected.insert(number, at: 0)
      case 4:
        #expect(queue.popFirst { _ in true } == (expected.isEmpty ? nil : expected.removeFirst()))
      default:
        let index = expected.firstIndex { $0 % 3 == 0 }
        #expect(queue.popFirst { $0 % 3 == 0 } == index.map { expected.remove(at: $0) })
      }
      #expect(queue.count == expected.count)
    }
    #expect(queue.removeAll() == expected)
    #expect(queue.count == 0)
  }
}
