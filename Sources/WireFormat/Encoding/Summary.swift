public import CollectionLayout

/// The summary of a layout.
public struct Summary {
  /// The session's id as text.
  public var id: String
  /// The version, counted from 1.
  public var version: Int
  /// Of the version's history, 24 bits.
  public var hash: UInt32
  /// The collection, from which kind, bounds, content size and counts are taken.
  public var collection: PreparedCollection
  /// The time of the first version, in whole seconds since 1970.
  public var createdAt: Int
  /// The memory of the session, in bytes, estimated; `nil` if it is not told.
  public var memoryBytes: Int?
  /// The time at which the session expires if nobody uses it again, in whole seconds since 1970;
  /// `nil` if it is not told.
  public var expiresAt: Int?
  /// Whether an arrangement is there whole, however long it is.
  public var hasWholeArrangement = false
  /// Whether an arrangement is never told.
  public var hidesArrangement = false
  public var isReadOnly = false
  /// The name under which the layout was prepared.
  public var name: String?

  /// The longest arrangement that stands in every summary, in bytes. Of others it says `true`.
  static let shortArrangement = 1024

  public init(
    id: String, version: Int, hash: UInt32, collection: PreparedCollection, createdAt: Int
  ) {
    self.id = id
    self.version = version
    self.hash = hash
    self.collection = collection
    self.createdAt = createdAt
  }

  /// The summary as JSON text in UTF-8.
  ///
  /// - Parameter extra: Writes more members.
  public func encoded(
    precision: CoordinatePrecision = .readable, adding extra: (inout JSONObject) -> Void = { _ in }
  ) -> [UInt8] {
    JSONWriter.text(precision: precision) {
      write(to: &$0)
      extra(&$0)
    }
  }

  private func write(to object: inout JSONObject) {
    object["id"] = id
    object["name"] = name
    object["kind"] = collection.kind
    object.write(version: version, hash: hash)
    object["bounds"] = collection.bounds
    if let arrangement = collection.layout.arrangement { write(arrangement, to: &object) }
    object["readOnly"] = isReadOnly ? true : nil
    object["scrollDirection"] = collection.scrollDirection?.rawValue
    object["contentSize"] = collection.prepared.contentSize
    object["counts"] = collection.prepared.counts
    let foldedCount = collection.foldedCount
    object["folded"] = foldedCount > 0 ? foldedCount : nil
    object["memoryBytes"] = memoryBytes
    object["createdAt"] = Timestamp.text(unixTime: createdAt)
    object["expiresAt"] = expiresAt.map { Timestamp.text(unixTime: $0) }
  }

  private func write(_ arrangement: Arrangement, to object: inout JSONObject) {
    let limit = hasWholeArrangement ? Int.max : Self.shortArrangement
    var writer = JSONWriter(capacity: 256)
    if !hidesArrangement, arrangement.valueCount <= limit { arrangement.write(to: &writer) }
    let isTold = 1...limit ~= writer.bytes.count
    object["arrange"] = JSONText(bytes: isTold ? writer.bytes : Array("true".utf8))
  }
}

extension Arrangement {
  /// How many ids and values it names. Each takes more than a byte of text.
  fileprivate var valueCount: Int {
    switch content {
    case .ids(let ids): ids.count
    case .sections(let sections, let ids): sections.count + ids.count
    case .keys(let conditions, _, _): conditions.reduce(0) { $0 + $1.valueCount }
    }
  }
}

extension ElementCounts: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.object {
      $0["sections"] = sections
      $0["cells"] = cells
      $0["supplementary"] = supplementary
      $0["decorations"] = decorations
    }
  }
}
