import CollectionLayout

extension PictureEncoder {
  /// The smallest distance from the edge at which boxes are cut off, in pixels. No stroke and no
  /// round corner of a cut edge is seen.
  private static let margin = 8.0

  /// A place in the picture; one far outside is moved near.
  func x(_ place: Double) -> Double {
    min(max((place - rect.origin.x) * scale, -Self.margin), width + Self.margin)
  }

  func y(_ place: Double) -> Double {
    min(max((place - rect.origin.y) * scale, -Self.margin), height + Self.margin)
  }

  mutating func writeBox(_ frame: Rect) {
    let (left, right) = (x(frame.origin.x), x(frame.maxX))
    let (top, bottom) = (y(frame.origin.y), y(frame.maxY))
    writer.write("x", left)
    writer.write("y", top)
    // A box without width is not drawn, not even its stroke.
    writer.write("width", max(0.01, right - left))
    writer.write("height", max(0.01, bottom - top))
    if min(right - left, bottom - top) >= 12 { writer.write(" rx=\"3\"") }
  }

  mutating func drawBox(of element: PlacedElement, in layout: any PreparedLayout) {
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
        frame.origin.y, near: rect.origin.y + (range.offset ?? 0),
        far: rect.maxY - frame.size.height)
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

  mutating func drawText(_ text: String, x: Double, y: Double) {
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
    if let title = layout.data(ofItemAt: path)?.title { return title }
    let id = layout.hasIDs(inSection: path.section) ? layout.id(ofItemAt: path) : nil
    return id?.string ?? "\(path.section), \(path.item)"
  }

  static let lineHeight = 13.0
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
  static func advance(of text: some StringProtocol) -> Double {
    text.unicodeScalars.reduce(0) { width, scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: width
      default: width + (scalar.value < 0x1100 ? 6.9 : 11)
      }
    }
  }
}
