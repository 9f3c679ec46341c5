import Testing

@testable import CollectionLayout

/// Expects the same elements in the same order and prints only the first that differ.
func expectEqual(
  _ elements: [Element], _ expected: [Element], _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard elements != expected else { return }
  let index =
    zip(elements, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    ?? min(elements.count, expected.count)
  let found = index < elements.count ? "\(elements[index])" : "nothing"
  let wanted = index < expected.count ? "\(expected[index])" : "nothing"
  Issue.record(
    """
    \(comment()) \(elements.count) elements, expected \(expected.count); \
    element \(index) is \(found), expected \(wanted)
    """, sourceLocation: sourceLocation)
}

/// Expects the same elements with numbers that are equal up to rounding.
func expectClose(
  _ elements: [Element], _ expected: [Element], sourceLocation: SourceLocation = #_sourceLocation
) {
  guard elements.count == expected.count else {
    return expectEqual(elements, expected, sourceLocation: sourceLocation)
  }
  for (element, wanted) in zip(elements, expected) {
    var sameFrame = element
    sameFrame.frame = wanted.frame
    if sameFrame != wanted || !areClose(element.frame, wanted.frame) {
      Issue.record("\(element), expected \(wanted)", sourceLocation: sourceLocation)
      return
    }
  }
}

func expectClose(
  _ size: Size, _ expected: Size, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    areClose(size.width, expected.width) && areClose(size.height, expected.height),
    "\(size), expected \(expected)", sourceLocation: sourceLocation)
}

/// Equal within 10⁻⁹ absolute plus 10⁻⁹ relative.
func areClose(_ a: Double, _ b: Double) -> Bool {
  abs(a - b) <= 1e-9 + 1e-9 * max(abs(a), abs(b))
}

func areClose(_ a: Rect, _ b: Rect) -> Bool {
  areClose(a.origin.x, b.origin.x) && areClose(a.origin.y, b.origin.y)
    && areClose(a.size.width, b.size.width) && areClose(a.size.height, b.size.height)
}
