/// Where the tables of a font lie in its file, and which of them are used.
///
/// Layout reads tables of its own, and those of outlines not at all. HarfBuzz checks each table
/// before it reads it.
struct FontTables {
  /// The units in which a font is drawn, for one em.
  let unitsPerEm: UInt32
  let glyphCount: UInt32
  let weight: Int
  let isItalic: Bool
  /// By how much glyphs are wider than the font's own metrics say, of a font of bitmaps alone:
  /// browsers scale the width that the bitmaps have at their own size.
  private(set) var bitmapStretch: Double?
  private var ranges: [UInt32: Range<Int>] = [:]
  private var keepsKerning = false

  static func tag(_ name: StaticString) -> UInt32 {
    name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  static func isWOFF2(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.integer(at: 0, 4) == Int(tag("wOF2"))
  }

  /// Reads the directory of a font, or of the first font of a collection.
  init(of bytes: UnsafeBufferPointer<UInt8>) throws(FontFile.Fault) {
    var start = 0
    if bytes.integer(at: 0, 4) == Int(Self.tag("ttcf")) {
      guard let first = bytes.integer(at: 12, 4) else { throw .noFont }
      start = first
    }
    let version = bytes.integer(at: start, 4)
    let versions = [0x10000, Int(Self.tag("OTTO")), Int(Self.tag("true"))]
    guard let version, versions.contains(version), let count = bytes.integer(at: start + 4, 2),
      count > 0
    else { throw .noFont }
    for index in 0..<count {
      let record = start + 12 + index * 16
      guard let tag = bytes.integer(at: record, 4), let offset = bytes.integer(at: record + 8, 4),
        let length = bytes.integer(at: record + 12, 4)
      else { throw .noFont }
      guard length > 0 else { throw .emptyTable(Self.text(tag)) }
      guard offset + length <= bytes.count else { throw .tableOutside(Self.text(tag)) }
      ranges[UInt32(tag)] = offset..<offset + length
    }
    guard let head = ranges[Self.tag("head")], let maxp = ranges[Self.tag("maxp")],
      ranges[Self.tag("cmap")] != nil, ranges[Self.tag("hmtx")] != nil,
      let unitsPerEm = bytes.integer(at: head.lowerBound + 18, 2), 16...16384 ~= unitsPerEm,
      let glyphCount = bytes.integer(at: maxp.lowerBound + 4, 2)
    else { throw .noFont }
    self.unitsPerEm = UInt32(unitsPerEm)
    self.glyphCount = UInt32(glyphCount)
    var (weight, isItalic) = (400, false)
    if let os2 = ranges[Self.tag("OS/2")] {
      weight = bytes.integer(at: os2.lowerBound + 4, 2) ?? 400
      isItalic = (bytes.integer(at: os2.lowerBound + 62, 2) ?? 0) & 0x201 != 0
    }
    (self.weight, self.isItalic) = (weight, isItalic)
    if let kern = ranges[Self.tag("kern")] {
      let isKept = Self.isKept(UnsafeBufferPointer(rebasing: bytes[kern]))
      keepsKerning = isKept && ranges[Self.tag("glyf")] != nil
    }
    bitmapStretch = bitmapStretch(in: bytes)
  }

  /// Whether glyphs are pictures in colour.
  var isColored: Bool {
    ["CBDT", "COLR", "sbix", "SVG "].contains { ranges[Self.tag($0)] != nil }
  }

  /// How much wider the bitmaps of a font are than its metrics; `nil` if it has outlines, too.
  private func bitmapStretch(in bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard ranges[Self.tag("glyf")] == nil, ranges[Self.tag("CFF ")] == nil,
      let strikes = ranges[Self.tag("CBLC")]?.lowerBound, let hhea = ranges[Self.tag("hhea")],
      let width = bytes.integer(at: strikes + 26, 1), let ppem = bytes.integer(at: strikes + 52, 1),
      let advance = bytes.integer(at: hhea.lowerBound + 10, 2), width > 0, ppem > 0, advance > 0
    else { return nil }
    return Double(width) / Double(ppem) / (Double(advance) / Double(unitsPerEm))
  }

  /// The tags of all tables.
  var tags: some Sequence<UInt32> { ranges.keys }

  /// The table of a tag, if it is there and counts in browsers: those of Apple's and Graphite's
  /// engines do not.
  func used(_ tag: UInt32) -> Range<Int>? {
    switch tag {
    case Self.tag("kern"): keepsKerning ? ranges[tag] : nil
    case Self.tag("morx"), Self.tag("mort"), Self.tag("kerx"), Self.tag("trak"), Self.tag("ankr"),
      Self.tag("feat"), Self.tag("lcar"), Self.tag("just"), Self.tag("Silf"):
      nil
    default: ranges[tag]
    }
  }

  /// Whether a browser keeps a `kern` table: of version 0, with horizontal subtables of format 0,
  /// each of at most 10,920 pairs in ascending order.
  private static func isKept(_ kern: UnsafeBufferPointer<UInt8>) -> Bool {
    guard kern.integer(at: 0, 2) == 0, let count = kern.integer(at: 2, 2), count > 0 else {
      return false
    }
    var start = 4
    for _ in 0..<count {
      guard kern.integer(at: start, 2) == 0, let length = kern.integer(at: start + 2, 2),
        let coverage = kern.integer(at: start + 4, 2), coverage >> 8 == 0, coverage & 1 == 1,
        let pairs = kern.integer(at: start + 6, 2), 1...10_920 ~= pairs,
        start + 14 + pairs * 6 <= kern.count
      else { return false }
      var last = -1
      for pair in 0..<pairs {
        guard let glyphs = kern.integer(at: start + 14 + pair * 6, 4), glyphs > last else {
          return false
        }
        last = glyphs
      }
      start += max(length, 14 + pairs * 6)
    }
    return true
  }

  private static func text(_ tag: Int) -> String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: tag >> $0) }
    return String(decoding: bytes.map { 0x20...0x7e ~= $0 ? $0 : 0x3f }, as: UTF8.self)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// A big-endian integer; `nil` outside of the bytes.
  func integer(at offset: Int, _ length: Int) -> Int? {
    guard offset >= 0, offset + length <= count else { return nil }
    return self[offset..<offset + length].reduce(0) { $0 << 8 | Int($1) }
  }
}
