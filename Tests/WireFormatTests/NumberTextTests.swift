import TestSupport
import Testing

@testable import WireFormat

private func text(_ value: Double) -> String {
  var writer = JSONWriter()
  writer.write(value)
  return String(decoding: writer.bytes, as: UTF8.self)
}

private func text(_ value: Int) -> String {
  var writer = JSONWriter()
  writer.write(value)
  return String(decoding: writer.bytes, as: UTF8.self)
}

private func text(coordinate value: Double) -> String {
  var writer = JSONWriter()
  writer.write(coordinate: value)
  return String(decoding: writer.bytes, as: UTF8.self)
}

/// The digits that a number's text spells out, without zeros at either end.
private func significantDigits(_ text: String) -> String {
  let mantissa = text.prefix { $0 != "e" && $0 != "E" }
  let digits = mantissa.filter(\.isNumber).drop { $0 == "0" }
  return String(digits.reversed().drop { $0 == "0" }.reversed())
}

@Suite("Number text")
struct NumberTextTests {
  @Test(
    "numbers are written as people do",
    arguments: cases("NumberText.knownTexts", Double.self, String.self))
  func knownTexts(value: Double, expected: String) {
    same(text(value), expected)
  }

  /// What every number's text must be like.
  private func check(_ value: Double) {
    let written = text(value)
    let read = Double(written)
    same(read, value, "\(value) is written as \(written)")
    #expect(JSONGrammarReference.accepts(Array(written.utf8)), "\(written)")
    // Swift's description has the fewest digits that read back, and of those the closest.
    same(
      significantDigits(written), significantDigits(value.description),
      "\(value) is written as \(written)")
    #expect(written.utf8.count <= NumberText.maxDoubleLength, "\(written)")
    if value.rounded() == value && value.magnitude < 1e21 {
      let isSpelledOut = written.allSatisfy { $0.isNumber || $0 == "-" }
      #expect(isSpelledOut, "\(value) is whole, and written as \(written)")
    }
    if value == 0 { same(written, "0") }
  }

  @Test("powers of two and their neighbours")
  func powersOfTwo() {
    var power = Double.leastNonzeroMagnitude
    while power.isFinite {
      for value in [power, power.nextUp, power.nextDown, -power] where value.isFinite {
        check(value)
      }
      power *= 2
    }
  }

  @Test("powers of ten and their neighbours")
  func powersOfTen() throws {
    for exponent in -323...308 {
      let power = try #require(Double("1e\(exponent)"))
      for value in [power, power.nextUp, power.nextDown, -power, 5 * power, 1.25 * power]
      where value.isFinite {
        check(value)
      }
    }
  }

  @Test(
    "the extremes of doubles",
    arguments: [
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNormalMagnitude,
      .leastNonzeroMagnitude,
      -.leastNonzeroMagnitude, .leastNormalMagnitude.nextDown, .ulpOfOne, .pi, 0, -0.0, 1e21, -1e21,
      1e22, 1e23,
      999_999_999_999.999, 1e12 - 0.001, 1e12 + 0.001, 1e12 - 0.0001220703125, 0x1p53 - 1, 0x1p53,
      0x1p53 + 2,
      1e16, 1e17, 0x1p63, -0x1p63, 0x1p64, 0.0005, 0.0004999999999999999, 0.9995,
      0.99949999999999994, 1e-7, 1e-5,
    ] as [Double])
  func extremes(value: Double) {
    check(value)
  }

  @Test("random doubles of many shapes", arguments: 0..<40)
  func randomDoubles(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    var sum = 0.0
    for _ in 0..<40 {
      sum += 123.45
      check(sum)
      check(sum * Double(seed + 1))
      check(Double(Int.random(in: -100_000...100_000, using: &generator)))
      check(Double(Int.random(in: .min ... .max, using: &generator)))
      check(Double(Int.random(in: -1 << 53...1 << 53, using: &generator)))
      check(Double(Int.random(in: -10_000_000...10_000_000, using: &generator)) / 1000)
      check(Double(Int.random(in: -10_000_000...10_000_000, using: &generator)) / 100)
      check(Double(Int.random(in: -1 << 50...1 << 50, using: &generator)) / 1000)
      check(Double(Int.random(in: 0...1_000_000, using: &generator)) / 7)
      check(Double.random(in: -1e12...1e12, using: &generator))
      check(Double.random(in: 0...1, using: &generator))
      check(Double(bitPattern: generator.next() & 0x800F_FFFF_FFFF_FFFF))
      let random = Double(bitPattern: generator.next())
      if random.isFinite { check(random) }
      let thousandths = Double(Int.random(in: 1...999_999, using: &generator)) / 1000
      check(thousandths.nextUp)
      check(thousandths.nextDown)
    }
  }

  @Test("fractions with any number of bits behind the point", arguments: 1...52)
  func fractions(bits: Int) {
    var generator = SeededGenerator(seed: bits)
    for _ in 0..<40 {
      let significand = 1 << 52 | UInt64.random(in: 0..<1 << 52, using: &generator)
      let value = Double(significand) / Double(1 << bits)
      check(value)
      // The nearest numbers with few decimals, for which there is a shorter text, and beside them.
      let power = [10.0, 1e2, 1e3, 1e5, 1e7, 1e9].randomElement(using: &generator)!
      let short = (value * power).rounded() / power
      check(short)
      check(short.nextUp)
      check(short.nextDown)
    }
  }

  @Test(
    "integers are written whole",
    arguments: [0, 1, 9, 10, 99, 100, 101, 999, 1000, 12345, 1 << 53, Int.max, Int.max - 1] as [Int]
  )
  func integers(value: Int) {
    same(text(value), "\(value)")
    same(text(-value), "\(-value)")
    same(text(Int.min), "-9223372036854775808")
  }

  @Test("integers of every length are written whole", arguments: 0..<19)
  func integerLengths(exponent: Int) {
    var power = 1
    for _ in 0..<exponent { power *= 10 }
    for value in [power, power - 1, power + 1, 7 * (power / 10) + 3] {
      same(text(value), "\(value)")
      same(text(-value), "\(-value)")
    }
  }

  @Test("random integers are written whole", arguments: 0..<20)
  func randomIntegers(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    for shift in 0..<64 {
      let value = Int(truncatingIfNeeded: generator.next()) >> shift
      same(text(value), "\(value)")
    }
  }

  @Test("what is written follows what was there")
  func sequence() {
    var writer = JSONWriter(capacity: 1)
    writer.write("[")
    writer.write(1.5)
    writer.write(",")
    writer.write(-20)
    writer.write(",")
    writer.write(true)
    writer.write(raw: Array(",false]".utf8))
    same(String(decoding: writer.bytes, as: UTF8.self), "[1.5,-20,true,false]")
  }

  @Test(
    "a coordinate is written as people say it",
    arguments: [
      (446.080078125, "446.08"), (446.08, "446.08"), (106.66666666666667, "106.667"),
      (341.0 / 1024, "0.333"), (21.0 / 1024, "0.0205"), (0.5, "0.5"), (-0.25, "-0.25"), (60, "60"),
      (-60, "-60"), (-0.0, "0"), (-0.0001, "0"), (0.0004, "0"), (1.0 / 2048, "0.001"),
      (-1.0 / 2048, "-0.001"), (1023.0 / 1024, "0.999"), (1023.9999, "1024"),
      (4_398_046_511_103.5, "4398046511103.5"), (4_398_046_511_104.25, "4398046511104.25"),
      (1e22, "1e+22"),
    ] as [(Double, String)])
  func coordinates(value: Double, expected: String) {
    same(text(coordinate: value), expected)
  }

  @Test(
    "no shorter text tells a multiple of 1/1024 from the others", arguments: [0, 1, 999, 70_123])
  func shortestCoordinates(whole: Int) throws {
    for steps in whole * 1024..<(whole + 1) * 1024 {
      let written = text(coordinate: Double(steps) / 1024)
      let parts = written.split(separator: ".")
      let decimals = parts.count == 2 ? parts[1].count : 0
      /// Twice the distance from a number of units to the multiple, in parts of the unit · 1,024.
      func distance(_ number: Int, _ power: Int) -> Int { 2 * abs(number * 1024 - steps * power) }
      var power = 1
      for count in 0...4 {
        let nearest = (steps * power + 512) / 1024
        let isEnough = distance(nearest, power) < power
        if count < decimals { #expect(!isEnough, "\(written) may be shorter") }
        if count == decimals {
          #expect(isEnough, "\(written) is not \(steps) steps")
          try same(#require(Int(parts.joined())), nearest, "\(written)")
        }
        power *= 10
      }
    }
  }

  // ECMA-262, 6.1.6.1.20.
  @Test(
    "an exponent is written below 10⁻⁶",
    arguments: cases("NumberText.smallest", Double.self, String.self))
  func smallest(value: Double, expected: String) {
    same(text(value), expected)
  }
}
