import CHarfBuzz
import CICU
public import CollectionLayout

/// A style with its fonts, at its size. It is made once for many texts.
///
/// `@unchecked Sendable`: what HarfBuzz made for it is immutable.
public final class PreparedStyle: @unchecked Sendable {
  public let style: ParagraphStyle

  /// Differs for every style that shapes differently, and is never used again.
  let number: UInt32
  let fonts: [ScaledFont]
  /// The same for what is drawn as pictures: those with pictures first.
  let pictureFonts: [ScaledFont]
  let features: [hb_feature_t]
  /// In 1/65536 px.
  let letterSpacing: Int32
  /// Whether words may be shaped one by one.
  let shapesWords: Bool
  /// The advance of a space by itself, in 1/65536 px.
  let spaceAdvance: Int64
  /// Whether what is behind a space is always looked at from there: the font kerns the space with
  /// some character. So words cannot be packed by themselves.
  let spacesLookAhead: Bool

  init(_ style: ParagraphStyle, fonts: [ScaledFont], number: UInt32, shapesWords: Bool) {
    self.style = style
    self.fonts = fonts
    pictureFonts =
      fonts.filter(\.file.tables.isColored) + fonts.filter { !$0.file.tables.isColored }
    self.number = number
    self.shapesWords = shapesWords
    let letterSpacing = Int32((style.letterSpacing * 65536).rounded(.towardZero))
    self.letterSpacing = letterSpacing
    spaceAdvance = Int64(fonts.first?.spaceAdvance ?? 0) + Int64(letterSpacing)
    features =
      letterSpacing == 0
      ? []
      : [FontTables.tag("liga"), FontTables.tag("clig"), FontTables.tag("calt")].map {
        hb_feature_t(tag: $0, value: 0, start: 0, end: .max)
      }
    spacesLookAhead = fonts.first?.spaceLooksAhead ?? false
  }

  /// The name of the locale by which ICU breaks lines. Browsers have no rules for Japanese alone;
  /// ICU has some for dashes and quotes.
  var lineLocale: String {
    (style.language == "ja" ? "en" : style.language) + "@lb=normal"
  }

  /// What it takes, in bytes: most of it is what HarfBuzz keeps for each of its fonts.
  public var memoryBytes: Int { 1024 + fonts.count * ScaledFont.memoryBytes }

  /// HarfBuzz's name for each script of ICU.
  static let scripts: [hb_script_t] = (0..<cicu_script_count()).map { script in
    guard let name = cicu_script_name(script) else { return HB_SCRIPT_COMMON }
    return hb_script_from_string(name, -1)
  }

  /// Scripts whose letters join: only spaces are spread in them.
  static let joins: [Bool] = (0..<cicu_script_count()).map { script in
    guard let name = cicu_script_name(script) else { return false }
    return ["Arab", "Mand", "Mong", "Nkoo", "Phag", "Rohg", "Syrc"].contains(String(cString: name))
  }
}
