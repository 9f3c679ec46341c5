/// A style as a client gives it, member by member: that of a text in cards, and of texts that are
/// measured.
public struct GivenTextStyle: Sendable {
  public enum Member: String, CaseIterable, Sendable {
    case font, size, lineHeight, weight, letterSpacing, language, whiteSpace, wordBreak, maxLines

    public var isRequired: Bool { self == .font || self == .size || self == .lineHeight }
  }

  public private(set) var style = ParagraphStyle(fonts: [], size: 1)
  /// In CSS pixels, in 64ths, as browsers round it.
  public private(set) var lineHeight = 1.0
  /// No more lines count.
  public private(set) var maxLines = Int.max

  public init() {}

  /// Sets a member.
  ///
  /// - Throws: ``OptionFault`` of the value.
  public mutating func set(_ member: Member, _ value: OptionValue) throws(OptionFault) {
    switch member {
    case .font: style.fonts = try Self.fonts(value)
    case .size:
      style.size = try Self.number(value, "a number > 0 and at most 10000") {
        $0 > 0 && $0 <= ParagraphStyle.maxSize
      }
    case .lineHeight:
      let height = try Self.number(value, "a number > 0 and at most 1000000") {
        $0 > 0 && $0 <= ParagraphStyle.maxLineHeight
      }
      lineHeight = (height * 64).rounded() / 64
    case .weight:
      style.weight = try Self.number(value, "a number from 1 to 1000") { 1...1000 ~= $0 }
    case .letterSpacing:
      style.letterSpacing = try Self.number(value, "a number from -10000 to 10000") {
        abs($0) <= ParagraphStyle.maxSize
      }
    case .language:
      guard case .string(let tag) = value, ParagraphStyle.isLanguageTag(tag) else {
        throw OptionFault(
          requirement: "a language tag of letters, digits and hyphens, at most 35")
      }
      style.language = tag
    case .whiteSpace: style.whiteSpace = try Self.word(value)
    case .wordBreak: style.wordBreak = try Self.word(value)
    case .maxLines:
      let lines = ParagraphStyle.maxLines
      maxLines = Int(
        try Self.number(value, "an integer from 1 to \(lines)") {
          JSONInteger.exactly($0).map { 1...lines ~= $0 } ?? false
        })
    }
  }

  private static func number(
    _ value: OptionValue, _ requirement: String, _ isRight: (Double) -> Bool
  ) throws(OptionFault) -> Double {
    guard case .number(let number) = value, isRight(number) else {
      throw OptionFault(requirement: requirement)
    }
    return number + 0
  }

  private static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ value: OptionValue
  ) throws(OptionFault) -> Word {
    if case .string(let text) = value, let word = Word(rawValue: text) { return word }
    throw OptionFault(
      requirement: "one of " + Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
  }

  private static func fonts(_ value: OptionValue) throws(OptionFault) -> [String] {
    let values = if case .array(let values) = value { values } else { [value] }
    let names = values.compactMap { if case .string(let name) = $0 { name } else { nil } }
    guard 1...ParagraphStyle.maxFonts ~= values.count, names.count == values.count else {
      throw OptionFault(
        requirement: "the name of a font, or a list of 1 to \(ParagraphStyle.maxFonts) names")
    }
    return names
  }
}
