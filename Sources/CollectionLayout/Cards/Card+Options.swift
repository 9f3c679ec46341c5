extension LayoutOption {
  /// A card; `nil` if it is not given.
  static func card(
    _ keyPath: any WritableKeyPath<Target, Card?> & Sendable
  ) -> LayoutOption {
    LayoutOption(Card.option, .card) { _ in
      .null
    } assign: { (target, value) throws(OptionFault) in
      target[keyPath: keyPath] = try Card(value)
    }
  }
}

// Reads a card from a client's value.
extension Card {
  /// The name of the option. A card is one value: it is replaced as a whole.
  public static let option = "card"

  private static let members = [
    "padding", "spacing", "leading", "trailing", "minimumHeight", "maximumHeight", "parts",
  ]

  init(_ value: OptionValue) throws(OptionFault) {
    let given = try value.object("an object {\"parts\", …}")
    try given.check(known: Self.members)
    parts = try given.list("parts", of: "part", upTo: Self.maxParts, Self.part)
    if let all = given["padding"].flatMap({ NumberRange.nonNegative.number($0) }) {
      padding = EdgeInsets(all: all)
    } else {
      padding = try given.insets(
        "padding", "a number ≥ 0 or an object {\"top\", \"left\", \"bottom\", \"right\"}")
    }
    spacing = try given.length("spacing")
    leading = try given.length("leading")
    trailing = try given.length("trailing")
    minimumHeight = try given.length("minimumHeight")
    maximumHeight = try given.number(
      "maximumHeight", "a number > 0 and at least minimumHeight"
    ) { [minimumHeight] in $0 > 0 && $0 >= minimumHeight }
  }

  private static func part(_ value: OptionValue) throws(OptionFault) -> Part {
    guard case .object(let given) = value,
      (given["text"] == nil) != (given["media"] == nil && given["height"] == nil)
    else { throw OptionFault(requirement: "an object with text, or with media, height or both") }
    if given["text"] != nil {
      try given.check(known: ["text"] + GivenTextStyle.Member.allCases.map(\.rawValue))
      return try text(given)
    }
    let height = given["height"] == nil ? nil : try given.length("height")
    if given["media"] == nil, let height {
      try given.check(known: ["height"])
      return .height(height)
    }
    try given.check(known: ["media", "bleed", "height"])
    guard given["media"] == .boolean(true) else {
      throw OptionFault(path: ["media"], requirement: "true")
    }
    switch given["bleed"] {
    case nil, .boolean(false): return .media(bleeds: false, height: height)
    case .boolean(true): return .media(bleeds: true, height: height)
    default: throw OptionFault(path: ["bleed"], requirement: "true or false")
    }
  }

  private static func text(_ given: GivenOptions) throws(OptionFault) -> Part {
    guard case .string(let name) = given["text"], ValueKind.text.nameLengths ~= name.utf8.count
    else {
      throw OptionFault(path: ["text"], requirement: "a name of 1 to 64 bytes")
    }
    var style = GivenTextStyle()
    for member in GivenTextStyle.Member.allCases {
      if let value = given[member.rawValue] {
        do throws(OptionFault) {
          try style.set(member, value)
        } catch {
          throw error.inside(member.rawValue)
        }
      } else if member.isRequired {
        throw OptionFault(path: [member.rawValue], requirement: "given")
      }
    }
    return .text(name, style.style, lineHeight: style.lineHeight, maxLines: style.maxLines)
  }
}
