public import CollectionLayout

/// Writes elements as JSON objects, with commas between them.
///
/// This is a hot path: most of the cost of a query is here. The text that elements of a section
/// share is written from prepared bytes. Plain elements of a batch are written through one pointer,
/// after one check for room. Ids may have any length, so such elements are written one by one.
public struct ElementsEncoder: Sendable {
  public var writer: JSONWriter
  private var isFirst = true
  /// The section of the last element of the series that was encoded in a batch; −1 before the
  /// first.
  private var section = -1
  /// Whether the cells of this section may have ids.
  private var hasIDs = false
  private var text = ElementText()
  /// What cells have beside frame and id.
  public var details: CellDetails = []

  /// Continues after the text that `writer` has.
  public init(_ writer: consuming JSONWriter) {
    text.precision = writer.precision
    self.writer = writer
  }

  /// Begins another list after the text that `writer` has. The texts that were prepared for the
  /// last list are used again.
  public mutating func restart(_ writer: consuming JSONWriter) {
    self.writer = writer
    isFirst = true
    details = []
  }

  /// Returns the written bytes. The writer is empty afterwards.
  public mutating func finish() -> [UInt8] {
    defer { writer = JSONWriter(into: []) }
    return writer.bytes
  }

  /// Begins a series. The next elements belong to it.
  public mutating func begin(_ series: ElementSeries) {
    section = -1
    text.begin(series)
  }

  /// The bytes written so far.
  public var count: Int { writer.bytes.count }

  /// Adds elements of the current series; see ``AnswerWriter/write(_:of:upTo:)``.
  public mutating func encode(
    _ elements: Span<PlacedElement>, of layout: any PreparedLayout, upTo byteCount: Int
  ) -> Int {
    var next = 0
    while next < elements.count && (isFirst || count < byteCount) {
      let element = elements[next]
      if element.indexPath.section != section {
        section = element.indexPath.section
        hasIDs = text.series?.category == .cell && layout.hasIDs(inSection: section)
      }
      text.begin(section: section)
      let marksCells = layout.marksCells && text.series?.category == .cell
      if hasIDs || !details.isEmpty || marksCells || element.isLong {
        let path = element.indexPath
        encodeObject(
          element, id: hasIDs ? layout.id(ofItemAt: path) : nil,
          card: card(of: path, in: layout), data: data(of: path, in: layout),
          texts: details.contains(.text) && text.series?.category == .cell
            ? layout.texts(ofItemAt: path) : nil,
          marks: marksCells ? layout.marks(ofItemAt: path) : [], isFirst: isFirst)
        isFirst = false
        next += 1
      } else {
        next += encodePlain(elements.extracting(next...), upTo: byteCount)
      }
    }
    return next
  }

  /// Adds plain elements, up to the end of the first one's section or to an element that is not
  /// plain.
  private mutating func encodePlain(_ elements: Span<PlacedElement>, upTo byteCount: Int) -> Int {
    let section = elements[0].indexPath.section
    var plainCount = 0
    var childrenLength = 0
    repeat {
      childrenLength += text.maxLength(of: elements[plainCount].children)
      plainCount += 1
    } while plainCount < elements.count && elements[plainCount].indexPath.section == section
      && !elements[plainCount].isLong
    let room = byteCount - count
    var added = 0
    var isFirst = isFirst
    self.isFirst = false
    writer.reserve(plainCount * text.maxLength + childrenLength) { start in
      var end = start
      repeat {
        end = text.write(elements[added], isFirst: isFirst, at: end)
        isFirst = false
        if let children = elements[added].children {
          end = text.write(children, at: end)
        }
        end = put(UInt8(ascii: "}"), at: end)
        added += 1
      } while added < plainCount && end - start < room
      return end
    }
    return added
  }

  /// Adds one element with all its members.
  ///
  /// - Parameter ordinal: The number of items before the cell's item.
  /// - Precondition: A series was begun.
  public mutating func encode(
    _ element: LayoutAttributes, ordinal: Int? = nil, card: CardOfItem? = nil
  ) {
    encodeObject(
      PlacedElement(element), id: element.id, ordinal: ordinal, card: card,
      data: details.contains(.data) ? element.data : nil,
      texts: details.contains(.text) ? element.texts : nil, marks: element.marks,
      isFirst: isFirst)
    isFirst = false
  }

  /// The card of an element that is to be written, if it has one.
  private func card(of path: IndexPath, in layout: any PreparedLayout) -> CardOfItem? {
    details.contains(.parts) && text.series?.category == .cell ? layout.card(ofItemAt: path) : nil
  }

  /// The data of an element that is to be written, if it has some.
  private func data(of path: IndexPath, in layout: any PreparedLayout) -> ItemData? {
    details.contains(.data) ? text.series.flatMap { layout.data(of: $0, at: path) } : nil
  }

  /// Writes an element as an object outside a list.
  mutating func encodeObject(_ element: LayoutAttributes) {
    encodeObject(
      PlacedElement(element), id: element.id, data: details.contains(.data) ? element.data : nil,
      texts: details.contains(.text) ? element.texts : nil, marks: element.marks, isFirst: true)
  }

  private mutating func encodeObject(
    _ element: PlacedElement, id: ItemID?, ordinal: Int? = nil, card: CardOfItem? = nil,
    data: ItemData?, texts: ItemTextsOfItem?, marks: CellMarks, isFirst: Bool
  ) {
    text.begin(section: element.indexPath.section)
    writer.reserve(text.maxLength) { text.write(element, isFirst: isFirst, at: $0) }
    if let id {
      writer.write(",\"id\":")
      id.withBytes { writer.write(string: $0) }
    }
    if let ordinal {
      writer.write(",\"ordinal\":")
      writer.write(ordinal)
    }
    if let data {
      writer.write(",\"data\":")
      data.bytes.withUnsafeBufferPointer { writer.write(raw: $0) }
    }
    if let texts = texts?.all, !texts.isEmpty {
      writer.write(",\"text\":")
      writer.object { object in
        for (name, text) in texts { object.write(name, String(decoding: text, as: UTF8.self)) }
      }
    }
    if let card {
      writer.write(",\"parts\":")
      card.parts.write(to: &writer)
    }
    if marks.contains(.estimated) || card?.isEstimated ?? false {
      writer.write(",\"estimated\":true")
    }
    if marks.contains(.cut) { writer.write(",\"cut\":true") }
    if let children = element.children {
      writer.reserve(text.maxLength(of: children)) { text.write(children, at: $0) }
    }
    if let hidden = element.hidden {
      writer.write(",\"folded\":true,\"hidden\":")
      writer.write(hidden)
    }
    if let range = element.pinRange {
      writer.write(",\"pinRange\":[")
      writer.write(coordinate: range.from)
      writer.write(",")
      writer.write(coordinate: range.to)
      writer.write("]")
      if let offset = range.offset {
        writer.write(",\"pinOffset\":")
        writer.write(coordinate: offset)
      }
    }
    writer.write("}")
  }
}

extension PlacedElement {
  /// Whether it needs more room than elements of a batch get.
  @inline(__always)
  fileprivate var isLong: Bool { !isPlain && (pinRange != nil || hidden != nil) }
}
