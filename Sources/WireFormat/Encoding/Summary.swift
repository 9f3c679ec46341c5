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
  /// - Parameter extra: Writes more members, each after a comma.
  public func encoded(adding extra: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
    var writer = JSONWriter()
    writer.write("{")
    writeMembers(to: &writer)
    extra(&writer)
    writer.write("}")
    return writer.bytes
  }

  /// Writes the members without the braces.
  func writeMembers(to writer: inout JSONWriter) {
    let counts = collection.prepared.counts
    writer.write("\"id\":")
    writer.write(string: id)
    writer.write(",\"kind\":")
    writer.write(string: collection.kind)
    writer.write(",")
    writer.writeMembers(version: version, hash: hash)
    if let bounds = collection.bounds {
      writer.write(",\"bounds\":")
      writer.write(bounds)
    }
    if let direction = collection.scrollDirection {
      writer.write(",\"scrollDirection\":")
      writer.write(string: direction.rawValue)
    }
    writer.write(",\"contentSize\":")
    writer.write(collection.prepared.contentSize)
    writer.write(",\"counts\":{\"sections\":")
    writer.write(counts.sections)
    writer.write(",\"cells\":")
    writer.write(counts.cells)
    writer.write(",\"supplementary\":")
    writer.write(counts.supplementary)
    writer.write(",\"decorations\":")
    writer.write(counts.decorations)
    writer.write("},\"memoryBytes\":")
    writer.write(memoryBytes)
    writer.write(",\"createdAt\":")
    writer.write(string: Timestamp.text(unixTime: createdAt))
    writer.write(",\"expiresAt\":")
    writer.write(string: Timestamp.text(unixTime: expiresAt))
  }
}
