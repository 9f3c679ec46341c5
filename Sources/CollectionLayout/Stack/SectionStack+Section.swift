extension SectionStack.Section {
  /// The height of the body in the stack.
  var bodyHeight: Double { isHidden ? 0 : style.orthogonalHeight ?? body.height }

  /// The area that cells may cover, in the stack's axes, relative to the start of the body.
  var reach: Rect { style.orthogonalHeight == nil ? body.reach : body.reach.transposed }

  /// The length of what an orthogonal section scrolls, from inset to inset; `nil` for another
  /// section.
  var orthogonalLength: Double? {
    guard style.orthogonalHeight != nil else { return nil }
    let inset = style.frame.sectionInset
    return (inset.left + body.height) + inset.right
  }

  func bodyTop(from top: Double) -> Double {
    isHidden ? top : (top + style.frame.headerHeight) + style.frame.sectionInset.top
  }

  func footerTop(from top: Double) -> Double {
    isHidden ? top : (bodyTop(from: top) + bodyHeight) + style.frame.sectionInset.bottom
  }

  func bottom(from top: Double) -> Double {
    isHidden ? top : footerTop(from: top) + style.frame.footerHeight
  }

  var backgroundCount: Int {
    isHidden ? 0 : background?.count ?? (style.frame.hasOneBackground ? 1 : 0)
  }
}
