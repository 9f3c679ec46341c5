public import CollectionLayout

/// What a client is told of a layout as a whole.
public struct Summary {
  /// The session's id as text.
  public var id: String
  /// Counted from 1.
  public var version: Int
  /// What kind, bounds, content size and counts are taken from.
  public var collection: PreparedCollection
  /// About what the session takes of the process's memory.
  public var memoryBytes: Int
  /// When the first version was made, in whole seconds since 1970.
  public var createdAt: Int
  /// When the session ends if nobody uses it any more, in whole seconds since 1970.
  public var expiresAt: Int

  public init(
    id: String, version: Int, collection: PreparedCollection, memoryBytes: Int, createdAt: Int,
    expiresAt: Int
  ) {
    self.id = id
    self.version = version
    self.collection = collection
    self.memoryBytes = memoryBytes
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  /// The summary as JSON text in UTF-8.
  ///
  /// - Parameter extra: Writes further members, each behind a comma.
  public func encoded(adding extra: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
    var writer = JSONWriter()
    writer.write("{")
    writeMembers(to: &writer)
    extra(&writer)
    writer.write("}")
    return writer.bytes
  }

  /// Writes the members without the braces, so that others can follow.
  func writeMembers(to writer: inout JSONWriter) {
    let counts = collection.prepared.counts
    writer.write("\"id\":")
    writer.write(string: id)
    writer.write(",\"kind\":")
    writer.write(string: collection.kind)
    writer.write(",\"version\":")
    writer.write(version)
    if let bounds = collection.bounds {
      writer.write(",\"bounds\":")
      writer.write(bounds)
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
