/// The id of an item, 1 to 128 bytes of UTF-8, or of a section, which may be empty, as the client
/// gave it.
///
/// An `ItemID` refers into the column that holds its bytes. Nothing is copied.
public struct ItemID: Sendable {
  fileprivate let column: IDColumn
  fileprivate let range: Range<Int>

  /// The length of a section's id, in bytes of UTF-8. A group may be that of an empty string.
  public static let lengthsOfSections = 0...IDColumn.lengths.upperBound

  init(column: IDColumn, range: Range<Int>) {
    self.column = column
    self.range = range
  }

  /// An id to look for.
  ///
  /// - Parameter string: UTF-8. No item has an id whose length is none of ``IDColumn/lengths``.
  public init(_ string: String) {
    let bytes = Array(string.utf8)
    self.init(
      column: IDColumn(bytes: bytes, ends: [UInt32(bytes.count)]), range: 0..<bytes.count)
  }

  /// The same id, which keeps no others in memory.
  var copied: ItemID {
    let bytes = withBytes { Array($0) }
    return ItemID(
      column: IDColumn(bytes: bytes, ends: [UInt32(bytes.count)]), range: 0..<bytes.count)
  }

  /// Calls `body` with the bytes, which are valid during the call only.
  public func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    column.bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// The length of the id, in bytes of UTF-8.
  var byteCount: Int { range.count }

  /// The id as text. Invalid UTF-8 is replaced.
  ///
  /// - Complexity: O(*length*): the bytes are copied.
  public var string: String { String(decoding: column.bytes[range], as: UTF8.self) }
}

extension ItemID: Hashable {
  public static func == (a: ItemID, b: ItemID) -> Bool {
    a.column.bytes[a.range].elementsEqual(b.column.bytes[b.range])
  }

  public func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
