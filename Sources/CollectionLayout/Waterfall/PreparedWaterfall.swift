/// A waterfall's sections, each a stack of columns between its header and its footer.
final class PreparedWaterfall: SectionedLayout {
  let metrics: WaterfallMetrics
  let sections: [Items]
  let stacks: [PlacedStack<ColumnStack>]
  let offsets: SectionOffsets
  let contentSize: Size
  let counts: ElementCounts
  let series: [ElementSeries]
  let memoryBytes: Int

  /// - Parameter reusing: What an earlier version has for a section: its stack, made with equal
  ///   vertical metrics, and the first item that may differ.
  init(
    sections: [Items], metrics: WaterfallMetrics,
    reusing: (Int) -> PlacedStack<ColumnStack>.Earlier?
  ) throws(LayoutError) {
    self.metrics = metrics
    self.sections = sections
    let cells = try checkedItemCount(sections)
    var offsets = SectionOffsets()
    offsets.reserveCapacity(sections.count)
    var stacks: [PlacedStack<ColumnStack>] = []
    stacks.reserveCapacity(sections.count)
    var memoryBytes = 256
    for (index, items) in sections.enumerated() {
      let origin = offsets.end + metrics.headerHeight
      var bottom = origin
      if items.count > 0 {
        let placed = try PlacedStack.placing(
          itemCount: items.count, at: origin, reusing: reusing(index)
        ) { ColumnStack(items: items, metrics: metrics, origin: $0, continuing: $1) }
        bottom = placed.stack!.bottom + placed.shift
        memoryBytes += placed.stack!.memoryBytes
        stacks.append(placed)
      } else {
        stacks.append(.empty)
      }
      offsets.append(endingAt: bottom + metrics.footerHeight)
    }
    guard metrics.contentWidth.isReachable, offsets.end.isReachable else {
      throw .contentTooLarge
    }
    self.stacks = stacks
    self.offsets = offsets
    self.memoryBytes =
      memoryBytes + offsets.memoryBytes + stacks.count
      * MemoryLayout<PlacedStack<ColumnStack>>.stride
    contentSize = Size(width: metrics.contentWidth, height: offsets.end)
    let supplementaryKinds =
      (metrics.footerHeight > 0 ? ["footer"] : [])
      + (metrics.headerHeight > 0 ? ["header"] : [])
    series = [.cells] + supplementaryKinds.map { .supplementary($0) }
    counts = ElementCounts(
      sections: sections.count, cells: cells,
      supplementary: supplementaryKinds.count * sections.count, decorations: 0)
  }

  /// A section's columns, if they would run the same with other metrics.
  func reusableStack(
    ofSection section: Int, firstChanged: Int, for metrics: WaterfallMetrics
  ) -> PlacedStack<ColumnStack>.Earlier? {
    guard let stack = stacks[section].stack,
      metrics.placesItems(like: self.metrics, includingWidth: stack.dependsOnWidth)
    else { return nil }
    return (stack, firstChanged)
  }

  func forEachElement(
    of series: Int, in rect: Rect, from start: IndexPath, into sink: inout ElementSink
  ) {
    for section in offsets.sections(meeting: rect.vertical).from(start.section) {
      let first = section == start.section ? start.item : 0
      guard sink.pass(1, before: IndexPath(section: section, item: first)) else { return }
      if let kind = self.series[series].kind {
        guard first <= 0 else { continue }
        let element = PlacedElement(
          indexPath: IndexPath(section: section, item: 0),
          frame: supplementaryFrame(of: kind, in: section))
        if element.frame.intersects(rect), !sink.append(element) { return }
      } else if !forEachCell(in: section, meeting: rect, from: first, into: &sink) {
        return
      }
    }
  }

  private func supplementaryFrame(of kind: String, in section: Int) -> Rect {
    if kind == "header" {
      return Rect(
        x: 0, y: offsets.tops[section], width: metrics.contentWidth, height: metrics.headerHeight)
    }
    let placed = stacks[section]
    let bottom =
      placed.stack.map { $0.bottom + placed.shift }
      ?? offsets.tops[section] + metrics.headerHeight
    return Rect(x: 0, y: bottom, width: metrics.contentWidth, height: metrics.footerHeight)
  }

  private func forEachCell(
    in section: Int, meeting rect: Rect, from start: Int, into sink: inout ElementSink
  ) -> Bool {
    guard let stack = stacks[section].unmanagedStack else { return true }
    let columnCount = stack._withUnsafeGuaranteedRef { $0.columnCount }
    let columns = metrics.columns(meeting: rect.horizontal, among: columnCount)
    guard !columns.isEmpty else { return true }
    guard sink.pass(columns.count, before: IndexPath(section: section, item: start)) else {
      return false
    }
    let track = ColumnTrack(
      stack: stack, shift: stacks[section].shift, padding: metrics.cellPadding,
      interval: rect.vertical)
    func append(_ item: Int, _ column: Int, _ vertical: Interval) -> Bool {
      sink.append(
        PlacedElement(
          indexPath: IndexPath(section: section, item: item),
          frame: Rect(
            x: metrics.columnX(column), y: vertical.start, width: metrics.photoWidth,
            height: vertical.length)))
    }
    func pass(_ count: Int, _ item: Int) -> Bool {
      sink.pass(count, before: IndexPath(section: section, item: item))
    }
    return ColumnScan.isWorthwhile(columns.count, of: columnCount)
      ? ColumnScan.forEachCell(track, columns: columns, firstItem: start, pass: pass, append)
      : ColumnMerge.forEachCell(track, columns: columns, firstItem: start, pass: pass, append)
  }

  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes? {
    let (section, item) = (indexPath.section, indexPath.item)
    guard sections.indices.contains(section), item >= 0 else { return nil }
    if let kind = self.series[series].kind {
      guard item == 0 else { return nil }
      return LayoutAttributes(
        indexPath: indexPath, frame: supplementaryFrame(of: kind, in: section))
    }
    guard item < sections[section].count, let stack = stacks[section].stack else { return nil }
    let (column, cell) = stack.cell(of: item)
    return LayoutAttributes(
      indexPath: indexPath,
      frame: Rect(
        x: metrics.columnX(column),
        y: cell.start + stacks[section].shift + metrics.cellPadding,
        width: metrics.photoWidth, height: cell.length),
      id: sections[section].id(at: item))
  }
}

// MARK: Changes

extension PreparedWaterfall {
  func identity(of series: Int) -> ElementIdentity {
    self.series[series].category == .cell ? .item : .section
  }

  var maximumX: Double {
    max(metrics.contentWidth, metrics.columnX(metrics.columns - 1) + metrics.photoWidth)
  }

  func verticalBounds(ofSection section: Int) -> (top: Double, bottom: Double) {
    let bottom = offsets.tops[section + 1]
    let isExact =
      (stacks[section].stack?.isExact ?? true) && Exactness.isExact(metrics.cellPadding)
    return (offsets.tops[section], isExact ? bottom : bottom.roundedUpForFrames)
  }

  func hasElements(inSection section: Int) -> Bool {
    sections[section].count > 0 || counts.supplementary > 0
  }

  func minimumY(inSection section: Int, from item: Int, isResized: Bool) -> Double {
    let placed = stacks[section]
    guard let stack = placed.stack else {
      return offsets.tops[section] + metrics.headerHeight
    }
    return stack.minimumStart(from: item) + placed.shift
  }
}
