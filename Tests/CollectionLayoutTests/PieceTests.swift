import TestSupport
import Testing

@testable import CollectionLayout

/// Bodies in pieces that versions share.
@Suite("pieces")
struct PieceTests {
  /// Heights of sections of some thousand items, and what is done to them.
  private struct Model {
    var heights: [Double]
    var random: SeededGenerator

    init(count: Int, seed: Int) {
      random = SeededGenerator(seed: seed)
      heights = []
      heights = newHeights(count)
    }

    mutating func newHeights(_ count: Int) -> [Double] {
      // Now and then a height needs more than 32 bits of steps.
      (0..<count).map { _ in
        Double(random.integer(0...200_000)) / 1024 + (random.integer(0...20_000) == 0 ? 0x1p23 : 0)
      }
    }

    /// Changes some items, mostly near the bounds of pieces.
    mutating func nextUpdate() -> CollectionUpdate {
      let near = random.element(of: [0, 1024, 4096, heights.count / 2, heights.count])
      let at = min(max(0, near + random.integer(-3...3)), heights.count)
      let count = random.element(of: [1, 1, 1, 2, 700, 5000])
      switch random.integer(0...3) {
      case 0:
        let new = newHeights(count)
        heights.insert(contentsOf: new, at: at)
        return .insertItems(Items(heights: new), at: IndexPath(section: 0, item: at))
      case 1 where at < heights.count:
        let end = min(heights.count, at + count)
        heights.removeSubrange(at..<end)
        return .deleteItems(at: IndexPath(section: 0, item: at), count: end - at)
      case 2 where at < heights.count:
        let height = heights.remove(at: at)
        let to = random.integer(0...heights.count)
        heights.insert(height, at: to)
        return .moveItem(
          from: IndexPath(section: 0, item: at), to: IndexPath(section: 0, item: to))
      default:
        let end = min(heights.count, at + count)
        let new = newHeights(end - at)
        heights.replaceSubrange(at..<end, with: new)
        return .replaceItems(Items(heights: new), at: IndexPath(section: 0, item: at))
      }
    }
  }

  @Test(
    "after any changes, rows and columns stand where sums say",
    arguments: [("list", 1), ("waterfall", 1), ("waterfall", 3)], 0..<4)
  func sums(_ kind: (name: String, columns: Int), seed: Int) throws {
    var model = Model(count: [3, 4096, 9000, 20_000][seed % 4], seed: seed)
    let spacing = 2.5
    var options: GivenOptions = ["rowSpacing": .number(spacing)]
    if kind.name == "waterfall" {
      options["columns"] = .number(Double(kind.columns))
      options["placement"] = "roundRobin"
    }
    var collection = try PreparedCollection(
      kind.name, options, width: 300, [CollectionSection(Items(heights: model.heights))])
    for _ in 0..<8 {
      let updates = (0..<model.random.integer(1...3)).map { _ in model.nextUpdate() }
      collection = try collection.applying(updates).next
      let stack = try #require(collection.prepared as? SectionStack)
      let body = stack.sections[0].body
      same(body.count, model.heights.count)
      var tops = [Double](repeating: 0, count: kind.columns)
      var frames: [Rect] = []
      for (item, height) in model.heights.enumerated() {
        let frame = body.frame(of: item)
        let top = tops[item % kind.columns]
        guard frame.origin.y == top, frame.size.height == height else {
          #expect(frame.origin.y == top && frame.size.height == height, "item \(item)")
          return
        }
        frames.append(frame)
        tops[item % kind.columns] = top + height + spacing
      }
      for _ in 0..<3 {
        let y = Double(model.random.integer(0...Int(collection.prepared.contentSize.height)))
        let seen = collection.prepared.elements(in: Rect(x: 0, y: y, width: 300, height: 500))
        let expected = frames.indices.filter {
          frames[$0].origin.y <= y + 500 && frames[$0].maxY >= y
        }
        same(seen.map(\.item), expected)
      }
    }
  }

  @Test(
    "a waterfall whose items go to columns in turn, or no longer, is what a fresh one is",
    arguments: Extent.seeds(12, of: 100))
  func turns(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let options: GivenOptions = [
      "columns": .number(Double(random.integer(2...5))), "itemHeight": 44, "cellPadding": 0,
      "placement": .string(random.element(of: ["shortestColumn", "lanes"])),
      "tolerance": .number(random.element(of: [0, 100, 400])),
    ]
    let count = random.integer(900...1500)
    var collection = try PreparedCollection(
      "waterfall", options, width: 300, [CollectionSection(count)])
    let last = Measurement(.path(IndexPath(section: 0, item: count - 1)), .height, 50)
    collection = try #require(try collection.measuring([last])).next
    var sized: IndexPath?
    for step in 0..<12 {
      let path = IndexPath(section: 0, item: random.integer(0...count - 1))
      switch random.integer(0...3) {
      case 0:
        let measured = Measurement(.path(path), .height, step % 4 > 0 ? 50 : nil)
        collection = try collection.measuring([measured])?.next ?? collection
      case 1:
        // At most one item has a height, so it decides whether items go to columns in turn.
        let plain = sized.map { [CollectionUpdate.replaceItems(Items(uniform: 1), at: $0)] } ?? []
        sized = path
        let height = Items(heights: [Double(random.integer(1...90))])
        collection = try collection.applying(plain + [.replaceItems(height, at: path)]).next
      case 2:
        guard let path = sized else { continue }
        sized = nil
        collection = try collection.applying([.replaceItems(Items(uniform: 1), at: path)]).next
      default:
        let change = CollectionUpdate.replaceItems(Items(uniform: 1), at: path)
        if path != sized { collection = try collection.applying([change]).next }
      }
      let fresh = try PreparedCollection(
        "waterfall", options, width: 300, try #require(collection.data.sections))
      let (cells, expected) = (collection.prepared.allElements, fresh.prepared.allElements)
      same(cells.count, count)
      same(cells.map(\.frame), expected.map(\.frame), "seed \(seed), step \(step)")
    }
  }

  /// Layouts whose cells are in pieces, with and without what makes them hard to go on with.
  private static let layouts: [(kind: String, options: GivenOptions)] = [
    ("list", ["rowSpacing": 3]), ("gallery", [:]), ("justified", ["lastRow": "center"]),
    ("flow", ["itemSize": ["width": 30, "height": 20]]),
    ("flow", ["alignment": "center", "lineAlignment": "bottom"]),
    ("waterfall", ["columns": 3, "placement": "shortestColumn"]),
    ("waterfall", ["columns": 20, "placement": "lanes", "tolerance": 40]),
    ("waterfall", ["columns": 5, "placement": "roundRobin"]), ("waterfall", ["columns": 1]),
    ("grid", ["columns": 4]), ("grid", ["columns": 3, "rowSizing": "tallest"]),
    ("grid", ["columns": 3, "rowSizing": "tallest", "itemAlignment": "center"]),
    ("grid", ["columns": 3, "rowSizing": "tallest", "placement": "dense"]),
  ]

  @Test(
    "after any changes, many cells lie as in a fresh layout", arguments: 0..<layouts.count,
    Extent.seeds(2, of: 30))
  func fresh(index: Int, seed: Int) throws {
    let (kind, options) = Self.layouts[index]
    let isMeasured = ["list", "flow", "waterfall"].contains(kind) || options["rowSizing"] != nil
    var random = SeededGenerator(seed: 100 * index + seed)
    // Spans, columns and sizes: of some seeds all items have them, of others none has.
    let (sized, placed) = (random.chance(70), random.chance(50))
    func items(_ count: Int) -> Items {
      Items(
        (0..<count).map { _ in
          var item = PlainItem()
          if sized, random.chance(70) { item.height = random.element(of: [0, 7.25, 44, 90.125]) }
          if sized, random.chance(50) { item.width = random.element(of: [0, 15, 33.3, 400]) }
          if item.height == nil || item.width == nil, random.chance(30) { item.aspectRatio = 1.5 }
          if placed, random.chance(20) { item.columnSpan = Double(random.integer(1...3)) }
          if placed, random.chance(10) { item.column = Double(random.integer(0...2)) }
          if placed, random.chance(10) { item.rowSpan = 2 }
          return item
        })
    }
    var collection = try PreparedCollection(
      kind, options, width: 400, [CollectionSection(items(random.integer(600...1400)))])
    for step in 0..<10 {
      let count = collection.prepared.counts.cells
      let path = IndexPath(section: 0, item: random.integer(0...count - 1))
      let few = random.element(of: [1, 1, 2, 300])
      let end = min(count, path.item + few)
      switch random.integer(0...5) {
      case 0: collection = try collection.applying([.insertItems(items(few), at: path)]).next
      case 1:
        let end = IndexPath(section: 0, item: count)
        collection = try collection.applying([.insertItems(items(few), at: end)]).next
      case 2 where count > few:
        let count = end - path.item
        collection = try collection.applying([.deleteItems(at: path, count: count)]).next
      case 3:
        let to = IndexPath(section: 0, item: random.integer(0...count - 1))
        collection = try collection.applying([.moveItem(from: path, to: to)]).next
      case 4 where isMeasured:
        let measured = Measurement(.path(path), .height, random.chance(70) ? 61.5 : nil)
        collection = try collection.measuring([measured])?.next ?? collection
      default:
        let new = items(end - path.item)
        collection = try collection.applying([.replaceItems(new, at: path)]).next
      }
      let fresh = try PreparedCollection(
        kind, options, width: 400, try #require(collection.data.sections))
      let (cells, expected) = (collection.prepared.allElements, fresh.prepared.allElements)
      same(cells.map(\.frame), expected.map(\.frame), "\(kind), seed \(seed), step \(step)")
      same(collection.prepared.contentSize, fresh.prepared.contentSize)
    }
  }

  @Test("a change of a row among many shares all pieces but its own, wherever it lies")
  func sharing() throws {
    let count = 100_000
    let heights = (0..<count).map { Double($0 % 90 + 20) }
    let collection = try PreparedCollection(
      "list", [:], width: 300, [CollectionSection(Items(heights: heights))])
    for item in [0, 50_000, 99_999] {
      let path = IndexPath(section: 0, item: item)
      for update in [
        CollectionUpdate.insertItems(Items(heights: [7]), at: path),
        .deleteItems(at: path, count: 1), .replaceItems(Items(heights: [7]), at: path),
      ] {
        let next = try collection.applying([update]).next
        let bodies = [collection, next].map { ($0.prepared as? SectionStack)!.sections[0].body }
        // The list of pieces has less than 100 bytes for 256 rows, and some pieces are new.
        #expect(bodies[1].memoryBytes(besides: bodies[0]) < count * 100 / 256 + 10_000)
      }
    }
  }
}
