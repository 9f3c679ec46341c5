public import CollectionLayout

/// One version of a session's layout; all that clients see of it is immutable.
///
/// Whoever gives up the last reference need not fear that freeing it takes long: see
/// ``OwnedContents``.
public final class LayoutVersion: Sendable {
  public let id: SessionID
  /// The id as it stands in answers.
  public let idText: [UInt8]
  /// Counts from 1.
  public let number: Int
  public let collection: PreparedCollection
  public let createdUnixTime: Int
  /// What changed lately, up to this version.
  public let history: ChangeHistory
  /// The session's: the same for all of its versions.
  public let changeLock: ChangeLock
  /// The session's too: what those are done on that have to wait for the index of names.
  public let longSearches: LongSearches
  /// Stands last, since Swift releases properties in the order of their declaration: the reference
  /// to the collection in here is given up after the one above.
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

  /// What comes after a version in its session.
  ///
  /// - Parameter keepsNames: Whether each item that has a name is where it was, with the same name.
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

  /// What the version holds, with the index of names if it has been built.
  ///
  /// What it shares with versions before and after is counted in full.
  public var memoryBytes: Int { contents.borrowed { $0.memoryBytes } }

  /// Whether the index of the items' names is there already.
  public var hasBuiltItemIDs: Bool { contents.borrowed { $0.names.hasIndex } }

  /// The index of the items' names; `nil` when no item has one.
  ///
  /// - Complexity: O(*n*) for the first call, O(1) after it.
  func itemIDs() -> ItemIDIndex? { contents.borrowed { $0.names.index(of: collection.data) } }
}
