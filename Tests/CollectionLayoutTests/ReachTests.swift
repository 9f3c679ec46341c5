import Testing

@testable import CollectionLayout

/// Content reaches to 1e300 at most.
@Suite("how far content reaches")
struct ReachTests {
  private func height(
    _ kind: String, _ options: GivenOptions, _ section: CollectionSection
  ) throws(LayoutError) -> Double {
    try PreparedCollection(kind, options, [section]).prepared.contentSize.height
  }

  @Test("to 1e300, and no number further")
  func reach() throws {
    let next = 1e300.nextUp
    func items(_ height: Double) -> CollectionSection {
      CollectionSection([PlainItem(height: height)])
    }
    #expect(try height("waterfall", ["columns": 1], items(1e300)) == 1e300)
    #expect(throws: LayoutError.contentTooLarge) {
      try height("waterfall", ["columns": 1], items(next))
    }
    #expect(try height("list", [:], items(1e300)) == 1e300)
    #expect(throws: LayoutError.contentTooLarge) { try height("list", [:], items(next)) }

    let one = CollectionSection(1)
    let flat: GivenOptions = ["rowSpacing": 0]
    #expect(try height("grid", flat.patched(by: ["rowHeight": 1e300]), one) == 1e300)
    let beyond = flat.patched(by: ["rowHeight": .number(next)])
    #expect(throws: LayoutError.self) { try height("grid", beyond, one) }
  }

  @Test("sideways, too")
  func sideways() {
    let far = CollectionSection([PlainItem(x: 1e300)])
    #expect(throws: LayoutError.contentTooLarge) {
      try height("frames", ["itemSize": ["width": 1e300]], far)
    }
    let above = CollectionSection([PlainItem(y: -1.5e300)])
    #expect(throws: LayoutError.contentTooLarge) { try height("frames", [:], above) }
    let left = CollectionSection([PlainItem(x: -1.5e300)])
    #expect(throws: LayoutError.contentTooLarge) { try height("frames", [:], left) }
    // An orthogonal section goes on to the right.
    #expect(throws: LayoutError.contentTooLarge) {
      try height(
        "compositional", [:],
        CollectionSection(
          Items(heights: [1, 1]), ["itemHeight": 1e300], kind: "list", orthogonalHeight: 10))
    }
  }
}
