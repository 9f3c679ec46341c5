public import CollectionLayout

/// Draws what a rect shows as a picture, in SVG.
///
/// Each element is a box with its name, if there is room: the id of its item, its index path, or
/// its element kind. A connector is the lines from a node to its children. Pinned headers and
/// footers are where a client keeps them while the rect is visible.
///
/// A point is a pixel, but the longest side has at most ``longestSide`` pixels. Places are relative
/// to the rect, and boxes are cut off a few pixels outside it: many programs compute with 32 bits,
/// which are too few for a place millions of points away.
public struct PictureEncoder: Sendable {
  /// The longest side of a picture, in pixels.
  public static let longestSide = 2000.0

  private let rect: Rect
  /// Pixels for a point.
  private let scale: Double
  private let width: Double
  private let height: Double
  private let lineLimit: Int
  private var writer = SVGWriter()
  private var series = ElementSeries.cells
  /// The group that is open: a series, and whether the section is odd.
  private var group: (series: ElementSeries, isOdd: Bool)?
  /// The drawn elements.
  public private(set) var count = 0
  private var lineCount = 0
  /// Whether lines were left out.
  private var isCut = false

  /// Begins a picture.
  ///
  /// - Parameters:
  ///   - rect: What to show; width and height > 0.
  ///   - kind: The name of the layout's kind.
  ///   - limit: The largest number of lines from nodes to children.
  public init(of rect: Rect, in layout: any PreparedLayout, kind: String, limit: Int) {
    precondition(rect.size.width > 0 && rect.size.height > 0, "a picture of nothing: \(rect)")
    self.rect = rect
    let side = max(rect.size.width, rect.size.height)
    scale = min(1, Self.longestSide / side)
    width = max(1, rect.size.width * scale)
    height = max(1, rect.size.height * scale)
    lineLimit = limit
    begin(layout, kind: kind)
  }

  /// The bytes written so far.
  public var byteCount: Int { writer.bytes.count }

  private mutating func begin(_ layout: any PreparedLayout, kind: String) {
    writer.write("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"")
    writer.write("width", width)
    writer.write("height", height)
    writer.write(" viewBox=\"0 0 ")
    writer.write(width)
    writer.write(" ")
    writer.write(height)
    writer.write("\">\n<title>")
    writer.write(text: title(kind: kind))
    writer.write("</title>\n<style>")
    writer.write(Self.style)
    writer.write("</style>\n<rect class=\"content\"")
    writeBox(layout.contentFrame)
    writer.write("/>\n")
  }

  private func title(kind: String) -> String {
    func number(_ value: Double) -> String {
      var text = JSONWriter(capacity: 32)
      text.write(value)
      return String(decoding: text.bytes, as: UTF8.self)
    }
    let numbers = [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height].map(number)
    let title = "\(kind): \(numbers.joined(separator: ", "))"
    return scale == 1 ? title : title + " (\(number(1 / scale)) points a pixel)"
  }

  // These colours can be told from white and from black.
  private static let style: StaticString = """
    text{font:600 11px system-ui,sans-serif;fill:#fff;text-anchor:middle}\
    .cell{fill:#3f77bb;stroke:#2c568a}.odd.cell{fill:#2e7d78;stroke:#1f5955}\
    .supplementary{fill:#7a5bb0;stroke:#5a4088}\
    .decoration{fill:#7f8a99;fill-opacity:.22;stroke:#7f8a99;stroke-dasharray:4 3}\
    .connector{fill:none;stroke:#7f8a99;stroke-width:1.5}\
    .content{fill:none;stroke:#7f8a99}text,.note{stroke:none}.note rect{fill:#23272e}
    """

  /// Begins a series. The next elements belong to it.
  public mutating func begin(_ series: ElementSeries) {
    self.series = series
  }

  /// Draws elements of the current series until the picture has `byteCount` bytes. It draws at
  /// least one element of an empty picture.
  ///
  /// - Returns: The number of drawn elements.
  /// - Complexity: O(*n* + *l* + *c* · log *k*) for *n* elements, *l* lines and *c* connectors with
  ///   *k* children.
  public mutating func encode(
    _ elements: Span<PlacedElement>, of layout: any PreparedLayout, upTo byteCount: Int
  ) -> Int {
    var next = 0
    while next < elements.count && (count == 0 || self.byteCount < byteCount) {
      let element = elements[next]
      let lines = series.category == .supplementary ? element.children : nil
      open(section: element.indexPath.section, isConnector: lines != nil)
      if let lines {
        drawLines(from: element, to: lines, in: layout)
      } else {
        drawBox(of: element, in: layout)
      }
      next += 1
      count += 1
    }
    return next
  }

  /// Ends the picture.
  ///
  /// - Parameter isComplete: Whether all elements of the rect are drawn. If they are not, the
  ///   picture says so.
  /// - Returns: The whole picture. The encoder must not be used afterwards.
  public mutating func finish(isComplete: Bool) -> [UInt8] {
    if group != nil { writer.write("</g>\n") }
    if isCut || !isComplete { drawNote() }
    writer.write("</svg>\n")
    defer { writer = SVGWriter() }
    return writer.bytes
  }

  /// Opens the group of the current series and a section, if it is not open.
  private mutating func open(section: Int, isConnector: Bool) {
    let isOdd = section & 1 == 1
    if let group {
      if group == (series, isOdd) { return }
      writer.write("</g>\n")
    }
    group = (series, isOdd)
    writer.write("<g class=\"")
    writer.write(text: isConnector ? "connector" : series.category.rawValue)
    if isOdd { writer.write(" odd") }
    writer.write("\">\n")
  }
}

// MARK: Boxes

extension PictureEncoder {
  /// The smallest distance from the edge at which boxes are cut off, in pixels. No stroke and no
  /// round corner of a cut edge is seen.
  private static let margin = 8.0

  /// A place in the picture; one far outside is moved near.
  private func x(_ place: Double) -> Double {
    min(max((place - rect.origin.x) * scale, -Self.margin), width + Self.margin)
  }

  private func y(_ place: Double) -> Double {
    min(max((place - rect.origin.y) * scale, -Self.margin), height + Self.margin)
  }

  private mutating func writeBox(_ frame: Rect) {
    let (left, right) = (x(frame.origin.x), x(frame.maxX))
    let (top, bottom) = (y(frame.origin.y), y(frame.maxY))
    writer.write("x", left)
    writer.write("y", top)
    // A box without width is not drawn, not even its stroke.
    writer.write("width", max(0.01, right - left))
    writer.write("height", max(0.01, bottom - top))
    if min(right - left, bottom - top) >= 12 { writer.write(" rx=\"3\"") }
  }

  private mutating func drawBox(of element: PlacedElement, in layout: any PreparedLayout) {
    let frame = keptFrame(of: element, in: layout)
    writer.write("<rect")
    writeBox(frame)
    writer.write("/>")
    if series.category != .decoration { drawName(of: element, frame, in: layout) }
    writer.write("\n")
  }

  /// Where an element is while the rect is visible.
  private func keptFrame(of element: PlacedElement, in layout: any PreparedLayout) -> Rect {
    guard let range = element.pinRange else { return element.frame }
    var frame = element.frame
    let swept = layout.sweptFrame(
      of: LayoutAttributes(indexPath: element.indexPath, frame: frame, pinRange: range))
    /// A header slides forwards, along the near edge of the rect; a footer slides backwards.
    func kept(_ place: Double, near: Double, far: Double) -> Double {
      let isAtStart = abs(place - range.from) <= abs(range.to - place)
      return min(max(isAtStart ? near : far, range.from), range.to)
    }
    if swept.size.height > frame.size.height {
      frame.origin.y = kept(
        frame.origin.y, near: rect.origin.y, far: rect.maxY - frame.size.height)
    } else if swept.size.width > frame.size.width {
      frame.origin.x = kept(frame.origin.x, near: rect.origin.x, far: rect.maxX - frame.size.width)
    }
    return frame
  }

  /// Writes the name of an element into the visible part of its box, if there is room.
  private mutating func drawName(
    of element: PlacedElement, _ frame: Rect, in layout: any PreparedLayout
  ) {
    let (left, right) = (max(0, x(frame.origin.x)), min(width, x(frame.maxX)))
    let (top, bottom) = (max(0, y(frame.origin.y)), min(height, y(frame.maxY)))
    guard bottom - top >= Self.lineHeight, right - left >= Self.shortestName,
      let name = Self.shortened(name(of: element, in: layout), toFit: right - left)
    else { return }
    drawText(name, x: (left + right) / 2, y: (top + bottom) / 2)
  }

  private mutating func drawText(_ text: String, x: Double, y: Double) {
    writer.write("<text")
    writer.write("x", x)
    // The middle of the letters is 4 pixels above their line.
    writer.write("y", y + 4)
    writer.write(">")
    writer.write(text: text)
    writer.write("</text>")
  }

  private func name(of element: PlacedElement, in layout: any PreparedLayout) -> String {
    if let kind = series.kind { return kind }
    let path = element.indexPath
    let id = layout.hasIDs(inSection: path.section) ? layout.id(ofItemAt: path) : nil
    return id?.string ?? "\(path.section), \(path.item)"
  }

  private static let lineHeight = 13.0
  /// The room in which a name has a letter or two, in pixels.
  private static let shortestName = 22.0

  /// A name if it fits, or its beginning; `nil` if that has no letter.
  private static func shortened(_ name: String, toFit room: Double) -> String? {
    let room = room - 6
    if advance(of: name) <= room { return name }
    var start = name.startIndex
    var rest = room - advance(of: "…")
    while start < name.endIndex {
      let next = name.index(after: start)
      rest -= advance(of: name[start..<next])
      if rest < 0 { break }
      start = next
    }
    return start > name.startIndex ? name[..<start] + "…" : nil
  }

  /// About how wide a text is, in pixels.
  private static func advance(of text: some StringProtocol) -> Double {
    text.unicodeScalars.reduce(0) { width, scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: width
      default: width + (scalar.value < 0x1100 ? 6.9 : 11)
      }
    }
  }
}

// MARK: Lines

extension PictureEncoder {
  /// Draws the lines from a node to its children that the rect may show: from the node to the
  /// middle of the gap, along it, and on to each child.
  private mutating func drawLines(
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
    let start = lines.middle(of: node)
    let ends = [start, lines.middle(of: first), lines.middle(of: last)]
    writer.write("<path d=\"")
    move(lines, to: lines.leavingEdge(of: node), start)
    draw(lines, along: lines.gap)
    move(lines, to: lines.gap, ends.min() ?? start)
    draw(lines, across: ends.max() ?? start)
    // The children are in order, so the visible ones are found by halving.
    let visible = lines.isSideways ? rect.vertical : rect.horizontal
    var (item, end) = (children.items.lowerBound, children.items.upperBound)
    while item < end {
      let middle = item + (end - item) / 2
      if child(middle).map({ lines.middle(of: $0) < visible.start }) ?? false {
        item = middle + 1
      } else {
        end = middle
      }
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

    /// A connector lies beside its node, and spans the node and all children across the lines.
    init(_ connector: Rect, from node: Rect) {
      let across = node.vertical.middle
      isSideways = connector.origin.y <= across && across <= connector.maxY
      gap = (isSideways ? connector.horizontal : connector.vertical).middle
      isBackward = gap < (isSideways ? node.horizontal : node.vertical).middle
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

// MARK: What is left out

extension PictureEncoder {
  /// Says at the bottom of the picture that it is not complete.
  private mutating func drawNote() {
    let notes = [
      "Not all is drawn, only \(count) elements.", "\(count) elements, not all", "not all", "…",
    ]
    writer.write("<desc>")
    writer.write(text: notes[0])
    writer.write(" Ask for a smaller rect, or for more with limit.</desc>\n<g class=\"note\"><rect")
    let band = min(height, 22)
    writer.write("x", 0)
    writer.write("y", height - band)
    writer.write("width", width)
    writer.write("height", band)
    writer.write("/>")
    if band >= Self.lineHeight, let note = notes.first(where: { Self.advance(of: $0) <= width }) {
      drawText(note, x: width / 2, y: height - band / 2)
    }
    writer.write("</g>\n")
  }
}

extension Interval {
  fileprivate var middle: Double { start + length / 2 }
}
