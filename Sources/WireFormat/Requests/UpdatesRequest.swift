public import CollectionLayout

/// The body of an updates request.
public struct UpdatesRequest: Sendable {
  public var updates: [CollectionUpdate]

  /// The largest number of updates in one request.
  static let maxUpdates = 10_000

  /// Reads a body.
  ///
  /// - Parameters:
  ///   - body: The text, followed by ``PrepareRequest/padding`` bytes that may be overwritten.
  ///   - kind: The kind of the layout. It decides which updates there are.
  ///   - maxItems: The largest number of items that the updates may contain.
  ///   - maxItemData: The longest data of an item, in bytes.
  /// - Throws: ``BodyError`` if the text is no JSON, if an update is wrong, or if there are too
  ///   many.
  public init(
    _ body: UnsafeMutableRawBufferPointer, kind: LayoutKind, maxItems: Int,
    maxItemData: Int = TextColumn.maxBytes
  ) throws(BodyError) {
    let kinds = UpdateKind.all(for: kind)
    var values = UpdateValues(kind: kind, maxItems: maxItems)
    updates = try BodyError.reading(body, listOf: "updates", upTo: Self.maxUpdates) {
      (reader) throws(BodyError) in
      reader.maxItemData = maxItemData
      return try Self.update(&reader, of: kinds, &values)
    }
  }

  /// Reads an update: an object with one member, which names the kind of update.
  private static func update(
    _ reader: inout JSONReader, of kinds: [UpdateKind], _ values: inout UpdateValues
  ) throws(BodyError) -> CollectionUpdate? {
    var update: CollectionUpdate?
    var count = 0
    let faultCount = reader.faults.members.count
    let isObject = try reader.readObject(known: kinds) { (kind, reader) throws(BodyError) in
      count += 1
      update = try kind.decode(&values, &reader)
    }
    if isObject && count != 1 && reader.faults.members.count == faultCount {
      reader.refuse(
        "must have exactly one member, one of " + kinds.map(\.name).joined(separator: ", "))
    }
    return update
  }

  /// The collection after the updates.
  ///
  /// - Parameters:
  ///   - itemIDs: Returns the index of the collection's ids; `nil` if no item has one.
  ///   - visitLimit: The limit of the work of the updates.
  ///   - maxItems: The largest number of items that may be stored in the end.
  /// - Throws: ``BodyError`` if an update is impossible or exceeds the limits.
  public func applied(
    to collection: PreparedCollection, itemIDs: (() -> ItemIDIndex?)? = nil,
    visitLimit: Int = PreparedCollection.defaultVisitLimit, maxItems: Int = .max
  ) throws(BodyError) -> CollectionChange {
    do {
      return try collection.applying(
        updates, itemIDs: itemIDs, visitLimit: visitLimit, itemLimit: maxItems)
    } catch {
      throw BodyError(error, madeAt: "/updates")
    }
  }
}
