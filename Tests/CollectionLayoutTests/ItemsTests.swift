import TestSupport
import Testing

@testable import CollectionLayout

@Suite("items")
struct ItemsTests {
  @Test("no items")
  func empty() {
    let items = Items()
    #expect(items.count == 0)
    #expect(items.id(at: 0) == nil)
    #expect(items.storedCount == 0)
    #expect(!items.hasIDs)
  }

  @Test("items without fields cost nothing")
  func uniform() {
    let items = Items(uniform: 1_000_000_000_000)
    #expect(items.count == 1_000_000_000_000)
    #expect(items.storedCount == 0)
    #expect(items.memoryBytes < 1000)
    #expect(items.id(at: 999_999_999_999) == nil)
    #expect(Items(uniform: 0).count == 0)
  }

  @Test("items as columns have the values and names of their rows")
  func columns() {
    let items = Items(
      ItemStorage(
        count: 3, columns: [[120, .nan, 80], nil], ids: IDColumn(["a", nil, "äöü"])))
    #expect(items.count == 3)
    #expect((0..<3).map { items.value(of: 0, at: $0) } == [120, nil, 80])
    #expect((0..<3).map { items.value(of: 1, at: $0) } == [nil, nil, nil])
    #expect((0..<3).map { items.id(at: $0)?.string } == ["a", nil, "äöü"])
    #expect(items.hasIDs)
  }

  @Test("a rope of any pieces is an array", arguments: 0..<200)
  func rope(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var plain: [PlainItem] = []
    var items = Items()
    for _ in 0..<random.integer(0...12) {
      let piece = Self.piece(of: random.element(of: [0, 1, 5, 400, 3000]), using: &random)
      plain += piece
      items.append(ItemStorage(piece, of: .waterfall))
    }
    expect(items, equal: plain)
  }

  @Test("runs cover a range in item order", arguments: 0..<100)
  func runs(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let plain = (0..<6).flatMap { _ in Self.piece(of: 900, using: &random) }
    let items = Items(plain, of: .waterfall, using: &random)
    for _ in 0..<10 {
      let bounds = [random.integer(0...plain.count), random.integer(0...plain.count)].sorted()
      var heights: [Double?] = []
      items.forEachRun(in: bounds[0]..<bounds[1]) { storage, run in
        for index in run {
          let height = storage?.columns[0]?[index]
          heights.append(height.flatMap { $0.isNaN ? nil : $0 })
        }
      }
      #expect(heights == plain[bounds[0]..<bounds[1]].map(\.height))
    }
  }

  @Test("appending to a copy leaves the original as it was")
  func valueSemantics() {
    let original = Items([PlainItem(id: "a", height: 1)], of: .waterfall)
    var copy = original
    copy.append(ItemStorage([PlainItem(id: "b", height: 2)], of: .waterfall))
    #expect(original.count == 1)
    #expect(copy.count == 2)
    #expect(copy.id(at: 1)?.string == "b")
    #expect(copy.value(of: 0, at: 0) == 1)
  }

  @Test("storage that several pieces share is counted once")
  func sharedMemory() {
    var items = Items(
      ItemStorage(count: 10_000, columns: [Array(repeating: 7, count: 10_000), nil], ids: nil))
    let before = items.memoryBytes
    #expect(before >= 80_000)
    for index in [5000, 2000, 8000] {
      items.replaceSubrange(
        index..<index + 1, with: Items(ItemStorage(count: 1, columns: [[8], nil], ids: nil)))
    }
    #expect(items.value(of: 0, at: 5000) == 8)
    #expect(items.value(of: 0, at: 9999) == 7)
    #expect(items.memoryBytes > before)
    #expect(items.memoryBytes < before + 2000)
  }

  @Test("what sections share is counted once")
  func memoryOfSharedStorage() throws {
    let storage = ItemStorage(
      count: 10_000, columns: [[Double](repeating: 1, count: 10_000)], ids: nil)
    let whole = CollectionData.sections([Items(storage)])
    let items = Items(storage)
    let parts = CollectionData.sections((0..<10).map { items.slice($0 * 1000..<($0 + 1) * 1000) })
    #expect(parts.memoryBytes < whole.memoryBytes + 10 * 200)
    #expect(parts.memoryBytes >= whole.memoryBytes)
    let twice = CollectionData.sections([Items(storage), Items(uniform: 5)])
    #expect(twice.memoryBytes >= whole.memoryBytes)
  }

  @Test("a name is its bytes")
  func names() {
    let column = IDColumn(["one", "two", nil, "one"])
    let (first, second, last) = (column[0]!, column[1]!, column[3]!)
    #expect(first == last)
    #expect(first.hashValue == last.hashValue)
    #expect(first != second)
    #expect(first == ItemID("one"))
    #expect(column[2] == nil)
    #expect(second.withBytes { Array($0) } == Array("two".utf8))
    #expect(IDColumn.lengths == 1...128)
  }

  @Test("more items than a double counts are too many")
  func tooMany() throws {
    let most = Items(uniform: 1 << 53 - 1)
    #expect(try checkedItemCount([most]) == 1 << 53 - 1)
    #expect(throws: LayoutError.tooManyItems(limit: 1 << 53 - 1)) {
      try checkedItemCount([most, Items(uniform: 1)])
    }
    #expect(throws: LayoutError.tooManyItems(limit: 1 << 53 - 1)) {
      try checkedItemCount([Items(uniform: 1 << 53)])
    }
    #expect(throws: LayoutError.tooManyItems(limit: 1 << 53 - 1)) {
      try checkedItemCount([most, Items(uniform: .max)])
    }
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
    #expect(items.count == plain.count)
    for (index, item) in plain.enumerated() {
      let found = PlainItem(
        id: items.id(at: index)?.string, height: items.value(of: 0, at: index),
        aspectRatio: items.value(of: 1, at: index))
      if found != item { Issue.record("item \(index) is \(found), expected \(item)") }
    }
  }
}

@Suite("offsets of sections")
struct SectionOffsetsTests {
  @Test("sections that meet an interval are found among the rest")
  func sections() {
    var offsets = SectionOffsets(startingAt: 10)
    for bottom in [20.0, 20, 50, 90] { offsets.append(endingAt: bottom) }
    #expect(offsets.count == 4)
    #expect(offsets.end == 90)
    let cases: [(Interval, Range<Int>)] = [
      (Interval(start: 15, length: 1), 0..<1), (Interval(start: 30, length: 30), 2..<4),
      (Interval(start: 20, length: 0), 1..<3),
    ]
    for (interval, sections) in cases {
      let found = offsets.sections(meeting: interval)
      #expect(found.lowerBound <= sections.lowerBound && sections.upperBound <= found.upperBound)
    }
    #expect(offsets.sections(meeting: Interval(start: 100, length: 10)).isEmpty)
    #expect(offsets.sections(meeting: Interval(start: -10, length: 10)).isEmpty)
  }
}
