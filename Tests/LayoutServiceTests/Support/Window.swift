import TestSupport

/// A rect as a client has it.
struct Window: Equatable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var text: String { "\(x),\(y),\(width),\(height)" }

  /// Whether it shows an element: the rule of intersection, written down once more.
  func meets(_ element: JSON, isHorizontal: Bool) -> Bool {
    let frame = element.sweptFrame(isHorizontal: isHorizontal)
    return Self.meet(x, width, frame.x, frame.width) && Self.meet(y, height, frame.y, frame.height)
  }

  private static func meet(_ a: Double, _ l: Double, _ b: Double, _ m: Double) -> Bool {
    if l > 0 && m > 0 { return a < b + m && b < a + l }
    if l > 0 { return a <= b && b < a + l }
    return m > 0 ? b <= a && a < b + m : a == b
  }

  /// Whether another one lies in it, edges included.
  func holds(_ other: Window) -> Bool {
    x <= other.x && y <= other.y && other.x + other.width <= x + width
      && other.y + other.height <= y + height
  }
}

extension JSON {
  /// What tells an element from all others of its layout.
  var identity: String { "\(self["category"]) \(self["kind"]) \(self["indexPath"])" }

  var window: Window {
    Window(
      x: self[0].number ?? .nan, y: self[1].number ?? .nan, width: self[2].number ?? .nan,
      height: self[3].number ?? .nan)
  }

  var isPinned: Bool { self["pinRange"] != .null }

  /// All that an element may cover: a pinned one wherever it may slide.
  func sweptFrame(isHorizontal: Bool) -> Window {
    var frame = self["frame"].window
    guard let from = self["pinRange"][0].number, let to = self["pinRange"][1].number else {
      return frame
    }
    if isHorizontal {
      (frame.x, frame.width) = (from, (to - from) + frame.width)
    } else {
      (frame.y, frame.height) = (from, (to - from) + frame.height)
    }
    return frame
  }
}
