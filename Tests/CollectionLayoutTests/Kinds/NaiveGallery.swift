import TestSupport

@testable import CollectionLayout

enum NaiveGallery: NaiveKind {
  typealias Layout = GalleryLayout

  static func isUniform(
    _ items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) -> Bool { false }

  static func body(
    of items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) throws(NaiveFault) -> NaiveBody {
    let horizontalInset = options.number("horizontalInset", else: 15)
    let verticalInset = container.step(options.number("verticalInset", else: 15))
    let minimum = options.number("minimumItemWidth", else: 150)
    let maximum = options.number("maximumItemWidth", else: 300)
    let itemHeight = container.step(options.number("itemHeight", else: 250))
    let seed = UInt64(options.number("seed", else: 0))
    guard minimum <= maximum, horizontalInset <= maximum / 4,
      2 * horizontalInset < container.width
    else { throw NaiveFault() }
    var body = NaiveBody()
    var x = horizontalInset
    var y = 0.0
    for (index, item) in items.enumerated() {
      var width: Double
      let endsRow = !(container.width - x > 1.5 * maximum)
      if endsRow {
        width = max(0, (container.width - x) - horizontalInset)
      } else if let own = container.width(of: item), own > 0 {
        width = min(own, maximum)
      } else {
        let choices = UInt64((maximum - minimum).rounded(.down)) + 1
        var generator = SplitMix(state: seed ^ (UInt64(index) &* 0xBF58_476D_1CE4_E5B9))
        let integer = generator.next().multipliedFullWidth(by: choices).high
        width = minimum.rounded(.down) + Double(integer)
      }
      body.frames.append(Rect(x: x, y: y, width: width, height: itemHeight))
      body.height = y + (itemHeight + verticalInset)
      x = x + (width + horizontalInset)
      if endsRow {
        y = y + (itemHeight + verticalInset)
        x = horizontalInset
      }
    }
    return body
  }

  /// Vigna's splitmix64.c, word for word.
  private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &+ 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }
  }

  static func options(
    for container: NaiveContainer, by random: inout SeededGenerator
  ) -> GivenOptions {
    var options = GivenOptions()
    if random.chance(70) {
      let maximum = random.number(1...container.width, isNice: random.chance(50))
      options["maximumItemWidth"] = .number(maximum)
      options["minimumItemWidth"] = .number(random.element(of: [maximum, maximum / 2, 1, 1.5]))
      options["horizontalInset"] = random.option(0...maximum / 3)
    }
    if random.chance(50) { options["verticalInset"] = random.option(0...20) }
    if random.chance(50) { options["itemHeight"] = random.option(1...100) }
    if random.chance(70) {
      options["seed"] = .number(Double(random.element(of: [0, 1, 42, 1 << 53 - 1])))
    }
    return options
  }
}
