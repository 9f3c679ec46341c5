/// Random numbers that a test's seed decides.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: Int) {
    // Neighbouring seeds start far from one another.
    state = UInt64(truncatingIfNeeded: seed) &* 0x2545_F491_4F6C_DD1D
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  public mutating func integer(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// True in so many of a hundred calls.
  public mutating func chance(_ percent: Int) -> Bool {
    integer(1...100) <= percent
  }

  /// True once in `n` times.
  public mutating func once(in n: Int) -> Bool {
    integer(0...n - 1) == 0
  }

  public mutating func element<Element>(of array: [Element]) -> Element {
    array[integer(0...array.count - 1)]
  }

  /// A number of the range: a multiple of a half, or one that no double holds exactly.
  public mutating func number(_ range: ClosedRange<Double>, isNice: Bool) -> Double {
    guard !isNice else {
      let halves = integer(Int((range.lowerBound * 2).rounded(.up))...Int(range.upperBound * 2))
      return Double(halves) / 2
    }
    let value =
      switch integer(0...3) {
      case 0: Double(integer(Int(range.lowerBound * 100)...Int(range.upperBound * 100))) / 100
      case 1: Double(integer(Int(range.lowerBound * 3)...Int(range.upperBound * 3))) / 3
      case 2: Double(integer(Int(range.lowerBound * 7)...Int(range.upperBound * 7))) / 7
      default: Double.random(in: range, using: &self)
      }
    return min(max(value, range.lowerBound), range.upperBound)
  }
}
