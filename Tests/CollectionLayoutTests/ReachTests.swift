import Testing

@testable import CollectionLayout

/// Content reaches to 1e300 at most.
@Suite("how far content reaches")
struct ReachTests {
  private func height(
    _ layout: any CollectionViewLayout, _ data: CollectionData
  ) throws(LayoutError) -> Double {
    try PreparedCollection(layout: layout, bounds: Bounds(width: 100), data: data)
      .prepared.contentSize.height
  }

  @Test("to 1e300, and no number further")
  func reach() throws {
    let next = 1e300.nextUp
    var waterfall = WaterfallLayout()
    waterfall.columns = 1
    func items(_ height: Double) -> CollectionData {
      .sections([Items([PlainItem(height: height)], of: .waterfall)])
    }
    #expect(try height(waterfall, items(1e300)) == 1e300)
    #expect(throws: LayoutError.contentTooLarge) { try height(waterfall, items(next)) }

    var grid = GridLayout()
    let one = CollectionData.sections([Items(uniform: 1)])
    grid.rowHeight = 1e300
    #expect(try height(grid, one) == 1e300)
    grid.rowHeight = next
    #expect(throws: LayoutError.contentTooLarge) { try height(grid, one) }
  }
}
