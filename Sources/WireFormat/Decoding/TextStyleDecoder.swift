import CollectionLayout
import TextMeasure

/// Reads the members of a text's style, which may stand among others.
struct TextStyleDecoder {
  enum Member: String, CaseIterable, BodyMember {
    case font, size, lineHeight, letterSpacing, language, whiteSpace, maxLines
  }

  /// The most fonts of one style.
  static let maxFonts = ParagraphStyle.maxFonts
  /// In CSS pixels: browsers draw no larger text.
  private static let maxSize = ParagraphStyle.maxSize
  private static let maxLineHeight = ParagraphStyle.maxLineHeight
  private static let languageRequirement =
    "a language tag of letters, digits and hyphens, at most 35"

  private var fonts: [String]?
  private var size: Double?
  private var lineHeight: Double?
  private var letterSpacing = 0.0
  private var language = "en"
  private var whiteSpace = TextStyle.WhiteSpace.normal
  private var maxLines: Int?
  private var isWhole = true

  /// Reads the value of a member.
  mutating func read(
    _ member: Member, _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws(BodyError) {
    let pointer = "/\(member.name)"
    let count = faults.members.count
    switch member {
    case .font: fonts = try Self.fonts(&reader, at: pointer, faults: &faults)
    case .size:
      size = try Self.number(&reader, at: pointer, faults: &faults) {
        $0 > 0 && $0 <= Self.maxSize ? nil : "a number > 0 and at most 10000"
      }
    case .lineHeight:
      lineHeight = try Self.number(&reader, at: pointer, faults: &faults) {
        $0 > 0 && $0 <= Self.maxLineHeight ? nil : "a number > 0 and at most 1000000"
      }
    case .letterSpacing:
      letterSpacing =
        try Self.number(&reader, at: pointer, faults: &faults) {
          abs($0) <= Self.maxSize ? nil : "a number from -10000 to 10000"
        } ?? 0
    case .language: try readLanguage(&reader, at: pointer, faults: &faults)
    case .whiteSpace: try readWhiteSpace(&reader, at: pointer, faults: &faults)
    case .maxLines:
      maxLines = try reader.readInteger(
        in: 1...ParagraphStyle.maxLines, at: pointer, faults: &faults)
    }
    if faults.members.count > count || faults.isFull { isWhole = false }
  }

  /// The style; `nil` if a member is wrong, or one that is required is missing. Then faults are
  /// added.
  func style(faults: inout InvalidMembers) -> TextStyle? {
    guard isWhole else { return nil }
    let required: [(Member, Bool)] = [
      (.font, fonts != nil), (.size, size != nil), (.lineHeight, lineHeight != nil),
    ]
    for (member, isGiven) in required where !isGiven {
      faults.add("/\(member.name)", "must be given")
    }
    guard let fonts, let size, let lineHeight else { return nil }
    return TextStyle(
      fonts: fonts, size: size, lineHeight: lineHeight, letterSpacing: letterSpacing,
      language: language, whiteSpace: whiteSpace, maxLines: maxLines)
  }

  private static func fonts(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) -> [String]? {
    switch try reader.nextType() {
    case .string: return [try reader.readWord()]
    case .array:
      let start = reader.position
      var names: [String] = []
      var isRight = true
      try reader.openArray()
      while try reader.nextElement() {
        if try reader.nextType() == .string, names.count < maxFonts {
          names.append(try reader.readWord())
        } else {
          try reader.skipValue()
          isRight = false
        }
      }
      if isRight, !names.isEmpty { return names }
      faults.add(
        pointer, "must be 1 to \(maxFonts) names of fonts, was \(reader.text(from: start))")
      return nil
    default:
      let text = try reader.skipValueText()
      faults.add(pointer, "must be the name of a font, or a list of names, was \(text)")
      return nil
    }
  }

  /// Reads a number, for which `fault` returns what it must be if it is wrong.
  private static func number(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers,
    _ fault: (Double) -> String?
  ) throws(BodyError) -> Double? {
    let start = reader.position
    var requirement = fault(.infinity) ?? "a number"
    if try reader.nextType() == .number {
      let value = try reader.readNumber()
      guard let wrong = fault(value) else { return value + 0 }
      requirement = wrong
    } else {
      try reader.skipValue()
    }
    faults.add(pointer, "must be \(requirement), was \(reader.text(from: start))")
    return nil
  }

  private mutating func readLanguage(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) {
    let start = reader.position
    if try reader.nextType() == .string {
      language = try reader.readWord()
      if ParagraphStyle.isLanguageTag(language) { return }
    } else {
      try reader.skipValue()
    }
    faults.add(pointer, "must be \(Self.languageRequirement), was \(reader.text(from: start))")
  }

  private mutating func readWhiteSpace(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) {
    let start = reader.position
    if try reader.nextType() == .string {
      if let value = TextStyle.WhiteSpace(rawValue: try reader.readWord()) {
        whiteSpace = value
        return
      }
    } else {
      try reader.skipValue()
    }
    let words = TextStyle.WhiteSpace.allCases.map { "\"\($0.rawValue)\"" }
    faults.add(
      pointer,
      "must be \(words.joined(separator: ", ")), was \(reader.text(from: start))")
  }
}
