/// Takes the frames that a layout offers, puts them where they are in the content, and passes on,
/// some dozens at a time, those that a query selects.
///
/// It is the one place where a frame meets a rect, and it looks at the frame as it is delivered:
/// whoever looks for frames may offer some too many, in order, but none too few.
///
/// A hot path: a frame costs a few stores to memory on the stack, where a call of a closure for
/// each took as long as finding it.
public struct FrameSink: ~Copyable {
  private let elements: UnsafeMutableBufferPointer<PlacedElement>
  private var count = 0
  private let rect: Rect
  private let known: Rect?
  private var remaining: Int
  private var patience: Int
  private let body: (Span<PlacedElement>) -> Int
  /// Why no more are wanted, and the first element that was not passed on for that.
  private(set) var end: End?
  /// The section whose frames are offered.
  var section = 0
  /// Where its frames stand.
  var placement = Placement()

  enum End {
    case limitReached(IndexPath)
    case budgetSpent(IndexPath)
  }

  private init(
    _ elements: UnsafeMutableBufferPointer<PlacedElement>, _ query: borrowing ElementQuery,
    visiting budget: Int, _ body: @escaping (Span<PlacedElement>) -> Int
  ) {
    self.elements = elements
    rect = query.rect
    known = query.known
    remaining = query.limit
    patience = budget
    self.body = body
  }

  /// Hands a sink to `search`.
  ///
  /// - Parameters:
  ///   - budget: The most frames to look at.
  ///   - body: Returns how many of the elements it took, the first; if not all, that is the limit.
  static func with<R>(
    _ query: ElementQuery, visiting budget: Int, _ body: (Span<PlacedElement>) -> Int,
    search: (inout FrameSink) -> R
  ) -> R {
    withoutActuallyEscaping(body) { body in
      // Room for 32 elements, on the stack. Words, since to clear them is one call.
      var memory = InlineArray<320, UInt64>(repeating: 0)
      var words = memory.mutableSpan
      return words.withUnsafeMutableBytes { bytes in
        var sink = FrameSink(
          bytes.bindMemory(to: PlacedElement.self), query, visiting: budget, body)
        return search(&sink)
      }
    }
  }

  /// Takes the frame of an item, in the coordinates that it was laid out in.
  ///
  /// - Returns: Whether more are wanted.
  @inline(__always)
  public mutating func offer(_ item: Int, _ frame: Rect) -> Bool {
    let path = IndexPath(section: section, item: item)
    guard patience > 0 else { return stop(.budgetSpent(path)) }
    patience &-= 1
    let placed = placement.frame(frame)
    guard placed.intersects(rect) else { return true }
    if let known, placed.intersects(known) { return true }
    return add(PlacedElement(indexPath: path, frame: placed))
  }

  /// Takes the frame of a node, or of its connector; the index paths of many children are worth as
  /// many frames.
  @inline(__always)
  mutating func offer(
    _ item: Int, _ frame: Rect, children: LayoutAttributes.Children?
  ) -> Bool {
    let path = IndexPath(section: section, item: item)
    let childCount = children?.items.count ?? 0
    guard patience > 0, childCount <= Self.freeChildren || childCount <= patience else {
      return stop(.budgetSpent(path))
    }
    patience &-= childCount <= Self.freeChildren ? 1 : childCount
    let placed = placement.frame(frame)
    guard placed.intersects(rect) else { return true }
    if let known, placed.intersects(known) { return true }
    return add(PlacedElement(indexPath: path, frame: placed, children: children))
  }

  private static let freeChildren = 64

  /// Takes a header or footer as it is delivered. A pinned one is in every answer whose rect it may
  /// come into, whatever is known.
  ///
  /// - Parameter swept: All that it may cover.
  mutating func offer(part frame: Rect, pinRange: PinRange?, swept: Rect) -> Bool {
    let path = IndexPath(section: section, item: 0)
    guard patience > 0 else { return stop(.budgetSpent(path)) }
    patience &-= 1
    guard swept.intersects(rect) else { return true }
    if pinRange == nil, let known, swept.intersects(known) { return true }
    return add(PlacedElement(indexPath: path, frame: frame, pinRange: pinRange))
  }

  @inline(__always)
  private mutating func add(_ element: PlacedElement) -> Bool {
    guard remaining > 0 else { return stop(.limitReached(element.indexPath)) }
    remaining &-= 1
    elements[count] = element
    count += 1
    return count < elements.count || flush()
  }

  /// Counts what is about to be gone over as if it were so many frames: sections or columns, of
  /// which many may have none to offer.
  ///
  /// - Parameter item: Where to go on in the section if it is not gone over now.
  /// - Returns: Whether it may be gone over; false when no more are wanted, too.
  @inline(__always)
  public mutating func pass(_ visits: Int, before item: Int) -> Bool {
    guard end == nil else { return false }
    guard visits <= patience else {
      return stop(.budgetSpent(IndexPath(section: section, item: item)))
    }
    patience &-= visits
    return true
  }

  @inline(never)
  private mutating func stop(_ reason: End) -> Bool {
    if flush() { end = reason }
    return false
  }

  /// Passes on what there is; false when no more are wanted.
  mutating func flush() -> Bool {
    defer { count = 0 }
    guard end == nil else { return false }
    guard count > 0 else { return true }
    let taken = body(elements.extracting(..<count).span)
    if taken < count { end = .limitReached(elements[taken].indexPath) }
    return end == nil
  }
}
