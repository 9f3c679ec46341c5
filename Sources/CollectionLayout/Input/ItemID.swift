/// The names of a run of items, one after another in a flat buffer.
///
/// `ends[i]` is where item *i*'s name ends in `bytes`; it begins where the one before ends. An
/// item without a name has an empty one (a name itself is never empty).
public final class IDColumn: Sendable {
  /// How many bytes of UTF-8 a name may have.
  public static let lengths = 1...128
  /// The same as the end of a sentence.
  public static let requirement = "a string of 1 to 128 bytes of UTF-8"
  /// How many bytes all names of a column may have together.
  public static let maximumBytes = Int(UInt32.max)

  let bytes: [UInt8]
  let ends: [UInt32]

  public init(bytes: [UInt8], ends: [UInt32]) {
    precondition(bytes.count == Int(ends.last ?? 0), "the last end must close the bytes")
    self.bytes = bytes
    self.ends = ends
  }

  /// The bytes of a name; none for an item without one.
  func bytes(of index: Int) -> ArraySlice<UInt8> { bytes[range(of: index)] }

  func range(of index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  subscript(index: Int) -> ItemID? {
    let range = range(of: index)
    return range.isEmpty ? nil : ItemID(column: self, range: range)
  }

  var memoryBytes: Int { bytes.count + ends.count * 4 + 96 }
}

/// Gathers names, one after the other.
public struct IDColumnBuilder {
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = []

  /// - Parameters:
  ///   - count: About how many names there will be.
  ///   - byteCount: About how many bytes they will have together.
  public init(capacity count: Int, bytes byteCount: Int) {
    ends.reserveCapacity(count)
    bytes.reserveCapacity(byteCount)
  }

  /// - Parameter name: Empty for an item without one. All names together have less than 4 GiB.
  public mutating func append(_ name: ArraySlice<UInt8>) {
    bytes += name
    ends.append(UInt32(bytes.count))
  }

  public var column: IDColumn { IDColumn(bytes: bytes, ends: ends) }
}

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
