/// The rows of an outline of which nothing is folded. Versions that differ by folds alone share
/// them.
final class OutlineRows: Sendable {
  let layout: OutlineLayout
  let walk: ForestWalk
  let items: Items
  /// For cards; `nil` if there are none.
  let card: TypesetCard?
  /// The shaped texts of cards.
  let texts: CardTexts
  /// The top of each rank, and that of one more; `nil` if all rows have one height.
  private let tops: [Double]?
  private let pitch: Double

  /// - Complexity: O(*n*) for *n* nodes.
  init(
    _ forest: Forest, _ layout: OutlineLayout, typesetter: (any TextTypesetter)?
  ) throws(LayoutError) {
    self.layout = layout
    walk = forest.walk
    let items = forest.items
    self.items = items
    pitch = layout.rowHeight + layout.rowSpacing
    let card = try layout.card.map { (card) throws(LayoutError) in
      try TypesetCard(card, step: .fine, hasRatios: false, by: typesetter, section: nil)
    }
    self.card = card
    let narrowest = layout.rowWidth(atDepth: max(0, forest.depthCount - 1))
    try card?.check(width: narrowest, in: Container(width: layout.width))
    let texts = try card?.texts(of: items) ?? [:]
    self.texts = texts
    let hasHeights = items.has(.height)
    guard hasHeights || card?.applies(to: items) ?? false else {
      tops = nil
      return
    }
    let count = forest.count
    var heights = [Double](repeating: layout.rowHeight, count: count)
    heights.withUnsafeMutableBufferPointer { heights in
      guard let start = heights.baseAddress else { return }
      forest.forEachDepth(of: 0..<count) { part, depth in
        let width = layout.rowWidth(atDepth: depth)
        var target = start + part.lowerBound
        items.forEachRun(in: part) { storage, run in
          card?.readHeights(of: storage, run, texts, ofWidths: { _ in width }, into: target)
          target += run.count
        }
      }
    }
    if hasHeights {
      items.forEachValue(of: .height, from: 0) { node, height in
        if !height.isNaN { heights[node] = LengthStep.fine.length(height) }
      }
    }
    var tops: [Double] = []
    tops.reserveCapacity(count + 1)
    var y = layout.insets.top
    for node in walk.nodes {
      tops.append(y)
      y += heights[Int(node)] + layout.rowSpacing
    }
    tops.append(y)
    self.tops = tops
  }

  /// The top of a rank where nothing is folded. It may be one behind the last.
  func top(of rank: Int) -> Double { tops?[rank] ?? layout.insets.top + Double(rank) * pitch }

  func height(of rank: Int) -> Double { top(of: rank + 1) - layout.rowSpacing - top(of: rank) }

  func bottom(of rank: Int) -> Double { top(of: rank + 1) - layout.rowSpacing }

  var longestText: Int { card?.longestText(of: items) ?? 0 }

  var memoryBytes: Int {
    walk.memoryBytes + (tops?.count ?? 0) * 8 + texts.paragraphs.reduce(256) { $0 + $1.memoryBytes }
      + (card?.memoryBytes ?? 0)
  }
}
