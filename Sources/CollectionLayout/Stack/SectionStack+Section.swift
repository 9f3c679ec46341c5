extension SectionStack.Section {
  /// The height of the body in the stack.
  var bodyHeight: Double { style.orthogonalHeight ?? body.height }

  /// The area that cells may cover, in the stack's axes, relative to the start of the body.
  var reach: Rect { style.orthogonalHeight == nil ? body.reach : body.reach.transposed }

  func bodyTop(from top: Double) -> Double {
    (top + style.frame.headerHeight) + style.frame.sectionInset.top
  }

  func footerTop(from top: Double) -> Double {
    (bodyTop(from: top) + bodyHeight) + style.frame.sectionInset.bottom
  }

  func bottom(from top: Double) -> Double { footerTop(from: top) + style.frame.footerHeight }

  var backgroundCount: Int {
    background?.count ?? (style.frame.background == SectionFrame.sectionBackground ? 1 : 0)
  }

  var hasElements: Bool {
    body.count > 0 || backgroundCount > 0 || style.frame.headerHeight > 0
      || style.frame.footerHeight > 0
  }
}
