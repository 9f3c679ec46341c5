public import CollectionLayout

/// One version of a session's layout; immutable, so readers need no lock.
public final class LayoutVersion: Sendable {
  public let id: SessionID
  /// Counts from 1.
  public let number: Int
  public let collection: PreparedCollection
  public let createdUnixTime: Int

  init(id: SessionID, number: Int, collection: PreparedCollection, createdUnixTime: Int) {
    self.id = id
    self.number = number
    self.collection = collection
    self.createdUnixTime = createdUnixTime
  }

  public var memoryBytes: Int { collection.memoryBytes + 512 }
}
