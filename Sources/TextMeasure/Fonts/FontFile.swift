import CHarfBuzz
import CWoff2
import Glibc
import Synchronization

/// A font's file, whose tables were found whole.
///
/// `@unchecked Sendable`: a HarfBuzz face that is immutable may be used by many threads.
final class FontFile: @unchecked Sendable {
  /// Why a file is no font that is used.
  enum Fault: Error, Equatable, CustomStringConvertible {
    case unreadable(errno: Int32)
    case noFont
    case tableOutside(String)
    /// Browsers refuse such fonts.
    case emptyTable(String)
    case brokenWOFF2
    case tooLong

    var description: String {
      switch self {
      case .unreadable(let number): "it cannot be read: \(String(cString: strerror(number)))"
      case .noFont: "it is no font"
      case .tableOutside(let tag): "its table '\(tag)' lies outside of it"
      case .emptyTable(let tag): "its table '\(tag)' is empty, which browsers refuse"
      case .brokenWOFF2: "its compressed data is broken"
      case .tooLong: "it is longer than \(FontFile.maxBytes >> 20) MiB"
      }
    }
  }

  /// The longest file that is read, and the longest font that a file unpacks to.
  static let maxBytes = 64 << 20

  /// Not NULL; immutable.
  let face: OpaquePointer
  let tables: FontTables

  /// Opens a file, or the first font of a collection. What it holds counts in `memory`.
  convenience init(path: String, memory: FontMemory = FontMemory()) throws(Fault) {
    try self.init(FontBytes(path: path), path: path, memory)
  }

  /// Opens a font that lies in no file.
  convenience init(bytes: [UInt8], memory: FontMemory) throws(Fault) {
    let font = bytes.withUnsafeBufferPointer { FontBytes(copying: $0) }
    try self.init(font, path: nil, memory)
  }

  private init(_ file: FontBytes, path: String?, _ memory: FontMemory) throws(Fault) {
    let font = FontTables.isWOFF2(file.bytes) ? try Self.unpacked(file) : file
    tables = try FontTables(of: font.bytes)
    face = Self.makeFace(FaceSource(font, path: path, tables: tables, memory))
  }

  deinit { hb_face_destroy(face) }

  /// Checks that a file is a font with whole tables.
  static func check(path: String) throws(Fault) {
    let file = try FontBytes(path: path)
    let font = FontTables.isWOFF2(file.bytes) ? try unpacked(file) : file
    _ = try FontTables(of: font.bytes)
  }

  private static func unpacked(_ file: FontBytes) throws(Fault) -> FontBytes {
    let size = cwoff2_final_size(file.start, file.bytes.count)
    // The file says its size; a wrong one costs no more than this.
    guard size > 0, size <= maxBytes else { throw .brokenWOFF2 }
    let font = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    let length = cwoff2_decode(file.start, file.bytes.count, font, size)
    guard length > 0 else {
      font.deallocate()
      throw .brokenWOFF2
    }
    return FontBytes(owning: font, length: length)
  }

  /// The face asks for tables by their tags, so that those that browsers drop are not there.
  private static func makeFace(_ source: FaceSource) -> OpaquePointer {
    let face = hb_face_create_for_tables(
      { _, tag, data in
        Unmanaged<FaceSource>.fromOpaque(data!).takeUnretainedValue().table(tag)
      }, Unmanaged.passRetained(source).toOpaque(),
      { Unmanaged<FaceSource>.fromOpaque($0!).release() })!
    hb_face_set_upem(face, source.tables.unitsPerEm)
    hb_face_set_glyph_count(face, source.tables.glyphCount)
    hb_face_make_immutable(face)
    return face
  }
}

/// Counts the bytes of open fonts.
final class FontMemory: Sendable {
  private let count = Atomic(0)

  var bytes: Int { count.load(ordering: .relaxed) }

  func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
}

/// What a face reads from; it lives as long as the face.
private final class FaceSource {
  let tables: FontTables
  /// The whole font, if it lies in no file.
  private var whole: FontBytes?
  /// The tables of a file, but for outlines and pictures.
  private var kept: [UInt32: FontBytes] = [:]
  private let path: String?
  private let stamp: FontBytes.Stamp?
  private let memory: FontMemory
  /// The bytes of the tables that are kept, here or by the face.
  private let held = Atomic(0)

  /// HarfBuzz hardly ever asks for these, which are most of a file.
  private static let large: Set<UInt32> = [
    FontTables.tag("glyf"), FontTables.tag("CFF "), FontTables.tag("CFF2"), FontTables.tag("gvar"),
    FontTables.tag("CBDT"), FontTables.tag("SVG "), FontTables.tag("sbix"),
  ]

  init(_ font: FontBytes, path: String?, tables: FontTables, _ memory: FontMemory) {
    (self.path, stamp, self.tables, self.memory) = (path, font.stamp, tables, memory)
    guard font.stamp != nil else {
      whole = font
      hold(font.bytes.count)
      return
    }
    for tag in tables.tags where !Self.large.contains(tag) {
      guard let range = tables.used(tag) else { continue }
      kept[tag] = FontBytes(copying: UnsafeBufferPointer(rebasing: font.bytes[range]))
      hold(range.count)
    }
  }

  deinit { memory.add(-held.load(ordering: .relaxed)) }

  private func hold(_ bytes: Int) {
    held.add(bytes, ordering: .relaxed)
    memory.add(bytes)
  }

  /// A table; NULL if it is not there, or is large and the file has changed since it was opened.
  func table(_ tag: UInt32) -> OpaquePointer? {
    guard let range = tables.used(tag) else { return nil }
    if let whole { return Self.blob(whole, whole.start + range.lowerBound, range.count) }
    if let table = kept[tag] { return Self.blob(table, table.start, range.count) }
    guard let path, let table = try? FontBytes(path: path, range: range, as: stamp) else {
      return nil
    }
    // The face keeps it.
    hold(range.count)
    return Self.blob(table, table.start, range.count)
  }

  private static func blob(
    _ owner: FontBytes, _ start: UnsafePointer<UInt8>, _ count: Int
  ) -> OpaquePointer? {
    hb_blob_create(
      UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self), UInt32(count),
      HB_MEMORY_MODE_READONLY, Unmanaged.passRetained(owner).toOpaque(),
      { Unmanaged<FontBytes>.fromOpaque($0!).release() })
  }
}
