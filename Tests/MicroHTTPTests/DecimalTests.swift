import TestSupport
import Testing

@testable import MicroHTTP

@Suite("Decimal numbers in queries")
struct DecimalTests {
  private func number(_ text: String) -> Double? { Decimal.number(Array(text.utf8).span) }

  @Test("a number of any count of digits is the nearest double", arguments: 1...20)
  func nearest(digits: Int) {
    var random = SeededGenerator(seed: digits)
    for _ in 0..<2000 {
      var text = "\(random.integer(1...9))"
      for _ in 1..<digits { text += "\(random.integer(0...9))" }
      let point = random.integer(1...digits)
      if point < digits { text.insert(".", at: text.index(text.startIndex, offsetBy: point)) }
      if random.chance(50) { text = "-" + text }
      if random.chance(20) { text += "e\(random.integer(-30...30))" }
      same(number(text), Double(text), "\(text)")
    }
  }

  @Test("small fractions too", arguments: 1...20)
  func fractions(digits: Int) {
    var random = SeededGenerator(seed: digits)
    for _ in 0..<2000 {
      var text = "0."
      for _ in 0..<digits { text += "\(random.chance(40) ? 0 : random.integer(0...9))" }
      same(number(text), Double(text), "\(text)")
    }
  }
}
