import CICU

/// What ICU knows of a character, as far as laying out lines needs it.
///
/// Every character below U+20000 is looked up once, on first use, for a look into a table takes a
/// twentieth of the time of ICU's functions.
struct CharacterTraits {
  private var bits: UInt32

  static subscript(_ character: UInt32) -> CharacterTraits {
    character < Self.tableLength
      ? Self.table.traits[Int(character)]
      : CharacterTraits(of: character, scripts: Self.table.scripts.existing(for: character))
  }

  /// The scripts of a character; see ``ScriptSet``.
  var scripts: ScriptSet { Self.table.scripts.sets[Int(bits >> 18)] }
  /// The class of UAX 14, if a rule of ours names it.
  var lineBreak: cicu_line_break { cicu_line_break(bits & 63) }
  /// East Asian width F, W or H.
  var isEastAsian: Bool { bits & (1 << 6) != 0 }
  var isInitialQuote: Bool { bits & (1 << 7) != 0 }
  var isFinalQuote: Bool { bits & (1 << 8) != 0 }
  var isDefaultIgnorable: Bool { bits & (1 << 9) != 0 }
  var isEmoji: Bool { bits & (1 << 10) != 0 }
  /// Is drawn as a picture if nothing else is said.
  var isPicture: Bool { bits & (1 << 11) != 0 }
  var isEmojiModifier: Bool { bits & (1 << 12) != 0 }
  var isRegionalIndicator: Bool { bits & (1 << 13) != 0 }
  var isBracket: Bool { bits >> 14 & 3 != 0 }
  var isOpeningBracket: Bool { bits >> 14 & 3 == 1 }
  var isClosingBracket: Bool { bits >> 14 & 3 == 2 }
  /// Belongs to what is in front of it, or a font may take it for a mark.
  var isMark: Bool { bits & (1 << 16) != 0 }
  /// A virama: what is behind it belongs to what is in front of it.
  var isLinker: Bool { bits & (1 << 17) != 0 }

  private init(of character: UInt32, scripts: Int) {
    let c = Int32(character)
    bits = cicu_line_break_class(c).rawValue & 63
    bits |= cicu_is_east_asian(c) ? 1 << 6 : 0
    bits |= cicu_is_initial_quote(c) ? 1 << 7 : 0
    bits |= cicu_is_final_quote(c) ? 1 << 8 : 0
    bits |= cicu_is_default_ignorable(c) ? 1 << 9 : 0
    bits |= cicu_is_emoji(c) ? 1 << 10 : 0
    bits |= cicu_is_emoji_presentation(c) ? 1 << 11 : 0
    bits |= cicu_is_emoji_modifier(c) ? 1 << 12 : 0
    bits |= cicu_is_regional_indicator(c) ? 1 << 13 : 0
    bits |= UInt32(cicu_bracket_type(c) & 3) << 14
    bits |= cicu_is_mark(c) ? 1 << 16 : 0
    bits |= cicu_is_linker(c) ? 1 << 17 : 0
    bits |= UInt32(scripts) << 18
  }

  private static let tableLength: UInt32 = 0x20000
  private static let table = Table()

  private struct Table {
    var traits: [CharacterTraits] = []
    var scripts = ScriptSets()

    init() {
      traits.reserveCapacity(Int(tableLength))
      for character in 0..<tableLength {
        traits.append(CharacterTraits(of: character, scripts: scripts.number(for: character)))
      }
    }
  }
}
