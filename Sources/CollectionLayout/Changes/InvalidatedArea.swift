/// Gathers where two versions of a layout differ.
///
/// For sections the area is told from where they begin and end and from the first item that
/// changed, without looking at frames; so it may be larger than it has to be, but it is empty only
/// when nothing differs.
struct InvalidatedArea {
  private var minY = Double.infinity
  private var maxY = -Double.infinity
  private var minX = Double.infinity
  private var maxX = -Double.infinity

  /// The area, its edges rounded outwards to whole numbers.
  var rect: Rect? {
    guard minY <= maxY else { return nil }
    let x = minX.rounded(.down)
    let y = minY.rounded(.down)
    return Rect(
      x: x, y: y, width: Self.length(from: x, to: maxX.rounded(.up)),
      height: Self.length(from: y, to: maxY.rounded(.up)))
  }

  /// A length that reaches at least to the end: beyond 2^53 a difference may be rounded down.
  private static func length(from start: Double, to end: Double) -> Double {
    let length = end - start
    return start + length < end ? length.nextUp : length
  }

  /// All that is in either version.
  init(_ old: any PreparedLayout, _ new: any PreparedLayout) {
    includeAll(old, new)
  }

  private mutating func includeAll(_ old: any PreparedLayout, _ new: any PreparedLayout) {
    for layout in [old, new] where !layout.counts.isEmpty {
      include(layout, top: 0, bottom: layout.contentSize.height.roundedUpForFrames)
      guard let layout = layout as? any SectionedLayout else { continue }
      for section in 0..<layout.counts.sections { include(section, of: layout) }
    }
  }

  /// What differs after changes to sections; all that is in either version of a kind that does not
  /// say where its sections lie.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  init(_ old: any PreparedLayout, _ new: any PreparedLayout, origins: [SectionOrigin]) {
    guard let old = old as? any SectionedLayout, let new = new as? any SectionedLayout else {
      includeAll(old, new)
      return
    }
    for (section, origin) in origins.enumerated() {
      guard origin.base == section else {
        include(section, of: new)
        continue
      }
      let (oldTop, oldBottom) = old.verticalBounds(ofSection: section)
      let (newTop, newBottom) = new.verticalBounds(ofSection: section)
      if oldTop != newTop {
        include(section, of: old)
        include(section, of: new)
      } else if let first = origin.firstChanged,
        origin.replaced.map({ Self.differs(old, new, section, $0) }) ?? true
      {
        let isResized = oldBottom != newBottom
        for layout in [old, new] where layout.hasElements(inSection: section) {
          include(
            layout,
            top: layout.minimumY(inSection: section, from: first, isResized: isResized),
            bottom: layout.verticalBounds(ofSection: section).bottom)
        }
      }
    }
    for section in 0..<old.counts.sections
    where section >= origins.count || origins[section].base != section {
      include(section, of: old)
    }
  }

  /// Whether any attribute of a section differs that has the items that it had, some with other
  /// fields.
  ///
  /// - Parameter replaced: Which may have other fields, in order.
  /// - Complexity: O(*w*) for *w* items in the ranges and in the rows behind them, each with the
  ///   cost of its attributes; only those that are stored where fields decide nothing.
  private static func differs(
    _ old: any SectionedLayout, _ new: any SectionedLayout, _ section: Int,
    _ replaced: [Range<Int>]
  ) -> Bool {
    guard new.dependsOnFields else {
      let (old, new) = (old.sections[section], new.sections[section])
      return !replaced.allSatisfy { new.hasSameIDs(as: old, in: $0) }
    }
    guard let oldCells = old.series.firstIndex(of: .cells),
      let newCells = new.series.firstIndex(of: .cells)
    else { return true }
    var item = 0
    for range in replaced {
      item = max(item, range.lowerBound)
      while item < new.sections[section].count {
        let path = IndexPath(section: section, item: item)
        // From an item on that lies as before, all do up to the next range.
        if item >= range.upperBound,
          old.unroundedFrame(ofItemAt: path) == new.unroundedFrame(ofItemAt: path)
        {
          break
        }
        if old.attributes(of: oldCells, at: path) != new.attributes(of: newCells, at: path) {
          return true
        }
        item += 1
      }
    }
    return false
  }

  /// What differs after changes to a hierarchy; all that is in either version of a foreign kind.
  ///
  /// - Parameters:
  ///   - toPrevious: Which node of the old version each of the new one was.
  ///   - toNext: The other way round.
  /// - Complexity: O(*n*) for *n* nodes that have kept their index paths, O(*d*) for *d* depths of
  ///   runs of others.
  init(
    _ old: any PreparedLayout, _ new: any PreparedLayout, toPrevious: NodeOrigins,
    toNext: NodeOrigins
  ) {
    guard let old = old as? PreparedTree, let new = new as? PreparedTree else {
      includeAll(old, new)
      return
    }
    toPrevious.forEachRun { nodes, origin in
      if let origin {
        includeDifferences(nodes, of: new, nodes.lowerBound - origin, of: old)
      } else {
        new.forest.forEachDepth(of: nodes) { include($0, atDepth: $1, of: new) }
      }
    }
    toNext.forEachRun { nodes, place in
      if place == nil { old.forest.forEachDepth(of: nodes) { include($0, atDepth: $1, of: old) } }
    }
  }

  /// Includes those nodes whose elements differ between two versions.
  ///
  /// - Parameters:
  ///   - nodes: Nodes that follow one another in both.
  ///   - distance: By how much their indices have grown.
  private mutating func includeDifferences(
    _ nodes: Range<Int>, of new: PreparedTree, _ distance: Int, of old: PreparedTree
  ) {
    var start = nodes.lowerBound
    var depth = new.forest.depth(of: start)
    var oldDepth = old.forest.depth(of: start - distance)
    while start < nodes.upperBound {
      let depthEnd = new.forest.depthStarts[depth + 1]
      let oldDepthEnd = old.forest.depthStarts[oldDepth + 1] + distance
      let end = min(depthEnd, oldDepthEnd, nodes.upperBound)
      includeDifferences(start..<end, atDepth: depth, of: new, distance, atDepth: oldDepth, of: old)
      if end == depthEnd { depth += 1 }
      if end == oldDepthEnd { oldDepth += 1 }
      start = end
    }
  }

  /// The same for nodes of one depth in both.
  private mutating func includeDifferences(
    _ nodes: Range<Int>, atDepth depth: Int, of new: PreparedTree, _ distance: Int,
    atDepth oldDepth: Int, of old: PreparedTree
  ) {
    let depthDistance = new.forest.depthStarts[depth] - old.forest.depthStarts[oldDepth]
    let isElsewhere = depth != oldDepth || distance != depthDistance
    var start = nodes.lowerBound
    while start < nodes.upperBound {
      var end = isElsewhere ? nodes.upperBound : start
      while end < nodes.upperBound,
        !new.hasSameFrames(end, atDepth: depth, as: end - distance, in: old)
      {
        end += 1
      }
      include(start..<end, atDepth: depth, of: new)
      include(start - distance..<end - distance, atDepth: oldDepth, of: old)
      start = end + 1
    }
  }

  /// Includes all elements of nodes that lie side by side in one depth.
  ///
  /// - Complexity: O(1): the further behind a node, the further down its elements.
  private mutating func include(_ nodes: Range<Int>, atDepth depth: Int, of tree: PreparedTree) {
    tree.forEachOutermostFrame(of: nodes, atDepth: depth) { include($0) }
  }

  private mutating func include(_ section: Int, of layout: any SectionedLayout) {
    guard layout.hasElements(inSection: section) else { return }
    let (top, bottom) = layout.verticalBounds(ofSection: section)
    include(layout, top: top, bottom: bottom)
  }

  private mutating func include(_ layout: any PreparedLayout, top: Double, bottom: Double) {
    minX = min(minX, 0)
    maxX = max(
      maxX,
      (layout as? any SectionedLayout)?.maximumX ?? layout.contentSize.width.roundedUpForFrames)
    minY = min(minY, top)
    maxY = max(maxY, bottom)
  }

  private mutating func include(_ frame: Rect) {
    minX = min(minX, frame.origin.x)
    maxX = max(maxX, frame.maxX)
    minY = min(minY, frame.origin.y)
    maxY = max(maxY, frame.maxY)
  }
}

extension ElementCounts {
  var isEmpty: Bool { cells + supplementary + decorations == 0 }
}
