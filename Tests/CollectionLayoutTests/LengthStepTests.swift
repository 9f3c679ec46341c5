import TestSupport
import Testing

@testable import CollectionLayout

@Suite("steps of lengths")
struct LengthStepTests {
  @Test(
    "a length is the nearest step, and halves are rounded up",
    arguments: [
      (0, 0), (1, 1024), (44.25, 45_312), (0.1, 102), (0x1.8p-10, 2), (0x1.4p-9, 3),
      (0x1.3ffp-9, 2),
    ] as [(Double, Double)])
  func lengths(value: Double, steps: Double) {
    let expected = steps / 1024
    same(LengthStep.fine.length(value), expected)
    same(LengthStep.fine.nearest(to: value), expected)
  }

  @Test(
    "a length > 0 is at least one step, but a coordinate may become 0",
    arguments: [0x1p-12, 1e-300, .leastNonzeroMagnitude] as [Double])
  func shortest(value: Double) {
    same(LengthStep.fine.length(value), 1.0 / 1024)
    same(LengthStep.point.length(value), 1)
    same(LengthStep.fine.nearest(to: value), 0)
    same(LengthStep.point.nearest(to: value), 0)
  }

  @Test(
    "coordinates may be negative",
    arguments: [(-0x1p-11, 0), (-0x1.2p-11, -1), (-0x1.8p-10, -1), (-7, -7168)]
      as [(Double, Double)])
  func negative(value: Double, steps: Double) {
    same(LengthStep.fine.nearest(to: value), steps / 1024)
  }

  @Test("with whole points a step is a point")
  func points() {
    same(LengthStep.point.length(44.5), 45)
    same(LengthStep.point.length(44.25), 44)
    same(LengthStep.point.nearest(to: -0.5), 0)
    same(LengthStep.point.nearest(to: -0.75), -1)
    same(LengthStep.point.roundedUp(3.001), 4)
    let (above, next): (Double, Double) = (3 + 0.1 / 1024, 3 + 1.0 / 1024)
    same(LengthStep.fine.roundedUp(above), next)
    same(LengthStep.fine.roundedUp(-0.1 / 1024), 0)
  }

  @Test(
    "what is as coarse as steps already, infinite or no number stays",
    arguments: [0x1p42, 0x1.0000000000001p42, 0x1p60, .greatestFiniteMagnitude, .infinity]
      as [Double])
  func large(value: Double) {
    same(LengthStep.fine.length(value), value)
    same(LengthStep.fine.nearest(to: -value), -value)
    same(LengthStep.fine.roundedUp(value), value)
    #expect(LengthStep.fine.length(.nan).isNaN)
    same(LengthStep.point.length(.infinity), .infinity)
    #expect(LengthStep.point.length(.nan).isNaN)
  }

  @Test("the sum of lengths is exact in any order", arguments: 0..<20)
  func sums(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var lengths = (0..<1000).map { _ in
      LengthStep.fine.length(Double.random(in: 0...1e9, using: &random))
    }
    let sum = lengths.reduce(0, +)
    lengths.shuffle(using: &random)
    same(lengths.reduce(0, +), sum)
    let steps = lengths.reduce(0) { $0 + Int($1 * 1024) }
    same(sum, Double(steps) / 1024)
    for length in lengths.prefix(10) {
      same(Double(1000) * length, (0..<1000).reduce(0) { sum, _ in sum + length })
    }
  }
}
