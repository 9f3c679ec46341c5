extension SectionStack.Section {
  /// Everything around the body, as it counts for this section.
  var frame: SectionFrame { isHidden ? style.hiddenFrame : style.frame }

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
    (top + frame.headerHeight) + frame.sectionInset.top
  }

  func footerTop(from top: Double) -> Double {
    (bodyTop(from: top) + bodyHeight) + frame.sectionInset.bottom
  }

  func bottom(from top: Double) -> Double { footerTop(from: top) + frame.footerHeight }

  var backgroundCount: Int {
    background?.count ?? (frame.hasOneBackground ? 1 : 0)
  }
}
