/// The layout attributes of an element, without the item's id.
///
/// It is plain data without references, so a query can create, copy and drop it cheaply.
public struct PlacedElement: BitwiseCopyable, Sendable {
  public let indexPath: IndexPath
  /// The frame as it is delivered, in points, in the content's coordinates.
  public let frame: Rect
  private let detail: Detail

  private enum Detail: BitwiseCopyable {
    case none
    case children(LayoutAttributes.Children)
    case hidden(Int)
    /// Negative, if nothing is folded.
    case pinRange(PinRange, hidden: Int)
    /// Of a pinned row with its children, which are in the next section.
    case row(PinRange, firstItem: Int32, count: Int32)
  }

  /// - Parameters:
  ///   - children: Of a node or its connector.
  ///   - hidden: How many nodes or items it hides, if it is folded.
  init(
    indexPath: IndexPath, frame: Rect, children: LayoutAttributes.Children? = nil,
    pinRange: PinRange? = nil, hidden: Int? = nil
  ) {
    self.indexPath = indexPath
    self.frame = frame
    switch (pinRange, children) {
    case (let range?, let children?):
      detail = .row(
        range, firstItem: Int32(children.items.lowerBound), count: Int32(children.items.count))
    case (let range?, nil): detail = .pinRange(range, hidden: hidden ?? -1)
    case (nil, let children?): detail = .children(children)
    case (nil, nil): detail = hidden.map { .hidden($0) } ?? .none
    }
  }

  public init(_ attributes: LayoutAttributes) {
    self.init(
      indexPath: attributes.indexPath, frame: attributes.frame, children: attributes.children,
      pinRange: attributes.pinRange, hidden: attributes.hidden)
  }

  /// The children of the node; only the cells and connectors of hierarchies have any.
  @inline(__always)
  public var children: LayoutAttributes.Children? {
    switch detail {
    case .children(let children): children
    case .row(_, let first, let count):
      LayoutAttributes.Children(
        section: indexPath.section + 1, items: Int(first)..<Int(first) + Int(count))
    case .none, .hidden, .pinRange: nil
    }
  }

  /// The range in which the element may slide; only pinned ones have one.
  @inline(__always)
  public var pinRange: PinRange? {
    switch detail {
    case .pinRange(let range, _), .row(let range, _, _): range
    case .none, .hidden, .children: nil
    }
  }

  /// How many nodes or items it hides, if it is folded.
  public var hidden: Int? {
    switch detail {
    case .hidden(let count): count
    case .pinRange(_, let count): count < 0 ? nil : count
    case .none, .children, .row: nil
    }
  }

  /// Whether it has only an index path and a frame.
  @inline(__always)
  public var isPlain: Bool {
    if case .none = detail { true } else { false }
  }
}

/// The range of the origin of a pinned element along the scroll direction, in points.
public struct PinRange: Hashable, BitwiseCopyable, Sendable {
  public let from: Double
  /// ≥ `from`.
  public let to: Double
  /// Negative for none.
  private let storedOffset: Double

  /// How far from the edge of the visible rect it stays: behind pinned elements that it belongs to;
  /// `nil` if it belongs to none.
  public var offset: Double? { storedOffset < 0 ? nil : storedOffset }

  public init(from: Double, to: Double, offset: Double? = nil) {
    self.from = from
    self.to = to
    storedOffset = offset ?? -1
  }
}
