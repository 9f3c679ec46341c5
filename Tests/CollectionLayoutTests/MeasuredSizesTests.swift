import TestSupport
import Testing

@testable import CollectionLayout

/// Measured sizes in the order of their items.
@Suite("measured sizes")
struct MeasuredSizesTests {
  private typealias Entry = MeasuredSizes.Entry

  /// Sizes by item, the plain way.
  private struct Model {
    var sizes: [Int: Double]
    var count: Int

    var entries: [Entry] {
      sizes.sorted { $0.key < $1.key }.map { Entry(item: $0.key, size: $0.value, width: 100) }
    }

    mutating func replaceSubrange(_ range: Range<Int>, with other: Model) {
      let distance = other.count - range.count
      var moved: [Int: Double] = [:]
      for (item, size) in sizes where !range.contains(item) {
        moved[item < range.lowerBound ? item : item + distance] = size
      }
      for (item, size) in other.sizes { moved[range.lowerBound + item] = size }
      (sizes, count) = (moved, count + distance)
    }
  }

  // Each size of a collection with each share of measured items.
  @Test(
    "after any changes, the sizes are those of a plain dictionary",
    arguments: Extent.seeds(6, of: 48))
  func random(seed: Int) {
    var random = SeededGenerator(seed: seed)
    func sizes(_ count: Int, percent: Int) -> Model {
      var model = Model(sizes: [:], count: count)
      for item in 0..<count where random.chance(percent) {
        model.sizes[item] = Double(random.integer(0...1000))
      }
      return model
    }
    var model = sizes([10, 3000, 20_000][seed % 3], percent: [0, 5, 100, 60][seed / 3 % 4])
    var measured = MeasuredSizes(model.entries)
    var entries = model.entries
    for _ in 0..<30 {
      let (before, old, oldEntries) = (measured, model, entries)
      let at = random.integer(0...model.count)
      switch random.integer(0...3) {
      case 0:
        var changes: [Int: Double?] = [:]
        for _ in 0..<random.element(of: [1, 1, 3, 900]) where model.count > 0 {
          let item = min(model.count - 1, max(0, at + random.integer(-400...400)))
          changes.updateValue(random.chance(70) ? Double(random.integer(0...9)) : nil, forKey: item)
        }
        measured.apply(
          changes.sorted { $0.key < $1.key }.map { item, size in
            (item: item, entry: size.map { Entry(item: item, size: $0, width: 100) })
          })
        for (item, size) in changes { model.sizes[item] = size }
      case 1:
        let end = min(model.count, at + random.element(of: [0, 1, 1, 40, 2000]))
        let new = sizes(random.element(of: [0, 1, 1, 40, 2000]), percent: 50)
        measured.replaceSubrange(at..<end, with: MeasuredSizes(new.entries), count: new.count)
        model.replaceSubrange(at..<end, with: new)
      case 2:
        // Some items go elsewhere.
        let end = min(model.count, at + random.element(of: [1, 40, 2000]))
        let moved = measured.slice(at..<end)
        var part = Model(sizes: [:], count: end - at)
        for item in at..<end { part.sizes[item - at] = model.sizes[item] }
        measured.replaceSubrange(at..<end, with: MeasuredSizes(), count: 0)
        model.replaceSubrange(at..<end, with: Model(sizes: [:], count: 0))
        let to = random.integer(0...model.count)
        measured.replaceSubrange(to..<to, with: moved, count: part.count)
        model.replaceSubrange(to..<to, with: part)
      default:
        let new = sizes(random.integer(1...50), percent: 50)
        measured.append(new.entries, at: model.count)
        model.replaceSubrange(model.count..<model.count, with: new)
      }
      entries = model.entries
      same(measured.entries, entries)
      same(measured.count, model.sizes.count)
      same(before.entries, oldEntries, "an earlier version has changed")
      let start = random.integer(0...model.count)
      let range = start..<min(model.count, start + random.integer(0...600))
      same(Array(measured.entries(in: range)), entries.filter { range.contains($0.item) })
      for item in range.prefix(20) { same(measured[item]?.size, model.sizes[item]) }
      let items = Set(model.sizes.keys).union(old.sizes.keys)
      let differing = items.filter { model.sizes[$0] != old.sizes[$0] }.sorted()
      let changes = measured.changes(from: before)
      same(changes.map(\.item), differing)
      #expect(changes.allSatisfy { $0.entry?.size == model.sizes[$0.item] })
      same(measured.isEqual(to: before, in: range), differing.allSatisfy { !range.contains($0) })
    }
  }

  @Test("widths are found for those that lack one, and only for those")
  func unknownWidths() {
    var measured = MeasuredSizes((0..<2000).map { Entry(item: $0, size: 1, width: 100) })
    #expect(!measured.hasUnknownWidths)
    measured.apply([(item: 1500, entry: Entry(item: 1500, size: 2, width: .nan))])
    #expect(measured.hasUnknownWidths)
    let resolved = measured.resolved { Double($0) }
    #expect(!resolved.hasUnknownWidths)
    same(resolved.count, 2000)
    same(resolved[1500], Entry(item: 1500, size: 2, width: 1500))
    same(resolved[1501]?.width, 100)
  }

  @Test("one size among many is the only one that differs", arguments: [0, 50_000, 99_999])
  func oneAmongMany(item: Int) {
    let measured = MeasuredSizes((0..<100_000).map { Entry(item: $0, size: 1, width: 100) })
    var next = measured
    next.apply([(item: item, entry: Entry(item: item, size: 2, width: 100))])
    #expect(measured.isSame(as: measured) && !next.isSame(as: measured))
    same(next.count, 100_000)
    same(next.changes(from: measured).map(\.item), [item])
  }

  @Test("rows of which sizes are measured again and again stand where sums say", arguments: 0..<6)
  func rows(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let count = [5, 5000, 40_000][seed % 3]
    // Rows without fields are not stored as long as nothing is measured of them.
    var heights = (0..<count).map { (item: Int) -> Double in
      seed < 3 ? 44 : Double((item % 50 + 10) * 2)
    }
    let given = heights
    let items = seed < 3 ? Items(uniform: count) : Items(heights: heights)
    var collection = try PreparedCollection(
      "list", ["rowSpacing": 2.5], width: 300, [CollectionSection(items)])
    for _ in 0..<12 {
      let near = random.integer(0...count - 1)
      let sizes = (0..<random.element(of: [1, 2, 30, 700])).map { _ in
        let item =
          random.chance(50)
          ? random.integer(0...count - 1)
          : min(count - 1, near + random.integer(0...30))
        let size = random.chance(75) ? Double(random.integer(0...5000)) / 16 : nil
        heights[item] = size ?? given[item]
        return Measurement(.path(IndexPath(section: 0, item: item)), .height, size)
      }
      collection = try collection.measuring(sizes)?.next ?? collection
      let body = try #require(collection.prepared as? SectionStack).sections[0].body
      var top = 0.0
      for item in 0..<count {
        let frame = body.frame(of: item)
        guard frame.origin.y == top, frame.size.height == heights[item] else {
          #expect(frame.origin.y == top && frame.size.height == heights[item], "row \(item)")
          return
        }
        top += heights[item] + 2.5
      }
      same(body.height, top - 2.5)
      let y = Double(random.integer(0...Int(body.height)))
      let seen = collection.prepared.elements(in: Rect(x: 0, y: y, width: 300, height: 500))
      let expected = (0..<count).filter {
        let frame = body.frame(of: $0)
        return frame.origin.y <= y + 500 && frame.maxY >= y
      }
      same(seen.map(\.item), expected)
    }
  }

  @Test("one measured row among many without fields stores its neighbours and a list of pieces")
  func plainRows() throws {
    let collection = try PreparedCollection(
      "list", [:], width: 300, [CollectionSection(Items(uniform: 1_000_000))])
    let path = IndexPath(section: 0, item: 500_000)
    let next = try #require(try collection.measuring([Measurement(.path(path), .height, 50)])).next
    // Of 256 rows the list has less than 100 bytes.
    #expect(next.memoryBytes - collection.memoryBytes < 400_000)
  }
}
