@testable import CollectionLayout

extension PlainLayout {
  static func waterfall(
    _ options: WaterfallLayout, width: Double, sections: [[PlainItem]]
  ) -> PlainLayout {
    let contentWidth = width - (options.contentInset.left + options.contentInset.right)
    let columnWidth = contentWidth / Double(options.columns)
    let photoWidth = columnWidth - 2 * options.cellPadding
    var elements: [Element] = []
    var top = 0.0
    for (s, items) in sections.enumerated() {
      var start = top
      if options.headerHeight > 0 {
        let frame = Rect(x: 0, y: top, width: contentWidth, height: options.headerHeight)
        elements.append(.supplementary("header", s, 0, frame))
        start = top + options.headerHeight
      }
      var runningY = Array(repeating: start, count: options.columns)
      for (i, item) in items.enumerated() {
        var column = i % options.columns
        if options.placement == .shortestColumn {
          column = 0
          for other in 1..<max(options.columns, 1) where runningY[other] < runningY[column] {
            column = other
          }
        }
        let height =
          item.height ?? item.aspectRatio.map { photoWidth / $0 } ?? options.itemHeight
        let frame = Rect(
          x: Double(column) * columnWidth + options.cellPadding,
          y: runningY[column] + options.cellPadding, width: photoWidth, height: height)
        elements.append(.cell(s, i, frame, id: item.id))
        runningY[column] += 2 * options.cellPadding + height
      }
      var bottom = items.isEmpty ? start : runningY.max() ?? start
      if options.footerHeight > 0 {
        let frame = Rect(x: 0, y: bottom, width: contentWidth, height: options.footerHeight)
        elements.append(.supplementary("footer", s, 0, frame))
        bottom += options.footerHeight
      }
      top = bottom
    }
    return PlainLayout(
      elements: elements, contentSize: Size(width: contentWidth, height: top),
      sectionCount: sections.count)
  }
}
