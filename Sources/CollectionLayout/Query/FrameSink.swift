/// Receives the frames that a layout offers, and passes on those that a query selects, some dozens
/// at a time. It also moves each frame to its place in the content.
///
/// This is the only place where a frame is tested against a rect. It tests the frame exactly as it
/// is delivered. So a search may offer too many frames, if it offers them in order, but never too
/// few.
///
/// This is a hot path: a frame costs a few stores to the stack instead of a call of a closure.
public struct FrameSink: ~Copyable {
  private let elements: UnsafeMutableBufferPointer<PlacedElement>
  private var count = 0
  private let rect: Rect
  private let known: Rect?
  private var remaining: Int
  private var budgetLeft: Int
  private let body: (Span<PlacedElement>) -> Int
  /// The reason why the search stopped, with the first element that was not passed on.
  private(set) var end: End?
  /// The section of the frames that are offered now.
  var section = 0
  /// How the frames of this section are placed in the content.
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
    budgetLeft = budget
    self.body = body
  }

  /// Calls `search` with a sink.
  ///
  /// - Parameters:
  ///   - budget: The largest number of frames to test.
  ///   - body: Returns how many of the elements it took, from the first on. If it did not take all,
  ///     the query ends as if its limit were reached.
  static func with<R>(
    _ query: ElementQuery, visiting budget: Int, _ body: (Span<PlacedElement>) -> Int,
    search: (inout FrameSink) -> R
  ) -> R {
    withoutActuallyEscaping(body) { body in
      // Room for 32 elements, on the stack. It is declared as words because one call clears them.
      var memory = InlineArray<352, UInt64>(repeating: 0)
      var words = memory.mutableSpan
      return words.withUnsafeMutableBytes { bytes in
        var sink = FrameSink(
          bytes.bindMemory(to: PlacedElement.self), query, visiting: budget, body)
        return search(&sink)
      }
    }
  }

  /// Takes the frame of an item, in the coordinates in which it was laid out.
  ///
  /// - Parameters:
  ///   - children: Of a node or its connector.
  ///   - hidden: How many nodes a folded one hides.
  /// - Returns: Whether the sink wants more frames.
  @inline(__always)
  public mutating func offer(
    _ item: Int, _ frame: Rect, children: LayoutAttributes.Children? = nil, hidden: Int? = nil
  ) -> Bool {
    let path = IndexPath(section: section, item: item)
    guard budgetLeft > 0 else { return stop(.budgetSpent(path)) }
    budgetLeft &-= 1
    let placed = placement.frame(frame)
    guard placed.intersects(rect) else { return true }
    if let known, placed.intersects(known) { return true }
    return add(
      PlacedElement(indexPath: path, frame: placed, children: children, hidden: hidden))
  }

  /// Takes a header, a footer, a section background or a row, as it is delivered. A pinned element
  /// is in every answer whose rect it may slide into, even if it is known.
  ///
  /// - Parameter swept: The whole area that the element may cover.
  mutating func offer(_ element: PlacedElement, swept: Rect) -> Bool {
    guard budgetLeft > 0 else { return stop(.budgetSpent(element.indexPath)) }
    budgetLeft &-= 1
    guard swept.intersects(rect) else { return true }
    if element.pinRange == nil, let known, swept.intersects(known) { return true }
    return add(element)
  }

  @inline(__always)
  private mutating func add(_ element: PlacedElement) -> Bool {
    guard remaining > 0 else { return stop(.limitReached(element.indexPath)) }
    remaining &-= 1
    elements[count] = element
    count += 1
    return count < elements.count || flush()
  }

  /// Charges the budget for sections or columns that may have nothing to offer, each like one
  /// frame.
  ///
  /// - Parameter item: The item at which a later query continues if the budget is not enough.
  /// - Returns: Whether to visit them. It is also false if the sink wants no more frames.
  @inline(__always)
  public mutating func pass(_ visits: Int, before item: Int) -> Bool {
    guard end == nil else { return false }
    guard visits <= budgetLeft else {
      return stop(.budgetSpent(IndexPath(section: section, item: item)))
    }
    budgetLeft &-= visits
    return true
  }

  @inline(never)
  private mutating func stop(_ reason: End) -> Bool {
    if flush() { end = reason }
    return false
  }

  /// Passes on the collected elements.
  ///
  /// - Returns: Whether the sink wants more frames.
  mutating func flush() -> Bool {
    defer { count = 0 }
    guard end == nil else { return false }
    guard count > 0 else { return true }
    let taken = body(elements.extracting(..<count).span)
    if taken < count { end = .limitReached(elements[taken].indexPath) }
    return end == nil
  }
}
