import TestSupport
import Testing

@testable import System

@Suite("Pages that are kept")
struct PagePoolTests {
  private static let page = PagePool.pageBytes

  @Test("what is given back is what is taken next")
  func keeping() throws {
    let pool = PagePool(keeping: 1 << 20)
    let first = try #require(pool.take(25 * Self.page - 2400))
    same(pool.takenBytes, 25 * Self.page)
    pool.giveBack(first, 25 * Self.page - 2400)
    same(pool.takenBytes, 0)
    same(pool.keptBytes, 25 * Self.page)
    // Any number of bytes that takes as many pages.
    let second = try #require(pool.take(25 * Self.page))
    same(second, first)
    same(pool.keptBytes, 0)
    same(pool.takeCount, 2)
    pool.giveBack(second, 25 * Self.page)
  }

  @Test("what does not fit under the bound is not kept, and what is small never is")
  func bound() throws {
    let pool = PagePool(keeping: 32 * Self.page)
    let first = try #require(pool.take(20 * Self.page))
    let second = try #require(pool.take(20 * Self.page))
    pool.giveBack(first, 20 * Self.page)
    pool.giveBack(second, 20 * Self.page)
    same(pool.keptBytes, 20 * Self.page)
    let small = try #require(pool.take(PagePool.smallest - 1))
    same(pool.takenBytes, 0)
    pool.giveBack(small, PagePool.smallest - 1)
    same(pool.keptBytes, 20 * Self.page)
    pool.releaseKept()
    same(pool.keptBytes, 0)
  }

  @Test("where malloc is used nothing is kept")
  func usingMalloc() throws {
    let pool = PagePool(keeping: 1 << 20, usingMalloc: true)
    let memory = try #require(pool.take(100_000))
    same(pool.takenBytes, 0)
    pool.giveBack(memory, 100_000)
    same(pool.keptBytes, 0)
  }

  @Test("more than the system has is not had")
  func exhaustion() {
    let pool = PagePool(keeping: 1 << 20)
    same(pool.take(1 << 60), nil)
    same(pool.takenBytes, 0)
  }

  @Test("nobody writes into what another has taken", arguments: Extent.seeds(3, of: 8))
  func disjoint(seed: Int) async {
    let pool = PagePool(keeping: 300 * Self.page)
    await withTaskGroup(of: Bool.self) { group in
      for owner in 1...4 {
        group.addTask { Self.useAtRandom(pool, owner: owner, seed: seed) }
      }
      for await isIntact in group { #expect(isIntact) }
    }
    same(pool.takenBytes, 0)
    #expect(pool.keptBytes <= 300 * Self.page)
  }

  /// Takes and gives back blocks of all sizes; whether each still held at its end what was written
  /// to it at its beginning.
  @Test("as much as the bound is kept")
  func exactBound() throws {
    let pool = PagePool(keeping: 20 * Self.page)
    let pages = try #require(pool.take(20 * Self.page))
    pool.giveBack(pages, 20 * Self.page)
    same(pool.keptBytes, 20 * Self.page)
  }

  private static func useAtRandom(_ pool: PagePool, owner: Int, seed: Int) -> Bool {
    var generator = SeededGenerator(seed: seed << 8 | owner)
    var blocks: [UnsafeMutableBufferPointer<Int>] = []
    var isIntact = true
    func giveBack(_ block: UnsafeMutableBufferPointer<Int>) {
      if block.contains(where: { $0 != owner << 32 | block.count }) { isIntact = false }
      pool.giveBack(UnsafeMutableRawPointer(block.baseAddress!), block.count * 8)
    }
    for _ in 0..<400 {
      if blocks.count > 5 || (!blocks.isEmpty && generator.chance(50)) {
        giveBack(blocks.remove(at: generator.integer(0...blocks.count - 1)))
      } else {
        let count = generator.integer(1...40_000)
        guard let start = pool.take(count * 8) else { return false }
        let block = UnsafeMutableBufferPointer(
          start: start.bindMemory(to: Int.self, capacity: count), count: count)
        block.initialize(repeating: owner << 32 | count)
        blocks.append(block)
      }
    }
    for block in blocks { giveBack(block) }
    return isIntact
  }
}
