/// Where an element of a series is: its layout attributes but for the item's name.
///
/// Plain data without references, so that a query can make, keep and drop it for nothing.
public struct PlacedElement: BitwiseCopyable, Sendable {
  public let indexPath: IndexPath
  /// In points, in the content's coordinates.
  public let frame: Rect
  /// The index paths of the children in a hierarchy; only a tree's cells and connectors have any.
  public let children: LayoutAttributes.Children?

  public init(indexPath: IndexPath, frame: Rect, children: LayoutAttributes.Children? = nil) {
    self.indexPath = indexPath
    self.frame = frame
    self.children = children
  }

  public init(_ attributes: LayoutAttributes) {
    self.init(
      indexPath: attributes.indexPath, frame: attributes.frame, children: attributes.children)
  }
}

/// Takes the elements that a layout finds and passes them on some dozens at a time.
///
/// Finding an element then costs a few stores to memory on the stack, where a call of a closure for
/// each, through the layers of a query, took as long as finding it.
public struct ElementSink: ~Copyable {
  private static let capacity = 64

  private let elements: UnsafeMutableBufferPointer<PlacedElement>
  private var count = 0
  private var isOpen = true
  private let take: (UnsafeMutableBufferPointer<PlacedElement>) -> Bool

  private init(
    _ elements: UnsafeMutableBufferPointer<PlacedElement>,
    _ take: @escaping (UnsafeMutableBufferPointer<PlacedElement>) -> Bool
  ) {
    self.elements = elements
    self.take = take
  }

  /// Adds an element; false when no more are wanted.
  @inline(__always)
  public mutating func append(_ element: PlacedElement) -> Bool {
    elements.initializeElement(at: count, to: element)
    count += 1
    if count < Self.capacity { return true }
    flush()
    return isOpen
  }

  private mutating func flush() {
    if isOpen && count > 0 { isOpen = take(.init(rebasing: elements[..<count])) }
    count = 0
  }

  /// Lets `search` fill a sink.
  ///
  /// - Parameter take: Gets the elements in their order and may change them; returns whether it wants
  ///   more.
  /// - Returns: Whether it wanted more to the end.
  static func collect(
    _ search: (inout ElementSink) -> Void,
    _ take: (UnsafeMutableBufferPointer<PlacedElement>) -> Bool
  ) -> Bool {
    withoutActuallyEscaping(take) { take in
      withUnsafeTemporaryAllocation(of: PlacedElement.self, capacity: capacity) { elements in
        var sink = ElementSink(elements, take)
        search(&sink)
        sink.flush()
        return sink.isOpen
      }
    }
  }
}
