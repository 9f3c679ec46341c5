public import CollectionLayout

/// One version of a session's layout. Everything that clients see of it is immutable.
///
/// Releasing the last reference is quick, even if freeing the contents takes long: see
/// ``OwnedContents``.
public final class LayoutVersion: Sendable {
  public let id: SessionID
  /// The id as answers have it.
  public let idText: [UInt8]
  /// The number of the version, from 1.
  public let number: Int
  public let collection: PreparedCollection
  public let createdUnixTime: Int
  /// The last changes, up to this version.
  public let history: ChangeHistory
  /// The lock of the session: all versions of a session share it.
  public let changeLock: ChangeLock
  /// The object on which the session's long searches are done one after another. All versions share
  /// it.
  public let longSearches: LongSearches
  /// This is the last property, because Swift releases properties in the order of their
  /// declaration. So the reference in here is released after `collection`.
  private let contents: OwnedContents

  init(
    id: SessionID, number: Int, collection: PreparedCollection, createdUnixTime: Int,
    history: ChangeHistory = ChangeHistory(), changeLock: ChangeLock = ChangeLock(),
    longSearches: LongSearches = LongSearches(), names: ItemNames? = nil
  ) {
    self.id = id
    idText = id.text
    self.number = number
    self.collection = collection
    self.createdUnixTime = createdUnixTime
    self.history = history
    self.changeLock = changeLock
    self.longSearches = longSearches
    contents = OwnedContents(collection, names: names)
  }

  /// The next version of a session.
  ///
  /// - Parameter keepsNames: Whether every item with an id still has the same id and index path.
  convenience init(
    after previous: LayoutVersion, number: Int, collection: PreparedCollection,
    history: ChangeHistory, keepsNames: Bool
  ) {
    self.init(
      id: previous.id, number: number, collection: collection,
      createdUnixTime: previous.createdUnixTime, history: history,
      changeLock: previous.changeLock, longSearches: previous.longSearches,
      names: keepsNames ? previous.contents.borrowed { $0.names } : nil)
  }

  /// The memory of the version in bytes, with the index of ids if it is built.
  ///
  /// Memory that it shares with other versions counts in full.
  public var memoryBytes: Int { contents.borrowed { $0.memoryBytes } }

  /// Whether the index of the items' ids is built.
  public var hasBuiltItemIDs: Bool { contents.borrowed { $0.names.hasIndex } }

  /// The index of the items' ids; `nil` if no item has one.
  ///
  /// - Complexity: O(*n*) for the first call, O(1) after it.
  func itemIDs() -> ItemIDIndex? { contents.borrowed { $0.names.index(of: collection.data) } }
}
