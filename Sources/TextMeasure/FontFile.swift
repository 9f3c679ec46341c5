import CHarfBuzz
import CWoff2
import Glibc

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

  /// Opens a file, or the first font of a collection.
  convenience init(path: String) throws(Fault) {
    try self.init(MappedFile(path: path))
  }

  /// Opens a font that lies in no file.
  convenience init(bytes: [UInt8]) throws(Fault) {
    try self.init(MappedFile(copying: bytes))
  }

  private init(_ mapped: MappedFile) throws(Fault) {
    var font = mapped
    if FontTables.isWOFF2(mapped.bytes) { font = try Self.unpacked(mapped) }
    tables = try FontTables(of: font.bytes)
    face = Self.makeFace(font, tables)
  }

  deinit { hb_face_destroy(face) }

  /// Checks that a file is a font with whole tables.
  static func check(path: String) throws(Fault) {
    let mapped = try MappedFile(path: path)
    let font = FontTables.isWOFF2(mapped.bytes) ? try unpacked(mapped) : mapped
    _ = try FontTables(of: font.bytes)
  }

  private static func unpacked(_ file: MappedFile) throws(Fault) -> MappedFile {
    let size = cwoff2_final_size(file.start, file.bytes.count)
    // The file says its size; a wrong one costs no more than this.
    guard size > 0, size <= maxBytes else { throw .brokenWOFF2 }
    let font = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    let length = cwoff2_decode(file.start, file.bytes.count, font, size)
    guard length > 0 else {
      font.deallocate()
      throw .brokenWOFF2
    }
    return MappedFile(owning: font, length: length)
  }

  /// The face asks for tables by their tags, so that those that browsers drop are not there.
  private static func makeFace(_ font: MappedFile, _ tables: FontTables) -> OpaquePointer {
    let source = FaceSource(font: font, tables: tables)
    let face = hb_face_create_for_tables(
      { _, tag, data in
        Unmanaged<FaceSource>.fromOpaque(data!).takeUnretainedValue().table(tag)
      }, Unmanaged.passRetained(source).toOpaque(),
      { Unmanaged<FaceSource>.fromOpaque($0!).release() })!
    hb_face_set_upem(face, tables.unitsPerEm)
    hb_face_set_glyph_count(face, tables.glyphCount)
    hb_face_make_immutable(face)
    return face
  }
}

/// What a face reads from; it lives as long as the face.
private final class FaceSource {
  let font: MappedFile
  let tables: FontTables

  init(font: MappedFile, tables: FontTables) {
    self.font = font
    self.tables = tables
  }

  func table(_ tag: UInt32) -> OpaquePointer? {
    guard let range = tables.used(tag) else { return nil }
    let owner = Unmanaged.passRetained(font).toOpaque()
    let start = UnsafeRawPointer(font.start + range.lowerBound)
    return hb_blob_create(
      start.assumingMemoryBound(to: CChar.self), UInt32(range.count), HB_MEMORY_MODE_READONLY,
      owner, { Unmanaged<MappedFile>.fromOpaque($0!).release() })
  }
}
