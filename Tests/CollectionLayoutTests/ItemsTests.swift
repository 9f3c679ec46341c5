import TestSupport
import Testing

@testable import CollectionLayout

@Suite("items")
struct ItemsTests {
  @Test("no items")
  func empty() {
    let items = Items()
    same(items.count, 0)
    same(items.id(at: 0), nil)
    same(items.storedCount, 0)
    #expect(!items.hasIDs)
  }

  @Test("items without fields cost nothing")
  func uniform() {
    let items = Items(uniform: 1_000_000_000_000)
    same(items.count, 1_000_000_000_000)
    same(items.storedCount, 0)
    #expect(items.memoryBytes < 1000)
    same(items.id(at: 999_999_999_999), nil)
    same(Items(uniform: 0).count, 0)
  }

  @Test("items as columns have the values and names of their rows")
  func columns() {
    let items = Items(
      ItemStorage(
        count: 3, columns: [.height: [120, .nan, 80]], ids: IDColumn(["a", nil, "äöü"])))
    same(items.count, 3)
    same((0..<3).map { items.value(of: .height, at: $0) }, [120, nil, 80])
    same((0..<3).map { items.value(of: .width, at: $0) }, [nil, nil, nil])
    same((0..<3).map { items.id(at: $0)?.string }, ["a", nil, "äöü"])
    #expect(items.hasIDs)
  }

  @Test("a rope of any pieces is an array", arguments: Extent.seeds(60, of: 200))
  func rope(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var plain: [PlainItem] = []
    var items = Items()
    for _ in 0..<random.integer(0...12) {
      let piece = Self.piece(of: random.element(of: [0, 1, 5, 400, 3000]), using: &random)
      plain += piece
      items.append(ItemStorage(piece))
    }
    expect(items, equal: plain)
  }

  @Test("runs cover a range in item order", arguments: Extent.seeds(40, of: 100))
  func runs(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let plain = (0..<6).flatMap { _ in Self.piece(of: 900, using: &random) }
    let items = Items(plain, using: &random)
    for _ in 0..<10 {
      let bounds = [random.integer(0...plain.count), random.integer(0...plain.count)].sorted()
      var heights: [Double?] = []
      items.forEachRun(in: bounds[0]..<bounds[1]) { storage, run in
        for index in run {
          let height = storage?[.height]?[index]
          heights.append(height.flatMap { $0.isNaN ? nil : $0 })
        }
      }
      same(heights, plain[bounds[0]..<bounds[1]].map(\.height))
    }
  }

  @Test("appending to a copy leaves the original as it was")
  func valueSemantics() {
    let original = Items([PlainItem(id: "a", height: 1)])
    var copy = original
    copy.append(ItemStorage([PlainItem(id: "b", height: 2)]))
    same(original.count, 1)
    same(copy.count, 2)
    same(copy.id(at: 1)?.string, "b")
    same(copy.value(of: .height, at: 0), 1)
  }

  @Test("storage that several pieces share is counted once")
  func sharedMemory() {
    var items = Items(
      ItemStorage(count: 10_000, columns: [.height: Array(repeating: 7, count: 10_000)], ids: nil))
    let before = items.memoryBytes
    #expect(before >= 80_000)
    for index in [5000, 2000, 8000] {
      items.replaceSubrange(
        index..<index + 1, with: Items(ItemStorage(count: 1, columns: [.height: [8]], ids: nil)))
    }
    same(items.value(of: .height, at: 5000), 8)
    same(items.value(of: .height, at: 9999), 7)
    #expect(items.memoryBytes > before)
    #expect(items.memoryBytes < before + 2000)
  }

  @Test("what sections share is counted once")
  func memoryOfSharedStorage() throws {
    let storage = ItemStorage(
      count: 10_000, columns: [.height: [Double](repeating: 1, count: 10_000)], ids: nil)
    let whole = CollectionData.sections([CollectionSection(items: Items(storage))])
    let items = Items(storage)
    let parts = CollectionData.sections(
      (0..<10).map { CollectionSection(items: items.slice($0 * 1000..<($0 + 1) * 1000)) })
    #expect(parts.memoryBytes < whole.memoryBytes + 10 * 200)
    #expect(parts.memoryBytes >= whole.memoryBytes)
    let twice = CollectionData.sections([
      CollectionSection(items: Items(storage)), CollectionSection(5),
    ])
    #expect(twice.memoryBytes >= whole.memoryBytes)
  }

  @Test("a name is its bytes")
  func names() {
    let column = IDColumn(["one", "two", nil, "one"])
    let (first, second, last) = (column[0]!, column[1]!, column[3]!)
    same(first, last)
    same(first.hashValue, last.hashValue)
    #expect(first != second)
    same(first, ItemID("one"))
    same(column[2], nil)
    same(second.withBytes { Array($0) }, Array("two".utf8))
    same(IDColumn.lengths, 1...128)
  }

  @Test("ratios are of two sides, if they are not given, and usable where both ways are numbers")
  func ratios() {
    let items = [
      PlainItem(aspectRatio: 1.5), PlainItem(height: 2, width: 3), PlainItem(height: 0, width: 3),
      PlainItem(height: 2), PlainItem(aspectRatio: 1.7e308),
      PlainItem(aspectRatio: .leastNonzeroMagnitude), PlainItem(height: 1e-300, width: 1e300),
      PlainItem(height: 5, aspectRatio: 4),
    ]
    let storage = ItemStorage(items)
    same(items.indices.map { storage.ratio(at: $0) }, [1.5, 1.5, nil, nil, 1.7e308, nil, nil, 4])
    #expect(Items(items).hasRatios)
    #expect(!Items([PlainItem(height: 0, width: 3)]).hasRatios)
  }

  @Test("a patch changes what it names, and takes away what is null")
  func patch() {
    var patch = ItemsPatch(count: 3)
    patch.set(.height, of: 0, to: nil)
    patch.set(.width, of: 0, to: 7)
    patch.set(.height, of: 2, to: 9)
    patch.setID(of: 1, to: ItemID("new"))
    patch.setID(of: 2, to: nil)
    let items = patch.applied(
      to: Items([
        PlainItem(id: "a", height: 1), PlainItem(height: 2), PlainItem(id: "c", aspectRatio: 2),
      ]))
    expect(
      items,
      equal: [
        PlainItem(id: "a", width: 7), PlainItem(id: "new", height: 2),
        PlainItem(height: 9, aspectRatio: 2),
      ])
  }

  @Test("items are equal by what they have, however they are stored", arguments: 0..<100)
  func equality(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let plain = (0..<3).flatMap { _ in Self.piece(of: 20, using: &random) }
    let items = Items(plain, using: &random)
    let others = Items(plain, using: &random)
    #expect(items.isEqual(to: others, in: 0..<plain.count))
    var changed = plain
    let index = random.integer(0...plain.count - 1)
    changed[index].height = (plain[index].height ?? 0) + 1
    let different = Items(changed, using: &random)
    #expect(!items.isEqual(to: different, in: 0..<plain.count))
    #expect(items.isEqual(to: different, in: 0..<index))
    #expect(items.isEqual(to: different, in: index + 1..<plain.count))
  }

  private static func piece(of count: Int, using random: inout SeededGenerator) -> [PlainItem] {
    let isNamed = random.chance(50)
    let hasHeights = random.chance(50)
    let hasRatios = random.chance(30)
    return (0..<count).map { index in
      var item = PlainItem()
      if isNamed, random.chance(70) { item.id = "\(index)–\(random.integer(0...9999))" }
      if hasHeights, random.chance(70) { item.height = Double(random.integer(0...500)) }
      if hasRatios, random.chance(70) { item.aspectRatio = Double(random.integer(1...30)) / 10 }
      return item
    }
  }

  private func expect(_ items: Items, equal plain: [PlainItem]) {
    same(items.count, plain.count)
    for (index, item) in plain.enumerated() {
      let found = PlainItem(
        id: items.id(at: index)?.string, height: items.value(of: .height, at: index),
        aspectRatio: items.value(of: .aspectRatio, at: index),
        width: items.value(of: .width, at: index))
      if found != item { Issue.record("item \(index) is \(found), expected \(item)") }
    }
  }
}
