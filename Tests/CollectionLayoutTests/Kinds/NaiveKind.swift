import TestSupport

@testable import CollectionLayout

/// A kind of section as Documentation says it, step by step, with no thought of speed: arrays of
/// frames, and options by their names on the wire.
protocol NaiveKind: SendableMetatype {
  associatedtype Layout: SectionLayout

  /// Whether no item has a field that the kind uses.
  static func isUniform(
    _ items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) -> Bool

  /// - Throws: ``NaiveFault`` where options, items and container don't fit each other.
  static func body(
    of items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) throws(NaiveFault) -> NaiveBody

  /// Options of which most are good for a container.
  static func options(for container: NaiveContainer, by random: inout SeededGenerator)
    -> GivenOptions
}

struct NaiveBody: Equatable {
  var frames: [Rect] = []
  var height = 0.0

  /// How far down or to the right it reaches.
  var reach: Double { frames.reduce(height) { max($0, $1.maxX, $1.maxY) } }

  /// Whether there is a layout of it: nothing is too far away, and it is not too high.
  var isPossible: Bool { reach < 1e300 && height <= 0x1p43 }
}

/// What has no layout.
struct NaiveFault: Error {}

struct NaiveContainer {
  var width: Double
  var boundsHeight: Double
  /// Whether a horizontal layout is laid out: all axes of items and options are exchanged.
  var isTransposed: Bool
  /// Whether a step is a whole point.
  var isIntegral = false

  /// An edge along the scroll direction, at the nearest step.
  func edge(_ y: Double) -> Double {
    if isIntegral { return (y + 0.5).rounded(.down) }
    return abs(y) >= 0x1p42 ? y : (y * 1024 + 0.5).rounded(.down) / 1024
  }

  /// A length along the scroll direction, in steps.
  func step(_ length: Double) -> Double {
    let steps = edge(length)
    return length > 0 && steps == 0 ? (isIntegral ? 1 : 1.0 / 1024) : steps
  }

  func width(of item: NaiveItem) -> Double? { isTransposed ? item.height : item.width }
  func height(of item: NaiveItem) -> Double? { isTransposed ? item.width : item.height }
  func x(of item: NaiveItem) -> Double? { isTransposed ? item.y : item.x }
  func y(of item: NaiveItem) -> Double? { isTransposed ? item.x : item.y }

  /// Of a ratio's reciprocal what is divided is multiplied.
  func height(ofWidth width: Double, ratio: Double) -> Double {
    step(isTransposed ? width * ratio : width / ratio)
  }

  func width(ofHeight height: Double, ratio: Double) -> Double {
    isTransposed ? height / ratio : height * ratio
  }

  /// The height of an item of a width, as lists and waterfalls have it.
  func height(of item: NaiveItem, ofWidth width: Double, else standard: Double) -> Double {
    if let ratio = item.ratio { return height(ofWidth: width, ratio: ratio) }
    return height(of: item).map { step($0) } ?? standard
  }
}

extension GivenOptions {
  func number(_ name: String) -> Double? {
    if case .number(let value) = self[name] { value } else { nil }
  }

  func number(_ name: String, else standard: Double) -> Double { number(name) ?? standard }

  func word(_ name: String, else standard: String) -> String {
    if case .string(let word) = self[name] { word } else { standard }
  }

  func object(_ name: String) -> GivenOptions {
    if case .object(let object) = self[name] { object } else { GivenOptions() }
  }

  /// The option `itemSize`, with its axes exchanged where the layout's are.
  func itemSize(in container: NaiveContainer) -> Size {
    let given = object("itemSize")
    let width = given.number("width", else: 50)
    let height = given.number("height", else: 50)
    return container.isTransposed
      ? Size(width: height, height: width) : Size(width: width, height: height)
  }
}

extension NaiveKind {
  static var name: String { Layout.kind }
}
