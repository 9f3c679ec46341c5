import TestSupport

@testable import CollectionLayout

enum NaiveGroup: NaiveKind {
  typealias Layout = GroupLayout

  static func isUniform(
    _ items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) -> Bool { true }

  static func body(
    of items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) throws(NaiveFault) -> NaiveBody {
    guard case .object(var group) = options["group"] else { throw NaiveFault() }
    if container.isTransposed { group = transposed(group) }
    let around = Size(width: container.width, height: container.boundsHeight)
    let size = Size(
      width: extent(group.object("width"), in: around)!,
      height: extent(group.object("height"), in: around)!)
    let slots = try slots(of: group, size: size, x: 0, y: 0)
    let height = container.step(size.height)
    let spacing = container.step(options.number("rowSpacing", else: 0))
    var body = NaiveBody()
    for item in items.indices {
      var frame = slots[item % slots.count]
      let top = Double(item / slots.count) * (height + spacing)
      frame = Rect(
        x: frame.origin.x, y: top + container.edge(frame.origin.y), width: frame.size.width,
        height: container.edge(frame.origin.y + frame.size.height)
          - container.edge(frame.origin.y))
      body.frames.append(frame)
    }
    if !items.isEmpty {
      let repetitions = (Double(items.count) / Double(slots.count)).rounded(.up)
      body.height = repetitions * (height + spacing) - spacing
    }
    return body
  }

  /// `nil` for a flexible one.
  private static func extent(_ dimension: GivenOptions, in size: Size) -> Double? {
    dimension.number("absolute")
      ?? dimension.number("fractionalWidth").map { size.width * $0 }
      ?? dimension.number("fractionalHeight").map { size.height * $0 }
  }

  /// The frames of a group's or item's items, depth first.
  private static func slots(
    of group: GivenOptions, size: Size, x: Double, y: Double
  ) throws(NaiveFault) -> [Rect] {
    guard case .array(let subitems) = group["subitems"] else {
      let insets = group.object("insets")
      func inset(_ name: String) -> Double { insets.number(name, else: 0) }
      let frame = Rect(
        x: x + inset("left"), y: y + inset("top"),
        width: size.width - (inset("left") + inset("right")),
        height: size.height - (inset("top") + inset("bottom")))
      guard frame.size.width >= 0, frame.size.height >= 0 else { throw NaiveFault() }
      return [frame]
    }
    let isHorizontal = group.word("direction", else: "") == "horizontal"
    let spacing = group.number("spacing", else: 0)
    let room = isHorizontal ? size.width : size.height
    var all: [GivenOptions] = []
    for case .object(let subitem) in subitems {
      for _ in 0..<Int(subitem.number("count", else: 1)) { all.append(subitem) }
    }
    let along = isHorizontal ? "width" : "height"
    var fixed = 0.0
    var sum = 0.0
    for subitem in all {
      fixed += extent(subitem.object(along), in: size) ?? 0
      sum += subitem.object(along).number("flexible", else: 0)
    }
    let left = (room - Double(all.count - 1) * spacing) - fixed
    var slots: [Rect] = []
    var p = 0.0
    for subitem in all {
      var extents: [String: Double] = [:]
      for name in ["width", "height"] {
        if let part = subitem.object(name).number("flexible") {
          guard left > 0 else { throw NaiveFault() }
          extents[name] = left * part / sum
        } else {
          extents[name] = extent(subitem.object(name), in: size)!
        }
      }
      let extent = Size(width: extents["width"]!, height: extents["height"]!)
      let limits = [size.width * (1 + 1e-9), size.height * (1 + 1e-9)]
      let reached = [
        isHorizontal ? p + extent.width : extent.width,
        isHorizontal ? extent.height : p + extent.height,
      ]
      guard reached[0] <= limits[0], reached[1] <= limits[1] else { throw NaiveFault() }
      slots += try Self.slots(
        of: subitem, size: extent, x: isHorizontal ? x + p : x, y: isHorizontal ? y : y + p)
      p = p + (extents[along]! + spacing)
    }
    return slots
  }

  /// A group with all its axes exchanged.
  private static func transposed(_ group: GivenOptions) -> GivenOptions {
    let names = [
      "width": "height", "height": "width", "fractionalWidth": "fractionalHeight",
      "fractionalHeight": "fractionalWidth", "horizontal": "vertical", "vertical": "horizontal",
      "top": "left", "left": "top", "bottom": "right", "right": "bottom",
    ]
    func turned(_ value: OptionValue) -> OptionValue {
      switch value {
      case .string(let word): .string(names[word] ?? word)
      case .array(let values): .array(values.map(turned))
      case .object(let object): .object(transposed(object))
      default: value
      }
    }
    var result = GivenOptions()
    for member in group.members { result[names[member.name] ?? member.name] = turned(member.value) }
    return result
  }

  static func options(
    for container: NaiveContainer, by random: inout SeededGenerator
  ) -> GivenOptions {
    var group = subgroup(depth: 1, by: &random)
    group["width"] = dimension(
      random.chance(70) ? "fractionalWidth" : "absolute", random.element(of: [0.5, 1, 1.25, 300]))
    group["height"] = dimension(
      random.element(of: ["absolute", "absolute", "fractionalWidth", "fractionalHeight"]),
      random.element(of: [0.5, 1, 97.5, 200]))
    group["count"] = nil
    var options = GivenOptions()
    options["group"] = .object(group)
    if random.chance(50) { options["rowSpacing"] = random.option(0...20) }
    return options
  }

  private static func dimension(_ name: String, _ value: Double) -> OptionValue {
    var dimension = GivenOptions()
    dimension[name] = .number(value)
    return .object(dimension)
  }

  private static func subgroup(depth: Int, by random: inout SeededGenerator) -> GivenOptions {
    var group = GivenOptions()
    let isHorizontal = random.chance(50)
    group["direction"] = .string(isHorizontal ? "horizontal" : "vertical")
    let hasSpacing = random.chance(40)
    if hasSpacing { group["spacing"] = random.option(0...3) }
    let subitemCount = random.integer(1...3)
    let counts = (0..<subitemCount).map { _ in random.integer(1...(depth < 3 ? 2 : 3)) }
    let total = Double(counts.reduce(0, +))
    let (along, across) = isHorizontal ? ("width", "height") : ("height", "width")
    let (part, acrossPart) =
      isHorizontal
      ? ("fractionalWidth", "fractionalHeight") : ("fractionalHeight", "fractionalWidth")
    var subitems: [OptionValue] = []
    for count in counts {
      var subitem = GivenOptions()
      if depth < 4, random.chance(35) {
        subitem = subgroup(depth: depth + 1, by: &random)
      } else if random.chance(40) {
        subitem["insets"] = .object(random.insets(0...1.5))
      }
      if count > 1 || random.chance(10) { subitem["count"] = .number(Double(count)) }
      switch random.integer(0...5) {
      case 0...2: subitem[along] = dimension("flexible", random.element(of: [1, 1, 2, 0.3]))
      case 3: subitem[along] = dimension("absolute", random.element(of: [2, 5.5, 1.0 / 3]))
      default: subitem[along] = dimension(part, (hasSpacing ? 0.9 : 1) / total)
      }
      subitem[across] = dimension(
        random.chance(85) ? acrossPart : "absolute", random.element(of: [1, 1, 0.5, 1.0 / 3]))
      subitems.append(.object(subitem))
    }
    group["subitems"] = .array(subitems)
    return group
  }
}
