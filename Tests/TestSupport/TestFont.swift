import Foundation

/// Fonts that tests make: an em is 1,000 units, and every character of some ranges is a glyph of
/// 500. So at a size of 20 a character is 10 px wide, but for the space, which is 5.
public enum TestFont {
  /// A font's file with these characters.
  public static func bytes(characters: ClosedRange<UInt16> = 0x20...0x17e) -> [UInt8] {
    let count = characters.count
    // Glyph 0 is what stands for missing ones, glyph 1 the first character.
    var widths: [UInt8] = u16(700) + u16(0)
    for character in characters { widths += u16(character == 0x20 ? 250 : 500) + u16(0) }
    let (first, last) = (characters.lowerBound, characters.upperBound)
    let cmap =
      u16(0) + u16(1) + u16(3) + u16(1) + u32(12)
      + u16(4) + u16(32) + u16(0) + u16(4) + u16(4) + u16(1) + u16(0)
      + u16(last) + u16(0xffff) + u16(0) + u16(first) + u16(0xffff)
      + u16(1 &- first) + u16(1) + u16(0) + u16(0)
    var head: [UInt8] = u32(0x10000) + u32(0x10000) + u32(0) + u32(0x5f0f_3cf5) + u16(0) + u16(1000)
    head += [UInt8](repeating: 0, count: 54 - head.count)
    var hhea = u32(0x10000) + u16(800) + u16(UInt16(bitPattern: -200))
    hhea += [UInt8](repeating: 0, count: 34 - hhea.count) + u16(UInt16(count + 1))
    let maxp = u32(0x5000) + u16(UInt16(count + 1))
    return file([
      ("cmap", cmap), ("head", head), ("hhea", hhea), ("hmtx", widths), ("maxp", maxp),
    ])
  }

  /// A font's file with these tables, which are in the order of their tags.
  public static func file(_ tables: [(tag: String, bytes: [UInt8])]) -> [UInt8] {
    var directory = u32(0x10000) + u16(UInt16(tables.count)) + u16(0) + u16(0) + u16(0)
    var data: [UInt8] = []
    let start = 12 + 16 * tables.count
    for (tag, bytes) in tables {
      directory += Array(tag.utf8) + u32(0) + u32(UInt32(start + data.count))
      directory += u32(UInt32(bytes.count))
      data += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    return directory + data
  }

  private static func u16(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
  private static func u32(_ value: UInt32) -> [UInt8] {
    u16(UInt16(value >> 16)) + u16(UInt16(value & 0xffff))
  }
}

/// A folder of its own that goes with the test.
public final class FontFolder: Sendable {
  public let path: String

  public init(_ files: [String: [UInt8]]) {
    var template = Array("/tmp/layoutd-fonts-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "there is no folder for the test")
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for (name, bytes) in files { write(bytes, to: name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  public func write(_ bytes: [UInt8], to name: String) {
    if let slash = name.lastIndex(of: "/") { mkdir(path + "/" + name[..<slash], 0o700) }
    let file = fopen(path + "/" + name, "w")!
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}
