import CollectionLayout

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
  /// In CSS pixels.
  private(set) var lineHeight: Double?
  private var letterSpacing = 0.0
  private var language = "en"
  private var whiteSpace = ParagraphStyle.WhiteSpace.normal
  private(set) var maxLines: Int?
  private var isWhole = true

  /// Reads the value of a member.
  mutating func read(_ member: Member, _ reader: inout JSONReader) throws(BodyError) {
    let count = reader.faults.members.count
    switch member {
    case .font: fonts = try Self.fonts(&reader)
    case .size:
      size = try Self.number(&reader, "a number > 0 and at most 10000") {
        $0 > 0 && $0 <= Self.maxSize
      }
    case .lineHeight:
      lineHeight = try Self.number(&reader, "a number > 0 and at most 1000000") {
        $0 > 0 && $0 <= Self.maxLineHeight
      }
    case .letterSpacing:
      letterSpacing =
        try Self.number(&reader, "a number from -10000 to 10000") { abs($0) <= Self.maxSize } ?? 0
    case .language:
      language =
        try reader.readWord(Self.languageRequirement) {
          ParagraphStyle.isLanguageTag($0) ? $0 : nil
        } ?? language
    case .whiteSpace:
      let words = ParagraphStyle.WhiteSpace.allCases.map { "\"\($0.rawValue)\"" }
      whiteSpace =
        try reader.readWord(words.joined(separator: ", ")) {
          ParagraphStyle.WhiteSpace(rawValue: $0)
        } ?? whiteSpace
    case .maxLines: maxLines = try reader.readInteger(in: 1...ParagraphStyle.maxLines)
    }
    if reader.faults.members.count > count || reader.faults.isFull { isWhole = false }
  }

  /// The style; `nil` if a member is wrong, or one that is required is missing. Then faults are
  /// added.
  func style(_ reader: inout JSONReader) -> ParagraphStyle? {
    guard isWhole else { return nil }
    let required: [(Member, Bool)] = [
      (.font, fonts != nil), (.size, size != nil), (.lineHeight, lineHeight != nil),
    ]
    for (member, isGiven) in required where !isGiven {
      reader.refuse(at: [member.name], "must be given")
    }
    guard let fonts, let size, lineHeight != nil else { return nil }
    return ParagraphStyle(
      fonts: fonts, size: size, letterSpacing: letterSpacing, language: language,
      whiteSpace: whiteSpace)
  }

  private static func fonts(_ reader: inout JSONReader) throws(BodyError) -> [String]? {
    let start = reader.position
    switch try reader.nextType() {
    case .string: return [try reader.readWord()]
    case .array:
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
      reader.refuse(from: start, "1 to \(maxFonts) names of fonts")
    default:
      try reader.skipValue()
      reader.refuse(from: start, "the name of a font, or a list of names")
    }
    return nil
  }

  private static func number(
    _ reader: inout JSONReader, _ requirement: String, _ isRight: (Double) -> Bool
  ) throws(BodyError) -> Double? {
    try reader.readValue(.number, requirement) { (reader) throws(BodyError) in
      let value = try reader.readNumber()
      return isRight(value) ? value + 0 : nil
    }
  }
}
