/// Headers, footers and the backgrounds of sections.
extension SectionStack {
  /// An element of a section that its kind does not lay out: a header, a footer or a section
  /// background. It has a frame and a range in which it may slide.
  struct Part: Equatable {
    var frame: Rect
    var pinRange: PinRange?
    /// The whole area that it may cover.
    var swept: Rect
    /// How many items the section hides, if it is folded.
    var hidden: Int?
  }

  /// A part of a section, if the section has it.
  func part(_ series: ElementSeries, ofSection index: Int) -> Part? {
    let section = sections[index]
    guard !section.isHidden, !section.isFolded || series == Self.header else { return nil }
    let options = section.style.options
    let top = tops[index]
    switch series {
    case Self.header:
      guard options.headerHeight > 0 else { return nil }
      let end = section.footerTop(from: top) - options.headerHeight
      var header = part(
        of: index, at: top, options.headerHeight, options.pinHeaders ? (top, max(top, end)) : nil)
      if section.isFolded { header.hidden = data[index].items.count }
      return header
    case Self.footer:
      guard options.footerHeight > 0 else { return nil }
      let footerTop = section.footerTop(from: top)
      return part(
        of: index, at: footerTop, options.footerHeight,
        options.pinFooters ? (min(footerTop, top + options.headerHeight), footerTop) : nil)
    default:
      guard options.hasOneBackground else { return nil }
      let background = outerPlacement.frame(background(ofSection: index))
      return Part(frame: background, pinRange: nil, swept: background)
    }
  }

  /// The frame of the decoration behind a section or its body, in the stack's coordinates.
  ///
  /// - Precondition: The section has such a background.
  func background(ofSection index: Int) -> Rect {
    let section = sections[index]
    let options = section.style.options
    var (top, end) = (tops[index], section.bottom(from: tops[index]))
    if options.background == SectionOptions.bodyBackground {
      end = section.footerTop(from: top)
      top += options.headerHeight
    }
    let (width, height) = (width(ofSection: index), end - top)
    let inset = options.backgroundInset
    return Rect(
      x: left(ofSection: index) + min(inset.left, width), y: top + min(inset.top, height),
      width: max(0, width - (inset.left + inset.right)),
      height: max(0, height - (inset.top + inset.bottom)))
  }

  private func part(
    of index: Int, at y: Double, _ height: Double, _ range: (from: Double, to: Double)?
  ) -> Part {
    let frame = outerPlacement.frame(
      Rect(
        x: left(ofSection: index), y: y, width: width(ofSection: index), height: height))
    guard let range else { return Part(frame: frame, pinRange: nil, swept: frame) }
    var pinRange = PinRange(from: range.from, to: range.to)
    if metrics.isHorizontal && metrics.isRightToLeft {
      pinRange = PinRange(
        from: metrics.mirrorWidth - (range.to + height),
        to: metrics.mirrorWidth - (range.from + height))
    }
    let part = Part(frame: frame, pinRange: pinRange, swept: frame)
    return Part(
      frame: frame, pinRange: pinRange,
      swept: sweptFrame(of: part.frame, pinRange: pinRange))
  }

  func sweptFrame(of frame: Rect, pinRange: PinRange?) -> Rect {
    guard let pinRange else { return frame }
    let slide = pinRange.to - pinRange.from
    return metrics.isHorizontal
      ? Rect(
        x: pinRange.from, y: frame.origin.y, width: slide + frame.size.width,
        height: frame.size.height)
      : Rect(
        x: frame.origin.x, y: pinRange.from, width: frame.size.width,
        height: slide + frame.size.height)
  }
}
