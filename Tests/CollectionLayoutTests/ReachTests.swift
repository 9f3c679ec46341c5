import TestSupport
import Testing

@testable import CollectionLayout

/// Along the scroll direction content reaches to 2⁴³ points, across it to 1e300.
@Suite("how far content reaches")
struct ReachTests {
  private let limit = 0x1p43
  private let next = 0x1p43 + 1.0 / 512

  private func height(
    _ kind: String, _ options: GivenOptions, _ section: CollectionSection
  ) throws(LayoutError) -> Double {
    try PreparedCollection(kind, options, [section]).prepared.contentSize.height
  }

  @Test("to 2⁴³ points, and no step further", arguments: ["list", "waterfall", "flow", "frames"])
  func reach(kind: String) throws {
    func items(_ height: Double) -> CollectionSection {
      CollectionSection([PlainItem(height: height)])
    }
    let options: GivenOptions = kind == "waterfall" ? ["columns": 1, "cellPadding": 0] : [:]
    try same(height(kind, options, items(limit)), limit)
    for beyond in [next, 1e100, 1.7e308] {
      #expect(throws: LayoutError.contentTooLarge) { try height(kind, options, items(beyond)) }
    }
  }

  @Test("with everything that is around the body")
  func frame() throws {
    let half = CollectionSection([PlainItem(height: limit / 2)])
    let rest: GivenOptions = [
      "headerHeight": .number(limit / 4), "footerHeight": .number(limit / 4),
    ]
    try same(height("list", rest, half), limit)
    let inset = rest.patched(by: ["sectionInset": ["top": 0.002]])
    #expect(throws: LayoutError.contentTooLarge) { try height("list", inset, half) }
  }

  @Test("sideways, too")
  func sideways() throws {
    let far = CollectionSection([PlainItem(x: 1e300)])
    #expect(throws: LayoutError.contentTooLarge) {
      try height("frames", ["itemSize": ["width": 1e300]], far)
    }
    let above = CollectionSection([PlainItem(y: -1.5e300)])
    #expect(throws: LayoutError.contentTooLarge) { try height("frames", [:], above) }
    let left = CollectionSection([PlainItem(x: -1.5e300)])
    #expect(throws: LayoutError.contentTooLarge) { try height("frames", [:], left) }
    // An orthogonal section goes on to the right, up to its right inset.
    func orthogonal(_ width: Double) -> CollectionSection {
      CollectionSection(
        Items(uniform: 2), ["itemHeight": .number(width), "sectionInset": ["right": 1]],
        kind: "list", orthogonalHeight: 10)
    }
    try same(height("compositional", [:], orthogonal(limit / 2 - 1)), 10)
    #expect(throws: LayoutError.contentTooLarge) {
      try height("compositional", [:], orthogonal(limit / 2))
    }
  }
}
