@testable import CollectionLayout

/// A stack of sections as an array of all its elements: what the contract says of all kinds,
/// written down plainly. Only what the kinds lay out, each from 0, is taken from the layout itself.
struct PlainStack {
  private let isHorizontal: Bool
  /// What frames are mirrored in, from right to left.
  private let mirrorWidth: Double?
  private let width: Double
  private var elements: [Element] = []
  private var top = 0.0
  private var bottom = 0.0

  static func layout(_ collection: PreparedCollection) -> PlainLayout {
    guard case .sections(let sections) = collection.data,
      let stack = collection.prepared as? SectionStack
    else { preconditionFailure("a stack is of sections") }
    var plain = PlainStack(collection.layout)
    for (index, section) in sections.enumerated() {
      plain.append(index, section, stack.sections[index].body, of: collection.layout)
    }
    let size = Size(width: plain.width, height: plain.bottom)
    return PlainLayout(
      elements: plain.elements,
      contentSize: plain.isHorizontal ? Size(width: size.height, height: size.width) : size,
      sectionCount: sections.count)
  }

  private init(_ layout: GivenLayout) {
    let options = layout.options
    let inset = options.edges("contentInset")
    isHorizontal = options.text("scrollDirection") == "horizontal"
    let mirrorWidth = layout.bounds!.width! - (inset.left + inset.right)
    self.mirrorWidth = options.text("layoutDirection") == "rightToLeft" ? mirrorWidth : nil
    width = isHorizontal ? layout.bounds!.height! - (inset.top + inset.bottom) : mirrorWidth
  }

  private mutating func append(
    _ index: Int, _ section: CollectionSection, _ body: any SectionBody, of layout: GivenLayout
  ) {
    let kind = section.settings?.kind ?? layout.kind.name
    let options = layout.options.patched(by: section.options)
    let headerHeight = options.double("headerHeight") ?? 0
    let footerHeight = options.double("footerHeight") ?? 0
    var inset = options.edges("sectionInset")
    if isHorizontal {
      inset = EdgeInsets(
        top: inset.left, left: inset.top, bottom: inset.right, right: inset.bottom)
    }
    let sideways = section.settings?.orthogonalHeight
    let bodyTop = (top + headerHeight) + inset.top
    let footerTop = (bodyTop + (sideways ?? body.height)) + inset.bottom
    bottom = footerTop + footerHeight

    let isIntegral = options.flag("integral") ?? (kind == "gallery")
    func inStack(_ frame: Rect) -> Rect {
      let local =
        sideways == nil
        ? frame
        : Rect(
          x: frame.origin.y, y: frame.origin.x, width: frame.size.height,
          height: frame.size.width)
      let moved = Rect(
        x: inset.left + local.origin.x, y: bodyTop + local.origin.y, width: local.size.width,
        height: local.size.height)
      guard isIntegral else { return moved }
      let (x, y) = (moved.origin.x.rounded(.down), moved.origin.y.rounded(.down))
      return Rect(
        x: x, y: y, width: (moved.origin.x + moved.size.width).rounded(.up) - x,
        height: (moved.origin.y + moved.size.height).rounded(.up) - y)
    }
    let background = options.text("background") ?? "none"
    var rows: [Rect] = []
    for item in 0..<section.items.count {
      let frame = body.frame(of: item)
      add(.cell(index, item, inStack(frame), id: section.items.id(at: item)?.string))
      if background == "item" { add(.background(index, item, inStack(frame))) }
      if rows.last?.origin.y != frame.origin.y {
        let bodyWidth = sideways ?? (width - (inset.left + inset.right))
        rows.append(Rect(x: 0, y: frame.origin.y, width: bodyWidth, height: frame.size.height))
      }
    }
    if background == "row" {
      for (row, frame) in rows.enumerated() { add(.background(index, row, inStack(frame))) }
    }
    if background == "section" { add(.background(index, 0, part(top, bottom - top))) }
    if headerHeight > 0 {
      let range = top...max(top, footerTop - headerHeight)
      add(
        .supplementary(
          "header", index, 0, part(top, headerHeight),
          pinned: options.flag("pinHeaders") == true ? range : nil))
    }
    if footerHeight > 0 {
      let range = min(footerTop, top + headerHeight)...footerTop
      add(
        .supplementary(
          "footer", index, 0, part(footerTop, footerHeight),
          pinned: options.flag("pinFooters") == true ? range : nil))
    }
    top = bottom + (layout.options.double("sectionSpacing") ?? 0)
  }

  private func part(_ y: Double, _ height: Double) -> Rect {
    Rect(x: 0, y: y, width: width, height: height)
  }

  /// Adds an element that stands in the stack: turned, then mirrored.
  private mutating func add(_ element: Element) {
    var element = isHorizontal ? element.turned : element
    if let mirrorWidth {
      let elementWidth = element.frame.size.width
      element.frame.origin.x = mirrorWidth - (element.frame.origin.x + elementWidth)
      if isHorizontal, let range = element.pinRange {
        element.pinRange = PinRange(
          from: mirrorWidth - (range.to + elementWidth),
          to: mirrorWidth - (range.from + elementWidth))
      }
    }
    elements.append(element)
  }
}
