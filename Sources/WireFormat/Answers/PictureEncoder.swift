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
public struct PictureEncoder: AnswerWriter {
  /// The longest side of a picture, in pixels.
  public static let longestSide = 2000.0

  private(set) var rect = Rect(x: 0, y: 0, width: 1, height: 1)
  /// Pixels for a point.
  private(set) var scale = 1.0
  private(set) var width = 1.0
  private(set) var height = 1.0
  /// The largest number of lines from nodes to children.
  private(set) var lineLimit = 0
  var writer = SVGWriter()
  private(set) var series = ElementSeries.cells
  /// The group that is open: a series, and whether the section is odd.
  private var group: (series: ElementSeries, isOdd: Bool)?
  private var layout: (any PreparedLayout)?
  /// Rows that are pinned: they are drawn last.
  private var pinned: [PlacedElement] = []
  /// The drawn elements.
  private var count = 0
  var lineCount = 0
  /// Whether lines were left out.
  var isCut = false

  public init() {}

  public var byteCount: Int { writer.bytes.count }
  public var memoryBytes: Int { writer.bytes.count }

  /// - Precondition: The head has a rect with width and height > 0.
  public mutating func begin(
    _ head: borrowing AnswerHead, of layout: any PreparedLayout, into buffer: consuming [UInt8]
  ) {
    guard let rect = head.rect, rect.size.width > 0, rect.size.height > 0 else {
      preconditionFailure("a picture of nothing: \(head.rect.debugDescription)")
    }
    self = PictureEncoder()
    writer = SVGWriter(into: buffer)
    self.rect = rect
    self.layout = layout
    scale = min(1, Self.longestSide / max(rect.size.width, rect.size.height))
    width = max(1, rect.size.width * scale)
    height = max(1, rect.size.height * scale)
    lineLimit = head.limit
    beginPicture(of: layout, kind: head.kind)
  }

  private mutating func beginPicture(of layout: any PreparedLayout, kind: String) {
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

  public mutating func begin(_ series: ElementSeries) {
    self.series = series
  }

  /// - Complexity: O(*n* + *l* + *c* · log *k*) for *n* elements, *l* lines and *c* connectors with
  ///   *k* children.
  public mutating func write(
    _ elements: Span<PlacedElement>, of layout: any PreparedLayout, upTo byteCount: Int
  ) -> Int {
    var next = 0
    while next < elements.count && (count == 0 || self.byteCount < byteCount) {
      let element = elements[next]
      // A row that is pinned lies above those behind it.
      if series == .cells, element.pinRange != nil {
        pinned.append(element)
      } else {
        draw(element, in: layout)
      }
      next += 1
    }
    return next
  }

  public mutating func write(
    _ element: LayoutAttributes, ordinal: Int?, card: CardOfItem?, of layout: any PreparedLayout
  ) {
    draw(PlacedElement(element), in: layout)
  }

  private mutating func draw(_ element: PlacedElement, in layout: any PreparedLayout) {
    let lines = series.category == .supplementary ? element.children : nil
    open(section: element.indexPath.section, isConnector: lines != nil)
    if let lines {
      drawLines(from: element, to: lines, in: layout)
    } else {
      drawBox(of: element, in: layout)
    }
    count += 1
  }

  /// Ends the picture. If not all elements of the rect are drawn, the picture says so.
  public mutating func finish(_ end: borrowing AnswerEnd) -> [UInt8] {
    if let layout { for row in pinned { draw(row, in: layout) } }
    if group != nil { writer.write("</g>\n") }
    if isCut || !end.isComplete { drawNote() }
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
