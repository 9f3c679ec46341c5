/// An item's name: 1 to 128 bytes of UTF-8, as the client gave it.
///
/// Refers into the column that holds it; nothing is copied.
public struct ItemID: Sendable {
  fileprivate let column: IDColumn
  fileprivate let range: Range<Int>

  init(column: IDColumn, range: Range<Int>) {
    self.column = column
    self.range = range
  }

  /// A name to look for.
  ///
  /// - Parameter string: 1 to 128 bytes of UTF-8; no item has any other.
  public init(_ string: String) {
    let bytes = Array(string.utf8)
    self.init(
      column: IDColumn(bytes: bytes, ends: [UInt32(bytes.count)]), range: 0..<bytes.count)
  }

  /// Lends the 1 to 128 bytes of UTF-8, which are there for the call only.
  public func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    column.bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// The name as text; what is no UTF-8 is replaced.
  ///
  /// - Complexity: O(length), and a copy.
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
