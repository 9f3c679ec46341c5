import CICU

// What `word-break` changes, as in Chromium: `break-all` adds places where lines may end, by the
// classes of UAX 14 on both sides, and `keep-all` takes those between letters away.
extension LaidOutText {
  mutating func breakWords(of line: Range<Int>) {
    var last: cicu_line_break?
    var unit = line.lowerBound
    while unit < line.upperBound {
      let character = character(at: unit)
      let next = character == 0x2b ? CICU_AL : CharacterTraits[character].lineBreak
      if let last, Self.breaksWords(last, next, character) {
        flags[unit].insert(.mayBreak)
        flags[unit].remove(.followsHyphen)
      }
      // Nothing breaks behind a mark.
      last = next
      unit += character > 0xffff ? 2 : 1
    }
  }

  private static func breaksWords(
    _ left: cicu_line_break, _ right: cicu_line_break, _ character: UInt32
  ) -> Bool {
    let isLetter = right == CICU_AI || right == CICU_AL || right == CICU_HL
    // Of what lines end behind, only `|`.
    let isCommon =
      isLetter || right == CICU_NU || right == CICU_HY || right == CICU_BA && character == 0x7c
    switch left {
    case CICU_AI, CICU_AL, CICU_BA, CICU_NU, CICU_SA, CICU_SY, CICU_HL:
      return isCommon || right == CICU_OP || right == CICU_PR || right == CICU_SA
    case CICU_CL: return isCommon || right == CICU_PR
    case CICU_CP: return isCommon || right == CICU_PR || right == CICU_SA
    case CICU_EX, CICU_PO: return isCommon || right == CICU_PO || right == CICU_PR
    case CICU_HY: return right == CICU_NU
    case CICU_IS: return isCommon
    case CICU_PR: return right == CICU_PO
    default: return false
    }
  }

  mutating func keepWords(of line: Range<Int>) {
    for unit in line.dropFirst() where flags[unit].contains(.mayBreak) {
      let (left, right) = (units[unit - 1], units[unit])
      guard !ASCIIBreaks.isKnown(left) || !ASCIIBreaks.isKnown(right) else { continue }
      let isOnMark = unit - 2 >= line.lowerBound && cicu_combines(Int32(left))
      if Self.isKept(isOnMark ? units[unit - 2] : left), Self.isKept(right) {
        flags[unit].remove(.mayBreak)
      }
    }
  }

  /// Whether a unit is a letter or a digit, but for scripts that a dictionary breaks.
  private static func isKept(_ unit: UInt16) -> Bool {
    cicu_is_letter_or_number(Int32(unit))
      && CharacterTraits[UInt32(unit)].lineBreak != CICU_SA
  }
}
