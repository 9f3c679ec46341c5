import TestSupport

@testable import CollectionLayout

enum NaiveFlow: NaiveKind {
  typealias Layout = FlowLayout

  static func isUniform(
    _ items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) -> Bool {
    items.allSatisfy { $0.width == nil && $0.height == nil && $0.ratio == nil }
  }

  private static func size(
    of item: NaiveItem, else itemSize: Size, in container: NaiveContainer
  ) -> Size {
    let width = container.width(of: item)
    let height = container.height(of: item).map { container.step($0) }
    guard let ratio = item.ratio, width == nil || height == nil else {
      return Size(width: width ?? itemSize.width, height: height ?? itemSize.height)
    }
    if let height {
      return Size(width: container.width(ofHeight: height, ratio: ratio), height: height)
    }
    return Size(
      width: width ?? itemSize.width,
      height: container.height(ofWidth: width ?? itemSize.width, ratio: ratio))
  }

  static func body(
    of items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) throws(NaiveFault) -> NaiveBody {
    var itemSize = options.itemSize(in: container)
    itemSize.height = container.step(itemSize.height)
    let spacing = options.number("columnSpacing", else: 10)
    let lineSpacing = container.step(options.number("rowSpacing", else: 10))
    let alignment = options.word("alignment", else: "justified")
    let bodyWidth = container.width

    /// How many items of a line fit, the first of which is there.
    func fit(used: Double, count: Int, _ width: Double) -> Bool {
      count < 10_000 && (used + spacing) + width <= bodyWidth * (1 + 1e-9)
    }
    /// Where n items that sum up to `sum` begin, and the gap between them.
    func spaced(_ n: Int, sum: Double) -> (begin: Double, gap: Double) {
      if alignment == "justified" {
        return n == 1 ? (max(0, (bodyWidth - sum) / 2), 0) : (0, (bodyWidth - sum) / Double(n - 1))
      }
      let length = sum + Double(n - 1) * spacing
      switch alignment {
      case "center": return (max(0, (bodyWidth - length) / 2), spacing)
      case "end": return (max(0, bodyWidth - length), spacing)
      default: return (0, spacing)
      }
    }

    var body = NaiveBody()
    var lines: [[Size]] = []
    var used = 0.0
    for item in items {
      let size = size(of: item, else: itemSize, in: container)
      if let line = lines.last, fit(used: used, count: line.count, size.width) {
        lines[lines.count - 1].append(size)
        used = (used + spacing) + size.width
      } else {
        lines.append([size])
        used = size.width
      }
    }
    var y = 0.0
    for (index, line) in lines.enumerated() {
      var sum = 0.0
      for size in line { sum += size.width }
      var (begin, gap) = spaced(line.count, sum: sum)
      if index == lines.count - 1, alignment == "justified" {
        let last = line.last!.width
        var (k, used) = (line.count, used)
        while fit(used: used, count: k, last) {
          used = (used + spacing) + last
          sum += last
          k += 1
        }
        (begin, gap) = spaced(k, sum: sum)
      }
      let lineHeight = line.map(\.height).max()!
      var x = begin
      for size in line {
        let free = lineHeight - size.height
        let top =
          switch options.word("lineAlignment", else: "center") {
          case "top": y
          case "bottom": y + free
          default: y + container.step(free / 2)
          }
        body.frames.append(Rect(x: x, y: top, width: size.width, height: size.height))
        x = x + (size.width + gap)
      }
      body.height = y + lineHeight
      y = (y + lineHeight) + lineSpacing
    }
    return body
  }

  static func options(
    for container: NaiveContainer, by random: inout SeededGenerator
  ) -> GivenOptions {
    var options = GivenOptions()
    if random.chance(60) { options["itemSize"] = random.size(1...120) }
    if random.chance(60) { options["columnSpacing"] = random.option(0...20) }
    if random.chance(60) { options["rowSpacing"] = random.option(0...20) }
    if random.chance(70) {
      options["alignment"] = .string(
        random.element(of: ["justified", "start", "center", "end"]))
    }
    if random.chance(70) {
      options["lineAlignment"] = .string(random.element(of: ["center", "top", "bottom"]))
    }
    return options
  }
}
