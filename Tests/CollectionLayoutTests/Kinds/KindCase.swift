import TestSupport

@testable import CollectionLayout

/// Items, options and a container for a kind, as a seed decides them.
struct KindCase<Kind: NaiveKind> {
  var container: NaiveContainer
  var options: GivenOptions
  var items: [NaiveItem]

  init(by random: inout SeededGenerator) {
    func length() -> Double {
      random.chance(50)
        ? random.element(of: [100, 300, 320, 375, 1000])
        : random.number(40...1500, isNice: random.chance(50))
    }
    container = NaiveContainer(
      width: length(), boundsHeight: length(), isTransposed: random.chance(40),
      isIntegral: random.chance(25))
    options = Kind.options(for: container, by: &random)
    let count =
      switch random.integer(0...59) {
      case 0: 0
      case 1...6: random.integer(250...1500)
      case 7: random.integer(4000...9500)
      default: random.integer(1...50)
      }
    items = random.items(count, within: container.width)
  }

  /// The kind with the options, turned as the container is.
  func layout() throws -> Kind.Layout {
    var layout = Kind.Layout()
    try Kind.Layout.options.assign(options, to: &layout, section: nil)
    return (container.isTransposed ? layout.transposed() : layout)
      .stepped(by: container.isIntegral ? .point : .fine)
  }

  var coreContainer: Container {
    Container(
      width: container.width, boundsHeight: container.boundsHeight,
      isTransposed: container.isTransposed, step: container.isIntegral ? .point : .fine)
  }

  /// `nil` where there is no layout.
  var naiveBody: NaiveBody? {
    do { return try Kind.body(of: items, options, in: container) } catch { return nil }
  }
}

extension SeededGenerator {
  mutating func option(_ range: ClosedRange<Double>) -> OptionValue {
    .number(number(range, isNice: chance(50)))
  }

  /// An object with a width, a height or both.
  mutating func size(_ range: ClosedRange<Double>) -> OptionValue {
    var size = GivenOptions()
    if chance(80) { size["width"] = option(range) }
    if chance(80) { size["height"] = option(range) }
    return .object(size)
  }

  mutating func insets(_ range: ClosedRange<Double>) -> GivenOptions {
    var insets = GivenOptions()
    for edge in ["top", "left", "bottom", "right"] where chance(70) {
      insets[edge] = option(range)
    }
    return insets
  }

  /// How many columns an item covers: mostly a few, seldom more than there are.
  mutating func columnSpan() -> Double {
    chance(85) ? Double(integer(1...3)) : element(of: [1, 4, 5, 10_000, .infinity])
  }

  /// How many rows an item covers.
  mutating func rowSpan() -> Double {
    chance(98) ? Double(integer(1...3)) : element(of: [1, 5, 40, 300])
  }

  /// Items with fields for none, some or all of them.
  mutating func items(_ count: Int, within width: Double) -> [NaiveItem] {
    let shares = ItemField.stored.map { _ in element(of: [0, 0, 40, 100]) }
    let isNice = chance(50)
    let isWild = count < 100 && chance(5)
    // So wide that some fill a line exactly.
    let fitting = [width, width / 2, width / 3, (width - 10) / 2, (width - 20) / 3, 0]
    let isSame = chance(10)
    var items: [NaiveItem] = []
    for _ in 0..<count {
      if isSame, let last = items.last {
        items.append(last)
        continue
      }
      var item = NaiveItem()
      if chance(shares[0]) {
        item.width = chance(20) ? element(of: fitting) : number(0...150, isNice: isNice)
      }
      if chance(shares[1]) { item.height = chance(10) ? 0 : number(0...150, isNice: isNice) }
      if chance(shares[2]), item.width == nil || item.height == nil {
        item.aspectRatio =
          isWild
          ? element(of: [1e-300, .leastNonzeroMagnitude, 1e300, 1.7e308, 3e-308, 1])
          : number(0.2...4, isNice: isNice)
      }
      if chance(shares[3]) { item.x = number(-200...1200, isNice: isNice) }
      if chance(shares[4]) { item.y = number(-200...1200, isNice: isNice) }
      if chance(shares[5] / 2) { item.columnSpan = columnSpan() }
      if chance(shares[6] / 2) { item.rowSpan = rowSpan() }
      if chance(shares[7] / 4) { item.column = Double(element(of: [0, 1, 2, 3, 5, 9_999])) }
      items.append(item)
    }
    return items
  }

  /// The items in a rope of some storages.
  mutating func rope(_ items: [NaiveItem]) -> Items {
    var rope = Items()
    var rest = items[...]
    while !rest.isEmpty {
      let part = rest.prefix(chance(40) ? rest.count : integer(1...rest.count))
      for block in Items(Array(part), isStored: chance(50)).blocks { rope.append(block) }
      rest = rest.dropFirst(part.count)
    }
    return rope
  }

  /// The items with other ones from some index on, and that index.
  mutating func changed(
    _ items: [NaiveItem], within width: Double
  ) -> (items: [NaiveItem], firstChanged: Int) {
    let first = chance(30) ? items.count : integer(0...items.count)
    let others = self.items(element(of: [1, 1, 3, 300]), within: width)
    var changed = items
    switch integer(0...3) {
    case 0: changed.insert(contentsOf: others, at: first)
    case 1: changed.replaceSubrange(first..<min(items.count, first + others.count), with: others)
    case 2: changed.removeSubrange(first..<min(items.count, first + 2))
    default: changed.replaceSubrange(first..., with: others)
    }
    return (changed, min(first, changed.count))
  }

  /// A rect to ask about: anywhere near some frames, or on their very edges.
  mutating func rect(near frames: [Rect], height: Double) -> Rect {
    func edge(_ interval: Interval) -> Double {
      let edge = chance(50) ? interval.start : interval.end
      return element(of: [edge, edge, edge.nextUp, edge.nextDown])
    }
    guard let first = frames.first, chance(60) else {
      return Rect(
        x: number(-100...1000, isNice: chance(50)),
        y: Double.random(in: -100...max(0, min(height, 1e12)) + 100, using: &self),
        width: element(of: [0, 50, 2000]), height: element(of: [0, 10, 400]))
    }
    let a = chance(10) ? first : element(of: frames)
    let b = element(of: frames)
    let (x, y) = (edge(a.horizontal), edge(a.vertical))
    return Rect(
      x: x, y: y, width: element(of: [0, 0, 1, 1000, max(0, edge(b.horizontal) - x)]),
      height: element(of: [0, 0, 1, 1000, max(0, edge(b.vertical) - y)]))
  }
}
