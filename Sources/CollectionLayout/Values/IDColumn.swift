/// The ids of a run of items, one after another in a flat buffer.
///
/// `ends[i]` is where the id of item *i* ends in `bytes`. It begins where the id before it ends. An
/// item without an id has an empty range, because an id is never empty.
public final class IDColumn: Sendable {
  /// The length of an item's id, in bytes of UTF-8.
  public static let lengths = 1...128
  /// A range of lengths, as the end of a sentence.
  public static func requirement(of lengths: ClosedRange<Int> = lengths) -> String {
    "a string of \(lengths.lowerBound) to \(lengths.upperBound) bytes of UTF-8"
  }
  /// How many bytes all ids of a column may have together.
  static let maximumBytes = Int(UInt32.max)

  let bytes: [UInt8]
  let ends: [UInt32]

  /// A column of ids.
  ///
  /// - Parameters:
  ///   - bytes: All ids in UTF-8, each of one of ``lengths``.
  ///   - ends: For each item where its id ends, ascending; the last is `bytes.count`.
  public init(bytes: [UInt8], ends: [UInt32]) {
    precondition(bytes.count == Int(ends.last ?? 0), "the last end must close the bytes")
    self.bytes = bytes
    self.ends = ends
  }

  /// The number of items.
  public var count: Int { ends.count }

  /// The bytes of an item's id; empty if it has none.
  func bytes(of index: Int) -> ArraySlice<UInt8> { bytes[range(of: index)] }

  func range(of index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  public subscript(index: Int) -> ItemID? {
    let range = range(of: index)
    return range.isEmpty ? nil : ItemID(column: self, range: range)
  }

  var memoryBytes: Int { bytes.count + ends.count * 4 + 96 }
}

extension IDColumn: Hashable {
  public static func == (a: IDColumn, b: IDColumn) -> Bool {
    a === b || a.ends == b.ends && a.bytes == b.bytes
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ends)
    hasher.combine(bytes)
  }
}

/// Collects ids, one after another.
public struct IDColumnBuilder {
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = []

  /// - Parameters:
  ///   - count: About how many items there will be.
  ///   - byteCount: About how many bytes their ids will have together.
  public init(capacity count: Int, bytes byteCount: Int) {
    ends.reserveCapacity(count)
    bytes.reserveCapacity(byteCount)
  }

  /// The number of items.
  public var count: Int { ends.count }

  /// - Parameter name: The bytes of an id; empty for an item without an id. All ids together must
  ///   be shorter than 4 GiB.
  public mutating func append(_ name: ArraySlice<UInt8>) {
    bytes += name
    ends.append(UInt32(bytes.count))
  }

  /// - Parameter id: `nil` for an item without an id.
  public mutating func append(_ id: ItemID?) {
    if let id { id.withBytes { bytes += $0 } }
    ends.append(UInt32(bytes.count))
  }

  /// Adds the ids of some items of a column. Without a column, the items have no ids.
  ///
  /// - Complexity: O(*bytes* + *n*) for *n* items: the bytes are copied as one block.
  mutating func append(_ items: Range<Int>, of column: IDColumn?) {
    guard let column, !items.isEmpty else {
      ends += repeatElement(UInt32(bytes.count), count: items.count)
      return
    }
    let start = column.range(of: items.lowerBound).lowerBound
    let (newStart, oldStart) = (UInt32(bytes.count), UInt32(start))
    bytes += column.bytes[start..<Int(column.ends[items.upperBound - 1])]
    ends += column.ends[items].lazy.map { $0 - oldStart + newStart }
  }

  /// The column of all ids so far.
  public var column: IDColumn { IDColumn(bytes: bytes, ends: ends) }
}
