/// How a text is drawn, in the words of CSS.
///
/// It is the CSS `font: normal 400 {size}px/{lineHeight}px {fonts}; letter-spacing; white-space;
/// overflow-wrap: break-word; unicode-bidi: plaintext; text-spacing-trim: space-all;
/// font-optical-sizing: none; text-rendering: geometricPrecision`, and everything else as it is
/// initially.
public struct TextStyle: Hashable, Sendable {
  /// What becomes of blanks and newlines, as `white-space`.
  public enum WhiteSpace: String, CaseIterable, Sendable {
    /// Blanks and newlines collapse to a space.
    case normal
    /// Blanks collapse, newlines break.
    case preLine
    /// Blanks stay, newlines break.
    case preWrap
  }

  /// Names of fonts; each is asked for what those before it lack. At least one.
  public var fonts: [String]
  /// In CSS pixels, > 0.
  public var size: Double
  /// In CSS pixels, > 0.
  public var lineHeight: Double
  /// In CSS pixels, of any sign.
  public var letterSpacing: Double
  /// A language tag of BCP 47. Line breaking and shaping depend on it.
  public var language: String
  public var whiteSpace: WhiteSpace
  /// No more lines count; `nil`: all.
  public var maxLines: Int?

  public init(
    fonts: [String], size: Double, lineHeight: Double, letterSpacing: Double = 0,
    language: String = "en", whiteSpace: WhiteSpace = .normal, maxLines: Int? = nil
  ) {
    self.fonts = fonts
    self.size = size
    self.lineHeight = lineHeight
    self.letterSpacing = letterSpacing
    self.language = language
    self.whiteSpace = whiteSpace
    self.maxLines = maxLines
  }
}
