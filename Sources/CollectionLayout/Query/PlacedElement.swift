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
    case pinRange(PinRange)
  }

  public init(
    indexPath: IndexPath, frame: Rect, children: LayoutAttributes.Children? = nil
  ) {
    self.indexPath = indexPath
    self.frame = frame
    detail = children.map { .children($0) } ?? .none
  }

  init(indexPath: IndexPath, frame: Rect, pinRange: PinRange?) {
    self.indexPath = indexPath
    self.frame = frame
    detail = pinRange.map { .pinRange($0) } ?? .none
  }

  public init(_ attributes: LayoutAttributes) {
    indexPath = attributes.indexPath
    frame = attributes.frame
    detail =
      attributes.children.map { .children($0) } ?? attributes.pinRange.map { .pinRange($0) }
      ?? .none
  }

  /// The children of the node; only a tree's cells and connectors have any.
  @inline(__always)
  public var children: LayoutAttributes.Children? {
    if case .children(let children) = detail { children } else { nil }
  }

  /// The range in which the element may slide; only pinned headers and footers have one.
  @inline(__always)
  public var pinRange: PinRange? {
    if case .pinRange(let range) = detail { range } else { nil }
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

  public init(from: Double, to: Double) {
    self.from = from
    self.to = to
  }
}
