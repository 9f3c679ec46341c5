/// The sizes along the scroll direction that were measured for some items of a section.
///
/// They belong to the layout in which they were measured. The items are the collection's, and all
/// its layouts share what is stored of them; so the sizes lie beside, in a rope of pieces that each
/// cover a range of items. Items without a size need nothing. Versions share all pieces in which
/// nothing changed.
struct MeasuredSizes: Sendable {
  /// What was measured of an item.
  struct Entry: Equatable, Sendable {
    var item: Int
    /// In points, ≥ 0, as it was given.
    var size: Double
    /// The width of the cell when it was measured, across the scroll direction; NaN for the width
    /// that the cell has when it is laid out next.
    var width: Double

    func isEqual(to other: Entry) -> Bool {
      size == other.size && (width == other.width || width.isNaN && other.width.isNaN)
    }

    func moved(by distance: Int) -> Entry {
      Entry(item: item + distance, size: size, width: width)
    }
  }

  typealias Rope = PieceRope<MeasuredPiece>

  /// Of the items up to the last one that was measured, or beyond it.
  let rope: Rope
  /// Whether the widths of some cells may still be to be found.
  let hasUnknownWidths: Bool

  private static let none = Rope()

  init() { self.init(Self.none, hasUnknownWidths: false) }

  /// - Parameter entries: In ascending order of items, each once.
  init(_ entries: [Entry]) {
    var builder = MeasuredSizesBuilder()
    builder.append(entries, at: 0)
    self = builder.finish()
  }

  init(_ rope: Rope, hasUnknownWidths: Bool) {
    // Where nothing is measured there is nothing to cover.
    self.rope = rope.length == 0 ? Self.none : rope
    self.hasUnknownWidths = hasUnknownWidths
  }

  var isEmpty: Bool { rope.isEmpty }
  var count: Int { Int(rope.length) }
  var memoryBytes: Int { isEmpty ? 0 : rope.memoryBytes }

  /// Bytes held that other sizes do not hold.
  func memoryBytes(besides other: MeasuredSizes) -> Int {
    isEmpty || isSame(as: other) ? 0 : rope.memoryBytes(besides: other.rope)
  }

  /// What was measured of an item; `nil` if nothing was.
  ///
  /// - Complexity: O(log *m*) for *m* sizes.
  subscript(item: Int) -> Entry? {
    guard item < rope.count else { return nil }
    let (piece, items) = rope.piece(of: item)
    return piece.entries(in: item - items.lowerBound..<item - items.lowerBound + 1).first?
      .moved(by: items.lowerBound)
  }

  /// All entries, in ascending order of items.
  ///
  /// - Complexity: O(*m*) for *m* sizes.
  var entries: [Entry] { entries(in: 0..<rope.count) }

  /// The entries of a range of items.
  ///
  /// - Complexity: O(log *m* + *e*) for *e* of *m* sizes.
  func entries(in range: Range<Int>) -> [Entry] {
    var entries: [Entry] = []
    forEachEntry(in: range) { entries.append($0) }
    return entries
  }

  /// Calls `body` with the entries of a range of items, in ascending order.
  func forEachEntry(in range: Range<Int>, _ body: (Entry) -> Void) {
    let range = range.clamped(to: 0..<rope.count)
    guard !range.isEmpty else { return }
    var next: Rope.Position? = rope.position(of: range.lowerBound)
    while let position = next {
      let first = rope.first(of: position)
      guard first < range.upperBound else { return }
      let piece = rope.piece(at: position)
      for entry in piece.entries(in: range.lowerBound - first..<range.upperBound - first) {
        body(entry.moved(by: first))
      }
      next = rope.position(after: position)
    }
  }

  /// The sizes of a range of items, which begins with item 0 of the result.
  func slice(_ range: Range<Int>) -> MeasuredSizes {
    guard range.lowerBound > 0 || range.upperBound < rope.count else { return self }
    var builder = MeasuredSizesBuilder()
    builder.append(range, of: self)
    return builder.finish()
  }

  /// Adds the sizes of items behind all others.
  ///
  /// - Parameter first: The item that is the first of the others.
  mutating func append(_ others: [Entry], at first: Int) {
    guard !others.isEmpty else { return }
    var builder = MeasuredSizesBuilder()
    builder.append(0..<rope.count, of: self)
    builder.append(others, at: first)
    self = builder.finish()
  }

  /// Replaces the sizes of a range of items with those of other items.
  ///
  /// - Complexity: O(√*m*) for *m* sizes, most of which lie in pieces that stay.
  mutating func replaceSubrange(
    _ range: Range<Int>, with others: MeasuredSizes, count otherCount: Int
  ) {
    guard !isEmpty || !others.isEmpty else { return }
    var builder = MeasuredSizesBuilder()
    builder.append(0..<range.lowerBound, of: self)
    builder.append(0..<otherCount, of: others)
    if range.upperBound < rope.count { builder.append(range.upperBound..<rope.count, of: self) }
    self = builder.finish()
  }

  /// Sets and removes the sizes of some items.
  ///
  /// - Parameter changes: In ascending order of items, each once; `nil` removes a size.
  /// - Complexity: O(√*m* + *p*) for *m* sizes and *p* pieces with changes.
  mutating func apply(_ changes: [(item: Int, entry: Entry?)]) {
    guard !changes.isEmpty else { return }
    var builder = MeasuredSizesBuilder()
    var item = 0
    var rest = changes[...]
    while let first = rest.first {
      // Behind the rope are items of which nothing is measured.
      guard first.item < rope.count else {
        if item < rope.count { builder.append(item..<rope.count, of: self) }
        builder.append(rest.compactMap(\.entry), at: 0)
        self = builder.finish()
        return
      }
      let (piece, items) = rope.piece(of: first.item)
      let inPiece = rest.prefix { $0.item < items.upperBound }
      rest = rest.dropFirst(inPiece.count)
      builder.append(item..<items.lowerBound, of: self)
      builder.append(
        piece.entries(in: 0..<items.count).map { $0.moved(by: items.lowerBound) }.merging(inPiece),
        at: 0)
      builder.skip(to: items.upperBound)
      item = items.upperBound
    }
    if item < rope.count { builder.append(item..<rope.count, of: self) }
    self = builder.finish()
  }

  // MARK: Widths

  /// Sets the widths that are still to be found.
  ///
  /// - Parameter width: The width of an item's cell.
  /// - Complexity: O(*p* + *d*) for *p* pieces and *d* sizes in pieces without all widths.
  func resolved(_ width: (Int) -> Double) -> MeasuredSizes {
    var builder = MeasuredSizesBuilder()
    var item = 0
    var next = isEmpty ? nil : Rope.Position(node: 0, place: 0)
    while let position = next {
      next = rope.position(after: position)
      let piece = rope.piece(at: position)
      guard piece.hasUnknownWidths else { continue }
      let first = rope.first(of: position)
      builder.append(item..<first, of: self)
      item = first + piece.count
      builder.append(
        entries(in: first..<item).map { entry in
          guard entry.width.isNaN else { return entry }
          return Entry(item: entry.item, size: entry.size, width: width(entry.item))
        }, at: 0)
      builder.skip(to: item)
    }
    builder.append(item..<rope.count, of: self)
    return MeasuredSizes(builder.finish().rope, hasUnknownWidths: false)
  }

  // MARK: Comparison

  /// Whether both certainly are one. It is quick, and may be false for equal ones.
  func isSame(as other: MeasuredSizes) -> Bool { rope.isSame(as: other.rope) }

  /// Whether the same was measured of the items of a range.
  func isEqual(to other: MeasuredSizes, in range: Range<Int>) -> Bool {
    isSame(as: other)
      || entries(in: range).elementsEqual(other.entries(in: range)) {
        $0.item == $1.item && $0.isEqual(to: $1)
      }
  }

  /// The items of which something else was measured, with what it is; `nil` for nothing any more.
  ///
  /// - Complexity: O(*g* + *d*) for *g* groups of pieces, and *d* sizes in pieces that differ.
  func changes(from earlier: MeasuredSizes) -> [(item: Int, entry: Entry?)] {
    var changes: [(item: Int, entry: Entry?)] = []
    rope.forEachDifference(from: earlier.rope) { range in
      var (old, new) = (earlier.entries(in: range)[...], entries(in: range)[...])
      while !old.isEmpty || !new.isEmpty {
        let item = min(old.first?.item ?? .max, new.first?.item ?? .max)
        let before = old.first?.item == item ? old.removeFirst() : nil
        let after = new.first?.item == item ? new.removeFirst() : nil
        if let before, let after, before.isEqual(to: after) { continue }
        changes.append((item, after))
      }
    }
    return changes
  }
}

extension [MeasuredSizes.Entry] {
  /// The entries after changes, both in ascending order of items.
  fileprivate func merging(
    _ changes: ArraySlice<(item: Int, entry: MeasuredSizes.Entry?)>
  ) -> [MeasuredSizes.Entry] {
    var merged: [MeasuredSizes.Entry] = []
    merged.reserveCapacity(count + changes.count)
    var place = 0
    for change in changes {
      while place < count, self[place].item < change.item {
        merged.append(self[place])
        place += 1
      }
      if place < count, self[place].item == change.item { place += 1 }
      if let entry = change.entry { merged.append(entry) }
    }
    merged += self[place...]
    return merged
  }
}

extension Items {
  /// Keeps what was measured of items that these replace, where their sizes, ratios and texts stay.
  /// What was measured of these themselves stays.
  ///
  /// - Parameters:
  ///   - range: The replaced items of `old`, as many as these.
  ///   - mayResize: Whether any size, ratio or text may be another.
  /// - Returns: The items whose size, ratio or text is another, in ascending order.
  mutating func keepMeasured(
    replacing range: Range<Int>, of old: Items, mayResize: Bool = true
  ) -> [Int] {
    let resized =
      mayResize ? itemsOfOtherSize(than: old, from: range.lowerBound, count: range.count) : []
    let kept = old.measured.slice(range)
    guard !kept.isEmpty else { return resized }
    var measured = kept
    measured.apply(resized.map { (item: $0, entry: nil) })
    measured.apply(self.measured.entries.map { (item: $0.item, entry: $0) })
    self.measured = measured
    return resized
  }
}
