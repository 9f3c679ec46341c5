import TestSupport

@testable import CollectionLayout

enum NaiveList: NaiveKind {
  typealias Layout = ListLayout

  static func isUniform(
    _ items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) -> Bool {
    items.allSatisfy { $0.ratio == nil && container.height(of: $0) == nil }
  }

  static func body(
    of items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) throws(NaiveFault) -> NaiveBody {
    let itemHeight = container.step(options.number("itemHeight", else: 44))
    let rowSpacing = container.step(options.number("rowSpacing", else: 0))
    var body = NaiveBody()
    var y = 0.0
    for item in items {
      let height = container.height(of: item, ofWidth: container.width, else: itemHeight)
      body.frames.append(Rect(x: 0, y: y, width: container.width, height: height))
      body.height = y + height
      y = (y + height) + rowSpacing
    }
    return body
  }

  static func options(
    for container: NaiveContainer, by random: inout SeededGenerator
  ) -> GivenOptions {
    var options = GivenOptions()
    if random.chance(50) { options["itemHeight"] = random.option(0...100) }
    if random.chance(50) { options["rowSpacing"] = random.option(0...20) }
    return options
  }
}
