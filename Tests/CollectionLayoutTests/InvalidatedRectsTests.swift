import TestSupport
import Testing

@testable import CollectionLayout

/// How exact the rects of changes are, counted over many random changes.
@Suite("rects of what has changed")
struct InvalidatedRectsTests {
  /// Windows that show no difference, and how many of them a rect touches all the same.
  fileprivate struct Count {
    var windows = 0
    var needless = 0
    /// The area of the rects of each change, as a part of that of what differs.
    var ratios: [Double] = []

    var needlessPercent: Double { Double(needless) / Double(windows) * 100 }
    var median: Double { ratios.sorted()[ratios.count / 2] }
  }

  @Test("few windows that show no difference are touched", arguments: sectionedKinds)
  func sections(kind: String) throws {
    let count = try counted(kind, seeds: Extent.seeds(60, of: 150))
    #expect(count.windows > 400)
    #expect(count.needlessPercent < 1, "\(count.needless) of \(count.windows)")
    #expect(count.median <= 1.1)
  }

  @Test("so it is for trees")
  func trees() throws {
    let count = try counted("tree", seeds: Extent.seeds(150, of: 300))
    #expect(count.windows > 1000)
    #expect(count.needlessPercent < 5, "\(count.needless) of \(count.windows)")
    #expect(count.median <= 1.1)
  }

  private func counted(_ kind: String, seeds: Range<Int>) throws -> Count {
    var count = Count()
    for seed in seeds {
      var example = RandomCollection(kind, seed: seed)
      var collection = try example.prepared()
      var snapshot = Snapshot(collection, example.model)
      for _ in 0..<4 {
        let before = example
        let change: CollectionChange?
        do throws(LayoutError) {
          if example.random.chance(15) {
            example.changeLayout()
            change = try collection.changing(example.layout).change
          } else {
            let update = example.nextUpdate()
            change = try collection.applying([update])
          }
          _ = try example.prepared()
        } catch {
          let random = example.random
          example = before
          example.random = random
          continue
        }
        guard let change else {
          collection = try collection.changing(example.layout).collection
          continue
        }
        let next = Snapshot(change.next, example.model)
        let differing = snapshot.framesDiffering(from: next)
        count.add(change, differing, &example.random, "seed \(seed)")
        collection = change.next
        snapshot = next
      }
    }
    return count
  }

  @Test("an item that comes where an equal one went differs, though its section's options change")
  func identities() throws {
    let collection = try PreparedCollection(
      GivenLayout(
        kind: .named("gallery")!,
        options: ["minimumItemWidth": 300, "maximumItemWidth": 391, "seed": 1],
        bounds: Bounds(width: 527)),
      .sections([CollectionSection(5)]))
    var patch = SectionPatch()
    patch.options = .set(OptionPatch(["seed": 0]))
    let change = try collection.applying([
      .insertItems(Items(uniform: 2), at: IndexPath(section: 0, item: 1)),
      .setSection(patch, at: 0),
      .deleteItems(at: IndexPath(section: 0, item: 5), count: 2),
    ])
    // Items 1 to 4 are others than before, or others have their places.
    let cells = try #require(change.next.prepared.series.firstIndex(of: .cells))
    for item in 1..<5 {
      let frame = try #require(
        change.next.prepared.attributes(of: cells, at: IndexPath(section: 0, item: item))?.frame)
      #expect(change.invalidatedRects.rects.contains { $0.contains(frame) }, "item \(item)")
    }
    var transitions = 0
    _ = change.forEachTransition(in: .everything) { _ in
      transitions += 1
      return true
    }
    #expect(transitions > 0)
  }

  @Test("one of many frames that moves is two rects")
  func whiteboard() throws {
    let items = (0..<400).map { (item: Int) -> PlainItem in
      let (column, row) = (Double(item % 20), Double(item / 20))
      return PlainItem(height: 50, width: 50, x: column * 100, y: row * 100)
    }
    let collection = try PreparedCollection("frames", [:], [CollectionSection(items)])
    var patch = ItemsPatch(count: 1)
    patch.set(.x, of: 0, to: 1000.5)
    let change = try collection.applying([
      .setItems(patch, at: IndexPath(section: 0, item: 45))
    ])
    same(
      change.invalidatedRects.rects,
      [
        Rect(x: 500, y: 200, width: 50, height: 50), Rect(x: 1000, y: 200, width: 51, height: 50),
      ])
  }

  @Test("a row that opens in a long list changes nothing above it")
  func openedRow() throws {
    let items = (0..<10_000).map { PlainItem(height: 40 + Double($0 % 3) / 3) }
    let collection = try PreparedCollection("list", [:], [CollectionSection(items)])
    var patch = ItemsPatch(count: 1)
    patch.set(.height, of: 0, to: 123.4)
    let change = try collection.applying([
      .setItems(patch, at: IndexPath(section: 0, item: 9000))
    ])
    let cells = try #require(collection.prepared.series.firstIndex(of: .cells))
    let frame = try #require(
      collection.prepared.attributes(of: cells, at: IndexPath(section: 0, item: 9000))?.frame)
    let rect = try #require(change.invalidatedRect)
    same(rect.origin.y, frame.origin.y.rounded(.down))
    #expect(
      !change.invalidatedRectsBesidePins.touch(
        Rect(x: 0, y: 0, width: 100, height: rect.origin.y)))
    same(rect.maxY, change.next.prepared.contentSize.height.rounded(.up))
  }

  @Test("a column of a waterfall is a rect of its own")
  func column() throws {
    let items = (0..<300).map { _ in PlainItem(height: 90) }
    let collection = try PreparedCollection(
      "waterfall", ["columns": 4, "cellPadding": 0], [CollectionSection(items)])
    var patch = ItemsPatch(count: 1)
    patch.set(.height, of: 0, to: 100)
    let change = try collection.applying([.setItems(patch, at: IndexPath(section: 0, item: 41))])
    // Item 41 is the 11th of the second column.
    same(change.invalidatedRects.rects, [Rect(x: 25, y: 900, width: 25, height: 65 * 90 + 10)])
  }

  @Test("more than 16 rects are joined where that costs the least")
  func joining() {
    let apart = (0..<40).map { (item: Int) -> Rect in
      let (column, row) = (Double(item % 8), Double(item / 8))
      return Rect(x: column * 100, y: row * 1000, width: 10, height: 10)
    }
    let rects = InvalidatedRects(apart).rects
    #expect(rects.count <= 16)
    for rect in apart { #expect(rects.contains { $0.contains(rect) }) }
    // Rows are nearer than columns.
    #expect(rects.allSatisfy { $0.size.height == 10 })
    let order = rects.map { [$0.origin.y, $0.origin.x] }
    same(order, order.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) })
  }

  @Test("a frame without extent at whole points has room")
  func noExtent() {
    let rects = InvalidatedRects([Rect(x: 5, y: 10, width: 0, height: 0)])
    same(rects.rects, [Rect(x: 5, y: 10, width: 1, height: 1)])
    #expect(rects.touch(Rect(x: 0, y: 0, width: 20, height: 20)))
    #expect(rects.touch(Rect(x: 5, y: 10, width: 0, height: 0)))
    #expect(!rects.touch(Rect(x: 0, y: 0, width: 5, height: 20)))
  }
}

extension InvalidatedRectsTests.Count {
  fileprivate mutating func add(
    _ change: CollectionChange, _ differing: Snapshot.Frames, _ random: inout SeededGenerator,
    _ comment: @autoclosure () -> String
  ) {
    let area = change.invalidatedRectsBesidePins
    let exact = InvalidatedRects(differing.besidePins)
    if exact.isEmpty != area.isEmpty { Issue.record("\(area) for \(exact), \(comment())") }
    if !exact.isEmpty { ratios.append(area.coveredArea / exact.coveredArea) }
    let content = change.next.prepared.contentFrame
    for _ in 0..<8 {
      let height = Double.random(in: 10...max(11, content.size.height / 2), using: &random)
      let width = Double.random(in: content.size.width / 4...content.size.width + 1, using: &random)
      let window = Rect(
        x: Double.random(in: content.origin.x...content.maxX, using: &random) - width / 2,
        y: Double.random(in: 0...content.size.height, using: &random) - height / 2, width: width,
        height: height)
      let isTouched = area.touch(window)
      if differing.besidePins.contains(where: { Element.meet($0, window) }) {
        if !isTouched { Issue.record("\(window) shows a difference, \(comment())") }
      } else {
        windows += 1
        if isTouched { needless += 1 }
      }
    }
  }
}

extension InvalidatedRects {
  /// The area that the rects cover together.
  fileprivate var coveredArea: Double {
    let xs = Set(rects.flatMap { [$0.origin.x, $0.maxX] }).sorted()
    let ys = Set(rects.flatMap { [$0.origin.y, $0.maxY] }).sorted()
    var area = 0.0
    for (left, right) in zip(xs, xs.dropFirst()) {
      for (top, bottom) in zip(ys, ys.dropFirst())
      where rects.contains(where: {
        $0.origin.x <= left && $0.maxX >= right && $0.origin.y <= top && $0.maxY >= bottom
      }) {
        area += (right - left) * (bottom - top)
      }
    }
    return area
  }
}

extension Snapshot {
  fileprivate struct Frames {
    /// The frames, before and after, of elements that differ and are not pinned.
    var besidePins: [Rect] = []
  }

  /// The frames of all elements that differ, by their places or by what they are.
  fileprivate func framesDiffering(from next: Snapshot) -> Frames {
    var frames = Frames()
    func compare(_ old: [Key: Element], _ new: [Key: Element]) {
      for (key, from) in old where new[key].map({ !$0.isIdentical(to: from) }) ?? true {
        if from.pinRange == nil { frames.besidePins.append(from.frame) }
        if let to = new[key], to.pinRange == nil { frames.besidePins.append(to.frame) }
      }
      for (key, to) in new where old[key] == nil && to.pinRange == nil {
        frames.besidePins.append(to.frame)
      }
    }
    compare(byKey, next.byKey)
    compare(byPath, next.byPath)
    return frames
  }
}
