import Synchronization

/// The texts of one name of a run of items, one after another in a flat buffer.
///
/// An item without the text has an empty range: an empty text counts as none.
///
/// What a typesetter made of the texts is shared by all layouts of a style.
public final class TextColumn: Sendable {
  /// The longest text, in bytes of UTF-8.
  public static let maxBytes = 64 << 10

  let bytes: [UInt8]
  let ends: [UInt32]
  /// The length of the longest text, in UTF-8.
  let longest: Int
  private let origins: [Origin]
  private let found = Mutex<[ParagraphStyle: WeakParagraphs]>([:])

  /// Texts that were copied from another column.
  struct Origin: Sendable {
    weak var column: TextColumn?
    /// Their places here.
    let places: Range<Int>
    /// The place of the first in the other column.
    let first: Int
  }

  private struct WeakParagraphs {
    weak var paragraphs: (any Paragraphs)?
  }

  init(bytes: [UInt8], ends: [UInt32], origins: [Origin] = []) {
    precondition(bytes.count == Int(ends.last ?? 0), "the last end must close the bytes")
    self.bytes = bytes
    self.ends = ends
    self.origins = origins
    var (start, longest): (UInt32, UInt32) = (0, 0)
    for end in ends {
      longest = max(longest, end - start)
      start = end
    }
    self.longest = Int(longest)
  }

  /// The number of items.
  public var count: Int { ends.count }
  /// The length of all texts, in UTF-8.
  public var byteCount: Int { bytes.count }

  /// Where an item's text lies in the bytes.
  @inline(__always)
  public func place(of index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  /// An item's text in UTF-8; empty if it has none.
  public func text(of index: Int) -> ArraySlice<UInt8> { bytes[place(of: index)] }

  func hasText(_ index: Int) -> Bool { !place(of: index).isEmpty }

  /// Whether any item of a range has the text.
  func hasText(in range: Range<Int>) -> Bool {
    guard let last = range.last else { return false }
    return (range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1]) < ends[last]
  }

  /// Calls `body` with the bytes of all texts, which are valid during the call only.
  public func withBytes<R, E: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    // The closure of the array's own method may throw anything.
    var result: Result<R, E>?
    bytes.withUnsafeBufferPointer { bytes in
      do throws(E) {
        result = .success(try body(bytes))
      } catch {
        result = .failure(error)
      }
    }
    return try result!.get()
  }

  var memoryBytes: Int {
    bytes.count + ends.count * 4 + 160 + origins.count * MemoryLayout<Origin>.stride
  }

  // MARK: Paragraphs

  /// What was made of the texts in a style; `nil` if no layout holds it.
  private func paragraphs(in style: ParagraphStyle) -> (any Paragraphs)? {
    found.withLock { $0[style]?.paragraphs }
  }

  /// The texts, prepared by a setting. What another column's were made to before they were copied
  /// is taken over.
  ///
  /// - Throws: ``LayoutError/refused(_:)``.
  /// - Complexity: O(1) if a layout holds them; else O(*bytes*).
  func paragraphs(by setting: any TextSetting) throws(LayoutError) -> any Paragraphs {
    if let known = paragraphs(in: setting.style) { return known }
    let known = origins.compactMap { origin in
      origin.column?.paragraphs(in: setting.style).map {
        KnownParagraphs(places: origin.places, paragraphs: $0, first: origin.first)
      }
    }
    let made = try setting.paragraphs(of: self, known: known)
    // Somebody else may have made them meanwhile. Then all share the first.
    return found.withLock {
      if let other = $0[setting.style]?.paragraphs { return other }
      $0 = $0.filter { $0.value.paragraphs != nil }
      $0[setting.style] = WeakParagraphs(paragraphs: made)
      return made
    }
  }
}

/// Collects the texts of one name.
struct TextColumnBuilder {
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = []
  private var origins: [TextColumn.Origin] = []

  var count: Int { ends.count }

  /// Adds items without a text up to an index.
  mutating func pad(to index: Int) {
    guard index > ends.count else { return }
    ends += repeatElement(UInt32(bytes.count), count: index - ends.count)
  }

  /// Adds an item; `append` writes its text.
  ///
  /// - Returns: False if the text is too long. Then the item has none.
  mutating func add<E>(_ append: (inout [UInt8]) throws(E) -> Void) throws(E) -> Bool {
    let start = bytes.count
    try append(&bytes)
    let fits = bytes.count - start <= TextColumn.maxBytes
    if !fits { bytes.removeLast(bytes.count - start) }
    ends.append(UInt32(bytes.count))
    return fits
  }

  mutating func add(_ text: ArraySlice<UInt8>) {
    bytes += text
    ends.append(UInt32(bytes.count))
  }

  /// Adds a range of items of another column; `nil`: they have no text.
  mutating func add(_ items: Range<Int>, of column: TextColumn?) {
    guard let column, !items.isEmpty else { return pad(to: ends.count + items.count) }
    addOrigin(items, of: column)
    let start = column.place(of: items.lowerBound).lowerBound
    let end = column.place(of: items.upperBound - 1).upperBound
    let (newStart, oldStart) = (UInt32(bytes.count), UInt32(start))
    bytes += column.bytes[start..<end]
    ends += column.ends[items].lazy.map { $0 - oldStart + newStart }
  }

  private mutating func addOrigin(_ items: Range<Int>, of column: TextColumn) {
    let places = ends.count..<ends.count + items.count
    if let last = origins.last, last.column === column, last.places.upperBound == ends.count,
      last.first + last.places.count == items.lowerBound
    {
      origins.removeLast()
      origins.append(
        TextColumn.Origin(
          column: column, places: last.places.lowerBound..<places.upperBound, first: last.first))
    } else {
      origins.append(
        TextColumn.Origin(column: column, places: places, first: items.lowerBound))
    }
  }

  /// The column of `count` items; `nil` if none has a text.
  mutating func column(count: Int) -> TextColumn? {
    pad(to: count)
    guard !bytes.isEmpty else { return nil }
    return TextColumn(bytes: bytes, ends: ends, origins: origins)
  }
}
