import TestSupport
import Testing

@testable import CollectionLayout

/// Three cells as high as the least height of their cards, which have one line and a picture.
@Suite("differences of cards")
struct CardDifferenceTests {
  private static let frames = (0..<3).map {
    Rect(x: 0, y: Double($0) * 100, width: 200, height: 100)
  }

  private static func card(size: Double) -> OptionValue {
    [
      "minimumHeight": 100, "leading": 7,
      "parts": [
        ["media": true], ["text": "title", "font": "a", "size": .number(size), "lineHeight": 12],
      ],
    ]
  }

  private func prepared(
    _ titles: [String] = ["a", "b", "c"], ratio: Double = 4
  ) throws -> PreparedCollection {
    var texts = ItemTextsBuilder()
    let index = texts.index(of: .text("title"))
    let name = try #require(index)
    for (index, title) in titles.enumerated() {
      #expect(texts.add(name, of: index) { $0 += Array(title.utf8) })
    }
    let storage = ItemStorage(
      count: titles.count,
      columns: [.aspectRatio: Array(repeating: ratio, count: titles.count)], ids: nil,
      texts: texts.texts(count: titles.count))
    return try PreparedCollection(
      GivenLayout("list", ["card": Self.card(size: 10)], width: 200),
      .sections([CollectionSection(items: Items(storage))]), typesetter: PlainTypesetter())
  }

  /// The frames after a change that moves none, each in the rects and among the transitions if its
  /// cell differs.
  private func check(_ change: CollectionChange?, differing: [Int]) throws {
    let change = try #require(change)
    var found: [Int] = []
    let isComplete = change.forEachTransition(in: Rect(x: 0, y: 0, width: 200, height: 300)) {
      guard case .moving(_, let from, let to) = $0 else {
        Issue.record("\($0)")
        return false
      }
      same(from.frame, to.frame)
      same(to.frame, Self.frames[to.indexPath.item])
      found.append(to.indexPath.item)
      return true
    }
    #expect(isComplete)
    same(found, differing)
    for (item, frame) in Self.frames.enumerated() {
      same(change.invalidatedRects.touch(frame), differing.contains(item), "\(item)")
    }
  }

  @Test("cells of another card differ, although their frames do not")
  func card() throws {
    let collection = try prepared()
    let layout = GivenLayout("list", ["card": Self.card(size: 8)], width: 200)
    try check(collection.changing(layout).change, differing: [0, 1, 2])
  }

  @Test("cells differ whose parts are mirrored")
  func mirrored() throws {
    let collection = try prepared()
    let layout = GivenLayout(
      "list", ["card": Self.card(size: 10), "layoutDirection": "rightToLeft"], width: 200)
    try check(collection.changing(layout).change, differing: [0, 1, 2])
  }

  @Test("a cell with another text or picture differs, one that was set to the same does not")
  func items() throws {
    let collection = try prepared()
    func set(_ patch: ItemsPatch) throws -> CollectionChange {
      try collection.applying([
        .setItems(patch, at: .path(IndexPath(section: 0, item: 1)))
      ])
    }
    var patch = ItemsPatch(count: 1)
    patch.set(.text("title"), of: 0, to: Array("d".utf8))
    try check(set(patch), differing: [1])
    patch.set(.text("title"), of: 0, to: Array("b".utf8))
    try check(set(patch), differing: [])
    for (ratio, differing) in [(4.0, []), (5, [1])] {
      patch = ItemsPatch(count: 1)
      patch.set(.aspectRatio, of: 0, to: ratio)
      try check(set(patch), differing: differing)
    }
  }
}
