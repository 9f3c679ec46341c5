import TestSupport
import Testing

@testable import CollectionLayout

@Suite("packed Hilbert R-tree")
struct PackedRTreeTests {
  private enum Shape: Int, CaseIterable {
    case scattered, sized0, onOneSpot, onALine, huge, apart, farOff
  }

  private static func frame(_ shape: Shape, using random: inout SeededGenerator) -> Rect {
    func number(_ range: ClosedRange<Double>) -> Double {
      random.number(range, isNice: random.chance(50))
    }
    switch shape {
    case .scattered:
      return Rect(
        x: number(-500...500), y: number(-500...500), width: number(0...80), height: number(0...80))
    case .sized0:
      return Rect(x: number(-50...50), y: number(-50...50), width: 0, height: 0)
    case .onOneSpot:
      return Rect(x: 7, y: -3, width: 0, height: 0)
    case .onALine:
      return Rect(x: -1e-3, y: number(0...500), width: 0, height: number(0...2))
    case .huge:
      return Rect(
        x: number(-1...1) * 1e300, y: number(-1...1) * 1e300, width: number(0...1) * 1e300,
        height: number(0...1) * 1e299)
    case .apart:
      let scale = random.once(in: 20) ? 1e300 : 1
      return Rect(
        x: number(-100...100) * scale, y: number(-100...100), width: number(0...9), height: 5)
    case .farOff:
      return Rect(
        x: 1.7e12 + number(0...500), y: -1e9 + number(0...500), width: number(0...80), height: 9)
    }
  }

  /// A rectangle that often begins or ends exactly at an edge of a frame.
  private static func rect(
    near frames: [Rect], _ shape: Shape, using random: inout SeededGenerator
  ) -> Rect {
    let rect = frame(shape, using: &random)
    guard !frames.isEmpty, random.chance(70) else { return rect }
    let frame = random.element(of: frames)
    return Rect(
      x: random.chance(50) ? frame.maxX : frame.origin.x - rect.size.width,
      y: random.chance(50) ? frame.maxY : frame.origin.y - rect.size.height,
      width: rect.size.width, height: rect.size.height)
  }

  private static func touches(_ frame: Rect, _ rect: Rect) -> Bool {
    frame.origin.x <= rect.maxX && rect.origin.x <= frame.maxX
      && frame.origin.y <= rect.maxY && rect.origin.y <= frame.maxY
  }

  private static func candidates(of tree: PackedRTree, in rect: Rect) -> [Int] {
    var found: [Int] = []
    _ = tree.visitCandidates(in: rect) {
      found.append($0)
      return true
    }
    return found
  }

  @Test("finds once whatever touches a rectangle", arguments: 0..<210)
  func queries(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let shape = Shape.allCases[seed % Shape.allCases.count]
    let count = random.element(of: [0, 1, 2, 15, 16, 17, 255, 256, 257, 600, 4_097])
    let frames = (0..<count).map { _ in Self.frame(shape, using: &random) }
    let tree = PackedRTree(count: count) { frames[$0] }
    same(tree.count, count)
    for _ in 0..<30 {
      let rect = Self.rect(near: frames, shape, using: &random)
      let found = Self.candidates(of: tree, in: rect)
      same(Set(found).count, found.count)
      let expected = frames.indices.filter { Self.touches(frames[$0], rect) }
      same(Set(expected).subtracting(found), [], "\(rect)")
      if shape == .scattered {
        // What is found too much is near.
        let near = Rect(
          x: rect.origin.x - 0.01, y: rect.origin.y - 0.01, width: rect.size.width + 0.02,
          height: rect.size.height + 0.02)
        #expect(found.allSatisfy { Self.touches(frames[$0], near) })
      }
    }
  }

  @Test("the bounds hold all frames", arguments: 0..<70)
  func bounds(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let shape = Shape.allCases[seed % Shape.allCases.count]
    let frames = (0..<random.integer(1...100)).map { _ in Self.frame(shape, using: &random) }
    let bounds = try #require(PackedRTree(count: frames.count) { frames[$0] }.bounds)
    same(bounds.origin.x, frames.map(\.origin.x).min())
    same(bounds.origin.y, frames.map(\.origin.y).min())
    let (maxX, maxY) = (frames.map(\.maxX).max() ?? 0, frames.map(\.maxY).max() ?? 0)
    #expect(bounds.maxX >= maxX && bounds.maxX - maxX <= 2 * bounds.size.width.ulp)
    #expect(bounds.maxY >= maxY && bounds.maxY - maxY <= 2 * bounds.size.height.ulp)
    same(PackedRTree(count: 0) { _ in bounds }.bounds, nil)
  }

  @Test("a small rectangle among many frames finds few")
  func fewCandidates() {
    let frames = (0..<40_000).map { (item: Int) -> Rect in
      let (column, row) = (Double(item % 200), Double(item / 200))
      return Rect(x: column * 10, y: row * 10, width: 8, height: 8)
    }
    let tree = PackedRTree(count: frames.count) { frames[$0] }
    let found = Self.candidates(of: tree, in: Rect(x: 1_005, y: 505, width: 10, height: 10))
    same(found.sorted(), [10_100, 10_101, 10_300, 10_301])
  }

  @Test("numbers at the end of what doubles hold are harmless")
  func extremes() {
    let most = Double.greatestFiniteMagnitude
    let frames = [
      Rect(x: -most, y: 0, width: most, height: most),
      Rect(x: most, y: most, width: most, height: 0),
      Rect(x: 0, y: Double.leastNonzeroMagnitude, width: Double.leastNonzeroMagnitude, height: 0),
    ]
    let tree = PackedRTree(count: 3) { frames[$0] }
    let found = Self.candidates(of: tree, in: Rect(x: 0, y: 0, width: most, height: most))
    same(found.sorted(), [0, 1, 2])
  }

  @Test("changed frames are found like those given at once", arguments: Extent.seeds(25, of: 60))
  func changes(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let count = random.element(of: [0, 1, 40, 700, 3_000])
    var frames = (0..<count).map { _ in Self.frame(.scattered, using: &random) }
    var indexed = IndexedFrames(frames)
    for _ in 0..<random.element(of: [5, 60]) {
      let start = random.integer(0...frames.count)
      let end = random.integer(start...min(start + 5, frames.count))
      let removed = random.once(in: 15) ? start..<frames.count : start..<end
      let added = (0..<random.integer(0...(random.once(in: 10) ? 400 : 4))).map { _ in
        Self.frame(.scattered, using: &random)
      }
      let before = indexed
      indexed = indexed.replacing(removed, with: added)
      same(before.count, frames.count)
      if let last = frames.indices.last { same(before[last], frames[last]) }
      frames.replaceSubrange(removed, with: added)
      same(indexed.count, frames.count)
      same(indexed.far?.x, frames.map(\.maxX).max())
      same(indexed.far?.y, frames.map(\.maxY).max())
      for _ in 0..<5 where !frames.isEmpty {
        let item = random.integer(0...frames.count - 1)
        same(indexed[item], frames[item])
      }
      for _ in 0..<3 {
        let rect = Self.rect(near: frames, .scattered, using: &random)
        var found: [Int] = []
        _ = indexed.visitCandidates(in: rect) {
          found.append($0)
          return true
        }
        same(Set(found).count, found.count)
        #expect(found.allSatisfy(frames.indices.contains))
        let expected = frames.indices.filter { Self.touches(frames[$0], rect) }
        same(Set(expected).subtracting(found), [])
      }
    }
  }

  @Test("moving one item again and again takes no memory")
  func movingOneItem() {
    let frames = (0..<2_000).map { Rect(x: Double($0), y: 0, width: 1, height: 1) }
    var indexed = IndexedFrames(frames).replacing(7..<8, with: [frames[8]])
    let memory = indexed.memoryBytes
    for step in 0..<3_000 {
      indexed = indexed.replacing(
        7..<8, with: [Rect(x: Double(step), y: 9, width: 1, height: 1)])
    }
    same(indexed.memoryBytes, memory)
    same(indexed[7], Rect(x: 2_999, y: 9, width: 1, height: 1))
    #expect(indexed[6] == frames[6] && indexed[8] == frames[8])
  }
}
