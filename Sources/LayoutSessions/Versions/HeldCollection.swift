import CollectionLayout
import Dispatch
import Synchronization

/// A collection with its frames, and the index of its items' ids. The versions of equal layouts
/// share it.
///
/// Freeing a very large collection takes long, and the last reference may belong to a thread that
/// serves others: it deletes or evicts the session, or has answered the last query. So a separate
/// thread frees large contents. Small contents are freed at once.
///
/// Contents that wait for that thread do not count in a session. So the store looks at
/// ``waitingBytes`` before it keeps more. It rarely has to wait: freeing is several times faster
/// than preparing.
final class HeldCollection: Sendable {
  private final class Contents: Sendable {
    let collection: PreparedCollection
    let names: ItemNames

    init(_ collection: PreparedCollection, _ names: ItemNames) {
      self.collection = collection
      self.names = names
    }
  }

  /// Retained by the initializer. The other thread releases only this reference, so this thread
  /// never has the last one.
  private let contents: Unmanaged<Contents>
  /// What the frames take beside the data, which the layouts of a document share.
  let frameBytes: Int
  /// At most how long a body is from which a log prepares it; `nil` before one was measured.
  let mostBodyBytes: Int?

  /// - Parameters:
  ///   - source: The version of which the collection is a view; `nil` if it is none.
  ///   - names: The index of the ids; `nil` for a new one.
  init(
    _ collection: PreparedCollection, viewOf source: LayoutVersion? = nil,
    names: ItemNames? = nil, mostBodyBytes: Int? = nil
  ) {
    contents = .passRetained(Contents(collection, names ?? ItemNames()))
    frameBytes =
      source.map { collection.frameBytes(asViewOf: $0.collection) } ?? collection.frameBytes
    self.mostBodyBytes = mostBodyBytes
  }

  deinit {
    let bytes = bytesWithData + names.memoryBytes
    guard bytes > Self.smallBytes else { return contents.release() }
    Self.waiting.add(bytes, ordering: .relaxed)
    Self.disposal.async { [contents] in
      contents.release()
      Self.waiting.subtract(bytes, ordering: .relaxed)
    }
  }

  var collection: PreparedCollection { contents._withUnsafeGuaranteedRef { $0.collection } }

  var names: ItemNames { contents._withUnsafeGuaranteedRef { $0.names } }

  /// The memory of the collection and its frames in bytes, without the index of ids, which is a
  /// cache.
  var bytesWithData: Int {
    contents._withUnsafeGuaranteedRef { $0.collection.memoryBytes } + Self.overhead
  }

  /// What a version takes beside its collection.
  static let overhead = 512

  /// The size up to which contents are freed at once, in bytes.
  private static let smallBytes = 1 << 20
  private static let disposal = DispatchQueue(label: "layoutd.disposal")
  private static let waiting = Atomic(0)

  /// The memory of contents that are not freed yet, of all stores, in bytes.
  static var waitingBytes: Int { waiting.load(ordering: .relaxed) }

  /// Waits until all contents are freed that wait now.
  static func waitForDisposal() {
    disposal.sync {}
  }
}
