import CollectionLayout
import Foundation
import TextMeasure

/// What Chromium made of paragraphs, and with which fonts; see the folder's README.
struct RecordedParagraphs: Decodable {
  struct Font: Decodable {
    var name: String
    var package: String
    var file: String
    var sha256: String
  }

  struct Paragraph: Decodable {
    var group: String
    var text: String
    var style: Style
    var width: Double
    var starts: [Int32]
    var widest: Double
    var natural: Double
    var estimated: Bool
  }

  struct Style: Decodable {
    var font: Names
    var size: Double
    var letterSpacing: Double?
    var language: String?
    var whiteSpace: String?

    var style: ParagraphStyle {
      ParagraphStyle(
        fonts: font.names, size: size, letterSpacing: letterSpacing ?? 0,
        language: language ?? "en",
        whiteSpace: whiteSpace.flatMap(ParagraphStyle.WhiteSpace.init) ?? .normal)
    }
  }

  struct Names: Decodable {
    var names: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      names = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
    }
  }

  var fonts: [Font]
  var paragraphs: [Paragraph]

  /// Both recordings: many paragraphs, and pictures, dashes and broken words by themselves.
  static let all: RecordedParagraphs = {
    var all = read("paragraphs")
    let more = read("pictures")
    all.fonts += more.fonts
    all.paragraphs += more.paragraphs
    return all
  }()

  private static func read(_ name: String) -> RecordedParagraphs {
    let url = Bundle.module.url(
      forResource: name, withExtension: "json", subdirectory: "Fixtures")!
    return try! JSONDecoder().decode(RecordedParagraphs.self, from: Data(contentsOf: url))
  }

  /// The fonts of this machine.
  static let library = FontLibrary(folders: ["/usr/share/fonts"])

  /// The names of fonts that are here just as they were when the answers were recorded.
  static let present: Set<String> = {
    let here = Dictionary(uniqueKeysWithValues: library.entries().map { ($0.name, $0.sha256) })
    return Set(all.fonts.filter { here[$0.name] == $0.sha256 }.map(\.name))
  }()

  /// Those whose fonts are here.
  static let testable = all.paragraphs.filter {
    $0.style.font.names.allSatisfy(present.contains)
  }
}
