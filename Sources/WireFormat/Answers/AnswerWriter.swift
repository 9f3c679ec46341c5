public import CollectionLayout

/// Writes answers to queries in a format: what stands before the elements, the elements in batches,
/// and what follows them.
///
///     begin(head) ─▶ begin(series) ─▶ write(batch) … ─▶ finish(end)
///
/// A writer writes one answer after the other, and keeps what it can use again. A format is a type
/// like this, and a line in the service's table of formats.
public protocol AnswerWriter: Sendable {
  init()

  /// What the format adds to an entity tag, as in `.cbor`; may be empty.
  static var tagSuffix: String { get }

  /// How exactly the JSON text of an answer without a list of elements has coordinates.
  static var precision: CoordinatePrecision { get }

  /// An answer without a list of elements in this format.
  ///
  /// - Parameter json: The answer as JSON text that this module has written.
  static func encoded(json: [UInt8]) -> [UInt8]

  /// Begins an answer.
  ///
  /// - Parameters:
  ///   - layout: The layout that is asked.
  ///   - buffer: Memory for the answer.
  mutating func begin(
    _ head: borrowing AnswerHead, of layout: any PreparedLayout, into buffer: consuming [UInt8])

  /// Begins a series. The next elements belong to it.
  mutating func begin(_ series: ElementSeries)

  /// Adds elements of the current series until the answer has about `byteCount` bytes. It adds at
  /// least one element to an answer without any.
  ///
  /// This is a hot path. A call is for many elements, so it may be dynamic.
  ///
  /// - Precondition: A series was begun.
  /// - Parameter layout: The layout that has the ids of the items.
  /// - Returns: The number of added elements.
  mutating func write(
    _ elements: Span<PlacedElement>, of layout: any PreparedLayout, upTo byteCount: Int
  ) -> Int

  /// Adds one element with all its members.
  ///
  /// - Precondition: A series was begun.
  /// - Parameter ordinal: The number of items before the cell's item. All elements of an answer
  ///   have one, or none.
  mutating func write(
    _ element: LayoutAttributes, ordinal: Int?, card: CardOfItem?, of layout: any PreparedLayout)

  /// About how many bytes the answer has so far.
  var byteCount: Int { get }

  /// The memory of the answer so far, or that is kept for the next one, in bytes.
  var memoryBytes: Int { get }

  /// Ends the answer, and returns it.
  mutating func finish(_ end: borrowing AnswerEnd) -> [UInt8]
}

extension AnswerWriter {
  public static var tagSuffix: String { "" }
  public static var precision: CoordinatePrecision { .readable }
  public static func encoded(json: [UInt8]) -> [UInt8] { json }
}

/// What cells may have beside frame and id, where it is asked for.
public struct CellDetails: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The parts of their cards.
  public static let parts = CellDetails(rawValue: 1)
  /// The data of their items.
  public static let data = CellDetails(rawValue: 2)
  /// The texts of their items.
  public static let text = CellDetails(rawValue: 4)

  /// What of an item or a section they have.
  public var values: [ValueKind] {
    (contains(.data) ? [.data] : []) + (contains(.text) ? [.text] : [])
  }
}

/// What an answer says before its elements.
public struct AnswerHead: Sendable {
  /// The layout's id as text.
  public var id: [UInt8]
  /// The version, counted from 1.
  public var version: Int
  /// Of the version's history, 24 bits.
  public var hash: UInt32
  /// The kind of the layout.
  public var kind: String
  /// The rect of the query, in points; `nil` if the elements are those of ids.
  public var rect: Rect?
  /// Whether the rect was computed from an anchor, and is not as it was given.
  public var isAnchored = false
  /// The largest number of elements.
  public var limit: Int
  /// What cells have beside frame and id.
  public var details: CellDetails = []
  /// The summary of the layout, as JSON text; `nil` if it was not asked for.
  public var summary: [UInt8]?

  public init(
    id: [UInt8], version: Int, hash: UInt32, kind: String, rect: Rect? = nil, limit: Int = .max
  ) {
    self.id = id
    self.version = version
    self.hash = hash
    self.kind = kind
    self.rect = rect
    self.limit = limit
  }
}

/// What an answer says behind its elements.
public struct AnswerEnd: Sendable {
  /// Whether these are all elements.
  public var isComplete = true
  /// Whether the client must drop the elements that it knows.
  public var isReset = false
  /// The transitions, as JSON text; `nil` if none were asked for.
  public var transitions: [UInt8]?
  /// The link to the rest of the list.
  public var next: String?
  /// The ids that no item has; `nil` if none were asked for.
  public var missing: [String]?

  public init() {}
}
