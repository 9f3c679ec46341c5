/// A section's cells, laid out from an origin of their own.
protocol SectionStack: AnyObject, Sendable {
  var itemCount: Int { get }
  /// The y from which it is laid out.
  var origin: Double { get }
  /// The largest y that a sum led to.
  var lowestY: Double { get }
  /// Whether every sum was without rounding, so that the stack can be moved; see ``Exactness``.
  var isExact: Bool { get }
}

extension SectionStack {
  /// How far the stack has to move to begin at another origin; `nil` when moving would not give
  /// the same bits as laying it out there.
  func shift(to newOrigin: Double) -> Double? {
    if newOrigin == origin { return 0 }
    guard isExact, Exactness.isExact(newOrigin),
      newOrigin + (lowestY - origin) < Exactness.limit
    else { return nil }
    return newOrigin - origin
  }
}

/// A section's stack where it is now.
struct PlacedStack<Stack: SectionStack>: Sendable {
  /// `nil` for a section without items.
  let stack: Stack?
  /// What to add to the stack's own y.
  let shift: Double

  /// The stack, for readers that count no references to it.
  var unmanagedStack: Unmanaged<Stack>? { stack.map { Unmanaged.passUnretained($0) } }

  /// Of an earlier version of the section, and the first item that may differ.
  typealias Earlier = (stack: Stack, firstChanged: Int)

  static var empty: PlacedStack { PlacedStack(stack: nil, shift: 0) }

  /// Moves the earlier stack if nothing in it changed, goes on from what is the same in it, or lays
  /// out all, whichever is the least that gives the same bits as the last.
  ///
  /// - Parameters:
  ///   - itemCount: How many items the section has, at least one.
  ///   - layOut: Lays the section out from an origin, going on from an earlier stack with the same.
  static func placing(
    itemCount: Int, at origin: Double, reusing earlier: Earlier?,
    layOut: (_ origin: Double, _ continuing: Earlier?) throws(LayoutError) -> Stack
  ) throws(LayoutError) -> PlacedStack {
    guard let earlier, let shift = earlier.stack.shift(to: origin) else {
      return PlacedStack(stack: try layOut(origin, nil), shift: 0)
    }
    if earlier.firstChanged >= itemCount, earlier.stack.itemCount == itemCount {
      return PlacedStack(stack: earlier.stack, shift: shift)
    }
    let stack = try layOut(earlier.stack.origin, earlier)
    if let shift = stack.shift(to: origin) { return PlacedStack(stack: stack, shift: shift) }
    // The changed items' sums are rounded, so they depend on where they begin.
    return PlacedStack(stack: try layOut(origin, nil), shift: 0)
  }
}
