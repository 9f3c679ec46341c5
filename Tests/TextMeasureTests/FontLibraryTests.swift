import CollectionLayout
import Synchronization
import TestSupport
import Testing

@testable import TextMeasure

@Suite("font library")
struct FontLibraryTests {
  @Test("a font has its file's name in lower case, and the first of several counts")
  func names() {
    let (first, second) = (
      FontFolder(["b/Made-Bold.ttf": TestFont.bytes(), "z/Other.otf": TestFont.bytes()]),
      FontFolder(["Other.ttf": TestFont.bytes(characters: 0x20...0x7e), "note.txt": [1, 2]])
    )
    let library = FontLibrary(folders: [second.path, first.path])
    same(library.names, ["made-bold", "other"])
    let paths = library.entries().map(\.path)
    same(paths, [first.path + "/b/Made-Bold.ttf", second.path + "/Other.ttf"])
  }

  @Test("what cannot be used is told and left out")
  func faults() {
    let whole = TestFont.bytes()
    let empty = TestFont.file([
      ("TSI3", []), ("cmap", [0]), ("head", [0]), ("hmtx", [0]), ("maxp", [0]),
    ])
    let folder = FontFolder([
      "whole.ttf": whole, "empty-table.ttf": empty, "cut.ttf": Array(whole.prefix(300)),
      "nothing.otf": [], "noise.woff2": Array("wOF2".utf8) + [UInt8](repeating: 7, count: 90),
      "text.ttc": Array("hello".utf8),
    ])
    let told = Mutex<[String]>([])
    let library = FontLibrary(folders: [folder.path, folder.path + "/none"]) { sentence in
      told.withLock { $0.append(sentence) }
    }
    same(library.names, ["whole"])
    let sentences = told.withLock { $0 }
    same(sentences.count, 6, "\(sentences)")
    #expect(sentences.contains { $0.contains("'TSI3' is empty") })
  }

  @Test("a font is known by the hash of its file")
  func entries() throws {
    let folder = FontFolder(["Made.otf": Array("abc".utf8), "Good.otf": TestFont.bytes()])
    let library = FontLibrary(folders: [folder.path])
    let entry = try #require(library.entries().first)
    #expect(entry.name == "good" && entry.weight == 400 && !entry.isItalic)
    same(library.entry(sha256: entry.sha256)?.path, entry.path)
    same(FontLibrary.bytes(of: entry), TestFont.bytes())
    // That of "abc" is in FIPS 180.
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    let hash = Array("abc".utf8).withUnsafeBufferPointer { FontBytes(copying: $0).sha256() }
    same(hash, abc)
    folder.write([1], to: "Good.otf")
    same(FontLibrary.bytes(of: entry), nil)
  }

  @Test("a file or a style that is in use is there once")
  func shared() throws {
    let names = (0..<400).map { "f\($0)" }
    let bytes = TestFont.bytes()
    let library = FontLibrary(memory: Dictionary(uniqueKeysWithValues: names.map { ($0, bytes) }))
    func prepare(_ name: String, size: Double = 10) throws -> PreparedStyle {
      try library.prepare(ParagraphStyle(fonts: [name], size: size))
    }
    let first = try prepare("f0")
    for name in names { _ = try prepare(name) }
    #expect(try prepare("f0") === first)
    #expect(try prepare("f0", size: 11).fonts[0].file === first.fonts[0].file)
    // What nobody uses goes.
    weak let unused = try prepare("f1").fonts[0].file
    for name in names { _ = try prepare(name, size: 12) }
    #expect(unused == nil)
  }

  @Test(
    "beside what layouts have held at once, open fonts take 32 MiB",
    arguments: Extent.seeds(6, of: 60))
  func idleFonts(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let names = (0..<60).map { "f\($0)" }
    let bytes = TestFont.bytes() + [UInt8](repeating: 0, count: 1 << 20)
    let library = FontLibrary(memory: Dictionary(uniqueKeysWithValues: names.map { ($0, bytes) }))
    struct Font { weak var file: FontFile? }
    var fonts: [String: Font] = [:]
    var layouts: [PreparedStyle] = []
    let kept = random.element(of: [0, 5, 50])
    var most = 0
    for _ in 0..<300 {
      switch random.integer(0...9) {
      case 0...6:
        let name = random.element(of: names)
        let size = Double(random.integer(10...12))
        let style = try library.prepare(ParagraphStyle(fonts: [name], size: size))
        fonts[name] = Font(file: style.fonts[0].file)
        if random.chance(kept) { layouts.append(style) }
      case 7, 8:
        if !layouts.isEmpty { layouts.remove(at: random.integer(0...layouts.count - 1)) }
      default: if random.chance(5) { layouts = [] }
      }
      let used = Set(layouts.map { ObjectIdentifier($0.fonts[0].file) })
      most = max(most, used.count)
      #expect(fonts.values.count { $0.file != nil } <= most + 33)
      for layout in layouts.suffix(3) { #expect(try library.prepare(layout.style) === layout) }
    }
  }

  @Test(
    "a language is one of few", arguments: cases("FontLibrary.languages", String.self, String.self))
  func languages(tag: String, known: String) {
    same(TextLanguage.known(tag), known)
  }

  @Test("a font that has no glyphs for any language is shaped by one plan for all")
  func plans() throws {
    let folder = FontFolder(["made.ttf": TestFont.bytes()])
    let library = FontLibrary(folders: [folder.path])
    for language in ["en", "ja", "tr", "zh-tw", "el-polyton"] {
      let style = ParagraphStyle(fonts: ["made"], size: 10, language: language)
      same(try library.prepare(style).fonts[0].language, nil)
    }
  }

  @Test("a file that is written over in place harms nobody")
  func overwritten() throws {
    let folder = FontFolder(["made.ttf": TestFont.bytes()])
    let library = FontLibrary(folders: [folder.path])
    func width(_ size: Double) throws -> Int {
      let style = try library.prepare(ParagraphStyle(fonts: ["made"], size: size))
      return library.withWorkbench { bench in
        bench.prepare("ab", style)
        return bench.naturalWidth64()
      }
    }
    let style = try library.prepare(ParagraphStyle(fonts: ["made"], size: 10))
    // HarfBuzz has not asked for all tables yet.
    folder.write([1, 2, 3], to: "made.ttf")
    try same(width(20), 20 * 64)
    try same(width(10), 10 * 64)
    withExtendedLifetime(style) {}
  }

  @Test("an unknown font is named")
  func unknown() {
    let library = FontLibrary(folders: [])
    #expect(throws: FontLibrary.Fault.unknownFont("none")) {
      try library.prepare(ParagraphStyle(fonts: ["none"], size: 10))
    }
  }

  @Test("a WOFF2 file is the font that is packed in it")
  func woff2() throws {
    let folder = FontFolder(["made.woff2": Self.packed, "plain.ttf": TestFont.bytes()])
    let library = FontLibrary(folders: [folder.path])
    same(library.names, ["made", "plain"])
    let widths = try ["made", "plain"].map { name in
      let style = try library.prepare(ParagraphStyle(fonts: [name], size: 20))
      return library.withWorkbench { bench in
        bench.prepare("ab c", style)
        return bench.naturalWidth64()
      }
    }
    same(widths, [35 * 64, 35 * 64])
  }

  @Test("broken fonts do no harm", arguments: 0..<100)
  func broken(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    var bytes = seed % 4 == 0 ? Self.packed : TestFont.bytes()
    for _ in 0..<generator.integer(1...8) {
      bytes[generator.integer(0...bytes.count - 1)] = UInt8(generator.integer(0...255))
    }
    let folder = FontFolder([seed % 4 == 0 ? "made.woff2" : "made.ttf": bytes])
    let library = FontLibrary(folders: [folder.path])
    let style = ParagraphStyle(fonts: ["made"], size: 20)
    guard let style = try? library.prepare(style) else { return }
    _ = library.entries()
    library.withWorkbench { bench in
      bench.prepare("Some words, some more", style)
      _ = bench.lines(width: 100, style)
      var builder = ShapedTextsBuilder(style, capacity: 1, bytes: 0)
      Array("Some words x 3, some more".utf8).withUnsafeBufferPointer {
        builder.add(utf8: $0, on: bench)
      }
      _ = builder.finish().lineCount(of: 0, width: 100)
    }
  }
}

extension FontLibraryTests {
  /// `TestFont.bytes()` as Debian's woff2_compress packs it.
  static let packed = cases("FontLibrary.packed", UInt8.self)
}
