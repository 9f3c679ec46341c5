import CollectionLayout

/// Writes elements as columns in CBOR: typed arrays (RFC 8746) of frames and index paths, and runs
/// of what neighbors share.
///
///     elements   cell [0, 7] (0, 40, 50, 20)    cell [0, 8] (55, 40, 50, 20)
///     columns    x: 0, 55   y: 40, 40   …   item: 7, 8   category: 2 × "cell"
///
/// This is a hot path. A batch of elements is copied as it is. The columns are written when their
/// length is known, in one pass over the elements.
struct ElementColumns: Sendable {
  private var elements: [PlacedElement] = []
  private var runs: [Run] = []
  private var series: ElementSeries?
  /// Whether the last run is of the current series.
  private var isInRun = false
  /// The section of the last element of the series; −1 before the first.
  private var section = -1
  /// Whether the cells of this section may have ids.
  private var hasIDs = false
  private var ids = SparseColumn()
  /// Of each element, or of none.
  private var ordinals: [Int] = []
  /// What cells have beside frame and id.
  var details: CellDetails = []
  private var data = SparseColumn()
  private var texts = SparseColumn()
  /// The parts of cards as JSON text.
  private var parts = SparseColumn()
  /// The elements whose height or card is estimated.
  private var estimated: [Int] = []
  /// Those that are lower than their cards.
  private var cut: [Int] = []

  private struct Run: Sendable {
    let series: ElementSeries
    var count: Int
  }

  init() {}

  /// About how many bytes the list has.
  var count: Int {
    elements.count * Self.elementBytes + ids.byteCount + parts.byteCount + data.byteCount
      + texts.byteCount + ordinals.count * MemoryLayout<Int>.size
  }

  /// The bytes of an element without an id: its frame and its index path.
  private static let elementBytes = 4 * 8 + 2 * 4

  /// The bytes of memory of the list.
  var memoryBytes: Int {
    elements.capacity * MemoryLayout<PlacedElement>.stride + ids.memoryBytes + parts.memoryBytes
      + data.memoryBytes + texts.memoryBytes
  }

  /// Empties the list and keeps its memory.
  mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    ids.removeAll()
    ordinals.removeAll(keepingCapacity: true)
    parts.removeAll()
    estimated.removeAll(keepingCapacity: true)
    cut.removeAll(keepingCapacity: true)
    series = nil
    data.removeAll()
    texts.removeAll()
    details = []
  }

  mutating func begin(_ series: ElementSeries) {
    isInRun = runs.last?.series == series
    self.series = series
    section = -1
  }

  mutating func encode(
    _ elements: Span<PlacedElement>, of layout: any PreparedLayout, upTo byteCount: Int
  ) -> Int {
    var next = 0
    while next < elements.count && (self.elements.isEmpty || count < byteCount) {
      let section = elements[next].indexPath.section
      if section != self.section {
        self.section = section
        hasIDs = series?.category == .cell && layout.hasIDs(inSection: section)
      }
      let start = next
      let isCell = series?.category == .cell
      let marksCells = isCell && layout.marksCells
      if hasIDs || !details.isEmpty || marksCells {
        let path = elements[next].indexPath
        if hasIDs, let id = layout.id(ofItemAt: path) { append(id, of: self.elements.count) }
        if details.contains(.data), let series, let data = layout.data(of: series, at: path) {
          append(data, of: self.elements.count)
        }
        if details.contains(.text), isCell { append(layout.texts(ofItemAt: path)) }
        if details.contains(.parts), isCell, let card = layout.card(ofItemAt: path) {
          append(card, of: self.elements.count)
        }
        if marksCells { append(layout.marks(ofItemAt: path), of: self.elements.count) }
        next += 1
      } else {
        let room = (byteCount - count + Self.elementBytes - 1) / Self.elementBytes
        let end = min(elements.count, next + max(1, room))
        repeat { next += 1 } while next < end && elements[next].indexPath.section == section
      }
      elements.extracting(start..<next).withUnsafeBufferPointer {
        self.elements.append(contentsOf: $0)
      }
      extendRun(by: next - start)
    }
    return next
  }

  /// Adds one element with all its members.
  ///
  /// - Parameter ordinal: The number of items before the cell's item. All elements of a list have
  ///   one, or none.
  /// - Precondition: A series was begun.
  mutating func encode(
    _ element: LayoutAttributes, ordinal: Int?, card: CardOfItem? = nil
  ) {
    if let card { append(card, of: elements.count) }
    if details.contains(.data), let data = element.data { append(data, of: elements.count) }
    if details.contains(.text) { append(element.texts) }
    append(element.marks, of: elements.count)
    if let id = element.id { append(id, of: elements.count) }
    if let ordinal { ordinals.append(ordinal) }
    elements.append(PlacedElement(element))
    precondition(ordinals.isEmpty || ordinals.count == elements.count, "some have no ordinal")
    extendRun(by: 1)
  }

  private mutating func extendRun(by count: Int) {
    if isInRun {
      runs[runs.count - 1].count += count
    } else {
      guard let series else { preconditionFailure("elements of no series") }
      runs.append(Run(series: series, count: count))
      isInRun = true
    }
  }

  private mutating func append(_ id: ItemID, of element: Int) {
    id.withBytes { ids.append($0, of: element) }
  }

  private mutating func append(_ data: ItemData, of element: Int) {
    data.bytes.withUnsafeBufferPointer { self.data.append($0, as: .bytes, of: element) }
  }

  /// Adds the texts of the next element, as a map in the order of CBOR.
  private mutating func append(_ given: ItemTextsOfItem?) {
    guard var all = given?.all, !all.isEmpty else { return }
    // Stable, so those of one length stay in the order of their bytes.
    all.sort { $0.name.utf8.count < $1.name.utf8.count }
    var map: [UInt8] = []
    map.appendItems(CBORItem.maxHeadLength) { CBORItem.write(.map, all.count, at: $0) }
    for part in all.flatMap({ [Array($0.name.utf8)[...], $0.text] }) {
      part.withUnsafeBufferPointer { part in
        map.appendItems(CBORItem.maxHeadLength + part.count) { CBORItem.write(part, at: $0) }
      }
    }
    map.withUnsafeBufferPointer { texts.append($0, as: nil, of: elements.count) }
  }

  private mutating func append(_ card: CardOfItem, of element: Int) {
    var writer = JSONWriter(capacity: 256)
    card.parts.write(to: &writer)
    writer.bytes.withUnsafeBufferPointer { parts.append($0, of: element) }
    if card.isEstimated { estimated.append(element) }
  }

  private mutating func append(_ marks: CellMarks, of element: Int) {
    if marks.contains(.estimated), estimated.last != element { estimated.append(element) }
    if marks.contains(.cut) { cut.append(element) }
  }

  // MARK: The columns

  /// At least the room that the columns need, in bytes.
  var columnsRoom: Int {
    let kinds = runs.reduce(0) { $0 + ($1.series.kind?.utf8.count ?? 0) }
    // Numbers of 64 bits for frame, index path and ordinal, and children or a pin range of each.
    return 768 + elements.count * (7 * 8 + 5 * 8) + ids.room(for: elements.count) + runs.count * 64
      + kinds + parts.room(for: elements.count) + data.room(for: elements.count)
      + texts.room(for: elements.count) + (estimated.count + cut.count) * 8
  }

  /// Writes the map of columns. The columns of frames and index paths are filled at the end, in one
  /// pass over the elements.
  func writeColumns(at start: CBORItem.Place) -> CBORItem.Place {
    let count = elements.count
    var (anyItem, anySection, parentCount, pinCount, foldCount) = (0, 0, 0, 0, 0)
    for element in elements {
      anyItem |= element.indexPath.item
      anySection |= element.indexPath.section
      if !element.isPlain {
        if element.children != nil { parentCount += 1 }
        if element.pinRange != nil { pinCount += 1 }
        if element.hidden != nil { foldCount += 1 }
      }
    }
    let hasKinds = runs.contains { $0.series.kind != nil }
    var columnCount = 8
    for isThere in [
      !ids.isEmpty, hasKinds, !ordinals.isEmpty, parentCount > 0, pinCount > 0, !parts.isEmpty,
      !estimated.isEmpty, !cut.isEmpty, !data.isEmpty, !texts.isEmpty, foldCount > 0,
    ]
    where isThere { columnCount += 1 }

    var end = CBORItem.write(.map, columnCount, at: start)
    let x = TypedArray.float64.write("x", count, at: &end)
    let y = TypedArray.float64.write("y", count, at: &end)
    if !ids.isEmpty { end = ids.write("id", for: count, at: end) }
    if !cut.isEmpty { end = writeIntegers("cut", cut, at: end) }
    if !data.isEmpty { end = data.write("data", for: count, at: end) }
    let itemForm = TypedArray.integers(upTo: anyItem)
    let item = itemForm.write("item", count, at: &end)
    if hasKinds {
      end = writeRuns("kind", of: \.kind, at: end) { kind, place in
        guard let kind else { return CBORItem.write(CBORItem.null, at: place) }
        return CBORItem.write(text: kind, at: place)
      }
    }
    if !texts.isEmpty { end = texts.write("text", for: count, at: end) }
    if !parts.isEmpty { end = parts.write("parts", for: count, at: end) }
    let width = TypedArray.float64.write("width", count, at: &end)
    if foldCount > 0 { end = writeFolds(at: end) }
    let height = TypedArray.float64.write("height", count, at: &end)
    end = writeRuns("zIndex", of: \.category.zIndex, at: end) { CBORItem.write($0, at: $1) }
    if !ordinals.isEmpty { end = writeIntegers("ordinal", ordinals, at: end) }
    let sectionForm = TypedArray.integers(upTo: anySection)
    let section = sectionForm.write("section", count, at: &end)
    end = writeRuns("category", of: \.category.rawValue, at: end) {
      CBORItem.write(text: $0, at: $1)
    }
    if parentCount > 0 { end = writeChildren(at: end) }
    if pinCount > 0 { end = writePinRanges(at: end) }
    if !estimated.isEmpty { end = writeIntegers("estimated", estimated, at: end) }

    let isNarrow = itemForm == .uint32 && sectionForm == .uint32
    for (index, element) in elements.enumerated() {
      let frame = element.frame
      TypedArray.put(frame.origin.x, index, at: x)
      TypedArray.put(frame.origin.y, index, at: y)
      TypedArray.put(frame.size.width, index, at: width)
      TypedArray.put(frame.size.height, index, at: height)
      if isNarrow {
        TypedArray.put(UInt32(truncatingIfNeeded: element.indexPath.item), index, at: item)
        TypedArray.put(UInt32(truncatingIfNeeded: element.indexPath.section), index, at: section)
      } else {
        itemForm.put(element.indexPath.item, index, at: item)
        sectionForm.put(element.indexPath.section, index, at: section)
      }
    }
    return end
  }

  /// Writes pairs of a number of elements and the value that they share.
  private func writeRuns<Value: Equatable>(
    _ name: StaticString, of value: (ElementSeries) -> Value, at start: CBORItem.Place,
    _ write: (Value, CBORItem.Place) -> CBORItem.Place
  ) -> CBORItem.Place {
    func isFirst(_ index: Int) -> Bool {
      index == 0 || value(runs[index - 1].series) != value(runs[index].series)
    }
    var end = CBORItem.write(name, at: start)
    end = CBORItem.write(.array, runs.indices.count(where: isFirst), at: end)
    var next = 0
    while next < runs.count {
      let first = next
      var count = 0
      repeat {
        count += runs[next].count
        next += 1
      } while next < runs.count && !isFirst(next)
      end = CBORItem.write(.array, 2, at: end)
      end = CBORItem.write(count, at: end)
      end = write(value(runs[first].series), end)
    }
    return end
  }

  private func writeIntegers(
    _ name: StaticString, _ numbers: [Int], at start: CBORItem.Place
  ) -> CBORItem.Place {
    var end = start
    let form = TypedArray.integers(upTo: numbers.reduce(0, |))
    let place = form.write(name, numbers.count, at: &end)
    for (index, number) in numbers.enumerated() { form.put(number, index, at: place) }
    return end
  }

  /// Writes which elements have children, and which index paths these have: items that follow one
  /// another in one section.
  private func writeChildren(at start: CBORItem.Place) -> CBORItem.Place {
    let parents = elements.enumerated().compactMap { index, element in
      element.children.map { (index, $0) }
    }
    var end = CBORItem.write("children", at: start)
    end = CBORItem.write(.map, 4, at: end)
    end = writeIntegers("item", parents.map { $0.1.items.lowerBound }, at: end)
    end = writeIntegers("count", parents.map { $0.1.items.count }, at: end)
    end = writeIntegers("element", parents.map { $0.0 }, at: end)
    return writeIntegers("section", parents.map { $0.1.section }, at: end)
  }

  /// Writes which elements are pinned, and their ranges.
  private func writePinRanges(at start: CBORItem.Place) -> CBORItem.Place {
    let pinned = elements.enumerated().compactMap { index, element in
      element.pinRange.map { (index, $0) }
    }
    let offsets = pinned.compactMap { $0.1.offset }
    var end = CBORItem.write("pinRange", at: start)
    end = CBORItem.write(.map, offsets.isEmpty ? 3 : 4, at: end)
    let to = TypedArray.float64.write("to", pinned.count, at: &end)
    let from = TypedArray.float64.write("from", pinned.count, at: &end)
    for (index, (_, range)) in pinned.enumerated() {
      TypedArray.put(range.to, index, at: to)
      TypedArray.put(range.from, index, at: from)
    }
    if !offsets.isEmpty {
      let offset = TypedArray.float64.write("offset", pinned.count, at: &end)
      for (index, (_, range)) in pinned.enumerated() {
        TypedArray.put(range.offset ?? 0, index, at: offset)
      }
    }
    return writeIntegers("element", pinned.map { $0.0 }, at: end)
  }

  /// Writes which elements are folded, and how much they hide.
  private func writeFolds(at start: CBORItem.Place) -> CBORItem.Place {
    let folded = elements.enumerated().compactMap { index, element in
      element.hidden.map { (index, $0) }
    }
    var end = CBORItem.write("folded", at: start)
    end = CBORItem.write(.map, 2, at: end)
    end = writeIntegers("hidden", folded.map { $0.1 }, at: end)
    return writeIntegers("element", folded.map { $0.0 }, at: end)
  }
}
