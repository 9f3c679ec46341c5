import TestSupport

@testable import CollectionLayout

enum NaiveWaterfall: NaiveKind {
  typealias Layout = WaterfallLayout

  static func isUniform(_ items: [NaiveItem], in container: NaiveContainer) -> Bool {
    items.allSatisfy { $0.ratio == nil && container.height(of: $0) == nil }
  }

  static func body(
    of items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) throws(NaiveFault) -> NaiveBody {
    let cellPadding = options.number("cellPadding", else: 6)
    let itemHeight = options.number("itemHeight", else: 180)
    var columns = Int(options.number("columns", else: 2))
    if let minimum = options.number("minimumColumnWidth") {
      columns = max(1, Int((container.width / minimum).rounded(.down)))
    }
    let columnWidth = container.width / Double(columns)
    let photoWidth = columnWidth - 2 * cellPadding
    guard photoWidth > 0 else { throw NaiveFault() }

    var body = NaiveBody()
    func add(in column: Int, at y: Double, _ height: Double) {
      body.frames.append(
        Rect(
          x: Double(column) * columnWidth + cellPadding, y: y + cellPadding, width: photoWidth,
          height: height))
    }
    if isUniform(items, in: container) {
      let pitch = 2 * cellPadding + itemHeight
      for item in items.indices {
        add(in: item % columns, at: Double(item / columns) * pitch, itemHeight)
      }
      body.height = (Double(items.count) / Double(columns)).rounded(.up) * pitch
      return body
    }
    var ys = [Double](repeating: 0, count: columns)
    for (index, item) in items.enumerated() {
      var column = index % columns
      if options.word("placement", else: "roundRobin") == "shortestColumn" {
        column = ys.firstIndex(of: ys.min()!)!
      }
      let height = container.height(of: item, ofWidth: photoWidth, else: itemHeight)
      add(in: column, at: ys[column], height)
      ys[column] = ys[column] + (2 * cellPadding + height)
    }
    body.height = ys.max()!
    return body
  }

  static func options(
    for container: NaiveContainer, by random: inout SeededGenerator
  ) -> GivenOptions {
    var options = GivenOptions()
    switch random.integer(0...3) {
    case 0: options["minimumColumnWidth"] = random.option(1...container.width)
    case 1: break
    default: options["columns"] = .number(Double(random.integer(1...9)))
    }
    if random.chance(60) {
      options["cellPadding"] = random.option(0...random.element(of: [0, 8, 30]))
    }
    if random.chance(40) { options["itemHeight"] = random.option(0...100) }
    if random.chance(70) {
      options["placement"] = .string(random.element(of: ["roundRobin", "shortestColumn"]))
    }
    return options
  }
}
