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
  /// Stands last, since Swift releases properties in the order of their declaration: the reference
  /// to the collection in here is given up after the one above.
  private let contents: OwnedContents

  init(
    id: SessionID, number: Int, collection: PreparedCollection, createdUnixTime: Int,
    history: ChangeHistory = ChangeHistory(), changeLock: ChangeLock = ChangeLock()
  ) {
    self.id = id
    idText = id.text
    self.number = number
    self.collection = collection
    self.createdUnixTime = createdUnixTime
    self.history = history
    self.changeLock = changeLock
    contents = OwnedContents(collection)
  }

  /// What comes after a version in its session.
  convenience init(
    after previous: LayoutVersion, number: Int, collection: PreparedCollection,
    history: ChangeHistory
  ) {
    self.init(
      id: previous.id, number: number, collection: collection,
      createdUnixTime: previous.createdUnixTime, history: history,
      changeLock: previous.changeLock)
  }

  /// What the version holds, with the index of names if it has been built.
  ///
  /// What it shares with versions before and after is counted in full.
  public var memoryBytes: Int { contents.borrowed { $0.memoryBytes } }

  /// Whether the index of the items' names is there already.
  public var hasBuiltItemIDs: Bool { contents.borrowed { $0.hasBuiltItemIDs } }

  /// The index of the items' names; `nil` when no item has one.
  ///
  /// Built outside the lock, so that nobody waits for it who only asks for the version's size; two
  /// that come at once both build it.
  ///
  /// - Complexity: O(*n*) for the first call, O(1) after it.
  func itemIDs() -> ItemIDIndex? { contents.borrowed { $0.itemIDs() } }
}
