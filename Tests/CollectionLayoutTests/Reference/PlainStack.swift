@testable import CollectionLayout

/// A stack of sections as an array of all its elements: what the contract says of all kinds,
/// written down plainly. Only what the kinds lay out, each from 0, is taken from the layout itself:
/// the cells, and the backgrounds of rows.
struct PlainStack {
  private let isHorizontal: Bool
  /// What frames are mirrored in, from right to left.
  private let mirrorWidth: Double?
  private let width: Double
  private var elements: [Element] = []
  private var top = 0.0
  private var bottom = 0.0
  /// How far bodies of frames reach to the right.
  private var farthest = 0.0

  /// A length along the scroll direction, in steps.
  private static func step(_ length: Double, isIntegral: Bool = false) -> Double {
    let steps = isIntegral ? 1.0 : 1024
    let rounded = (length * steps + 0.5).rounded(.down) / steps
    return length > 0 ? max(rounded, 1 / steps) : rounded
  }

  static func layout(_ collection: PreparedCollection) -> PlainLayout {
    guard case .sections(let sections) = collection.data,
      let stack = collection.prepared as? SectionStack
    else { preconditionFailure("a stack is of sections") }
    var plain = PlainStack(collection.layout)
    for (index, section) in sections.enumerated() {
      plain.append(index, section, stack.sections[index], of: collection.layout)
    }
    if collection.layout.options.text("contentAlignment") == "bottom" {
      let bounds = collection.layout.bounds!
      let height = Self.step(plain.isHorizontal ? bounds.width! : bounds.height!)
      if plain.bottom < height {
        // What is stacked anew from there.
        let start = height - plain.bottom
        plain = PlainStack(collection.layout)
        (plain.top, plain.bottom) = (start, start)
        for (index, section) in sections.enumerated() {
          plain.append(index, section, stack.sections[index], of: collection.layout)
        }
        plain.bottom = height
      }
    }
    let size = Size(width: max(plain.width, plain.farthest), height: plain.bottom)
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
    _ index: Int, _ section: CollectionSection, _ prepared: SectionStack.Section,
    of layout: GivenLayout
  ) {
    let body = prepared.body
    let kind = section.settings?.kind ?? layout.kind.name
    let options = layout.options.patched(by: section.options)
    if section.items.count == 0, layout.options.text("emptySections") == "hide" { return }
    let isIntegral = options.flag("integral") ?? (kind == "gallery")
    func step(_ length: Double) -> Double { Self.step(length, isIntegral: isIntegral) }
    func insets(_ name: String) -> EdgeInsets {
      var inset = options.edges(name)
      if isHorizontal {
        inset = EdgeInsets(
          top: inset.left, left: inset.top, bottom: inset.right, right: inset.bottom)
      }
      inset.top = step(inset.top)
      inset.bottom = step(inset.bottom)
      return inset
    }
    let headerHeight = step(options.double("headerHeight") ?? 0)
    let footerHeight = step(options.double("footerHeight") ?? 0)
    let inset = insets("sectionInset")
    let sideways = section.settings?.orthogonalHeight.map(step)
    let bodyTop = (top + headerHeight) + inset.top
    let footerTop = (bodyTop + (sideways ?? body.height)) + inset.bottom
    bottom = footerTop + footerHeight

    func inStack(_ frame: Rect) -> Rect {
      let local =
        sideways == nil
        ? frame
        : Rect(
          x: frame.origin.y, y: frame.origin.x, width: frame.size.height,
          height: frame.size.width)
      return Rect(
        x: inset.left + local.origin.x, y: bodyTop + local.origin.y, width: local.size.width,
        height: local.size.height)
    }
    let background = options.text("background") ?? "none"
    for item in 0..<section.items.count {
      let frame = body.frame(of: item)
      add(
        .cell(index, item, inStack(frame), id: section.items.id(at: item)?.string),
        isIntegral: isIntegral)
      if background == "item" {
        add(.background(index, item, inStack(frame)), isIntegral: isIntegral)
      }
      if kind == "frames", sideways == nil {
        farthest = max(farthest, inset.left + (frame.origin.x + frame.size.width))
      }
    }
    if background == "row", let rows = prepared.background {
      for row in 0..<rows.count {
        add(.background(index, row, inStack(rows.frame(of: row))), isIntegral: isIntegral)
      }
    }
    if background == "section" || background == "body" {
      let isWhole = background == "section"
      let start = isWhole ? top : top + headerHeight
      let height = (isWhole ? bottom : footerTop) - start
      let less = insets("backgroundInset")
      let frame = Rect(
        x: min(less.left, width), y: start + min(less.top, height),
        width: max(0, width - (less.left + less.right)),
        height: max(0, height - (less.top + less.bottom)))
      add(.background(index, 0, frame))
    }
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
    top = bottom + Self.step(layout.options.double("sectionSpacing") ?? 0)
  }

  private func part(_ y: Double, _ height: Double) -> Rect {
    Rect(x: 0, y: y, width: width, height: height)
  }

  /// Adds an element that stands in the stack: turned, then mirrored, then rounded.
  private mutating func add(_ element: Element, isIntegral: Bool = false) {
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
    if isIntegral { element.frame = element.frame.inWholePoints }
    elements.append(element)
  }
}
