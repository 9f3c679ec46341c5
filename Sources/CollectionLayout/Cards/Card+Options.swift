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
    "padding", "spacing", "leading", "trailing", "minimumHeight", "parts",
  ]
  private static let styleMembers = [
    "font", "size", "lineHeight", "letterSpacing", "language", "whiteSpace", "maxLines",
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
  }

  private static func part(_ value: OptionValue) throws(OptionFault) -> Part {
    let kinds = ["text", "media", "height"]
    let requirement = "an object with one of text, media and height"
    guard case .object(let given) = value,
      kinds.count(where: { given[$0] != nil }) == 1
    else { throw OptionFault(requirement: requirement) }
    if given["text"] != nil {
      try given.check(known: ["text"] + styleMembers)
      return try text(given)
    }
    if given["height"] != nil {
      try given.check(known: ["height"])
      return .height(try given.length("height"))
    }
    try given.check(known: ["media", "bleed"])
    guard given["media"] == .boolean(true) else {
      throw OptionFault(path: ["media"], requirement: "true")
    }
    switch given["bleed"] {
    case nil, .boolean(false): return .media(bleeds: false)
    case .boolean(true): return .media(bleeds: true)
    default: throw OptionFault(path: ["bleed"], requirement: "true or false")
    }
  }

  private static func text(_ given: GivenOptions) throws(OptionFault) -> Part {
    guard case .string(let name) = given["text"], ValueKind.text.nameLengths ~= name.utf8.count
    else {
      throw OptionFault(path: ["text"], requirement: "a name of 1 to 64 bytes")
    }
    let size = try given.number("size", "a number > 0 and at most 10000") {
      $0 > 0 && $0 <= ParagraphStyle.maxSize
    }
    let lineHeight = try given.number("lineHeight", "a number > 0 and at most 1000000") {
      $0 > 0 && $0 <= ParagraphStyle.maxLineHeight
    }
    guard let size else { throw OptionFault(path: ["size"], requirement: "given") }
    guard let lineHeight else { throw OptionFault(path: ["lineHeight"], requirement: "given") }
    var style = ParagraphStyle(fonts: try fonts(given["font"]), size: size)
    style.letterSpacing =
      try given.number("letterSpacing", "a number from -10000 to 10000") {
        abs($0) <= ParagraphStyle.maxSize
      } ?? 0
    if let language = given["language"] {
      guard case .string(let tag) = language, ParagraphStyle.isLanguageTag(tag) else {
        throw OptionFault(
          path: ["language"], requirement: "a language tag of letters, digits and hyphens")
      }
      style.language = tag
    }
    if let value = given["whiteSpace"] {
      guard case .string(let word) = value, let known = ParagraphStyle.WhiteSpace(rawValue: word)
      else {
        throw OptionFault(
          path: ["whiteSpace"], requirement: "one of \"normal\", \"preLine\", \"preWrap\"")
      }
      style.whiteSpace = known
    }
    let maxLines = try given.integer("maxLines", in: 1...ParagraphStyle.maxLines)
    // As browsers round it.
    let rounded = (lineHeight * 64).rounded() / 64
    return .text(name, style, lineHeight: rounded, maxLines: maxLines ?? .max)
  }

  private static func fonts(_ value: OptionValue?) throws(OptionFault) -> [String] {
    let requirement = "the name of a font, or a list of 1 to \(ParagraphStyle.maxFonts) names"
    switch value {
    case .string(let name): return [name]
    case .array(let values) where 1...ParagraphStyle.maxFonts ~= values.count:
      var names: [String] = []
      for value in values {
        guard case .string(let name) = value else { break }
        names.append(name)
      }
      if names.count == values.count { return names }
    default: break
    }
    throw OptionFault(path: ["font"], requirement: requirement)
  }
}
