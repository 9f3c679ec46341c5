import TestSupport

@testable import CollectionLayout

enum NaiveJustified: NaiveKind {
  typealias Layout = JustifiedLayout

  static func isUniform(_ items: [NaiveItem], in container: NaiveContainer) -> Bool { false }

  static func body(
    of items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) throws(NaiveFault) -> NaiveBody {
    let target = options.number("targetRowHeight", else: 320)
    let tolerance = options.number("targetRowHeightTolerance", else: 0.25)
    let itemSpacing = options.number("itemSpacing", else: 10)
    let rowSpacing = options.number("rowSpacing", else: 10)
    let bodyWidth = container.width
    let minimum = bodyWidth / target * (1 - tolerance)
    let maximum = bodyWidth / target * (1 + tolerance)
    let ratios = items.map { container.isTransposed ? 1 / ($0.ratio ?? 1) : $0.ratio ?? 1 }

    // The rows: their ratios, and at which height each closes.
    var rows: [(ratios: [Double], height: Double)] = []
    var row: [Double] = []
    var r: Double { row.reduce(0, +) }
    func inner(_ count: Int) -> Double { bodyWidth - Double(count - 1) * itemSpacing }
    func close(_ height: Double) {
      rows.append((row, height))
      row = []
    }
    for a in ratios {
      while true {
        let n = row.count
        let inner = inner(n + 1)
        let newSum = r + a
        if n > 0, inner <= 0 {
          close((bodyWidth - Double(n - 1) * itemSpacing) / r)
          continue
        }
        if newSum > maximum, n > 0 {
          let previous = (bodyWidth - Double(n - 1) * itemSpacing) / target
          if abs(newSum - inner / target) > abs(r - previous) {
            close((bodyWidth - Double(n - 1) * itemSpacing) / r)
            continue
          }
        }
        row.append(a)
        if !(newSum < minimum) { close(inner / newSum) }
        break
      }
    }
    func kept(_ height: Double) -> Double { min(max(height, 0.5 * target), 2 * target) }
    var begin = 0.0
    if !row.isEmpty {
      let height = rows.last.map { kept($0.height) } ?? target
      switch options.word("lastRow", else: "left") {
      case "center":
        begin = (inner(row.count) - r * height) / 2
        close(height)
      case "justify": close(inner(row.count) / r)
      default: close(height)
      }
    }

    var body = NaiveBody()
    var (count, y) = (0, 0.0)
    for row in rows {
      guard row.height > 0, row.height.isFinite else { throw NaiveFault() }
      count += row.ratios.count
      var x = count == ratios.count ? begin : 0
      for a in row.ratios {
        let width = a * row.height
        body.frames.append(Rect(x: x, y: y, width: width, height: kept(row.height)))
        x = x + (width + itemSpacing)
      }
      body.height = y + kept(row.height)
      y = y + (kept(row.height) + rowSpacing)
    }
    return body
  }

  static func options(
    for container: NaiveContainer, by random: inout SeededGenerator
  ) -> GivenOptions {
    var options = GivenOptions()
    if random.chance(80) { options["targetRowHeight"] = random.option(10...400) }
    if random.chance(50) { options["targetRowHeightTolerance"] = random.option(0...1) }
    if random.chance(50) {
      options["itemSpacing"] = random.option(0...random.element(of: [0, 20, container.width / 3]))
    }
    if random.chance(50) { options["rowSpacing"] = random.option(0...20) }
    if random.chance(70) {
      options["lastRow"] = .string(random.element(of: ["left", "center", "justify"]))
    }
    return options
  }
}
