import TestSupport
import Testing

@testable import CollectionLayout

@Suite("cards")
struct CardChangesTests {
  private static let typesetter = PlainTypesetter()

  /// What the test knows of an item.
  private struct Item: Equatable {
    var texts: [String: String] = [:]
    var height: Double?
    var ratio: Double?
    var width: Double?
  }

  private static let names = ["title", "body"]

  private func randomItem(_ random: inout SeededGenerator) -> Item {
    var item = Item()
    for name in Self.names where random.chance(60) {
      item.texts[name] = randomText(&random)
    }
    if random.chance(30) { item.height = random.number(1...90, isNice: random.chance(50)) }
    if random.chance(30) { item.ratio = random.number(0.5...3, isNice: random.chance(50)) }
    if random.chance(15), item.ratio == nil || item.height == nil {
      item.width = random.number(5...80, isNice: true)
    }
    return item
  }

  private func randomText(_ random: inout SeededGenerator) -> String {
    (0..<random.integer(0...12)).map { _ in
      String(repeating: "a", count: random.integer(1...9))
    }.joined(separator: " ")
  }

  private func items(_ items: [Item]) -> Items {
    var texts = ItemTextsBuilder()
    for (index, item) in items.enumerated() {
      for name in Self.names {
        guard let text = item.texts[name], let place = texts.index(of: .text(name)) else {
          continue
        }
        #expect(texts.add(place, of: index) { $0 += Array(text.utf8) })
      }
    }
    func column(_ field: KeyPath<Item, Double?>) -> [Double] {
      items.map { $0[keyPath: field] ?? .nan }
    }
    return Items(
      ItemStorage(
        count: items.count,
        columns: [
          .height: column(\.height), .aspectRatio: column(\.ratio), .width: column(\.width),
        ], ids: nil, texts: texts.texts(count: items.count)))
  }

  private static let card: OptionValue = [
    "padding": ["top": 3, "left": 4, "bottom": 5, "right": 6], "spacing": 2.25,
    "leading": 3, "trailing": 1, "minimumHeight": 30,
    "parts": [
      ["media": true, "bleed": true],
      ["text": "title", "font": "a", "size": 10, "lineHeight": 12.5, "maxLines": 2],
      ["text": "body", "font": "a", "size": 6, "lineHeight": 8],
      ["height": 7],
    ],
  ]

  /// The height of an item's card, after the rules; `nil` if it has none.
  private func height(_ item: Item, _ width: Double) -> Double? {
    func step(_ value: Double) -> Double { (value * 1024 + 0.5).rounded(.down) / 1024 }
    var parts: [(height: Double, bleeds: Bool)] = []
    let textWidth = (width - (4 + 6)) - (3 + 1)
    if let ratio = ratio(item) { parts.append((step(width / ratio), true)) }
    for (name, size, lineHeight, limit) in [("title", 10.0, 12.5, 2), ("body", 6, 8, .max)] {
      let lines = PlainTypesetter.lineCount(
        item.texts[name] ?? "", size, width: textWidth, upTo: limit)
      if lines > 0, textWidth > 0 { parts.append((step(Double(lines) * lineHeight), false)) }
    }
    guard !parts.isEmpty else { return nil }
    // The 7 points behind them are there as well.
    let sum = parts.reduce(7) { $0 + $1.height } + 2.25 * Double(parts.count)
    return max(30, (parts[0].bleeds ? 0 : 3) + sum + 5)
  }

  private func ratio(_ item: Item) -> Double? {
    if let ratio = item.ratio { return ratio }
    guard let width = item.width, let height = item.height else { return nil }
    return width / height
  }

  @Test("a row of a list is as high as the rules say", arguments: 0..<40)
  func heights(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let model = (0..<random.integer(1...30)).map { _ in randomItem(&random) }
    let width = random.number(20...300, isNice: random.chance(50))
    let collection = try PreparedCollection(
      GivenLayout("list", ["card": Self.card], width: width),
      .sections([CollectionSection(items: items(model))]), typesetter: Self.typesetter)
    var y = 0.0
    for (index, item) in model.enumerated() {
      func step(_ value: Double) -> Double { (value * 1024 + 0.5).rounded(.down) / 1024 }
      let expected =
        height(item, width) ?? ratio(item).map { step(width / $0) } ?? item.height.map(step) ?? 44
      let frame = try #require(
        collection.prepared.attributes(of: 0, at: IndexPath(section: 0, item: index))
      ).frame
      same(frame, Rect(x: 0, y: y, width: width, height: expected), "seed \(seed): \(index)")
      let card = collection.prepared.card(ofItemAt: IndexPath(section: 0, item: index))
      same((card != nil), (height(item, width) != nil), "seed \(seed): \(index)")
      if let last = card?.parts.last {
        same(max(30, last.frame.maxY + 5), expected, "seed \(seed): \(index)")
      }
      y += expected
    }
  }

  private static let layouts: [(String, GivenOptions)] = [
    ("list", [:]), ("waterfall", [:]), ("waterfall", ["placement": "shortestColumn"]),
    ("waterfall", ["placement": "lanes"]), ("grid", ["rowSizing": "tallest"]),
    ("grid", ["rowSizing": "tallest", "placement": "dense"]), ("grid", [:]), ("flow", [:]),
    ("flow", ["alignment": "start", "lineAlignment": "bottom"]),
  ]

  @Test("after changes a layout is what a fresh one is", arguments: Extent.seeds(25, of: 90))
  func changes(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var (kind, options) = Self.layouts[seed % Self.layouts.count]
    options["card"] = Self.card
    var model = (0..<random.integer(0...60)).map { _ in randomItem(&random) }
    var layout = GivenLayout(kind, options, width: 200)
    func prepared(_ items: Items) throws -> PreparedCollection {
      try PreparedCollection(
        layout, .sections([CollectionSection(items: items)]), typesetter: Self.typesetter)
    }
    var collection = try prepared(items(model))
    for step in 0..<12 {
      if random.once(in: 5) {
        layout.bounds = Bounds(width: random.number(120...400, isNice: random.chance(50)))
        collection = try collection.changing(layout).collection
      } else {
        let old = collection
        let update = randomUpdate(of: &model, &random)
        let change = try collection.applying([update])
        collection = change.next
        checkTransitions(of: change, old, "seed \(seed), step \(step)")
      }
      let fresh = try prepared(items(model))
      same(collection.prepared.contentSize, fresh.prepared.contentSize, "seed \(seed)")
      for item in model.indices {
        let path = IndexPath(section: 0, item: item)
        let (own, other) = (
          collection.prepared.attributes(of: 0, at: path),
          fresh.prepared.attributes(of: 0, at: path)
        )
        same(own, other, "seed \(seed), step \(step): \(path)")
        same(
          collection.prepared.card(ofItemAt: path), fresh.prepared.card(ofItemAt: path),
          "seed \(seed), step \(step): \(path)")
      }
      #expect(collection.prepared.memoryBytes > 0)
    }
  }

  @Test("the card of a hidden section counts as that of a shown one")
  func hiddenMemory() throws {
    func memory(_ emptySections: String, _ options: GivenOptions) throws -> Int {
      try PreparedCollection(
        GivenLayout("list", ["emptySections": .string(emptySections)], width: 200),
        .sections([
          CollectionSection(items: Items(), settings: SectionSettings(options: options))
        ]), typesetter: Self.typesetter
      ).prepared.memoryBytes
    }
    let part: OptionValue = ["text": "title", "font": "a", "size": 10, "lineHeight": 12]
    let large: GivenOptions = ["card": ["parts": .array(Array(repeating: part, count: 32))]]
    let small: GivenOptions = ["card": ["parts": .array([part])]]
    try same(
      memory("hide", large) - memory("hide", small), memory("keep", large) - memory("keep", small))
  }

  private func randomUpdate(
    of model: inout [Item], _ random: inout SeededGenerator
  ) -> CollectionUpdate {
    func at(_ item: Int) -> ItemReference { .path(IndexPath(section: 0, item: item)) }
    switch model.isEmpty ? 0 : random.integer(0...4) {
    case 0:
      let (place, new) = (
        random.integer(0...model.count),
        (0..<random.integer(1...4)).map { _ in randomItem(&random) }
      )
      model.insert(contentsOf: new, at: place)
      return .insertItems(items(new), at: at(place))
    case 1:
      let place = random.integer(0...model.count - 1)
      let count = random.integer(1...min(3, model.count - place))
      model.removeSubrange(place..<place + count)
      return .deleteItems(at: at(place), count: count)
    case 2:
      let (from, to) = (random.integer(0...model.count - 1), random.integer(0...model.count - 1))
      model.insert(model.remove(at: from), at: to)
      return .moveItem(from: at(from), to: at(to))
    case 3:
      let place = random.integer(0...model.count - 1)
      model[place] = randomItem(&random)
      return .replaceItems(items([model[place]]), at: at(place))
    default:
      let place = random.integer(0...model.count - 1)
      var patch = ItemsPatch(count: min(2, model.count - place))
      for index in 0..<patch.count {
        if random.once(in: 6) {
          patch.removeAll(.text, of: index)
          model[place + index].texts = [:]
        }
        let name = random.element(of: Self.names)
        let text = random.once(in: 4) ? "" : randomText(&random)
        patch.set(.text(name), of: index, to: Array(text.utf8))
        model[place + index].texts[name] = text
      }
      return .setItems(patch, at: at(place))
    }
  }

  /// Every cell whose attributes differ lies in the invalidated rect, before and after.
  private func checkTransitions(
    of change: CollectionChange, _ old: PreparedCollection, _ comment: Comment
  ) {
    let next = change.next.prepared
    let all = Rect(x: -10, y: -10, width: 10_000, height: 1_000_000)
    var found: Set<IndexPath> = []
    let isComplete = change.forEachTransition(in: all) {
      switch $0 {
      case .appearing(_, let to), .moving(_, _, let to): found.insert(to.indexPath)
      case .disappearing: break
      }
      return true
    }
    #expect(isComplete, comment)
    for item in 0..<min(old.prepared.counts.cells, next.counts.cells) {
      let path = IndexPath(section: 0, item: item)
      guard old.prepared.counts.cells == next.counts.cells else { return }
      if old.prepared.attributes(of: 0, at: path) != next.attributes(of: 0, at: path) {
        let isSeen = found.contains(path) || change.invalidatedRect != nil
        #expect(isSeen, comment)
      }
    }
  }
}
