@testable import CollectionLayout

// The collection with both axes exchanged, as a client would give it.

extension GivenOptions {
  private static let turnedNames = [
    "width": "height", "height": "width", "top": "left", "left": "top", "bottom": "right",
    "right": "bottom", "fractionalWidth": "fractionalHeight",
    "fractionalHeight": "fractionalWidth",
  ]

  /// Options that are objects, or ratios, with their axes exchanged.
  var turned: GivenOptions {
    var turned = GivenOptions()
    for member in members {
      switch member.value {
      case .object(let object): turned[member.name] = .object(object.turnedInside)
      case .number(let ratio) where member.name == "itemAspectRatio":
        turned[member.name] = .number(1 / ratio)
      default: turned[member.name] = member.value
      }
    }
    return turned
  }

  private var turnedInside: GivenOptions {
    func turned(_ value: OptionValue) -> OptionValue {
      switch value {
      case .object(let object): .object(object.turnedInside)
      case .array(let values): .array(values.map(turned))
      case .string("horizontal"): "vertical"
      case .string("vertical"): "horizontal"
      default: value
      }
    }
    var result = GivenOptions()
    for member in members {
      result[Self.turnedNames[member.name] ?? member.name] = turned(member.value)
    }
    return result
  }
}

extension PlainItem {
  var turned: PlainItem {
    PlainItem(
      id: id, height: width, aspectRatio: aspectRatio.map { 1 / $0 }, width: height, x: y, y: x,
      columnSpan: columnSpan, rowSpan: rowSpan, column: column)
  }
}

extension Element {
  /// Where it stands when both axes are exchanged.
  var turned: Element {
    var turned = self
    turned.frame = Rect(
      x: frame.origin.y, y: frame.origin.x, width: frame.size.height, height: frame.size.width)
    return turned
  }
}
