import CollectionLayout
import LayoutSessions
import MicroHTTP
import System
import WireFormat

/// An answer to a query in any format, which is written a piece at a time: some of it at once, and
/// the rest by a worker if there is much.
struct AnswerPage: Sendable {
  let version: VersionTag
  private let query: ElementQuery
  private let format: AnswerFormat
  private var writer: any AnswerWriter
  /// The bytes that are to be added behind the elements, and count with them.
  private let bytesBehind: Int
  private var elementCount = 0
  /// Where and why the page stops.
  private(set) var end: QueryEnd

  /// Begins the answer of a version to a query.
  ///
  /// - Parameters:
  ///   - rect: The rect of the query, as the answer tells it.
  ///   - isAnchored: Whether that was computed from an anchor.
  init(
    _ query: ElementQuery, of version: LayoutVersion, in format: AnswerFormat, rect: Rect,
    isAnchored: Bool = false, details: CellDetails = [], hasSummary: Bool = false,
    bytesBehind: Int = 0
  ) {
    self.version = version.tag
    self.query = query
    self.format = format
    self.bytesBehind = bytesBehind
    end = .budgetSpent(query.start)
    writer = AnswerWriters.take(format)
    var head = AnswerHead(version, rect: rect, limit: query.limit)
    head.isAnchored = isAnchored
    head.details = details
    if hasSummary {
      head.summary = Summary(version).encoded(precision: format.writer.precision)
    }
    writer.begin(
      head, of: version.collection.prepared,
      into: AnswerBuffer.take(capacity: Self.usualBytes))
  }

  /// Room for about fifty elements.
  private static let usualBytes = 16 << 10

  /// About how many bytes the answer has so far.
  private var byteCount: Int { writer.byteCount + bytesBehind }

  /// The memory that the page takes until it goes on, in bytes.
  var heldBytes: Int { writer.memoryBytes + bytesBehind }

  /// Whether no elements are found yet, because there is so much before the first one.
  var isAtStart: Bool { end == .budgetSpent(query.start) }

  /// Whether the page has all elements, or as many as were requested or are allowed.
  ///
  /// - Parameter maxBytes: The approximate size of the largest answer.
  func isOver(maxBytes: Int) -> Bool {
    switch end {
    case .complete: true
    case .limitReached: elementCount >= query.limit || byteCount >= maxBytes
    case .budgetSpent: false
    }
  }

  /// Continues the page where it stopped.
  ///
  /// - Parameters:
  ///   - version: The version of the page.
  ///   - budget: The largest number of elements to visit.
  ///   - byteCount: The approximate size at which to stop, in bytes.
  mutating func extend(with version: LayoutVersion, visiting budget: Int, upTo byteCount: Int) {
    var rest = query
    switch end {
    case .complete: return
    case .limitReached(let start), .budgetSpent(let start): rest.start = start
    }
    rest.limit -= elementCount
    let layout = version.collection.prepared
    let elementBytes = byteCount - bytesBehind
    var count = 0
    end = rest.forEachBatch(
      of: layout, visiting: budget, begin: { writer.begin($0) },
      {
        let added = writer.write($0, of: layout, upTo: elementBytes)
        count += added
        return added
      })
    elementCount += count
  }

  /// Ends the page.
  ///
  /// - Parameter next: The link to the page that begins at a position.
  /// - Returns: The answer. The page must not be used afterwards.
  mutating func finish(
    _ answerEnd: AnswerEnd = AnswerEnd(), next: (ElementPosition) -> String? = { _ in nil }
  ) -> [UInt8] {
    var answerEnd = answerEnd
    switch end {
    case .complete: break
    case .budgetSpent(let position), .limitReached(let position):
      answerEnd.isComplete = false
      answerEnd.next = next(position)
    }
    defer { AnswerWriters.giveBack(writer, format) }
    return writer.finish(answerEnd)
  }
}

extension Summary {
  /// What a summary says of a version that stays so.
  init(_ version: LayoutVersion) {
    self.init(
      id: version.id.description, version: version.number, hash: version.tag.hash,
      collection: version.collection, createdAt: version.createdUnixTime)
    name = version.name
    (isReadOnly, hidesArrangement) = (version.access.isReadOnly, version.access.isBound)
  }
}

extension AnswerHead {
  init(_ version: LayoutVersion, rect: Rect?, limit: Int = .max) {
    self.init(
      id: version.idText, version: version.number, hash: version.tag.hash,
      kind: version.collection.kind, rect: rect, limit: limit)
  }
}

/// The writers of each thread. They still have memory, and most of the texts that a layout's
/// elements share, from the answer before.
private enum AnswerWriters {
  /// The most memory that is kept for the next answer, in bytes.
  private static let keptBytes = 64 << 10

  private final class Kept {
    // Only its own thread uses these, for one answer at a time.
    @exclusivity(unchecked) var writers = [(any AnswerWriter)?](
      repeating: nil, count: AnswerFormat.allCases.count)
  }

  private static let kept = PerThread { Kept() }

  static func take(_ format: AnswerFormat) -> any AnswerWriter {
    kept { $0.writers[format.rawValue].take() } ?? format.writer.init()
  }

  static func giveBack(_ writer: any AnswerWriter, _ format: AnswerFormat) {
    guard writer.memoryBytes <= keptBytes else { return }
    kept { $0.writers[format.rawValue] = writer }
  }
}
