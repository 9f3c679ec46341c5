/// A position in the content's coordinates: the origin is top left, x grows right, y grows down.
public struct Point: Hashable, BitwiseCopyable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A width and a height in points.
public struct Size: Hashable, BitwiseCopyable, Sendable {
  public var width: Double
  public var height: Double

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

extension Size {
  /// With both axes exchanged.
  public var transposed: Size { Size(width: height, height: width) }
}

/// Distances from the four edges of a rectangle inwards, in points.
public struct EdgeInsets: Hashable, Sendable {
  public var top: Double
  public var left: Double
  public var bottom: Double
  public var right: Double

  public init(top: Double, left: Double, bottom: Double, right: Double) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// The same distance from every edge.
  public init(all distance: Double) {
    self.init(top: distance, left: distance, bottom: distance, right: distance)
  }
}

extension EdgeInsets {
  /// With exchanged axes: the left edge becomes the top one, the right edge the bottom one.
  var transposed: EdgeInsets {
    EdgeInsets(top: left, left: top, bottom: right, right: bottom)
  }
}

/// The extent of something along one axis: `[start, start + length)`.
///
/// An interval of length 0 is the single point `start`.
public struct Interval: Hashable, BitwiseCopyable, Sendable {
  public var start: Double
  public var length: Double

  @inlinable
  public init(start: Double, length: Double) {
    self.start = start
    self.length = length
  }

  @inlinable
  public var end: Double { start + length }

  /// Whether the two intervals share a point.
  ///
  /// Intervals are half open, so two that only touch do not meet. Two points meet if they are
  /// equal.
  @inlinable
  public func meets(_ other: Interval) -> Bool {
    if length > 0 {
      return other.length > 0
        ? start < other.end && other.start < end
        : start <= other.start && other.start < end
    }
    return other.length > 0
      ? other.start <= start && start < other.end
      : start == other.start
  }

  /// Whether every interval that meets the other one also meets this one.
  func covers(_ other: Interval) -> Bool {
    guard length > 0 else { return self == other }
    return start <= other.start
      && (other.length > 0 ? other.end <= end : other.start < end)
  }
}

/// A rectangle in the content's coordinates, in points; width and height are never negative.
public struct Rect: Hashable, BitwiseCopyable, Sendable {
  public var origin: Point
  public var size: Size

  @inlinable
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  @inlinable
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  @inlinable public var horizontal: Interval { Interval(start: origin.x, length: size.width) }
  @inlinable public var vertical: Interval { Interval(start: origin.y, length: size.height) }
  @inlinable public var maxX: Double { origin.x + size.width }
  @inlinable public var maxY: Double { origin.y + size.height }

  /// With both axes exchanged.
  @inlinable public var transposed: Rect {
    Rect(x: origin.y, y: origin.x, width: size.height, height: size.width)
  }

  /// Whether both the horizontal and the vertical extents meet; see ``Interval/meets(_:)``.
  @inlinable
  public func intersects(_ other: Rect) -> Bool {
    horizontal.meets(other.horizontal) && vertical.meets(other.vertical)
  }

  /// Whether every rectangle that intersects the other one also intersects this one.
  func covers(_ other: Rect) -> Bool {
    horizontal.covers(other.horizontal) && vertical.covers(other.vertical)
  }
}
