import TestSupport

@testable import CollectionLayout

extension SeededGenerator {
  /// A rect to ask about: anywhere near the content, on the very edges of its elements, far
  /// outside, a point, a line, or huge.
  mutating func rect(near elements: [Element], in contentSize: Size) -> Rect {
    switch integer(0...11) {
    case 0: return .everything
    case 1:
      return element(of: [
        Rect(x: -1000, y: -1000, width: 999, height: 999),
        Rect(x: -1e9, y: 0, width: 1e9, height: 1e9),
        Rect(x: 0, y: contentSize.height, width: contentSize.width, height: 1e12),
        Rect(x: contentSize.width, y: 0, width: 1e12, height: 1e12),
        Rect(x: 0, y: -10, width: contentSize.width, height: 10),
        Rect(x: 1e17, y: 1e17, width: 1, height: 1),
        Rect(x: 0, y: 1e300, width: 1e300, height: 1e300),
        Rect(x: -1e300, y: -1e300, width: 1e300, height: 1e300),
        Rect(x: 0, y: 0, width: contentSize.width, height: contentSize.height),
        Rect(x: 0, y: 0, width: 1e308, height: 1e308),
        Rect(x: 0, y: 0, width: 0, height: 0),
      ])
    case 2...4:
      let x = Double.random(in: -20...contentSize.width + 20, using: &self)
      let y = Double.random(in: -20...contentSize.height + 20, using: &self)
      return Rect(
        x: x, y: y, width: chance(20) ? 0 : Double.random(in: 0...contentSize.width, using: &self),
        height: chance(20) ? 0 : Double.random(in: 0...contentSize.height, using: &self))
    case 5:
      let y = Double.random(in: 0...contentSize.height, using: &self)
      return Rect(x: -5, y: y, width: contentSize.width + 10, height: chance(50) ? 0 : 30)
    default:
      guard !elements.isEmpty else { return Rect(x: 0, y: 0, width: 10, height: 10) }
      let x = edge(of: element(of: elements).frame.horizontal)
      let y = edge(of: element(of: elements).frame.vertical)
      return Rect(x: x.start, y: y.start, width: x.length, height: y.length)
    }
  }

  /// A rect as wide as the content whose upper edge, and often whose lower one, is exactly where an
  /// element begins.
  mutating func rect(onStartsOf elements: [Element], in contentSize: Size) -> Rect {
    guard !elements.isEmpty else { return Rect(x: 0, y: 0, width: 1, height: 0) }
    let y = element(of: elements).frame.origin.y
    let other = element(of: elements).frame.origin.y
    let height = element(of: [0, abs(y - other), y.ulp, 10])
    return Rect(x: 0, y: min(y, other), width: contentSize.width, height: height)
  }

  /// An interval that begins or ends exactly at an edge of another, or one bit from it.
  private mutating func edge(of interval: Interval) -> Interval {
    var edge = chance(50) ? interval.start : interval.start + interval.length
    switch integer(0...3) {
    case 0: edge = edge.nextUp
    case 1: edge = edge.nextDown
    default: break
    }
    switch integer(0...3) {
    case 0: return Interval(start: edge, length: 0)
    case 1: return Interval(start: edge, length: Double.random(in: 0...100, using: &self))
    case 2:
      let length = edge - (edge - Double.random(in: 0...100, using: &self))
      return Interval(start: edge - length, length: length)
    default: return Interval(start: edge, length: edge.magnitude.ulp)
    }
  }
}
