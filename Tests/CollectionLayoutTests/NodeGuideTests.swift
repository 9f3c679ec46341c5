import TestSupport
import Testing

@testable import CollectionLayout

@Suite("where a tree's nodes are, about")
struct NodeGuideTests {
  private func star(_ count: Int) throws -> Forest {
    try Forest(parents: [-1] + [Int32](repeating: 0, count: count), ids: nil)
  }

  @Test("nodes at equal distances are found at once")
  func even() throws {
    let forest = try star(80)
    let ys = [0] + (0..<80).map { Double($0) * 10 }
    let guide = NodeGuide(forest, ys: ys, height: 800)
    for node in 1...80 {
      #expect(guide.node(atDepth: 1, near: ys[node], in: forest) == node)
    }
    #expect(guide.node(atDepth: 0, near: 400, in: forest) == 0)
  }

  @Test("a gap leads to the nodes beside it")
  func gap() throws {
    let forest = try star(80)
    let ys = [0] + (0..<40).map { Double($0) } + (0..<40).map { 760 + Double($0) }
    let guide = NodeGuide(forest, ys: ys, height: 800)
    for y in stride(from: 80.0, to: 720, by: 40) {
      #expect(guide.node(atDepth: 1, near: y, in: forest) == 41, "at \(y)")
    }
  }

  @Test("whatever is asked, the answer is a node of the depth")
  func anywhere() throws {
    for count in [1, 7, 8, 9, 100] {
      let forest = try star(count)
      for height in [Double.leastNonzeroMagnitude, 1, 9e15] {
        let ys = [0] + (0..<count).map { height * Double($0) / Double(count) }
        let guide = NodeGuide(forest, ys: ys, height: height)
        for y in [-.greatestFiniteMagnitude, -1, 0, 0.5, 1, 9e15, .greatestFiniteMagnitude] {
          #expect(guide.node(atDepth: 0, near: y, in: forest) == 0)
          let node = guide.node(atDepth: 1, near: y, in: forest)
          #expect((1...count).contains(node), "\(y) of \(height)")
        }
      }
    }
  }

  @Test("between it and the node that is looked for are nodes of one band", arguments: 0..<20)
  func random(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...2000, using: &generator)
    let forest = try star(count)
    let ys = [0] + (0..<count).map { _ in Double.random(in: 0..<1000, using: &generator) }.sorted()
    let guide = NodeGuide(forest, ys: ys, height: 1000)
    let bandHeight = 1000 / Double((count + 1) / 8)
    for _ in 0..<200 {
      let y = Double.random(in: 0..<1000, using: &generator)
      let exact = (1...count).first { ys[$0] >= y } ?? count + 1
      let guess = guide.node(atDepth: 1, near: y, in: forest)
      // The last one before the band may be asked for at its edge, where products are rounded.
      for node in min(guess, exact)..<max(guess, exact) {
        #expect(abs(ys[node] - y) <= bandHeight || node == exact - 1, "\(y): \(guess), \(exact)")
      }
    }
  }
}
