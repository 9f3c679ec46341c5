@testable import CollectionLayout

extension PlainLayout {
  static func grid(_ options: GridLayout, width: Double, sections: [[PlainItem]]) -> PlainLayout {
    let columns = Double(options.columns)
    let itemWidth = (width - options.columnSpacing * (columns - 1)) / columns
    let cellHeight = options.rowHeight - options.rowSpacing
    var elements: [Element] = []
    var sectionY = 0.0
    for (s, items) in sections.enumerated() {
      let rows = (items.count + options.columns - 1) / options.columns
      let height =
        options.headerHeight + Double(rows) * options.rowHeight + options.footerHeight
      func rowY(_ row: Int) -> Double {
        sectionY + options.headerHeight + Double(row) * options.rowHeight
      }
      for (i, item) in items.enumerated() {
        let frame = Rect(
          x: Double(i % options.columns) * (itemWidth + options.columnSpacing),
          y: rowY(i / options.columns), width: itemWidth, height: cellHeight)
        elements.append(.cell(s, i, frame, id: item.id))
        if options.background == .item { elements.append(.background(s, i, frame)) }
      }
      if options.background == .row {
        for row in 0..<rows {
          elements.append(
            .background(s, row, Rect(x: 0, y: rowY(row), width: width, height: cellHeight)))
        }
      }
      if options.background == .section {
        elements.append(.background(s, 0, Rect(x: 0, y: sectionY, width: width, height: height)))
      }
      if options.headerHeight > 0 {
        let frame = Rect(x: 0, y: sectionY, width: width, height: options.headerHeight)
        elements.append(.supplementary("header", s, 0, frame))
      }
      if options.footerHeight > 0 {
        let frame = Rect(x: 0, y: rowY(rows), width: width, height: options.footerHeight)
        elements.append(.supplementary("footer", s, 0, frame))
      }
      sectionY += height
    }
    let maxY = elements.map { $0.frame.origin.y + $0.frame.size.height }.max() ?? 0
    return PlainLayout(
      elements: elements, contentSize: Size(width: width, height: maxY),
      sectionCount: sections.count)
  }
}
