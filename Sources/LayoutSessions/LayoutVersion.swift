public import CollectionLayout

/// One version of a session's layout. Everything that clients see of it is immutable.
///
/// Releasing the last reference is quick, even if freeing the contents takes long: see
/// ``OwnedContents``.
public final class LayoutVersion: Sendable {
  public let id: SessionID
  /// The id of the session whose collection this is: for a view its source, otherwise ``id``.
  public let collectionID: SessionID
  /// The id as answers have it.
  public let idText: [UInt8]
  /// Where the version is in the history of its session; of a view in the view's own, where each
  /// change of the view itself counts.
  public let position: HistoryPosition
  /// The name of the version. Its number counts from 1.
  public let tag: VersionTag
  /// The collection with its frames.
  public let collection: PreparedCollection
  /// When the session's first version was made, in whole seconds since 1970.
  public let createdUnixTime: Int
  /// Where the data of the collection is in its history.
  let data: HistoryPosition.DataPosition
  /// The last changes, up to this version.
  public let history: ChangeHistory
  /// Which numbers may be those of versions that are lost.
  let doubts: DoubtfulNumbers
  /// The lock of the session: all versions of a session share it.
  public let changeLock: ChangeLock
  /// The object on which the session's long searches are done one after another. All versions share
  /// it.
  public let longSearches: LongSearches
  /// This is the last property, because Swift releases properties in the order of their
  /// declaration. So the reference in here is released after `collection`.
  private let contents: OwnedContents

  /// - Parameter view: The tag of a view, and where the data of its source is.
  init(
    id: SessionID, of collectionID: SessionID? = nil, at position: HistoryPosition,
    asView view: (tag: VersionTag, data: HistoryPosition.DataPosition)? = nil,
    collection: PreparedCollection, createdUnixTime: Int,
    history: ChangeHistory = ChangeHistory(), doubts: DoubtfulNumbers = .none,
    changeLock: ChangeLock = ChangeLock(),
    longSearches: LongSearches = LongSearches(), names: ItemNames? = nil
  ) {
    self.id = id
    self.collectionID = collectionID ?? id
    self.position = position
    tag = view?.tag ?? position.tag
    data = view?.data ?? position.data
    idText = id.text
    self.collection = collection
    self.createdUnixTime = createdUnixTime
    self.history = history
    self.doubts = doubts
    self.changeLock = changeLock
    self.longSearches = longSearches
    contents = OwnedContents(
      collection, names: names, isView: collectionID.map { $0 != id } ?? false)
  }

  /// The next version of a session.
  ///
  /// - Parameters:
  ///   - keepsNames: Whether every item with an id still has the same id and index path.
  ///   - lineage: Which item is which of the version before; `nil` if nobody knows.
  convenience init(
    after previous: LayoutVersion, at position: HistoryPosition, collection: PreparedCollection,
    history: ChangeHistory, keepsNames: Bool, lineage: DataLineage? = nil
  ) {
    self.init(
      id: previous.id, at: position, collection: collection,
      createdUnixTime: previous.createdUnixTime, history: history, doubts: previous.doubts,
      changeLock: previous.changeLock, longSearches: previous.longSearches,
      names: keepsNames
        ? previous.names
        : lineage.flatMap { previous.names.following($0, in: collection.data) })
  }

  /// The version that a view has now.
  ///
  /// - Parameter names: Those of the source, if they are of the same revision.
  convenience init(
    view: SessionTable.View, of source: SessionID, _ data: HistoryPosition.DataPosition,
    _ collection: PreparedCollection, names: ItemNames?
  ) {
    self.init(
      id: view.id, of: source, at: view.position,
      asView: (view.position.tag(ofView: view.number, data), data), collection: collection,
      createdUnixTime: view.createdUnixTime, history: view.history,
      doubts: DoubtfulNumbers(ofView: view.doubtfulNumber),
      changeLock: view.changeLock, longSearches: view.longSearches, names: names)
  }

  /// The number of the version, from 1.
  public var number: Int { tag.number }

  /// Up to this one, a number alone does not say which version is meant: it may be that of one that
  /// was lost. 0 where there are no such numbers.
  public var doubtfulNumber: Int { doubts.version }

  /// How often the data of the collection had changed.
  var revision: Int { data.revision }

  /// Whether a tag is of this version or of one before it, as far as the last ones are known.
  public func knows(_ tag: VersionTag) -> Bool {
    if tag.number == number { return tag == self.tag }
    return tag.number < number && history.hash(beforeLast: number - tag.number) == tag.hash
  }

  /// Whether this is a view of another session's collection.
  public var isView: Bool { id != collectionID }

  var names: ItemNames { contents.borrowed { $0.names } }

  /// The memory of the version in bytes, with the index of ids if it is built; of a view that of
  /// its frames.
  ///
  /// Memory that it shares with other versions counts in full.
  public var memoryBytes: Int { contents.borrowed { $0.memoryBytes } }

  /// What counts in a session: without the index of ids, which is a cache.
  var bytesWithoutNames: Int { contents.borrowed { $0.bytesWithoutNames } }

  /// Whether the index of the items' ids is built.
  public var hasBuiltItemIDs: Bool { contents.borrowed { $0.names.hasIndex } }

  /// The index of the items' ids; `nil` if no item has one.
  ///
  /// - Complexity: O(*n*) for the first call, O(1) after it.
  func itemIDs() -> ItemIDIndex? { contents.borrowed { $0.names.index(of: collection.data) } }
}
