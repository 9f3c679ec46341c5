@testable import CollectionLayout

extension PlainLayout {
  /// The layout, or nothing when an item is left without a width.
  static func gallery(
    _ options: GalleryLayout, width: Double, sections: [[PlainItem]]
  ) -> PlainLayout? {
    let headerHeight = options.headerHeight ?? options.itemHeight / 4
    var elements: [Element] = []
    if headerHeight > 0 {
      let frame = Rect(x: 0, y: 0, width: width, height: headerHeight)
      elements.append(.supplementary("header", 0, 0, frame))
    }
    var y = headerHeight
    var isInsideRow = false
    var itemsLeft = sections.reduce(0) { $0 + $1.count }
    let hasItems = itemsLeft > 0
    for (s, items) in sections.enumerated() {
      var x = options.horizontalInset
      for (i, item) in items.enumerated() {
        itemsLeft -= 1
        let endsRow = width - x <= 1.5 * options.maximumItemWidth
        let itemWidth =
          endsRow
          ? width - x - options.horizontalInset
          : item.width ?? randomWidth(options, section: s, item: i)
        if endsRow && itemWidth <= 0 { return nil }
        let (minX, minY) = (x.rounded(.down), y.rounded(.down))
        let maxX = (x + itemWidth).rounded(.up)
        let maxY = (y + options.itemHeight).rounded(.up)
        let frame = Rect(x: minX, y: minY, width: maxX - minX, height: maxY - minY)
        elements.append(.cell(s, i, frame, id: item.id))
        x += itemWidth + options.horizontalInset
        isInsideRow = !endsRow
        if endsRow && itemsLeft > 0 {
          y += options.itemHeight + options.verticalInset
          x = options.horizontalInset
        }
      }
      if isInsideRow && itemsLeft > 0 {
        y += options.itemHeight + options.verticalInset
        isInsideRow = false
      }
    }
    let height = hasItems ? y + options.itemHeight + options.verticalInset : headerHeight
    return PlainLayout(
      elements: elements, contentSize: Size(width: width, height: height),
      sectionCount: sections.count)
  }

  /// The random integer that the contract gives the item at an index path.
  static func randomWidth(_ options: GalleryLayout, section: Int, item: Int) -> Double {
    var random: UInt64 = UInt64(options.seed)
    random ^= UInt64(section) &* 0x9E37_79B9_7F4A_7C15
    random ^= UInt64(item) &* 0xBF58_476D_1CE4_E5B9
    random &+= 0x9E37_79B9_7F4A_7C15
    random ^= random >> 30
    random &*= 0xBF58_476D_1CE4_E5B9
    random ^= random >> 27
    random &*= 0x94D0_49BB_1331_11EB
    random ^= random >> 31
    let limit = (options.maximumItemWidth - options.minimumItemWidth).rounded(.down)
    let product = UInt128(random) * UInt128(UInt64(limit) + 1)
    return options.minimumItemWidth.rounded(.down) + Double(product >> 64)
  }
}
