import TestSupport

@testable import CollectionLayout

enum NaiveWaterfall: NaiveKind {
  typealias Layout = WaterfallLayout

  static func isUniform(
    _ items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) -> Bool {
    items.allSatisfy {
      $0.ratio == nil && container.height(of: $0) == nil && ($0.columnSpan ?? 1) == 1
        && $0.column == nil
    }
  }

  static func body(
    of items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) throws(NaiveFault) -> NaiveBody {
    let hasSpacing =
      options.number("columnSpacing") != nil || options.number("rowSpacing") != nil
    let columnSpacing = options.number("columnSpacing", else: 0)
    let rowSpacing = container.step(options.number("rowSpacing", else: 0))
    let cellPadding = options.number("cellPadding", else: hasSpacing ? 0 : 6)
    let padding = container.step(cellPadding)
    let itemHeight = container.step(options.number("itemHeight", else: 180))
    let columns = try container.columns(
      options, spacing: columnSpacing,
      areNamed: items.contains { ($0.columnSpan ?? 1) > 1 || $0.column != nil })
    let columnWidth =
      (container.width - columnSpacing * Double(columns - 1)) / Double(columns)
    func width(_ span: Int) -> Double {
      (Double(span) * columnWidth + Double(span - 1) * columnSpacing) - 2 * cellPadding
    }
    guard width(1) > 0 else { throw NaiveFault() }

    var body = NaiveBody()
    func add(_ span: Int, in column: Int, at y: Double, _ height: Double) {
      body.frames.append(
        Rect(
          x: Double(column) * (columnWidth + columnSpacing) + cellPadding, y: y + padding,
          width: width(span), height: height))
    }
    if isUniform(items, options, in: container) {
      let pitch = (2 * padding + itemHeight) + rowSpacing
      for item in items.indices {
        add(1, in: item % columns, at: Double(item / columns) * pitch, itemHeight)
      }
      if !items.isEmpty {
        body.height =
          (Double(items.count) / Double(columns)).rounded(.up) * pitch - rowSpacing
      }
      return body
    }
    let placement = options.word("placement", else: "roundRobin")
    let tolerance = options.number("tolerance", else: placement == "lanes" ? 16 : 1)
    var ys = [Double](repeating: 0, count: columns)
    var next = 0
    for item in items {
      let span = Int(min(item.columnSpan ?? 1, Double(columns)))
      let tops = (0...columns - span).map { ys[$0..<$0 + span].max()! }
      let lowest = tops.min()!
      let column: Int
      if let given = item.column {
        column = min(Int(given), columns - span)
      } else if placement == "shortestColumn" {
        column = tops.firstIndex { $0 == lowest || $0 - lowest < tolerance }!
      } else if placement == "lanes" {
        let near = tops.indices.filter { tops[$0] == lowest || tops[$0] - lowest <= tolerance }
        column = near.first { $0 >= next } ?? near[0]
        next = (column + span) % columns
      } else {
        column = next + span > columns ? 0 : next
        next = column + span
      }
      let height = container.height(of: item, ofWidth: width(span), else: itemHeight)
      let top = tops[column]
      add(span, in: column, at: top, height)
      for covered in column..<column + span {
        ys[covered] = (top + (2 * padding + height)) + rowSpacing
      }
    }
    if !items.isEmpty { body.height = ys.max()! - rowSpacing }
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
    if random.chance(25) { options["maximumColumns"] = .number(Double(random.integer(1...5))) }
    if random.chance(50) {
      options["cellPadding"] = random.option(0...random.element(of: [0, 8, 30]))
    }
    if random.chance(40) { options["columnSpacing"] = random.option(0...20) }
    if random.chance(10) { options.takeManyColumns(by: &random) }
    if random.chance(40) { options["rowSpacing"] = random.option(0...20) }
    if random.chance(40) { options["itemHeight"] = random.option(0...100) }
    if random.chance(80) {
      options["placement"] = .string(
        random.element(of: ["roundRobin", "shortestColumn", "lanes"]))
    }
    if random.chance(40) {
      options["tolerance"] = random.chance(30) ? .number(0) : random.option(0...80)
    }
    return options
  }
}
