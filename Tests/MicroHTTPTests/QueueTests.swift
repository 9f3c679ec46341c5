import System
import TestSupport
import Testing

@Suite("The queue")
struct QueueTests {
  @Test("what was taken is not held, though others still wait", arguments: [0, 1, 7, 69])
  func nothingIsHeld(rest: Int) throws {
    var queue = Queue<Witness>()
    let count = Witness.Count()
    for _ in 0..<70 { queue.append(Witness(countedBy: count)) }
    while queue.count > rest {
      same(count.value, queue.count)
      #expect(queue.popFirst { _ in true } != nil)
    }
    same(count.value, rest)
    same(queue.removeAll().count, rest)
    same(count.value, 0)
  }

  @Test("the order is that of arrival, in any mixture of steps", arguments: 0..<50)
  func order(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var queue = Queue<Int>()
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
        same(queue.popFirst { _ in true }, (expected.isEmpty ? nil : expected.removeFirst()))
      default:
        let index = expected.firstIndex { $0 % 3 == 0 }
        same(queue.popFirst { $0 % 3 == 0 }, index.map { expected.remove(at: $0) })
      }
      same(queue.count, expected.count)
    }
    same(queue.removeAll(), expected)
    same(queue.count, 0)
  }
}
