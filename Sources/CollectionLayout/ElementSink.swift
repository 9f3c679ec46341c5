/// Takes the elements that a layout finds in a series and passes on those that a query selects,
/// some dozens at a time.
///
/// Finding an element then costs a few stores to memory on the stack, where a call of a closure for
/// each, through the layers of a query, took as long as finding it.
public struct ElementSink: ~Copyable {
  private let elements: UnsafeMutableBufferPointer<PlacedElement>
  private var count = 0
  private let known: Rect?
  private var remaining: Int
  private var patience: Int
  private let body: (Span<PlacedElement>) -> Int
  /// Why no more are wanted, and the first element that was not passed on for that.
  private(set) var end: End?

  enum End {
    case limitReached(IndexPath)
    case budgetSpent(IndexPath)
  }

  private init(
    _ elements: UnsafeMutableBufferPointer<PlacedElement>, _ query: borrowing ElementQuery,
    visiting budget: Int, _ body: @escaping (Span<PlacedElement>) -> Int
  ) {
    self.elements = elements
    known = query.known
    remaining = query.limit
    patience = budget
    self.body = body
  }

  /// Hands a sink to `search`.
  ///
  /// - Parameters:
  ///   - budget: The most elements to take, those that are known included.
  ///   - body: Returns how many of the elements it took, the first; if not all, that is the limit.
  static func with<R>(
    _ query: ElementQuery, visiting budget: Int, _ body: (Span<PlacedElement>) -> Int,
    search: (inout ElementSink) -> R
  ) -> R {
    withoutActuallyEscaping(body) { body in
      // Room for 32 elements, on the stack: a temporary allocation of this size would be made on
      // the heap. Words, since to clear them is one call, where 32 empty elements are three
      // kilobytes of code.
      var memory = InlineArray<320, UInt64>(repeating: 0)
      var words = memory.mutableSpan
      return words.withUnsafeMutableBytes { bytes in
        var sink = ElementSink(
          bytes.bindMemory(to: PlacedElement.self), query, visiting: budget, body)
        return search(&sink)
      }
    }
  }

  /// Adds an element; false when no more are wanted.
  @inline(__always)
  public mutating func append(_ element: PlacedElement) -> Bool {
    elements[count] = element
    count += 1
    return count < elements.count || flush()
  }

  /// Counts what is about to be gone over as if it were so many elements: tracks, of which many may
  /// have none to append, or an element's children.
  ///
  /// - Parameter path: Where to go on if it is not gone over now.
  /// - Returns: Whether it may be gone over; false when no more elements are wanted, too.
  @inline(__always)
  public mutating func pass(_ visits: Int, before path: IndexPath) -> Bool {
    guard visits <= patience - count else { return stop(before: path) }
    patience -= visits
    return true
  }

  private mutating func stop(before path: IndexPath) -> Bool {
    if flush() { end = .budgetSpent(path) }
    return false
  }

  /// Passes on what there is; false when no more are wanted.
  mutating func flush() -> Bool {
    // Even for a layout that goes on though nothing is wanted: there is no place behind the last.
    defer { count = 0 }
    guard end == nil else { return false }
    let visited = min(count, patience)
    let wanted = known.map { elements.keep(first: visited, outside: $0) } ?? visited
    let offered = min(wanted, remaining)
    let taken = offered == 0 ? 0 : body(elements.extracting(..<offered).span)
    if taken < wanted {
      end = .limitReached(elements[taken].indexPath)
    } else if visited < count {
      end = .budgetSpent(elements[visited].indexPath)
    }
    patience -= visited
    remaining -= taken
    return end == nil
  }
}

extension UnsafeMutableBufferPointer<PlacedElement> {
  /// Moves those of the first elements that do not intersect a rect to the front.
  ///
  /// - Returns: How many they are.
  fileprivate func keep(first count: Int, outside known: Rect) -> Int {
    var kept = 0
    for index in 0..<count where !self[index].frame.intersects(known) {
      self[kept] = self[index]
      kept += 1
    }
    return kept
  }
}
