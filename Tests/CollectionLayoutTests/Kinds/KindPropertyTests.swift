import TestSupport
import Testing

@testable import CollectionLayout

/// Every kind against the same kind written down as naively as can be, for random items, options
/// and containers.
@Suite("kinds of sections, against naive ones")
struct KindPropertyTests {
  static let kinds: [any NaiveKind.Type] = [
    NaiveGrid.self, NaiveList.self, NaiveWaterfall.self, NaiveGallery.self, NaiveFlow.self,
    NaiveJustified.self, NaiveGroup.self, NaiveFrames.self,
  ]

  @Test("every kind is here")
  func isComplete() {
    same(Self.kinds.map { $0.name }, SectionKinds.all.map { $0.kind })
  }

  @Test(
    "frames, heights and queries are the naive ones", arguments: kinds.indices,
    Extent.seeds(10, of: 120))
  func bodies(kind: Int, seed: Int) throws {
    try Self.checkBody(Self.kinds[kind], seed: seed)
  }

  private static func checkBody<Kind: NaiveKind>(_: Kind.Type, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let given = KindCase<Kind>(by: &random)
    let items = random.rope(given.items)
    let layout = try given.layout()
    same(
      layout.isUniform(items, in: given.coreContainer),
      Kind.isUniform(given.items, given.options, in: given.container))
    guard let naive = given.naiveBody else {
      #expect(throws: LayoutError.self) {
        try layout.body(of: items, in: given.coreContainer, after: nil)
      }
      return
    }
    let body = try layout.body(of: items, in: given.coreContainer, after: nil)
    check(body, against: naive, by: &random)
  }

  @Test(
    "going on from an earlier body is laying out anew", arguments: kinds.indices,
    Extent.seeds(6, of: 80))
  func changes(kind: Int, seed: Int) throws {
    try Self.checkChanges(Self.kinds[kind], seed: seed)
  }

  private static func checkChanges<Kind: NaiveKind>(_: Kind.Type, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var given = KindCase<Kind>(by: &random)
    let layout = try given.layout()
    var earlier: EarlierBody?
    for _ in 0..<4 {
      guard let naive = given.naiveBody else { return }
      let body = try layout.body(
        of: random.rope(given.items), in: given.coreContainer, after: earlier)
      check(body, against: naive, by: &random)
      let change = random.changed(given.items, within: given.container.width)
      given.items = change.items
      earlier = EarlierBody(body: body, kept: [.init(0..<change.firstChanged, from: 0)])
    }
  }

  private static func check(
    _ body: any SectionBody, against naive: NaiveBody, by random: inout SeededGenerator
  ) {
    // A stack refuses what reaches farther.
    guard naive.isPossible else { return }
    let frames = naive.frames
    same(body.count, frames.count)
    same(body.height, naive.height)
    guard body.count == frames.count else { return }
    if let item = frames.indices.first(where: { body.frame(of: $0) != frames[$0] }) {
      same(body.frame(of: item), frames[item], "item \(item) of \(frames.count)")
      return
    }
    let reach = body.reach
    for (item, frame) in frames.enumerated() {
      let isInside =
        frame.origin.x >= reach.origin.x && frame.origin.y >= reach.origin.y
        && frame.maxX <= reach.maxX.roundedUpForFrames
        && frame.maxY <= reach.maxY.roundedUpForFrames
      if !isInside { #expect(isInside, "item \(item), \(frame), is not within \(reach)") }
    }
    for _ in 0..<4 {
      let (one, other) = (random.integer(0...frames.count), random.integer(0...frames.count))
      let items = min(one, other)..<max(one, other)
      guard !items.isEmpty else { continue }
      let extent = CollectionLayout.Extent(body.outermostFrames(of: items)).rect.widened
      #expect(frames[items].allSatisfy { extent.contains($0) }, "\(items) of \(frames.count)")
    }
    for _ in 0..<12 {
      let rect = random.rect(near: frames, height: naive.height)
      let start = random.chance(60) ? 0 : random.integer(0...frames.count + 1)
      var found: [Int] = []
      func take(_ elements: Span<PlacedElement>) -> Int {
        for index in elements.indices {
          found.append(elements[index].indexPath.item)
          if elements[index].frame != frames[elements[index].indexPath.item] {
            same(elements[index].frame, frames[elements[index].indexPath.item])
          }
        }
        return elements.count
      }
      FrameSink.with(ElementQuery(rect: rect), visiting: .max, take) { sink in
        _ = body.offerFrames(in: Placement().search(rect), from: start, to: &sink)
        _ = sink.flush()
      }
      let expected = frames.indices.filter { $0 >= start && frames[$0].intersects(rect) }
      same(found, expected, "\(rect) from \(start) of \(frames.count)")
    }
  }
}
