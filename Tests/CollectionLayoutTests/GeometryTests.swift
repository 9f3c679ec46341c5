import TestSupport
import Testing

@testable import CollectionLayout

@Suite("geometry")
struct GeometryTests {
  @Test(
    "intervals are half open and one of length 0 is a point",
    arguments: [
      // Two stretches.
      (0.0, 10.0, 5.0, 10.0, true), (0, 10, 10, 5, false), (0, 10, 9.5, 1, true),
      (0, 10, 2, 3, true), (0, 10, -5, 5, false), (0, 10, -5, 5.5, true), (0, 10, 20, 1, false),
      // A stretch and a point.
      (0, 10, 0, 0, true), (0, 10, 5, 0, true), (0, 10, 10, 0, false), (0, 10, -1, 0, false),
      (-5, 5, 0, 0, false), (-5, 5, -5, 0, true),
      // Two points.
      (3, 0, 3, 0, true), (3, 0, 4, 0, false),
    ])
  func meeting(start: Double, length: Double, otherStart: Double, otherLength: Double, meet: Bool) {
    let a = Interval(start: start, length: length)
    let b = Interval(start: otherStart, length: otherLength)
    same(a.meets(b), meet)
    same(b.meets(a), meet)
  }

  @Test("meeting follows the rule for all kinds", arguments: 0..<200)
  func meetingRule(seed: Int) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let numbers = (0..<4).map { _ in Double(random.integer(0...4)) }
      let a = Interval(start: numbers[0], length: numbers[1])
      let b = Interval(start: numbers[2], length: numbers[3])
      let expected = Element.meet(numbers[0], numbers[1], numbers[2], numbers[3])
      same(a.meets(b), expected, "\(a) and \(b)")
    }
  }

  @Test("frames that only touch do not intersect")
  func touching() {
    let frame = Rect(x: 10, y: 10, width: 20, height: 20)
    for (x, y) in [(30.0, 10.0), (-10, 10), (10, 30), (10, -10), (30, 30), (-10, -10)] {
      let other = Rect(x: x, y: y, width: 20, height: 20)
      #expect(!frame.intersects(other), "\(other)")
      #expect(!other.intersects(frame), "\(other)")
    }
  }

  @Test("frames intersect when both extents meet")
  func intersecting() {
    let frame = Rect(x: 10, y: 10, width: 20, height: 20)
    #expect(frame.intersects(Rect(x: 29, y: 29, width: 5, height: 5)))
    #expect(frame.intersects(Rect(x: 0, y: 0, width: 100, height: 100)))
    #expect(frame.intersects(Rect(x: 15, y: 0, width: 1, height: 100)))
    #expect(!frame.intersects(Rect(x: 15, y: 40, width: 1, height: 100)))
    #expect(!frame.intersects(Rect(x: 40, y: 15, width: 1, height: 1)))
  }

  @Test(
    "a rect without size is a hit test",
    arguments: cases("Geometry.hitTest", Double.self, Double.self, Bool.self))
  func hitTest(x: Double, y: Double, isHit: Bool) {
    let frame = Rect(x: 10, y: 10, width: 20, height: 20)
    same(frame.intersects(Rect(x: x, y: y, width: 0, height: 0)), isHit)
  }

  @Test("a frame without height is met like a line")
  func flatFrame() {
    let line = Rect(x: 0, y: 50, width: 100, height: 0)
    #expect(line.intersects(Rect(x: 0, y: 50, width: 10, height: 10)))
    #expect(line.intersects(Rect(x: 0, y: 40, width: 10, height: 10.5)))
    #expect(!line.intersects(Rect(x: 0, y: 40, width: 10, height: 10)))
    #expect(line.intersects(Rect(x: 99, y: 50, width: 0, height: 0)))
    #expect(!line.intersects(Rect(x: 100, y: 50, width: 0, height: 0)))
  }

  @Test("edges are sums")
  func edges() {
    let rect = Rect(x: 1.5, y: -2, width: 3, height: 4)
    same(rect.maxX, 4.5)
    same(rect.maxY, 2)
    same(EdgeInsets(all: 3), EdgeInsets(top: 3, left: 3, bottom: 3, right: 3))
    same(rect.transposed, Rect(x: -2, y: 1.5, width: 4, height: 3))
    same(
      EdgeInsets(top: 1, left: 2, bottom: 3, right: 4).transposed,
      EdgeInsets(top: 2, left: 1, bottom: 4, right: 3))
  }
}

@Suite("index paths")
struct IndexPathTests {
  @Test("index paths are ordered by section, then by item")
  func order() {
    let ordered = [(0, 0), (0, 1), (0, 900), (1, 0), (1, 5), (2, 0)]
      .map { IndexPath(section: $0.0, item: $0.1) }
    for (i, a) in ordered.enumerated() {
      for (j, b) in ordered.enumerated() {
        same((a < b), (i < j))
        same((a == b), (i == j))
      }
    }
    same(ordered.reversed().sorted(), ordered)
  }
}

@Suite("partition points")
struct PartitionPointTests {
  @Test("a partition point is the first index for which the condition fails", arguments: 0..<40)
  func everyPoint(count: Int) {
    for start in [0, 7, -3] {
      let range = start..<start + count
      for point in start...start + count {
        same(partitionPoint(in: range) { $0 < point }, point)
        for guess in [Int.min, start - 1, start, start + count / 2, start + count, Int.max] {
          same(partitionPoint(in: range, near: guess) { $0 < point }, point)
        }
      }
    }
  }

  @Test("a search never looks outside its range", arguments: 0..<100)
  func staysInside(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let range = random.integer(-100...100)..<random.integer(100...400)
    let point = random.integer(range.lowerBound...range.upperBound)
    let guess = random.integer(-1000...1000)
    let isBefore = { (index: Int) -> Bool in
      #expect(range.contains(index))
      return index < point
    }
    same(partitionPoint(in: range, where: isBefore), point)
    same(partitionPoint(in: range, near: guess, where: isBefore), point)
  }

  @Test("a good guess is worth its while")
  func nearGuess() {
    var calls = 0
    let point = partitionPoint(in: 0..<1_000_000_000, near: 499_999_998) {
      calls += 1
      return $0 < 500_000_000
    }
    same(point, 500_000_000)
    #expect(calls < 10)
  }

  @Test("any double becomes some integer")
  func clamping() {
    same(Int(clamping: 3.9), 3)
    same(Int(clamping: -3.9), -3)
    same(Int(clamping: .nan), 0)
    #expect(Int(clamping: Double.infinity) > 1 << 60)
    #expect(Int(clamping: -Double.infinity) < -(1 << 60))
  }
}

@Suite("covering")
struct CoveringTests {
  @Test("whatever meets a covered interval meets the covering one", arguments: 0..<40)
  func covered(seed: Int) {
    var random = SeededGenerator(seed: seed)
    func interval() -> Interval {
      Interval(start: Double(random.integer(0...6)), length: Double(random.integer(0...3)))
    }
    for _ in 0..<200 {
      let (known, rect, frame) = (interval(), interval(), interval())
      if known.covers(rect) && frame.meets(rect) {
        #expect(frame.meets(known), "\(frame) meets \(rect), which \(known) covers")
      }
    }
  }

  @Test("an interval covers itself, a part and a point in it, but not the point where it ends")
  func byHand() {
    let known = Interval(start: 2, length: 3)
    #expect(known.covers(known))
    #expect(known.covers(Interval(start: 3, length: 2)))
    #expect(known.covers(Interval(start: 4, length: 0)))
    #expect(!known.covers(Interval(start: 5, length: 0)))
    #expect(!known.covers(Interval(start: 3, length: 2.5)))
    #expect(!Interval(start: 2, length: 0).covers(Interval(start: 2, length: 1)))
  }
}
