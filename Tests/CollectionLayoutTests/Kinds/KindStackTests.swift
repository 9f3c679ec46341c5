import TestSupport
import Testing

@testable import CollectionLayout

/// Every kind in a stack of one section, in all directions.
@Suite("kinds of sections in a stack")
struct KindStackTests {
  @Test(
    "answers are those of a scan over naive frames", arguments: KindPropertyTests.kinds.indices,
    Extent.seeds(10, of: 80))
  func stack(kind: Int, seed: Int) throws {
    try Self.checkStack(KindPropertyTests.kinds[kind], seed: seed)
  }

  private static func checkStack<Kind: NaiveKind>(_: Kind.Type, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var given = KindCase<Kind>(by: &random)
    let isIntegral = given.container.isIntegral
    let insets = random.insets(0...9)
    func inset(_ vertical: String, _ horizontal: String) -> Double {
      insets.number(given.container.isTransposed ? horizontal : vertical, else: 0)
    }
    let (left, right) = (inset("left", "top"), inset("right", "bottom"))
    let top = given.container.step(inset("top", "left"))
    let bottom = given.container.step(inset("bottom", "right"))
    let isMirrored = random.chance(40)
    let givenHeader = random.element(of: [0, 0, 12.25, 12.3])
    let header = given.container.step(givenHeader)
    var options = given.options
    if !insets.isEmpty { options["sectionInset"] = .object(insets) }
    if given.container.isTransposed { options["scrollDirection"] = .string("horizontal") }
    if isMirrored { options["layoutDirection"] = .string("rightToLeft") }
    options["integral"] = .boolean(isIntegral)
    if givenHeader > 0 { options["headerHeight"] = .number(givenHeader) }
    let width = given.container.width
    let bounds =
      given.container.isTransposed
      ? Bounds(width: given.container.boundsHeight, height: width)
      : Bounds(width: width, height: given.container.boundsHeight)
    given.container.width = width - (left + right)

    let layout = GivenLayout(
      kind: try #require(LayoutKind.named(Kind.name)), options: options, bounds: bounds)
    let data = CollectionData.sections([CollectionSection(items: random.rope(given.items))])
    guard let naive = given.naiveBody else {
      #expect(throws: LayoutError.self) { try PreparedCollection(layout, data) }
      return
    }
    let height = ((header + top) + naive.height) + bottom
    guard naive.isPossible, height <= 0x1p43 else {
      #expect(throws: LayoutError.contentTooLarge) { try PreparedCollection(layout, data) }
      return
    }
    let prepared = try PreparedCollection(layout, data).prepared

    var frames = naive.frames
    for index in frames.indices {
      var frame = frames[index]
      frame.origin = Point(x: left + frame.origin.x, y: (header + top) + frame.origin.y)
      if given.container.isTransposed { frame = frame.transposed }
      if isMirrored { frame.origin.x = bounds.width! - (frame.origin.x + frame.size.width) }
      frames[index] = isIntegral ? frame.inWholePoints : frame
    }
    var size = Size(width: width, height: height)
    if Kind.self == NaiveFrames.self, let farthest = naive.frames.map({ $0.maxX }).max() {
      size.width = max(width, left + farthest)
    }
    same(prepared.contentSize, (given.container.isTransposed ? size.transposed : size))
    let series = try #require(prepared.series.firstIndex(of: .cells))
    for (item, frame) in frames.enumerated() {
      let path = IndexPath(section: 0, item: item)
      let attributes = prepared.attributes(of: series, at: path)
      if attributes?.frame != frame { same(attributes?.frame, frame, "item \(item)") }
    }

    for _ in 0..<12 {
      let rect = random.rect(near: frames, height: size.height)
      let known = random.chance(30) ? random.rect(near: frames, height: size.height) : nil
      let expected = frames.indices.filter {
        frames[$0].intersects(rect) && !(known.map(frames[$0].intersects) ?? false)
      }
      // All at once, in pages, or with a small budget.
      let limit = random.element(of: [.max, .max, 1, 7])
      // A budget that is too small for a step makes no headway; twice as much does some day.
      var budget = random.element(of: [.max, .max, frames.count + 40, 60])
      var query = ElementQuery(rect: rect, known: known, categories: .cells, limit: limit)
      var found: [Int] = []
      pages: while true {
        let before = query.start
        let end = prepared.forEachElement(in: query, visiting: budget) { _, attributes in
          found.append(attributes.indexPath.item)
          if attributes.frame != frames[attributes.indexPath.item] {
            same(attributes.frame, frames[attributes.indexPath.item])
          }
        }
        switch end {
        case .complete: break pages
        case .limitReached(let position), .budgetSpent(let position): query.start = position
        }
        if query.start == before { budget *= 2 }
      }
      same(found, expected, "\(rect) but \(String(describing: known))")
    }
  }

  /// Where a frame begins far away, its near end is rounded as coarsely as that.
  @Test("an edge that rounding moves beyond the content is found")
  func longFrames() throws {
    var options = GivenOptions()
    options["scrollDirection"] = .string("horizontal")
    options["layoutDirection"] = .string("rightToLeft")
    options["itemHeight"] = .number(1_000_000)
    let layout = GivenLayout(
      kind: try #require(LayoutKind.named("list")), options: options,
      bounds: Bounds(width: 100.3, height: 10))
    let data = CollectionData.sections([CollectionSection(items: Items(uniform: 2))])
    let prepared = try PreparedCollection(layout, data).prepared
    let frame = Rect(x: 100.3 - 1_000_000, y: 0, width: 1_000_000, height: 10)
    #expect(frame.maxX > 100.3)
    same(prepared.attributes(of: 0, at: IndexPath(section: 0, item: 0))?.frame, frame)
    var found: [Int] = []
    let query = ElementQuery(rect: Rect(x: 100.30000000004, y: 5, width: 0, height: 0))
    _ = prepared.forEachElement(in: query) { found.append($1.indexPath.item) }
    same(found, [0])
  }
}
