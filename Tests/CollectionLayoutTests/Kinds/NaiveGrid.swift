import TestSupport

@testable import CollectionLayout

enum NaiveGrid: NaiveKind {
  typealias Layout = GridLayout

  static func isUniform(_ items: [NaiveItem], in container: NaiveContainer) -> Bool { true }

  static func body(
    of items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) throws(NaiveFault) -> NaiveBody {
    let columnSpacing = options.number("columnSpacing", else: 5)
    let rowSpacing = options.number("rowSpacing", else: 5)
    var columns = options.number("columns", else: 2)
    if let minimum = options.number("minimumColumnWidth") {
      columns = max(
        1, ((container.width + columnSpacing) / (minimum + columnSpacing)).rounded(.down))
    }
    let itemWidth = (container.width - columnSpacing * (columns - 1)) / columns
    var rowHeight = options.number("rowHeight", else: 50)
    if let ratio = options.number("itemAspectRatio") {
      rowHeight = container.height(ofWidth: itemWidth, ratio: ratio) + rowSpacing
    }
    guard itemWidth > 0, rowSpacing < rowHeight else { throw NaiveFault() }
    var body = NaiveBody()
    for item in items.indices {
      let (row, column) = item.quotientAndRemainder(dividingBy: Int(columns))
      body.frames.append(
        Rect(
          x: Double(column) * (itemWidth + columnSpacing), y: Double(row) * rowHeight,
          width: itemWidth, height: rowHeight - rowSpacing))
    }
    if !items.isEmpty {
      let rows = (Double(items.count) / columns).rounded(.up)
      body.height = rows * rowHeight - rowSpacing
    }
    return body
  }

  static func options(
    for container: NaiveContainer, by random: inout SeededGenerator
  ) -> GivenOptions {
    var options = GivenOptions()
    switch random.integer(0...3) {
    case 0: options["minimumColumnWidth"] = random.option(1...container.width)
    case 1: break
    default: options["columns"] = .number(Double(random.integer(1...7)))
    }
    switch random.integer(0...3) {
    case 0: options["itemAspectRatio"] = random.option(0.1...5)
    case 1: break
    default: options["rowHeight"] = random.option(20...200)
    }
    if random.chance(60) { options["columnSpacing"] = random.option(0...20) }
    if random.chance(60) { options["rowSpacing"] = random.option(0...22) }
    return options
  }
}
