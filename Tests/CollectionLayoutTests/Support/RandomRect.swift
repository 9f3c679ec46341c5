import TestSupport

@testable import CollectionLayout

extension SeededGenerator {
  /// A rect to ask about: anywhere near the content, on the very edges of its elements, far
  /// outside, a point, a line, or huge.
  mutating func rect(near elements: [Element], in contentSize: Size) -> Rect {
    // A layout that is mirrored may go on to the left of 0.
    let left = elements.reduce(0) { min($0, $1.frame.origin.x) }
    let right = elements.reduce(left + contentSize.width) { max($0, $1.frame.maxX) }
    let bottom = elements.reduce(contentSize.height) { max($0, $1.frame.maxY) }
    let (width, height) = (right - left, bottom)
    switch integer(0...11) {
    case 0: return .everything
    case 1:
      return element(of: [
        Rect(x: -1000, y: -1000, width: 999, height: 999),
        Rect(x: -1e9, y: 0, width: 1e9, height: 1e9),
        Rect(x: left, y: height, width: width, height: 1e12),
        Rect(x: right, y: 0, width: 1e12, height: 1e12),
        Rect(x: left, y: -10, width: width, height: 10),
        Rect(x: 1e17, y: 1e17, width: 1, height: 1),
        Rect(x: 0, y: 1e300, width: 1e300, height: 1e300),
        Rect(x: -1e300, y: -1e300, width: 1e300, height: 1e300),
        Rect(x: left, y: 0, width: width, height: height),
        Rect(x: 0, y: 0, width: 1e308, height: 1e308),
        Rect(x: 0, y: 0, width: 0, height: 0),
      ])
    case 2...4:
      let x = Double.random(in: left - 20...right + 20, using: &self)
      let y = Double.random(in: -20...height + 20, using: &self)
      return Rect(
        x: x, y: y, width: chance(20) ? 0 : Double.random(in: 0...width, using: &self),
        height: chance(20) ? 0 : Double.random(in: 0...height, using: &self))
    case 5:
      let y = Double.random(in: 0...height, using: &self)
      return Rect(x: left - 5, y: y, width: width + 10, height: chance(50) ? 0 : 30)
    case 6:
      let x = Double.random(in: left...right, using: &self)
      return Rect(x: x, y: -5, width: chance(50) ? 0 : 30, height: height + 10)
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
