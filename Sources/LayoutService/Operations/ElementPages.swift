import CollectionLayout
import LayoutSessions
import MicroHTTP
import System
import WireFormat

/// How the elements of an answer are written, a page at a time.
extension LayoutService {
  /// The part of an answer that is written.
  struct Page: Sendable {
    let version: VersionTag
    let news: News
    /// The answer. In a format of columns, it is only written at the end.
    var bytes: [UInt8] = []
    /// The elements, in a format of columns.
    var columns: ElementColumns?
    var elementCount = 0
    /// Where and why the page stops.
    var end: QueryEnd

    init(of version: VersionTag, from start: ElementPosition, _ news: News) {
      self.version = version
      self.news = news
      end = .budgetSpent(start)
    }

    /// The approximate size, with the transitions.
    var byteCount: Int { (columns?.count ?? bytes.count) + transitionBytes }

    /// The memory that the page takes until it goes on, in bytes.
    var heldBytes: Int { (columns?.memoryBytes ?? bytes.count) + transitionBytes }

    var transitions: [UInt8]? { if case .transitions(let text) = news { text } else { nil } }

    var transitionBytes: Int { transitions?.count ?? 0 }

    var isReset: Bool { if case .reset = news { true } else { false } }

    /// The parameters that the page has answered, and that the next ones do not have.
    var settledParameters: [String] {
      isReset ? ["transitions", "since", "known"] : ["transitions", "since"]
    }
  }

  /// Whether a page has all elements, or as many as were requested or are allowed.
  func isOver(_ page: borrowing Page, _ query: ElementsParameters) -> Bool {
    switch page.end {
    case .complete: true
    case .limitReached:
      page.elementCount >= query.limit || page.byteCount >= limits.maxResponseBytes
    case .budgetSpent: false
    }
  }

  /// Continues a page where it stopped.
  ///
  /// - Parameter byteCount: The approximate size of the page at which to stop, in bytes.
  func extend(
    _ page: inout Page, _ parameters: ElementsParameters, of version: LayoutVersion,
    in format: AnswerFormat, visiting budget: Int, upTo byteCount: Int
  ) {
    switch page.end {
    case .complete: return
    case .limitReached(let start), .budgetSpent(let start):
      let byteCount = byteCount - page.transitionBytes
      Self.encoding {
        if format == .cbor {
          var columns = page.columns.take() ?? $0.takeColumns()
          columns.wantsParts = parameters.wantsParts
          search(
            &page, parameters, of: version, from: start, visiting: budget, upTo: byteCount,
            with: &columns)
          page.columns = columns
        } else {
          begin(&page, parameters, of: version, with: &$0.encoder)
          $0.encoder.wantsParts = parameters.wantsParts
          search(
            &page, parameters, of: version, from: start, visiting: budget, upTo: byteCount,
            with: &$0.encoder)
          page.bytes = $0.encoder.finish()
        }
      }
    }
  }

  /// Begins the text of a page, or continues it.
  private func begin(
    _ page: inout Page, _ parameters: ElementsParameters, of version: LayoutVersion,
    with encoder: inout ElementsEncoder
  ) {
    if page.bytes.isEmpty {
      var writer = JSONWriter(into: AnswerBuffer.take(capacity: Self.usualBytes))
      writer.writeElementsHead(
        id: version.idText, version: version.number, hash: version.tag.hash, parameters.rect)
      encoder.restart(consume writer)
    } else {
      var bytes: [UInt8] = []
      swap(&bytes, &page.bytes)
      encoder.restart(JSONWriter(into: bytes), isFirst: page.elementCount == 0)
    }
  }

  /// Room for about fifty elements.
  private static let usualBytes = 16 << 10

  private func search(
    _ page: inout Page, _ parameters: ElementsParameters, of version: LayoutVersion,
    from start: ElementPosition, visiting budget: Int, upTo byteCount: Int,
    with encoder: inout some ElementListEncoder
  ) {
    let query = ElementQuery(
      rect: parameters.rect,
      known: page.isReset ? nil : parameters.known,
      categories: parameters.categories,
      limit: parameters.limit - page.elementCount, start: start)
    let layout = version.collection.prepared
    var elementCount = page.elementCount
    page.end = query.forEachBatch(
      of: layout, visiting: budget, begin: { encoder.begin($0) },
      {
        let count = encoder.encode($0, of: layout, upTo: byteCount)
        elementCount += count
        return count
      })
    page.elementCount = elementCount
  }

  /// Ends a page, with a link to the next one if there is one.
  func finish(
    _ page: inout Page, _ parameters: ElementsParameters, of version: LayoutVersion,
    _ target: RequestTarget
  ) {
    // Only the first page has it. The next pages add to the first one.
    let saysReset = parameters.cursor == nil && page.isReset
    // By the time of the next page the earlier version may be gone.
    let settled = parameters.wantsTransitions ? page.settledParameters : []
    let next: String? =
      switch page.end {
      case .complete: nil
      case .budgetSpent(let position), .limitReached(let position):
        nextLink(to: position, of: version, after: target, without: settled)
      }
    if let columns = page.columns.take() {
      var frame = parameters.frame(of: version)
      frame.isReset = saysReset
      frame.next = next
      frame.transitions = page.transitions
      page.bytes = columns.encoded(in: frame, into: AnswerBuffer.take(capacity: Self.usualBytes))
      Self.encoding { $0.giveBack(columns) }
    } else {
      var bytes: [UInt8] = []
      swap(&bytes, &page.bytes)
      var writer = JSONWriter(into: bytes)
      bytes = []
      writer.writeElementsEnd(isReset: saysReset)
      if let transitions = page.transitions { writer.writeMember(transitions: transitions) }
      if let next { writer.writeMember(next: next) }
      writer.writeEnd()
      page.bytes = writer.bytes
    }
  }

  private final class Encoding {
    // Only its own thread uses these, for one query at a time.
    @exclusivity(unchecked) var encoder = ElementsEncoder(JSONWriter(capacity: 0))
    @exclusivity(unchecked) private var columns = ElementColumns()
    /// The most memory that is kept for the columns of the next query, in bytes.
    private static let keptBytes = 64 << 10

    /// Empty columns, with the memory of an earlier query.
    func takeColumns() -> ElementColumns {
      var taken = ElementColumns()
      swap(&taken, &columns)
      // Here, where nothing else holds the arrays any more, their memory stays.
      taken.removeAll()
      return taken
    }

    func giveBack(_ used: ElementColumns) {
      if used.memoryBytes <= Self.keptBytes { columns = used }
    }
  }

  /// An encoder for each thread. It still has most of the texts that a layout's elements share from
  /// the query before.
  private static let encoding = PerThread { Encoding() }

  /// The target of a request for the rest of a list, from a position on: that of this request with
  /// another cursor.
  ///
  /// - Parameter settled: The names of parameters that it has no more.
  func nextLink(
    to position: ElementPosition, of version: LayoutVersion, after target: RequestTarget,
    without settled: [String] = []
  ) -> String {
    let cursor = Cursor(version: version.tag, position: position)
    let parameters = (target.query ?? []).split(separator: UInt8(ascii: "&")).filter {
      let name = $0.prefix { $0 != UInt8(ascii: "=") }
      let plainName = PercentCoding.decode(name.span) ?? []
      return !(settled + ["cursor"]).contains { plainName.elementsEqual($0.utf8) }
    }
    let query = parameters.map { String(decoding: $0, as: UTF8.self) + "&" }.joined()
    return String(decoding: target.fullPath, as: UTF8.self) + "?" + query + "cursor=" + cursor.text
  }
}
