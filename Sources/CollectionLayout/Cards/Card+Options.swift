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
    let given = try Self.object(value, known: Self.members, "an object {\"parts\", …}")
    guard case .array(let values) = given["parts"], !values.isEmpty else {
      throw OptionFault(path: ["parts"], requirement: "an array of at least one part")
    }
    guard values.count <= Self.maxParts else {
      throw OptionFault(
        path: ["parts"], requirement: "an array of at most \(Self.maxParts) parts")
    }
    parts = []
    for (index, value) in values.enumerated() {
      do throws(OptionFault) {
        parts.append(try Self.part(value))
      } catch {
        throw error.inside("parts", "\(index)")
      }
    }
    padding = try Self.padding(given["padding"])
    spacing = try Self.length("spacing", in: given)
    leading = try Self.length("leading", in: given)
    trailing = try Self.length("trailing", in: given)
    minimumHeight = try Self.length("minimumHeight", in: given)
  }

  private static func object(
    _ value: OptionValue, known: [String], _ requirement: String
  ) throws(OptionFault) -> GivenOptions {
    guard case .object(let given) = value else { throw OptionFault(requirement: requirement) }
    for member in given.members where !known.contains(member.name) {
      throw OptionFault(
        path: [member.name], requirement: "left out; known: " + known.joined(separator: ", "))
    }
    return given
  }

  private static func padding(_ value: OptionValue?) throws(OptionFault) -> EdgeInsets {
    guard let value else { return EdgeInsets(all: 0) }
    if let all = NumberRange.nonNegative.number(value) { return EdgeInsets(all: all) }
    do throws(OptionFault) {
      let given = try object(
        value, known: ["top", "left", "bottom", "right"],
        "a number ≥ 0 or an object {\"top\", \"left\", \"bottom\", \"right\"}")
      return EdgeInsets(
        top: try length("top", in: given), left: try length("left", in: given),
        bottom: try length("bottom", in: given), right: try length("right", in: given))
    } catch {
      throw error.inside("padding")
    }
  }

  private static func length(
    _ name: String, in given: GivenOptions
  ) throws(OptionFault) -> Double {
    guard let value = given[name] else { return 0 }
    guard let number = NumberRange.nonNegative.number(value) else {
      throw OptionFault(path: [name], requirement: NumberRange.nonNegative.requirement)
    }
    return number
  }

  private static func part(_ value: OptionValue) throws(OptionFault) -> Part {
    let kinds = ["text", "media", "height"]
    let requirement = "an object with one of text, media and height"
    guard case .object(let given) = value,
      kinds.count(where: { given[$0] != nil }) == 1
    else { throw OptionFault(requirement: requirement) }
    if given["text"] != nil {
      return try text(try object(value, known: ["text"] + styleMembers, requirement))
    }
    if given["height"] != nil {
      _ = try object(value, known: ["height"], requirement)
      return .height(try length("height", in: given))
    }
    _ = try object(value, known: ["media", "bleed"], requirement)
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
    let size = try number("size", in: given, "a number > 0 and at most 10000") {
      $0 > 0 && $0 <= ParagraphStyle.maxSize
    }
    let lineHeight = try number("lineHeight", in: given, "a number > 0 and at most 1000000") {
      $0 > 0 && $0 <= ParagraphStyle.maxLineHeight
    }
    guard let size else { throw OptionFault(path: ["size"], requirement: "given") }
    guard let lineHeight else { throw OptionFault(path: ["lineHeight"], requirement: "given") }
    var style = ParagraphStyle(fonts: try fonts(given["font"]), size: size)
    style.letterSpacing =
      try number("letterSpacing", in: given, "a number from -10000 to 10000") {
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
    let maxLines = try number("maxLines", in: given, "an integer from 1 to 1000000000") {
      JSONInteger.exactly($0).map { 1...ParagraphStyle.maxLines ~= $0 } ?? false
    }
    // As browsers round it.
    let rounded = (lineHeight * 64).rounded() / 64
    return .text(
      name, style, lineHeight: rounded, maxLines: maxLines.map { Int($0) } ?? .max)
  }

  private static func number(
    _ name: String, in given: GivenOptions, _ requirement: String, _ isRight: (Double) -> Bool
  ) throws(OptionFault) -> Double? {
    guard let value = given[name] else { return nil }
    guard case .number(let number) = value, isRight(number) else {
      throw OptionFault(path: [name], requirement: requirement)
    }
    return number
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
