import CollectionLayout

/// A collection with its frames, and the index of its items' ids. The versions of equal layouts
/// share it. Its memory is freed by the thread for that.
final class HeldCollection: Sendable {
  let collection: PreparedCollection
  /// What the frames take beside the data, which the layouts of a document share.
  let frameBytes: Int
  /// At most how long a body is from which a log prepares it; `nil` before one was measured.
  let mostBodyBytes: Int?
  /// This is the last property, because Swift releases properties in the order of their
  /// declaration. So the reference in here is released after `collection`.
  private let contents: OwnedContents

  /// - Parameters:
  ///   - source: The version of which the collection is a view; `nil` if it is none.
  ///   - names: The index of the ids; `nil` for a new one.
  init(
    _ collection: PreparedCollection, viewOf source: LayoutVersion? = nil,
    names: ItemNames? = nil, mostBodyBytes: Int? = nil
  ) {
    self.collection = collection
    frameBytes =
      source.map { collection.frameBytes(asViewOf: $0.collection) } ?? collection.frameBytes
    self.mostBodyBytes = mostBodyBytes
    contents = OwnedContents(collection, names: names ?? ItemNames())
  }

  var names: ItemNames { contents.borrowed { $0.names } }

  /// The memory of the collection and its frames in bytes, without the index of ids, which is a
  /// cache.
  var bytesWithData: Int { collection.memoryBytes + Self.overhead }

  /// What a version takes beside its collection.
  static let overhead = 512
}
