/// The collection view's own size, in points, as far as it is known.
public struct Bounds: Hashable, Sendable {
  /// > 0; every kind but `tree` needs it.
  public var width: Double?
  /// ≥ 0; > 0 where a layout scrolls horizontally, or a group takes a part of it.
  public var height: Double?

  public init(width: Double? = nil, height: Double? = nil) {
    self.width = width
    self.height = height
  }
}

extension Bounds? {
  /// The width, for a layout that is of some width.
  func requiredWidth() throws(LayoutError) -> Double {
    guard let width = self?.width else {
      throw .invalidBounds("width", requirement: "given for this kind")
    }
    return width
  }
}
