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
    var decoder = UpdatesDecoder(kind: kind, maxItems: maxItems)
    updates = try decoder.decode(body, maxItemData: maxItemData)
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

/// Reads updates one by one. Each is an object with one member, which names the kind of update.
private struct UpdatesDecoder {
  private let kinds: [UpdateKind]
  private var values: UpdateValues

  init(kind: LayoutKind, maxItems: Int) {
    kinds = UpdateKind.all(for: kind)
    values = UpdateValues(kind: kind, maxItems: maxItems)
  }

  mutating func decode(
    _ body: UnsafeMutableRawBufferPointer, maxItemData: Int
  ) throws(BodyError) -> [CollectionUpdate] {
    try BodyError.reading(body) { (reader) throws(BodyError) in
      reader.maxItemData = maxItemData
      var faults = InvalidMembers()
      var updates: [CollectionUpdate]?
      try reader.readObject(at: "", known: ["updates"], faults: &faults) {
        (_, reader, faults) throws(BodyError) in
        updates = try decodeUpdates(&reader, faults: &faults)
      }
      try reader.finish()
      try faults.throwIfAny()
      guard let updates else {
        throw BodyError.invalid([
          InvalidMember(pointer: "/updates", detail: "must be given")
        ])
      }
      return updates
    }
  }

  private mutating func decodeUpdates(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws(BodyError) -> [CollectionUpdate]? {
    guard try reader.openArray(at: "/updates", faults: &faults) else { return nil }
    var updates: [CollectionUpdate] = []
    var index = 0
    while try reader.nextElement() {
      let pointer = "/updates/\(index)"
      var count = 0
      let faultCount = faults.members.count
      let isObject = try reader.readObject(at: pointer, known: kinds, faults: &faults) {
        (kind, reader, faults) throws(BodyError) in
        count += 1
        let update = try kind.decode(&values, &reader, "\(pointer)/\(kind.name)", &faults)
        if let update { updates.append(update) }
      }
      if isObject && count != 1 && faults.members.count == faultCount {
        faults.add(
          pointer,
          "must have exactly one member, one of " + kinds.map(\.name).joined(separator: ", "))
      }
      index += 1
      if index > UpdatesRequest.maxUpdates {
        faults.add("/updates", "must have at most \(UpdatesRequest.maxUpdates) updates")
        try faults.throwIfAny()
      }
    }
    return updates
  }
}
