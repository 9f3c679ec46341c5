/// How the paragraphs of a text are shaped and broken, in the words of CSS. The height of lines and
/// the most lines are no part of it.
///
/// It is the CSS `font: normal {weight} {size}px {fonts}; letter-spacing; white-space; word-break;
/// overflow-wrap:
/// break-word; unicode-bidi: plaintext; text-spacing-trim: space-all; font-optical-sizing: none;
/// text-rendering: geometricPrecision`, and everything else as it is initially.
public struct ParagraphStyle: Hashable, Sendable {
  /// What becomes of blanks and newlines, as `white-space`.
  public enum WhiteSpace: String, CaseIterable, Sendable {
    /// Blanks and newlines collapse to a space.
    case normal
    /// Blanks collapse, newlines break.
    case preLine
    /// Blanks stay, newlines break.
    case preWrap
  }

  /// Where words may end a line, as `word-break`.
  public enum WordBreak: String, CaseIterable, Sendable {
    case normal
    /// Within words, too.
    case breakAll
    /// Not between letters, in scripts that have no spaces.
    case keepAll
  }

  /// The most fonts of a style.
  public static let maxFonts = 16
  /// The largest size, in CSS pixels.
  public static let maxSize = 10_000.0
  /// The largest distance of lines, in CSS pixels.
  public static let maxLineHeight = 1_000_000.0
  /// The largest number of lines that can be asked for.
  public static let maxLines = 1_000_000_000

  /// Names of fonts, at least one. A font is used for the characters that the fonts before it lack.
  public var fonts: [String]
  /// In CSS pixels, > 0.
  public var size: Double
  /// In CSS pixels, of any sign.
  public var letterSpacing: Double
  /// A language tag of BCP 47. Line breaking and shaping depend on it.
  public var language: String
  public var whiteSpace: WhiteSpace
  /// As `font-weight`, 1 to 1000. One other than 400 needs fonts with the axis `wght`.
  public var weight = 400.0
  public var wordBreak = WordBreak.normal

  public init(
    fonts: [String], size: Double, letterSpacing: Double = 0, language: String = "en",
    whiteSpace: WhiteSpace = .normal
  ) {
    self.fonts = fonts
    self.size = size
    self.letterSpacing = letterSpacing
    self.language = language
    self.whiteSpace = whiteSpace
  }

  /// Whether a text looks like a language tag.
  public static func isLanguageTag(_ text: String) -> Bool {
    1...35 ~= text.utf8.count
      && text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      }
  }
}

/// What an item's texts must have, as it is found in them.
public struct TextQuestion: Hashable, Sendable {
  public var text: String
  /// The name of the texts that are looked at; `nil` for all.
  public var name: ValueName?
  public var isExact: Bool

  public init(_ text: String, name: ValueName? = nil, isExact: Bool = false) {
    self.text = text
    self.name = name
    self.isExact = isExact
  }
}

/// Knows fonts. The layouts ask it how texts break into lines, and know nothing more of them.
public protocol TextTypesetter: AnyObject, Sendable {
  /// Calls `body` with each of some texts in which something is found.
  func find(
    _ question: TextQuestion, in column: TextColumn, _ texts: Range<Int>, _ body: (Int) -> Void)

  /// A style with its fonts.
  func setting(of style: ParagraphStyle) throws(TypesetterFault) -> any TextSetting
}

/// Why there is no setting of a style.
public enum TypesetterFault: Error, Equatable, Sendable {
  /// There is no font at all.
  case noFonts
  /// There is no font of this name.
  case unknownFont(String)
  /// The font of this name has one weight.
  case fixedWeight(String)

  /// The member of the style that is wrong.
  public var member: String { if case .fixedWeight = self { "weight" } else { "font" } }

  /// What it must be, as the end of a sentence.
  public var requirement: String {
    func shortened(_ name: String) -> String {
      String(decoding: name.utf8.prefix(128), as: UTF8.self)
    }
    return switch self {
    case .noFonts: "left out: this server has no fonts (--fonts)"
    case .unknownFont(let name): "a font of this server, see GET /fonts; was \"\(shortened(name))\""
    case .fixedWeight(let name): "400: the font \"\(shortened(name))\" has one weight"
    }
  }
}

/// A style with its fonts.
public protocol TextSetting: AnyObject, Sendable {
  var style: ParagraphStyle { get }

  /// What the style takes, in bytes. Several settings may share it.
  var memoryBytes: Int { get }

  /// Shapes all texts of a column.
  ///
  /// - Parameter known: Texts of the column that were already shaped in this style.
  /// - Throws: ``LayoutError/refused(_:)``.
  /// - Complexity: O(*bytes*) of the texts that are not known.
  func paragraphs(
    of column: TextColumn, known: [KnownParagraphs]
  ) throws(LayoutError) -> any Paragraphs
}

/// Shaped texts of another column. They were copied into this column.
public struct KnownParagraphs {
  /// The places of the texts in this column.
  public let places: Range<Int>
  public let paragraphs: any Paragraphs
  /// The place of the first text in the other column.
  public let first: Int
}

/// The shaped texts of a column. They can be broken at any width.
public protocol Paragraphs: AnyObject, Sendable {
  /// Whether a text has any line.
  ///
  /// - Complexity: O(1).
  func hasLine(_ text: Int) -> Bool

  /// How many lines a text has.
  ///
  /// - Parameters:
  ///   - width: In CSS pixels, > 0.
  ///   - limit: No more lines count.
  func lineCount(of text: Int, width: Double, upTo limit: Int) -> Int

  /// The lines of a text.
  func lines(of text: Int, width: Double, upTo limit: Int) -> ParagraphLines

  /// The width of the longest line if only newlines break, in CSS pixels.
  func naturalWidth(of text: Int) -> Double

  /// Whether a text may have other lines in a browser.
  func isEstimated(_ text: Int) -> Bool

  /// The memory that is held beside the texts, in bytes.
  var memoryBytes: Int { get }
}

/// The lines of a text at a width.
public struct ParagraphLines: Equatable, Sendable {
  /// The UTF-16 index of the first character of each line.
  public var starts: [Int32]
  /// The width of the longest line without the blanks at its end, in CSS pixels.
  public var width: Double
  /// Where the first line begins that does not count, as a UTF-16 index; `nil` if all count.
  public var end: Int32?

  public init(starts: [Int32] = [], width: Double = 0, end: Int32? = nil) {
    self.starts = starts
    self.width = width
    self.end = end
  }
}

extension TextTypesetter {
  public func find(
    _ question: TextQuestion, in column: TextColumn, _ texts: Range<Int>, _ body: (Int) -> Void
  ) {}
}
