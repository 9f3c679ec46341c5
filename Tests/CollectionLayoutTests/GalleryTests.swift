import TestSupport
import Testing

@testable import CollectionLayout

@Suite("galleries by hand")
struct GalleryTests {
  /// With a header as the tutorial has it, above the first section.
  private func prepare(
    _ sections: [[PlainItem]], width: Double = 1000, _ options: GivenOptions = [:]
  ) throws -> any PreparedLayout {
    let header: GivenOptions = ["headerHeight": 62.5]
    return try PreparedCollection(
      "gallery", options, width: width,
      sections.enumerated().map {
        CollectionSection($1, $0 == 0 && options["headerHeight"] == nil ? header : [:])
      }
    ).prepared
  }

  private func widths(_ widths: Double...) -> [PlainItem] {
    widths.map { PlainItem(width: $0) }
  }

  private static let header = Element.supplementary(
    "header", 0, 0, Rect(x: 0, y: 0, width: 1000, height: 63))

  @Test("empty sections take no room", arguments: [1, 3])
  func emptySections(count: Int) throws {
    let none = try prepare(Array(repeating: [], count: count))
    expectEqual(none.allElements, [Self.header])
    same(none.contentSize, Size(width: 1000, height: 63))
    let some = try prepare(Array(repeating: [], count: count) + [widths(200)])
    same(some.cellFrame(count, 0), Rect(x: 15, y: 63, width: 200, height: 250))
    let after = try prepare([widths(200)] + Array(repeating: [], count: count))
    same(after.contentSize, some.contentSize)
  }

  @Test("both limits of the random widths are reached, nothing beyond", arguments: 0..<5)
  func randomLimits(seed: Int) throws {
    let items = Array(repeating: PlainItem(), count: 2000)
    let prepared = try prepare(
      [items], width: 1e9,
      [
        "horizontalInset": 3, "minimumItemWidth": 10, "maximumItemWidth": 13,
        "seed": .number(Double(seed)),
      ])
    let widths = (0..<2000).compactMap { prepared.cellFrame(0, $0)?.size.width }
    for width in [10.0, 11, 12, 13] {
      #expect((400...600).contains(widths.count { $0 == width }), "\(width)")
    }
    #expect(widths.allSatisfy { (10...13).contains($0) })
  }

  @Test("fractional limits: whole numbers from the lower one's floor")
  func fractionalLimits() throws {
    let items = Array(repeating: PlainItem(), count: 500)
    let prepared = try prepare(
      [items], width: 1e9,
      ["minimumItemWidth": 10.75, "maximumItemWidth": 12.5, "horizontalInset": 0])
    same(Set((0..<500).compactMap { prepared.cellFrame(0, $0)?.size.width }), [10, 11])
  }

  /// Ranges of integers that no double counts one by one, and the first three widths by seed 0: the
  /// first outputs are E220A8397B1DCDAF, E4BACEA5C4B9B499 and 057291B366A5F0BC.
  static let wideRanges: [(maximum: Double, widths: [Double])] = [
    (0x1p53 + 2, [7.956156453446587e15, 8.047711424649016e15, 1.91668123653311e14]),
    (1e18, [8.833108082136426e17, 8.934754519184256e17, 2.1279436396660644e16]),
    (1.8e19, [1.5899594547845569e19, 1.6082558134531662e19, 3.830298551398916e17]),
    (0x1p64 - 2048, [1.6294208416658606e19, 1.648171299768118e19, 3.92536317241979e17]),
    // Every second integer, and every 2³⁶th.
    (0x1p64, [1.6294208416658608e19, 1.6481712997681183e19, 3.925363172419791e17]),
    (1e30, [8.833108082136428e29, 8.934754519184256e29, 2.1279436396660645e28]),
  ]

  @Test("random widths are of the whole range, however wide it is", arguments: wideRanges.indices)
  func wideRange(index: Int) throws {
    let (maximum, expected) = Self.wideRanges[index]
    let options: GivenOptions = [
      "minimumItemWidth": 1, "maximumItemWidth": .number(maximum), "integral": false,
    ]
    let items = expected.map { _ in PlainItem() }
    let prepared = try prepare([items], width: 1e300, options)
    for (item, width) in expected.enumerated() {
      same(prepared.cellFrame(0, item)?.size.width, width)
    }
  }

  @Test("an item's width is a function of its number and the seed, whatever its section")
  func widthsStay() throws {
    let bare = Array(repeating: PlainItem(), count: 20)
    let before = try prepare([bare, bare], width: 1e6)
    let after = try prepare([bare + bare, bare], width: 1e6)
    for item in 0..<20 {
      same(before.cellFrame(0, item), after.cellFrame(0, item))
      same(before.cellFrame(0, item)?.size.width, before.cellFrame(1, item)?.size.width)
    }
    let other = try PreparedCollection(
      "gallery", width: 1e6, [CollectionSection(Items(bare), ["seed": 1])]
    ).prepared
    #expect(before.cellFrame(0, 0)?.size.width != other.cellFrame(0, 0)?.size.width)
  }

  @Test("an item is at most maximumItemWidth wide, and 0 is no width")
  func limitedWidth() throws {
    let prepared = try prepare([widths(300, 300.5, 0)], width: 5000, ["integral": false])
    same(prepared.cellFrame(0, 0)?.size.width, 300)
    same(prepared.cellFrame(0, 1)?.size.width, 300)
    let random = try #require(prepared.cellFrame(0, 2)?.size.width)
    #expect((150...300).contains(random))
  }
}
