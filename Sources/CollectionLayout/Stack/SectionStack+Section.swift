extension SectionStack.Section {
  /// The height of the body in the stack.
  var bodyHeight: Double { isHidden || isFolded ? 0 : style.orthogonalHeight ?? body.height }

  /// The area that cells may cover, in the stack's axes, relative to the start of the body.
  var reach: Rect { style.orthogonalHeight == nil ? body.reach : body.reach.transposed }

  /// The insets of the body along the scroll direction.
  private var insets: (top: Double, bottom: Double) {
    let inset = style.options.sectionInset
    return isFolded ? (0, 0) : (inset.top, inset.bottom)
  }

  /// The length of what an orthogonal section scrolls, from inset to inset; `nil` for another
  /// section.
  var orthogonalLength: Double? {
    guard style.orthogonalHeight != nil else { return nil }
    let inset = style.options.sectionInset
    return (inset.left + body.height) + inset.right
  }

  func bodyTop(from top: Double) -> Double {
    isHidden ? top : (top + style.options.headerHeight) + insets.top
  }

  func footerTop(from top: Double) -> Double {
    isHidden ? top : (bodyTop(from: top) + bodyHeight) + insets.bottom
  }

  func bottom(from top: Double) -> Double {
    isHidden ? top : footerTop(from: top) + (isFolded ? 0 : style.options.footerHeight)
  }

  var backgroundCount: Int {
    isHidden || isFolded ? 0 : background?.count ?? (style.options.hasOneBackground ? 1 : 0)
  }
}
