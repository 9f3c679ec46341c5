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
  /// The memory of the session, in bytes, estimated.
  public var memoryBytes: Int
  /// The time of the first version, in whole seconds since 1970.
  public var createdAt: Int
  /// The time at which the session expires if nobody uses it again, in whole seconds since 1970.
  public var expiresAt: Int

  public init(
    id: String, version: Int, hash: UInt32, collection: PreparedCollection, memoryBytes: Int,
    createdAt: Int, expiresAt: Int
  ) {
    self.id = id
    self.version = version
    self.hash = hash
    self.collection = collection
    self.memoryBytes = memoryBytes
    self.createdAt = createdAt
    self.expiresAt = expiresAt
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
    object["kind"] = collection.kind
    object.write(version: version, hash: hash)
    object["bounds"] = collection.bounds
    object["arrange"] = collection.layout.arrangement
    object["scrollDirection"] = collection.scrollDirection?.rawValue
    object["contentSize"] = collection.prepared.contentSize
    object["counts"] = collection.prepared.counts
    object["memoryBytes"] = memoryBytes
    object["createdAt"] = Timestamp.text(unixTime: createdAt)
    object["expiresAt"] = Timestamp.text(unixTime: expiresAt)
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
