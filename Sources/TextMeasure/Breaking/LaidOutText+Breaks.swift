import CICU
import CollectionLayout

extension LaidOutText {
  /// Finds where lines may end.
  ///
  /// - Parameter boundaries: Line boundaries of ICU for the text's language. It is not asked if the
  ///   text is ASCII.
  mutating func findBreaks(
    _ wordBreak: ParagraphStyle.WordBreak, _ boundaries: () -> OpaquePointer?
  ) {
    if !isASCII, let boundaries = boundaries() { markBoundaries(boundaries) }
    for line in hardLines where !line.units.isEmpty {
      for unit in line.units.dropFirst() { decideBreak(before: unit, in: line.units) }
      switch wordBreak {
      case .normal: break
      case .breakAll: breakWords(of: line.units)
      case .keepAll: keepWords(of: line.units)
      }
      flags[line.units.lowerBound].remove(.mayBreak)
      addBreaks(of: line.units)
    }
  }

  private mutating func markBoundaries(_ boundaries: OpaquePointer) {
    units.withUnsafeBufferPointer { units in
      guard cicu_boundaries_set(boundaries, units.baseAddress, Int32(units.count)) else { return }
      while true {
        let next = Int(cicu_boundaries_next(boundaries))
        guard next >= 0, next < units.count else { break }
        flags[next].insert(.mayBreak)
      }
    }
  }

  private mutating func decideBreak(before unit: Int, in line: Range<Int>) {
    let (left, right) = (units[unit - 1], units[unit])
    if right == 0x20 || right == 0x09 {
      flags[unit].remove(.mayBreak)
    } else if left == 0x20 || left == 0x09 {
      flags[unit].insert(.mayBreak)
    } else if ASCIIBreaks.isKnown(left), ASCIIBreaks.isKnown(right) {
      let before = unit - 2 >= line.lowerBound ? units[unit - 2] : 0
      if ASCIIBreaks.mayBreak(before, left, right) {
        flags[unit].insert(.mayBreak)
        if ASCIIBreaks.looksBack(left, right) { flags[unit].insert(.followsHyphen) }
      } else {
        flags[unit].remove(.mayBreak)
      }
    } else if left == 0x2d, (0x30...0x39).contains(right) {
      flags[unit].remove(.mayBreak)
    } else {
      amendBreak(before: unit, in: line)
    }
  }

  /// Rules of Unicode 17 that ICU 72 does not have.
  private mutating func amendBreak(before unit: Int, in line: Range<Int>) {
    let (left, leftStart) = character(before: unit)
    let right = character(at: unit)
    let (leftTraits, rightTraits) = (CharacterTraits[left], CharacterTraits[right])
    if isQuoteBetweenWide(leftTraits, leftStart, rightTraits, unit, in: line) {
      flags[unit].insert(.mayBreak)
    }
    let isHyphen = leftTraits.lineBreak == CICU_HY || Self.isHyphen(left)
    guard isHyphen || leftTraits.lineBreak == CICU_BA else { return }
    let isBeforeLetter =
      rightTraits.lineBreak == CICU_AL || rightTraits.lineBreak == CICU_HL
    let before = leftStart > line.lowerBound ? character(before: leftStart).character : nil
    let beforeClass = before.map { CharacterTraits[$0].lineBreak }
    if beforeClass == CICU_HL {
      // LB21a is about hyphens between Hebrew letters and something else.
      if isHyphen {
        if rightTraits.lineBreak == CICU_HL { flags[unit].insert(.mayBreak) }
      } else if !Self.isNeverBehindBreakAfter(rightTraits.lineBreak) {
        flags[unit].insert(.mayBreak)
      }
    }
    // LB20a: a hyphen in front of a word belongs to it.
    guard isHyphen, isBeforeLetter else { return }
    switch beforeClass {
    case nil, CICU_SP?, CICU_BK?, CICU_ZW?, CICU_CB?, CICU_GL?:
      flags[unit].remove(.mayBreak)
    default:
      if flags[unit].contains(.mayBreak) { flags[unit].insert(.followsHyphen) }
    }
  }

  /// LB19a: beside a quote between wide characters, outside of what it quotes.
  private func isQuoteBetweenWide(
    _ left: CharacterTraits, _ leftStart: Int, _ right: CharacterTraits, _ unit: Int,
    in line: Range<Int>
  ) -> Bool {
    if right.lineBreak == CICU_QU, right.isInitialQuote, left.isEastAsian {
      let end = unit + (character(at: unit) > 0xffff ? 2 : 1)
      guard end < line.upperBound, CharacterTraits[character(at: end)].isEastAsian else {
        return false
      }
      return ![CICU_OP, CICU_GL, CICU_ZW].contains(left.lineBreak)
    }
    if left.lineBreak == CICU_QU, left.isFinalQuote, right.isEastAsian {
      guard leftStart > line.lowerBound,
        CharacterTraits[character(before: leftStart).character].isEastAsian
      else { return false }
      return ![
        CICU_NS, CICU_BA, CICU_EX, CICU_CL, CICU_IS, CICU_IN, CICU_GL,
        CICU_CM,
      ].contains(right.lineBreak)
    }
    return false
  }

  /// Hyphens that are of class BA in Unicode 15.
  private static func isHyphen(_ character: UInt32) -> Bool {
    switch character {
    case 0x58a, 0x5be, 0x1400, 0x2010, 0x2012, 0x2013, 0x2e17, 0x2e40, 0x2e5d, 0x10ead: true
    default: false
    }
  }

  /// Classes before which no line begins behind one of class BA.
  private static func isNeverBehindBreakAfter(_ lineBreak: cicu_line_break) -> Bool {
    [
      CICU_BA, CICU_HY, CICU_CL, CICU_CP, CICU_EX, CICU_IS, CICU_SY,
      CICU_NS, CICU_QU, CICU_CM, CICU_ZWJ, CICU_WJ, CICU_IN, CICU_SP,
      CICU_ZW, CICU_BK,
    ].contains(lineBreak)
  }

  private mutating func addBreaks(of line: Range<Int>) {
    var contentEnd = line.lowerBound
    for unit in line {
      if flags[unit].contains(.mayBreak) {
        breaks.append(Break(unit: Int32(unit), contentEnd: Int32(contentEnd)))
      }
      if !flags[unit].contains(.hangs) { contentEnd = unit + 1 }
    }
    breaks.append(Break(unit: Int32(line.upperBound), contentEnd: Int32(contentEnd)))
  }
}

/// Where lines may end between two characters of U+0021 … U+007E: browsers ask a table of their own
/// there, not Unicode.
enum ASCIIBreaks {
  static func isKnown(_ unit: UInt16) -> Bool { 0x21...0x7e ~= unit }

  /// - Parameter before: The unit in front of `left`; 0 if there is none.
  static func mayBreak(_ before: UInt16, _ left: UInt16, _ right: UInt16) -> Bool {
    switch left {
    case hyphen where isDigit(right): isDigit(before) || isLetter(before)
    case hyphen: !notAfterHyphen.contains(right)
    case question: !notAfterQuestion.contains(right)
    default: opening.contains(right) && beforeOpening.contains(left)
    }
  }

  /// Whether that depends on the unit in front of `left`.
  static func looksBack(_ left: UInt16, _ right: UInt16) -> Bool {
    left == hyphen && isDigit(right)
  }

  private static let hyphen = UInt16(UInt8(ascii: "-"))
  private static let question = UInt16(UInt8(ascii: "?"))
  private static let notAfterHyphen = ASCIISet("!$),./:;?]}")
  private static let notAfterQuestion = ASCIISet("!\"'),./:;?]}")
  private static let opening = ASCIISet("(<[{")
  private static let beforeOpening = ASCIISet("!\"#%&)*+,.:;=>\\]|}~")

  private static func isDigit(_ unit: UInt16) -> Bool { 0x30...0x39 ~= unit }
  private static func isLetter(_ unit: UInt16) -> Bool {
    0x41...0x5a ~= unit || 0x61...0x7a ~= unit
  }

  private struct ASCIISet {
    private var (low, high): (UInt64, UInt64) = (0, 0)

    init(_ characters: StaticString) {
      characters.withUTF8Buffer {
        for character in $0 {
          if character < 64 { low |= 1 << character } else { high |= 1 << (character - 64) }
        }
      }
    }

    func contains(_ unit: UInt16) -> Bool {
      (unit < 64 ? low >> unit : high >> (unit - 64)) & 1 == 1
    }
  }
}
