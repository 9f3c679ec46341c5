/// Where an element of a series is: its layout attributes but for the item's name.
///
/// Plain data without references, so that a query can make, keep and drop it for nothing.
public struct PlacedElement: BitwiseCopyable, Sendable {
  public let indexPath: IndexPath
  /// In points, in the content's coordinates, as it is delivered.
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

  /// The index paths of the children in a hierarchy; only a tree's cells and connectors have any.
  @inline(__always)
  public var children: LayoutAttributes.Children? {
    if case .children(let children) = detail { children } else { nil }
  }

  /// Between what the element may slide; only pinned headers and footers have any.
  @inline(__always)
  public var pinRange: PinRange? {
    if case .pinRange(let range) = detail { range } else { nil }
  }

  /// Whether it has nothing beside its index path and frame.
  @inline(__always)
  public var isPlain: Bool {
    if case .none = detail { true } else { false }
  }
}

/// Where the origin of a pinned element may lie, along the scroll direction, in points.
public struct PinRange: Hashable, BitwiseCopyable, Sendable {
  public let from: Double
  /// ≥ `from`.
  public let to: Double

  public init(from: Double, to: Double) {
    self.from = from
    self.to = to
  }
}
