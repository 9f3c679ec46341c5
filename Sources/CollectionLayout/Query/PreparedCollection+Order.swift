/// The cells in the order of the layout, and the sections along its scroll direction.
extension PreparedCollection {
  /// The ordinals of the items of a section, or of the nodes of a depth; `nil` if there is no such
  /// section.
  public func ordinals(ofSection index: Int) -> Range<Int>? {
    let starts: [Int]
    switch content {
    case .sections(let stack): starts = stack.shownStarts
    case .forest(let tree as any PreparedTree): starts = tree.shape.depthStarts
    case .forest: return nil
    }
    guard index >= 0, index < starts.count - 1 else { return nil }
    return starts[index]..<starts[index + 1]
  }

  /// Calls `body` with the id of each cell's item, `nil` if it has none, in the order of ordinals.
  ///
  /// - Complexity: O(log *s* + *n*) for *s* sections and *n* cells.
  public func forEachID(inOrdinals ordinals: Range<Int>, _ body: (ItemID?) -> Void) {
    switch content {
    case .forest(let forest):
      for ordinal in ordinals { body(forest.forest.items.id(at: forest.node(ofOrdinal: ordinal))) }
    case .sections(let stack):
      stack.forEachSection(inOrdinals: ordinals) { items, range, _ in
        items.forEachID(in: range, body)
        return true
      }
    }
  }

  /// A place along the scroll direction that a section's name may stand beside.
  public struct SectionMark: Sendable {
    public let section: SectionPlace
    /// Where the section begins, in points. In a horizontal layout from right to left this is its
    /// right edge.
    public let start: Double
  }

  /// Whether the content scrolls horizontally.
  public var scrollsHorizontally: Bool { content.stack?.metrics.isHorizontal ?? false }

  /// Of each of some equal stretches of the content's length the first section that begins in it.
  /// Hidden sections are left out. What lies outside counts to the first or last stretch; a content
  /// without length is one stretch.
  ///
  /// - Parameter count: How many stretches, ≥ 1.
  /// - Complexity: O(*s*) for *s* sections.
  public func sectionMarks(count: Int) -> [SectionMark] {
    guard let stack = content.stack else { return [] }
    let metrics = stack.metrics
    let isMirrored = metrics.isHorizontal && metrics.isRightToLeft
    let stretches = Stretches(of: self, count: count)
    var marks: [SectionMark] = []
    var next = 0
    forEachSection(in: nil, from: 0) { place in
      guard !stack.sections[place.index].isHidden else { return true }
      let frame = place.frame
      let start =
        isMirrored ? frame.maxX : metrics.isHorizontal ? frame.origin.x : frame.origin.y
      let index = stretches.index(of: frame)
      if index >= next {
        marks.append(SectionMark(section: place, start: start))
        next = index + 1
      }
      return next < count
    }
    return marks
  }
}

extension SectionStack {
  /// Calls `body` with the items of each section that has some of the cells, which of the items
  /// they are, and the ordinal of the section's first cell, until it returns false.
  ///
  /// - Complexity: O(log *s* + *k*) for *s* sections, *k* of which have cells.
  func forEachSection(
    inOrdinals ordinals: Range<Int>, _ body: (Items, Range<Int>, _ start: Int) -> Bool
  ) {
    forEachSection(of: ordinals, in: shownStarts, body)
  }

  /// Like the function above, for sections whose items begin at these places.
  func forEachSection(
    of places: Range<Int>, in starts: [Int], _ body: (Items, Range<Int>, _ start: Int) -> Bool
  ) {
    guard !places.isEmpty else { return }
    var section = Self.indexPath(of: places.lowerBound, in: starts).section
    while section < data.count, starts[section] < places.upperBound {
      let start = starts[section]
      let range = places.clamped(to: start..<starts[section + 1])
      if !range.isEmpty,
        !body(data[section].items, range.lowerBound - start..<range.upperBound - start, start)
      {
        return
      }
      section += 1
    }
  }
}
