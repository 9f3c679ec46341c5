public import CollectionLayout

/// Answers to queries in CBOR. The elements are columns, whose lengths are only known at the end;
/// so all is written there.
public struct CBORAnswer: AnswerWriter {
  private var head = AnswerHead(id: [], version: 0, hash: 0, kind: "")
  private var elements = ElementColumns()
  private var buffer: [UInt8] = []

  public init() {}

  public static let tagSuffix = ".cbor"
  public static let precision = CoordinatePrecision.exact

  public static func encoded(json: [UInt8]) -> [UInt8] { CBORText.encoded(json: json) }

  public var byteCount: Int { elements.count }
  public var memoryBytes: Int { elements.memoryBytes }

  public mutating func begin(
    _ head: borrowing AnswerHead, of layout: any PreparedLayout, into buffer: consuming [UInt8]
  ) {
    self.head = copy head
    self.buffer = buffer
    // Here, where nothing else holds the arrays of the last answer, their memory stays.
    elements.removeAll()
    elements.details = head.details
  }

  public mutating func begin(_ series: ElementSeries) { elements.begin(series) }

  public mutating func write(
    _ batch: Span<PlacedElement>, of layout: any PreparedLayout, upTo byteCount: Int
  ) -> Int {
    elements.encode(batch, of: layout, upTo: byteCount)
  }

  public mutating func write(
    _ element: LayoutAttributes, ordinal: Int?, card: CardOfItem?, of layout: any PreparedLayout
  ) {
    elements.encode(element, ordinal: ordinal, card: card)
  }

  public mutating func finish(_ end: borrowing AnswerEnd) -> [UInt8] {
    var bytes: [UInt8] = []
    swap(&bytes, &buffer)
    let summary = head.summary.map { CBORText.encoded(json: $0) }
    let room =
      256 + head.id.count + (summary?.count ?? 0) + elements.columnsRoom
      + (end.next?.utf8.count ?? 0)
      + (end.missing?.reduce(0) { $0 + $1.utf8.count + 3 } ?? 0)
    bytes.appendItems(room) { write(end, summary, at: $0) }
    if let transitions = end.transitions {
      bytes.appendItems(32) { CBORItem.write("transitions", at: $0) }
      bytes += CBORText.encoded(json: transitions)
    }
    return bytes
  }

  /// Writes all but the transitions.
  private func write(
    _ end: borrowing AnswerEnd, _ summary: [UInt8]?, at start: CBORItem.Place
  ) -> CBORItem.Place {
    var count = 4
    for isThere in [
      end.next != nil, head.rect != nil, end.isReset, end.missing != nil, end.transitions != nil,
      summary != nil,
    ]
    where isThere { count += 1 }
    var place = CBORItem.write(.map, count, at: start)
    // By the bytes of the keys: the shorter first, of equal ones by the alphabet.
    place = CBORItem.write("id", at: place)
    place = head.id.withUnsafeBufferPointer { CBORItem.write($0, at: place) }
    if let next = end.next {
      place = CBORItem.write("next", at: place)
      place = CBORItem.write(text: next, at: place)
    }
    if let rect = head.rect {
      place = CBORItem.write("rect", at: place)
      place = CBORItem.write(rect, at: place)
    }
    if end.isReset {
      place = CBORItem.write("reset", at: place)
      place = CBORItem.write(CBORItem.yes, at: place)
    }
    if let missing = end.missing {
      place = CBORItem.write("missing", at: place)
      place = CBORItem.write(.array, missing.count, at: place)
      for id in missing { place = CBORItem.write(text: id, at: place) }
    }
    if let summary {
      place = CBORItem.write("summary", at: place)
      place.update(from: summary, count: summary.count)
      place += summary.count
    }
    place = CBORItem.write("version", at: place)
    place = CBORItem.write(head.version, at: place)
    place = CBORItem.write("elements", at: place)
    place = elements.writeColumns(at: place)
    place = CBORItem.write("versionTag", at: place)
    return CBORItem.write(text: VersionTagText.text(head.version, head.hash), at: place)
  }
}
