import CHarfBuzz

/// A font at a size, as HarfBuzz shapes with it.
///
/// `@unchecked Sendable`: a HarfBuzz font that is immutable may be used by many threads.
final class ScaledFont: @unchecked Sendable {
  let file: FontFile
  /// Not NULL; immutable.
  let font: OpaquePointer
  /// HarfBuzz's name of the language, if the font has glyphs of its own for it.
  let language: OpaquePointer?
  /// Whether the font has a glyph for U+3000, which nothing stands in for.
  let hasIdeographicSpace: Bool
  /// In 1/65536 px; 0 if there is no glyph.
  let spaceAdvance: Int32
  /// Whether HarfBuzz looks from a space at what follows, whatever it is.
  let spaceLooksAhead: Bool

  /// About what HarfBuzz takes for a font at a size, in bytes.
  static let memoryBytes = 3 << 10

  /// - Parameters:
  ///   - size: In CSS pixels, > 0.
  ///   - weight: As `font-weight`.
  init(_ file: FontFile, size: Double, weight: Double, language: String) {
    self.file = file
    self.language = TextLanguage.named(language, in: file.face)
    font = hb_font_create(file.face)
    let scale = Self.scale(size: size, unitsPerEm: file.tables.unitsPerEm)
    // Bitmaps are scaled to the size itself.
    let across = file.tables.bitmapStretch.map { Self.hundredths(size) * 65536 * $0 }
    hb_font_set_scale(font, Int32(min(across ?? Double(scale), 0x7fff_ffff)), scale)
    // A variable font is drawn in its regular width. HarfBuzz keeps within the axes, and leaves
    // those that are not named at their default.
    var axes = [
      hb_variation_t(tag: FontTables.tag("wght"), value: Float(weight)),
      hb_variation_t(tag: FontTables.tag("wdth"), value: 100),
    ]
    if hb_ot_var_has_data(file.face) != 0 {
      hb_font_set_variations(font, &axes, UInt32(axes.count))
    }
    hb_font_make_immutable(font)
    var glyph: hb_codepoint_t = 0
    hasIdeographicSpace = hb_font_get_nominal_glyph(font, 0x3000, &glyph) != 0
    let hasSpace = hb_font_get_nominal_glyph(font, 0x20, &glyph) != 0
    spaceAdvance = hasSpace ? hb_font_get_glyph_h_advance(font, glyph) : 0
    spaceLooksAhead = Self.spaceLooksAhead(font)
  }

  private static func spaceLooksAhead(_ font: OpaquePointer) -> Bool {
    let buffer = hb_buffer_create()!
    defer { hb_buffer_destroy(buffer) }
    hb_buffer_set_flags(buffer, HB_BUFFER_FLAG_PRODUCE_UNSAFE_TO_CONCAT)
    let units: [UInt16] = [0x20, 0x6e]
    hb_buffer_add_utf16(buffer, units, 2, 0, 2)
    hb_buffer_guess_segment_properties(buffer)
    hb_shape(font, buffer, nil, 0)
    var count: UInt32 = 0
    guard let glyphs = hb_buffer_get_glyph_infos(buffer, &count), count == 2 else { return true }
    return charfbuzz_is_unsafe_to_concat(glyphs + 1)
  }

  deinit { hb_font_destroy(font) }

  /// The units of 1/65536 px in an em. Browsers get glyphs as wide as FreeType makes them, which
  /// knows sizes of 1/64 px and a factor of 1/65536.
  private static func scale(size: Double, unitsPerEm: UInt32) -> Int32 {
    let sizeIn64ths = (hundredths(size) * 64).rounded(.down)
    let factor = (sizeIn64ths * 65536 / Double(unitsPerEm)).rounded()
    let scale = (factor * Double(unitsPerEm) / 64).rounded()
    return Int32(min(scale, Double(Int32.max)))
  }

  /// A size as browsers keep it.
  private static func hundredths(_ size: Double) -> Double {
    Double((Float(size) * 100).rounded(.down) / 100)
  }

  /// Whether what is on one side of a space may depend on what is on its other side, or on the
  /// space: some fonts kern or join with it.
  ///
  /// - Complexity: O(size of the font's tables).
  static func joinsSpaces(_ file: FontFile) -> Bool {
    let font = hb_font_create(file.face)!
    defer { hb_font_destroy(font) }
    var space: hb_codepoint_t = 0
    guard hb_font_get_nominal_glyph(font, 0x20, &space) != 0 else { return true }
    let found = hb_set_create()!
    defer { hb_set_destroy(found) }
    for table in [FontTables.tag("GSUB"), FontTables.tag("GPOS")] {
      for lookup in 0..<hb_ot_layout_table_get_lookup_count(file.face, table) {
        hb_ot_layout_lookup_collect_glyphs(file.face, table, lookup, found, found, found, nil)
        if hb_set_has(found, space) != 0 { return true }
      }
    }
    return kernsSpaces(file, font)
  }

  /// Tables do not list glyphs of the class of all others, and `kern` is no layout table. So each
  /// character of the font is tried beside a space.
  private static func kernsSpaces(_ file: FontFile, _ font: OpaquePointer) -> Bool {
    let upem = Int32(file.tables.unitsPerEm)
    hb_font_set_scale(font, upem, upem)
    let characters = hb_set_create()!
    defer { hb_set_destroy(characters) }
    hb_face_collect_unicodes(file.face, characters)
    let buffer = hb_buffer_create()!
    defer { hb_buffer_destroy(buffer) }
    func width(_ text: [UInt32]) -> Int {
      hb_buffer_reset(buffer)
      hb_buffer_add_codepoints(buffer, text, Int32(text.count), 0, Int32(text.count))
      hb_buffer_guess_segment_properties(buffer)
      hb_shape(font, buffer, nil, 0)
      var count: UInt32 = 0
      guard let positions = hb_buffer_get_glyph_positions(buffer, &count) else { return 0 }
      return (0..<Int(count)).reduce(0) { $0 + Int(positions[$1].x_advance) }
    }
    let space = width([0x20])
    var character: hb_codepoint_t = 0x20
    // Ideographs are not kerned with spaces.
    while hb_set_next(characters, &character) != 0, character < 0x3000 {
      let own = width([character])
      if width([0x20, character, 0x20]) != own + 2 * space { return true }
    }
    return false
  }
}
