/// A gallery's header and, section by section, its rows.
final class PreparedGallery: SectionedLayout {
  let metrics: GalleryMetrics
  let sections: [Items]
  let stacks: [PlacedStack<RowStack>]
  /// Where each section's rows begin, and where the next row after the last one would.
  let offsets: SectionOffsets
  let contentSize: Size
  let counts: ElementCounts
  let series: [ElementSeries]
  let memoryBytes: Int

  /// - Parameter reusing: What an earlier version has for a section: its stack, made with equal
  ///   metrics, and the first item that may differ.
  init(
    sections: [Items], metrics: GalleryMetrics,
    reusing: (Int) -> PlacedStack<RowStack>.Earlier?
  ) throws(LayoutError) {
    self.metrics = metrics
    self.sections = sections
    let cells = try checkedItemCount(sections)
    try Self.checkWidths(of: sections, metrics: metrics, reusing: reusing)
    var offsets = SectionOffsets(startingAt: metrics.headerHeight)
    offsets.reserveCapacity(sections.count)
    var stacks: [PlacedStack<RowStack>] = []
    stacks.reserveCapacity(sections.count)
    var memoryBytes = 256
    var lastRowY: Double?
    for (index, items) in sections.enumerated() {
      let origin = offsets.end
      guard items.count > 0 else {
        stacks.append(.empty)
        offsets.append(endingAt: origin)
        continue
      }
      let placed = try PlacedStack.placing(
        itemCount: items.count, at: origin, reusing: reusing(index)
      ) { (origin, earlier) throws(LayoutError) in
        try RowStack(
          items: items, section: index, metrics: metrics, origin: origin, continuing: earlier)
      }
      memoryBytes += placed.stack!.memoryBytes
      stacks.append(placed)
      let lastY = placed.stack!.lastRowY + placed.shift
      lastRowY = lastY
      offsets.append(endingAt: lastY + metrics.rowPitch)
    }
    let height =
      lastRowY.map { $0 + metrics.itemHeight + metrics.verticalInset } ?? metrics.headerHeight
    guard metrics.boundsWidth.isReachable, offsets.end.isReachable, height.isReachable else {
      throw .contentTooLarge
    }
    self.stacks = stacks
    self.offsets = offsets
    self.memoryBytes =
      memoryBytes + offsets.memoryBytes + stacks.count * MemoryLayout<PlacedStack<RowStack>>.stride
    contentSize = Size(width: metrics.boundsWidth, height: height)
    series = [.cells] + (metrics.headerHeight > 0 ? [.supplementary("header")] : [])
    counts = ElementCounts(
      sections: sections.count, cells: cells, supplementary: series.count - 1, decorations: 0)
  }

  /// An item that fills its row has no use for its width, but a wrong width is wrong there too.
  private static func checkWidths(
    of sections: [Items], metrics: GalleryMetrics,
    reusing: (Int) -> PlacedStack<RowStack>.Earlier?
  ) throws(LayoutError) {
    for (section, items) in sections.enumerated() where items.storedCount > 0 {
      var item = min(reusing(section)?.firstChanged ?? 0, items.count)
      var culprit: (item: Int, width: Double)?
      items.forEachRun(in: item..<items.count) { storage, run in
        if culprit == nil, let widths = storage?.columns[GalleryLayout.widthField],
          let index = run.first(where: { widths[$0] > metrics.maximumItemWidth })
        {
          culprit = (item + index - run.lowerBound, widths[index])
        }
        item += run.count
      }
      if let culprit {
        throw .invalidItem(
          IndexPath(section: section, item: culprit.item), field: "width",
          option: "maximumItemWidth",
          requirement: "at most maximumItemWidth (\(metrics.maximumItemWidth.messageText)), was "
            + culprit.width.messageText)
      }
    }
  }

  /// A section's rows, if they would be the same with other metrics.
  func reusableStack(
    ofSection section: Int, firstChanged: Int, for metrics: GalleryMetrics
  ) -> PlacedStack<RowStack>.Earlier? {
    guard metrics.placesItems(like: self.metrics) else { return nil }
    return stacks[section].stack.map { ($0, firstChanged) }
  }

  private var headerFrame: Rect {
    Rect(x: 0, y: 0, width: metrics.boundsWidth, height: metrics.headerHeight)
  }

  /// The vertical extent of a row, made integral.
  private func vertical(ofRowAt y: Double) -> Interval {
    let minY = y.rounded(.down)
    return Interval(start: minY, length: (y + metrics.itemHeight).rounded(.up) - minY)
  }

  func forEachElement(
    of series: Int, in rect: Rect, from start: IndexPath, into sink: inout ElementSink
  ) {
    if self.series[series].category == .supplementary {
      let indexPath = IndexPath(section: 0, item: 0)
      guard start <= indexPath, headerFrame.intersects(rect) else { return }
      _ = sink.append(PlacedElement(indexPath: indexPath, frame: headerFrame))
      return
    }
    // Rounding a frame outwards moves its edges by less than 1.
    let reach = Interval(start: rect.origin.y - 1, length: rect.size.height + 2)
    for section in offsets.sections(meeting: reach).from(start.section) {
      let first = section == start.section ? start.item : 0
      guard sink.pass(1, before: IndexPath(section: section, item: first)) else { return }
      if !forEachCell(in: section, meeting: rect, from: first, into: &sink) { return }
    }
  }

  private func forEachCell(
    in section: Int, meeting rect: Rect, from start: Int, into sink: inout ElementSink
  ) -> Bool {
    guard let stack = stacks[section].unmanagedStack else { return true }
    return stack._withUnsafeGuaranteedRef {
      forEachCell(
        of: $0, shift: stacks[section].shift, section: section, meeting: rect, from: start,
        into: &sink)
    }
  }

  private func forEachCell(
    of stack: RowStack, shift: Double, section: Int, meeting rect: Rect, from start: Int,
    into sink: inout ElementSink
  ) -> Bool {
    func isAbove(_ y: Double) -> Bool {
      vertical(ofRowAt: y + shift).lies(before: rect.vertical)
    }
    let distance = rect.origin.y - shift - stack.origin
    let guess = Int(
      clamping: distance / (stack.lastRowY - stack.origin) * Double(stack.pieces.count))
    let firstPiece = partitionPoint(in: 0..<stack.pieces.count, near: guess) {
      isAbove(stack.pieces[$0].y)
    }
    for piece in stack.pieces[max(firstPiece - 1, 0)...]
    where start < piece.firstItem + piece.count {
      let firstLocal = max(start - piece.firstItem, 0)
      let guess = Int(clamping: (rect.origin.y - shift - piece.y) / metrics.rowPitch)
      let shown = Int(clamping: rect.size.height / metrics.rowPitch)
      piece.read(rows: (0..<piece.rowCount).from(guess).prefix(min(shown, 14) + 2))
      let firstRow = max(
        partitionPoint(in: 0..<piece.rowCount, near: guess) { isAbove(piece.y(ofRow: $0)) },
        firstLocal > 0 ? piece.row(of: firstLocal) : 0)
      for row in (0..<piece.rowCount).from(firstRow) {
        let vertical = vertical(ofRowAt: piece.y(ofRow: row) + shift)
        if rect.vertical.ends(before: vertical.start) { return true }
        let inRow = piece.items(inRow: row)
        let next = IndexPath(
          section: section, item: max(piece.firstItem + inRow.lowerBound, start))
        guard sink.pass(1, before: next) else { return false }
        let first = partitionPoint(in: inRow) {
          piece.horizontal(of: $0).lies(before: rect.horizontal)
        }
        for local in (first..<inRow.upperBound).from(firstLocal) {
          let horizontal = piece.horizontal(of: local)
          if rect.horizontal.ends(before: horizontal.start) { break }
          let item = piece.firstItem + local
          let element = PlacedElement(
            indexPath: IndexPath(section: section, item: item),
            frame: Rect(
              x: horizontal.start, y: vertical.start, width: horizontal.length,
              height: vertical.length))
          if !sink.append(element) { return false }
        }
      }
    }
    return true
  }

  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes? {
    let (section, item) = (indexPath.section, indexPath.item)
    if self.series[series].category == .supplementary {
      guard section == 0, item == 0 else { return nil }
      return LayoutAttributes(indexPath: indexPath, frame: headerFrame)
    }
    guard sections.indices.contains(section), sections[section].count > item, item >= 0,
      let stack = stacks[section].stack
    else { return nil }
    let piece = stack.piece(of: item)
    let local = item - piece.firstItem
    let horizontal = piece.horizontal(of: local)
    let vertical = vertical(
      ofRowAt: piece.y(ofRow: piece.row(of: local)) + stacks[section].shift)
    return LayoutAttributes(
      indexPath: indexPath,
      frame: Rect(
        x: horizontal.start, y: vertical.start, width: horizontal.length,
        height: vertical.length),
      id: sections[section].id(at: item))
  }
}

// MARK: Changes

extension PreparedGallery {
  func identity(of series: Int) -> ElementIdentity {
    self.series[series].category == .cell ? .item : .layout
  }

  var maximumX: Double {
    Exactness.isExact(metrics.boundsWidth) && Exactness.isExact(metrics.horizontalInset)
      ? metrics.boundsWidth : metrics.boundsWidth.roundedUpForFrames
  }

  func verticalBounds(ofSection section: Int) -> (top: Double, bottom: Double) {
    let bottom = offsets.tops[section + 1]
    let isExact = (stacks[section].stack?.isExact ?? true) && Exactness.isExact(metrics.itemHeight)
    return (offsets.tops[section], isExact ? bottom : bottom.roundedUpForFrames)
  }

  func hasElements(inSection section: Int) -> Bool { sections[section].count > 0 }

  func unroundedFrame(ofItemAt indexPath: IndexPath) -> Rect? {
    let (section, item) = (indexPath.section, indexPath.item)
    guard let stack = stacks[section].stack, item < stack.itemCount else { return nil }
    let piece = stack.piece(of: item)
    let cell = piece.cell(item - piece.firstItem)
    return Rect(
      x: cell.start, y: stack.rowY(ofItem: item) + stacks[section].shift, width: cell.length,
      height: metrics.itemHeight)
  }

  func minimumY(inSection section: Int, from item: Int, isResized: Bool) -> Double {
    guard let stack = stacks[section].stack else { return offsets.tops[section] }
    return stack.rowY(ofItem: min(item, stack.itemCount - 1)) + stacks[section].shift
  }
}
