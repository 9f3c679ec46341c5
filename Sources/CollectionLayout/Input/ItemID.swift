/// The names of a run of items, one after another in a flat buffer.
///
/// `ends[i]` is where item *i*'s name ends in `bytes`; it begins where the one before ends. An
/// item without a name has an empty one (a name itself is never empty).
public final class IDColumn: Sendable {
  /// How many bytes of UTF-8 a name may have.
  public static let lengths = 1...128
  public static let requirement = "a string of 1 to 128 bytes"

  let bytes: [UInt8]
  let ends: [UInt32]

  public init(bytes: [UInt8], ends: [UInt32]) {
    precondition(bytes.count == Int(ends.last ?? 0), "the last end must close the bytes")
    self.bytes = bytes
    self.ends = ends
  }

  func range(of index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  subscript(index: Int) -> ItemID? {
    let range = range(of: index)
    return range.isEmpty ? nil : ItemID(column: self, range: range)
  }

  var memoryBytes: Int { bytes.count + ends.count * 4 + 96 }
}

/// An item's name: 1 to 128 bytes of UTF-8, as the client gave it.
///
/// Refers into the column that holds it; nothing is copied.
public struct ItemID: Sendable {
  @usableFromInline let column: IDColumn
  @usableFromInline let range: Range<Int>

  init(column: IDColumn, range: Range<Int>) {
    self.column = column
    self.range = range
  }

  public init(_ string: String) {
    let bytes = Array(string.utf8)
    self.init(
      column: IDColumn(bytes: bytes, ends: [UInt32(bytes.count)]), range: 0..<bytes.count)
  }

  public func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    column.bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

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
