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
