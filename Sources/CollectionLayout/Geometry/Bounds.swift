/// The size of the collection view, in points. Each side may be unknown.
public struct Bounds: Hashable, Sendable {
  /// > 0. Every kind except `tree` needs it.
  public var width: Double?
  /// ≥ 0. It must be > 0 if the layout scrolls horizontally, or if a group needs it.
  public var height: Double?

  /// Bounds of these sides. A layout checks the ranges when it is prepared.
  public init(width: Double? = nil, height: Double? = nil) {
    self.width = width
    self.height = height
  }
}
