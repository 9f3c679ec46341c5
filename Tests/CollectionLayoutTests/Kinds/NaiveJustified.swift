import TestSupport

@testable import CollectionLayout

enum NaiveJustified: NaiveKind {
  typealias Layout = JustifiedLayout

  static func isUniform(
    _ items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) -> Bool { false }

  static func body(
    of items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) throws(NaiveFault) -> NaiveBody {
    let target = options.number("targetRowHeight", else: 320)
    let tolerance = options.number("targetRowHeightTolerance", else: 0.25)
    let itemSpacing = options.number("columnSpacing", else: 10)
    let rowSpacing = container.step(options.number("rowSpacing", else: 10))
    let bodyWidth = container.width
    let minimum = bodyWidth / target * (1 - tolerance)
    let maximum = bodyWidth / target * (1 + tolerance)
    let ratios = items.map { container.isTransposed ? 1 / ($0.ratio ?? 1) : $0.ratio ?? 1 }

    var rows: [[Double]] = []
    var row: [Double] = []
    /// The width that is left beside the spacings of so many items.
    func inner(_ count: Int) -> Double { bodyWidth - Double(count - 1) * itemSpacing }
    func close() {
      rows.append(row)
      row = []
    }
    for a in ratios {
      while true {
        let n = row.count
        let r = row.reduce(0, +)
        if n > 0, bodyWidth - Double(n) * itemSpacing <= 0 {
          close()
          continue
        }
        let larger = r + a
        let aim = (bodyWidth - Double(n) * itemSpacing) / target
        if larger < minimum {
          row.append(a)
        } else if larger > maximum, n > 0, abs(larger - aim) > abs(r - inner(n) / target) {
          close()
          continue
        } else {
          row.append(a)
          close()
        }
        break
      }
    }
    let isLastOpen = !row.isEmpty
    if isLastOpen { close() }

    let lastRow = options.word("lastRow", else: "left")
    var body = NaiveBody()
    var y = 0.0
    var before: Double?
    for (index, row) in rows.enumerated() {
      let r = row.reduce(0, +)
      let f = inner(row.count) / r
      guard f > 0, f.isFinite else { throw NaiveFault() }
      var h = min(f, 2 * target)
      if index == rows.count - 1, isLastOpen, lastRow != "justify" { h = min(before ?? target, f) }
      before = h
      var x = 0.0
      if lastRow == "center", h < f { x = (inner(row.count) - r * h) / 2 }
      let height = container.step(h)
      for a in row {
        let width = a * h
        body.frames.append(Rect(x: x, y: y, width: width, height: height))
        x = x + (width + itemSpacing)
      }
      body.height = y + height
      y = (y + height) + rowSpacing
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
      options["columnSpacing"] = random.option(
        0...random.element(of: [0, 20, container.width / 3]))
    }
    if random.chance(50) { options["rowSpacing"] = random.option(0...20) }
    if random.chance(70) {
      options["lastRow"] = .string(random.element(of: ["left", "center", "justify"]))
    }
    return options
  }
}
