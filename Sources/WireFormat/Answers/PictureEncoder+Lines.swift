import CollectionLayout

extension PictureEncoder {
  /// Draws the lines from a node to its children that the rect may show: from the node to the
  /// middle of the gap, along it, and on to each child. In a pile of leaves, each is led to from
  /// the one before.
  mutating func drawLines(
    from connector: PlacedElement, to children: LayoutAttributes.Children,
    in layout: any PreparedLayout
  ) {
    guard let cells = layout.series.firstIndex(of: .cells),
      let node = layout.attributes(of: cells, at: connector.indexPath)?.frame
    else { return }
    func child(_ item: Int) -> Rect? {
      layout.attributes(of: cells, at: IndexPath(section: children.section, item: item))?.frame
    }
    guard let first = child(children.items.lowerBound),
      let last = child(children.items.upperBound - 1)
    else { return }
    let lines = Lines(connector.frame, from: node)
    if lines.isPile(upTo: last) { return drawPile(lines, from: node, children.items, child) }
    let start = lines.middle(of: node)
    let ends = [start, lines.middle(of: first), lines.middle(of: last)]
    writer.write("<path d=\"")
    move(lines, to: lines.leavingEdge(of: node), start)
    draw(lines, along: lines.gap)
    move(lines, to: lines.gap, ends.min() ?? start)
    draw(lines, across: ends.max() ?? start)
    // The children are in order, so the visible ones are found by halving.
    let visible = lines.isSideways ? rect.vertical : rect.horizontal
    var item = partitionPoint(in: children.items) {
      child($0).map { lines.middle(of: $0) < visible.start } ?? false
    }
    while item < children.items.upperBound, let frame = child(item),
      lines.middle(of: frame) <= visible.end
    {
      guard lineCount < lineLimit else {
        isCut = true
        break
      }
      move(lines, to: lines.gap, lines.middle(of: frame))
      draw(lines, along: lines.arrivingEdge(of: frame))
      lineCount += 1
      item += 1
    }
    writer.write("\"/>\n")
  }

  private mutating func drawPile(
    _ lines: Lines, from node: Rect, _ leaves: Range<Int>, _ leaf: (Int) -> Rect?
  ) {
    let visible = lines.isSideways ? rect.horizontal : rect.vertical
    let (sign, start, end) =
      lines.isBackward ? (-1.0, -visible.end, -visible.start) : (1, visible.start, visible.end)
    var item = partitionPoint(in: leaves) {
      leaf($0).map { sign * lines.arrivingEdge(of: $0) < start } ?? false
    }
    var last = item > leaves.lowerBound ? leaf(item - 1) ?? node : node
    writer.write("<path d=\"")
    while item < leaves.upperBound, sign * lines.leavingEdge(of: last) <= end, let next = leaf(item)
    {
      guard lineCount < lineLimit else {
        isCut = true
        break
      }
      move(lines, to: lines.leavingEdge(of: last), lines.middle(of: last))
      if lines.middle(of: last) != lines.middle(of: next) {
        draw(lines, along: (lines.leavingEdge(of: last) + lines.arrivingEdge(of: next)) / 2)
        draw(lines, across: lines.middle(of: next))
      }
      draw(lines, along: lines.arrivingEdge(of: next))
      lineCount += 1
      item += 1
      last = next
    }
    writer.write("\"/>\n")
  }

  /// Begins a line at a place along the lines and one across them.
  private mutating func move(_ lines: Lines, to along: Double, _ across: Double) {
    writer.write("M")
    writer.write(lines.isSideways ? x(along) : x(across))
    writer.write(" ")
    writer.write(lines.isSideways ? y(across) : y(along))
  }

  private mutating func draw(_ lines: Lines, along place: Double) {
    if lines.isSideways { draw(toX: place) } else { draw(toY: place) }
  }

  private mutating func draw(_ lines: Lines, across place: Double) {
    if lines.isSideways { draw(toY: place) } else { draw(toX: place) }
  }

  private mutating func draw(toX place: Double) {
    writer.write("H")
    writer.write(x(place))
  }

  private mutating func draw(toY place: Double) {
    writer.write("V")
    writer.write(y(place))
  }

  /// The direction of the lines of a connector.
  private struct Lines {
    /// Whether they go to the right or to the left.
    let isSideways: Bool
    /// Whether they go to the left or up.
    let isBackward: Bool
    /// The middle of the gap between the node and its children.
    let gap: Double
    /// Where the connector ends.
    private let end: Double

    /// A connector lies beside its node, and spans the node and all children across the lines.
    init(_ connector: Rect, from node: Rect) {
      let across = node.vertical.middle
      isSideways = connector.origin.y <= across && across <= connector.maxY
      gap = (isSideways ? connector.horizontal : connector.vertical).middle
      isBackward = gap < (isSideways ? node.horizontal : node.vertical).middle
      let extent = isSideways ? connector.horizontal : connector.vertical
      end = isBackward ? extent.start : extent.end
    }

    /// Whether the last child ends where the connector does: others begin there.
    func isPile(upTo last: Rect) -> Bool {
      abs(leavingEdge(of: last) - end) < abs(arrivingEdge(of: last) - end)
    }

    func middle(of frame: Rect) -> Double {
      (isSideways ? frame.vertical : frame.horizontal).middle
    }

    func leavingEdge(of frame: Rect) -> Double {
      let extent = isSideways ? frame.horizontal : frame.vertical
      return isBackward ? extent.start : extent.end
    }

    func arrivingEdge(of frame: Rect) -> Double {
      let extent = isSideways ? frame.horizontal : frame.vertical
      return isBackward ? extent.end : extent.start
    }
  }
}

extension Interval {
  fileprivate var middle: Double { start + length / 2 }
}
