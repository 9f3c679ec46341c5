/// A grid whose frames are arithmetic: what it holds is where its sections begin.
final class PreparedGrid: SectionedLayout {
  let layout: GridLayout
  let width: Double
  let itemWidth: Double
  let sections: [Items]
  let offsets: SectionOffsets
  let contentSize: Size
  let counts: ElementCounts
  let series: [ElementSeries]

  init(
    layout: GridLayout, width: Double, itemWidth: Double, sections: [Items]
  ) throws(LayoutError) {
    self.layout = layout
    self.width = width
    self.itemWidth = itemWidth
    self.sections = sections
    let cells = try checkedItemCount(sections)
    var offsets = SectionOffsets()
    offsets.reserveCapacity(sections.count)
    var maxY = 0.0
    var rowCount = 0
    for section in sections {
      let rows = Self.rows(of: section.count, columns: layout.columns)
      rowCount += rows
      let top = offsets.end
      let rowsTop = top + layout.headerHeight
      if layout.headerHeight > 0 { maxY = max(maxY, rowsTop) }
      if rows > 0 {
        let lastRow = rowsTop + Double(rows - 1) * layout.rowHeight
        maxY = max(maxY, lastRow + (layout.rowHeight - layout.rowSpacing))
      }
      if layout.footerHeight > 0 {
        maxY = max(maxY, rowsTop + Double(rows) * layout.rowHeight + layout.footerHeight)
      }
      let height =
        layout.headerHeight + Double(rows) * layout.rowHeight + layout.footerHeight
      if layout.background == .section { maxY = max(maxY, top + height) }
      offsets.append(endingAt: top + height)
    }
    guard width.isReachable, offsets.end.isReachable, maxY.isReachable else {
      throw .contentTooLarge
    }
    self.offsets = offsets
    contentSize = Size(width: width, height: maxY)
    let supplementaryKinds =
      (layout.footerHeight > 0 ? ["footer"] : []) + (layout.headerHeight > 0 ? ["header"] : [])
    series =
      (layout.background == .none ? [] : [.decorations("background")]) + [.cells]
      + supplementaryKinds.map { .supplementary($0) }
    let decorations =
      switch layout.background {
      case .none: 0
      case .item: cells
      case .row: rowCount
      case .section: sections.count
      }
    counts = ElementCounts(
      sections: sections.count, cells: cells,
      supplementary: supplementaryKinds.count * sections.count, decorations: decorations)
  }

  var memoryBytes: Int { offsets.memoryBytes + 256 }

  private static func rows(of count: Int, columns: Int) -> Int {
    count == 0 ? 0 : (count - 1) / columns + 1
  }

  private func rows(in section: Int) -> Int {
    Self.rows(of: sections[section].count, columns: layout.columns)
  }

  private var cellHeight: Double { layout.rowHeight - layout.rowSpacing }

  private func rowY(_ row: Int, in section: Int) -> Double {
    offsets.tops[section] + layout.headerHeight + Double(row) * layout.rowHeight
  }

  private func columnX(_ column: Int) -> Double {
    Double(column) * (itemWidth + layout.columnSpacing)
  }

  private func cellFrame(row: Int, column: Int, in section: Int) -> Rect {
    Rect(
      x: columnX(column), y: rowY(row, in: section), width: itemWidth, height: cellHeight)
  }

  private func rowFrame(_ row: Int, in section: Int) -> Rect {
    Rect(x: 0, y: rowY(row, in: section), width: width, height: cellHeight)
  }

  private func frame(of part: Part, ofSection section: Int) -> Rect {
    switch part {
    case .header:
      Rect(x: 0, y: offsets.tops[section], width: width, height: layout.headerHeight)
    case .footer:
      Rect(
        x: 0, y: rowY(rows(in: section), in: section), width: width,
        height: layout.footerHeight)
    case .background:
      Rect(
        x: 0, y: offsets.tops[section], width: width,
        height: layout.headerHeight + Double(rows(in: section)) * layout.rowHeight
          + layout.footerHeight)
    }
  }

  /// What a series has one element for.
  private enum Element {
    case item, row
    case section(Part)
  }

  private enum Part {
    case header, footer, background
  }

  private func element(of series: ElementSeries) -> Element {
    switch series.category {
    case .cell: .item
    case .supplementary: .section(series.kind == "header" ? .header : .footer)
    case .decoration:
      switch layout.background {
      case .row: .row
      case .section: .section(.background)
      case .item, .none: .item
      }
    }
  }

  func forEachElement(
    of series: Int, in rect: Rect, from start: IndexPath, into sink: inout ElementSink
  ) {
    let element = element(of: self.series[series])
    for section in offsets.sections(meeting: rect.vertical).from(start.section) {
      let first = section == start.section ? start.item : 0
      guard sink.pass(1, before: IndexPath(section: section, item: first)) else { return }
      let isComplete =
        switch element {
        case .item:
          forEachItem(in: section, meeting: rect, from: first, into: &sink)
        case .row:
          forEachRow(in: section, meeting: rect, from: first, into: &sink)
        case .section(let part):
          first > 0
            || visit(
              frame(of: part, ofSection: section), at: IndexPath(section: section, item: 0),
              in: rect, into: &sink)
        }
      if !isComplete { return }
    }
  }

  private func visit(
    _ frame: Rect, at indexPath: IndexPath, in rect: Rect, into sink: inout ElementSink
  ) -> Bool {
    !frame.intersects(rect) || sink.append(PlacedElement(indexPath: indexPath, frame: frame))
  }

  /// The rows of a section that meet the interval.
  ///
  /// All are of one height and none begins above the one before, so those that meet are
  /// consecutive, even where rounding puts many in one place.
  private func rows(in section: Int, meeting interval: Interval) -> Range<Int> {
    let rows = 0..<rows(in: section)
    let top = offsets.tops[section] + layout.headerHeight
    let guess = (interval.start - top) / layout.rowHeight
    let first = partitionPoint(in: rows, near: Int(clamping: guess)) {
      Interval(start: rowY($0, in: section), length: cellHeight).lies(before: interval)
    }
    let last = partitionPoint(
      in: first..<rows.upperBound, near: Int(clamping: guess + interval.length / layout.rowHeight)
    ) {
      !interval.ends(before: rowY($0, in: section))
    }
    return first..<last
  }

  private func columns(meeting interval: Interval) -> Range<Int> {
    tracks(among: layout.columns, of: itemWidth, meeting: interval) { columnX($0) }
  }

  private func forEachItem(
    in section: Int, meeting rect: Rect, from start: Int, into sink: inout ElementSink
  ) -> Bool {
    let itemCount = sections[section].count
    let columns = columns(meeting: rect.horizontal)
    guard !columns.isEmpty else { return true }
    for row in rows(in: section, meeting: rect.vertical).from(start / layout.columns) {
      let rowStart = row * layout.columns
      let firstColumn = min(max(columns.lowerBound, start - rowStart), columns.upperBound)
      for column in firstColumn..<columns.upperBound {
        let item = rowStart + column
        guard item < itemCount else { return true }
        let frame = cellFrame(row: row, column: column, in: section)
        let indexPath = IndexPath(section: section, item: item)
        if !visit(frame, at: indexPath, in: rect, into: &sink) { return false }
      }
    }
    return true
  }

  private func forEachRow(
    in section: Int, meeting rect: Rect, from start: Int, into sink: inout ElementSink
  ) -> Bool {
    guard Interval(start: 0, length: width).meets(rect.horizontal) else { return true }
    for row in rows(in: section, meeting: rect.vertical).from(start) {
      let indexPath = IndexPath(section: section, item: row)
      if !visit(rowFrame(row, in: section), at: indexPath, in: rect, into: &sink) { return false }
    }
    return true
  }

  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes? {
    let (section, item) = (indexPath.section, indexPath.item)
    guard sections.indices.contains(section), item >= 0 else { return nil }
    let series = self.series[series]
    switch element(of: series) {
    case .item:
      guard item < sections[section].count else { return nil }
      return LayoutAttributes(
        indexPath: indexPath,
        frame: cellFrame(
          row: item / layout.columns, column: item % layout.columns, in: section),
        id: series.category == .cell ? sections[section].id(at: item) : nil)
    case .row:
      guard item < rows(in: section) else { return nil }
      return LayoutAttributes(indexPath: indexPath, frame: rowFrame(item, in: section))
    case .section(let part):
      guard item == 0 else { return nil }
      return LayoutAttributes(indexPath: indexPath, frame: frame(of: part, ofSection: section))
    }
  }
}

// MARK: Changes

extension PreparedGrid {
  func identity(of series: Int) -> ElementIdentity {
    switch element(of: self.series[series]) {
    case .item: .item
    case .row, .section: .section
    }
  }

  var dependsOnFields: Bool { false }

  var maximumX: Double { max(width, columnX(layout.columns - 1) + itemWidth) }

  func verticalBounds(ofSection section: Int) -> (top: Double, bottom: Double) {
    let bottom = offsets.tops[section + 1]
    let isExact =
      Exactness.isExact(bottom)
      && [layout.headerHeight, layout.rowHeight, layout.rowSpacing, layout.footerHeight]
        .allSatisfy(Exactness.isExact)
    return (offsets.tops[section], isExact ? bottom : bottom.roundedUpForFrames)
  }

  func hasElements(inSection section: Int) -> Bool {
    sections[section].count > 0 || counts.supplementary > 0 || layout.background == .section
  }

  func minimumY(inSection section: Int, from item: Int, isResized: Bool) -> Double {
    isResized && layout.background == .section
      ? offsets.tops[section]
      : rowY(min(item, sections[section].count) / layout.columns, in: section)
  }
}
