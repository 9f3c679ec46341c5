public import CollectionLayout

/// One version of a layout. Everything that clients see of it is immutable.
///
/// Releasing the last reference is quick, even if freeing the collection takes long: see
/// ``HeldCollection``.
public final class LayoutVersion: Sendable {
  public let id: SessionID
  /// The id of the document, which is that of its first layout.
  public let documentID: SessionID
  /// The id as answers have it.
  public let idText: [UInt8]
  /// The name under which its document was prepared; `nil` without one, and for views.
  public let name: String?
  public let access: LayoutAccess
  /// Where the version is in the history of the layout.
  public let position: HistoryPosition
  /// The name of the version. Its number counts from 1.
  public let tag: VersionTag
  /// The collection with its frames.
  public let collection: PreparedCollection
  /// When the layout was made, in whole seconds since 1970.
  public let createdUnixTime: Int
  /// The revision of the data at which the layout's first version was; `nil` for a first layout.
  let birth: Int?
  /// The place of the collection's data in the history of the data.
  let data: HistoryPosition.DataPosition
  /// The last changes, up to this version.
  public let history: ChangeHistory
  /// The last number that may mean two versions; 0 if there is no such number.
  ///
  /// One copy of a layout may take the place of another copy with another history: the store may
  /// have lost the changes that led to the other copy. Then two versions have had one number.
  public let doubtfulNumber: Int
  /// The lock of the layout's changes: all its versions share it.
  public let changeLock: ChangeLock
  /// The object on which the layout's long searches are done one after another. All versions share
  /// it.
  public let longSearches: LongSearches
  /// This is the last property, because Swift releases properties in the order of their
  /// declaration. So the reference in here is released after `collection`.
  let held: HeldCollection

  /// The version that a layout has now.
  ///
  /// - Parameters:
  ///   - document: The id of its document.
  ///   - name: That of its document.
  ///   - data: The place of the data that the collection was made of.
  init(
    of layout: SessionTable.Layout, in document: SessionID, named name: String?,
    _ data: HistoryPosition.DataPosition, _ held: HeldCollection
  ) {
    self.name = layout.id == document ? name : nil
    access = layout.access
    id = layout.id
    documentID = document
    idText = layout.id.text
    position = layout.position
    tag = layout.position.tag(bornAt: layout.birth, over: data)
    collection = held.collection
    createdUnixTime = layout.createdUnixTime
    birth = layout.birth
    self.data = data
    history = layout.changes
    doubtfulNumber = layout.doubtfulNumber
    changeLock = layout.changeLock
    longSearches = layout.longSearches
    self.held = held
  }

  /// The number of the version, from 1.
  public var number: Int { tag.number }

  /// How often the data of the collection had changed.
  public var revision: Int { data.revision }

  /// Whether a tag is of this version or of one before it, as far as the last ones are known.
  public func knows(_ tag: VersionTag) -> Bool {
    if tag.number == number { return tag == self.tag }
    return tag.number < number && history.hash(beforeLast: number - tag.number) == tag.hash
  }

  /// Whether this is the layout that a document begins with: the data is changed through it, and
  /// counts with it.
  public var isFirst: Bool { id == documentID }

  var names: ItemNames { held.names }

  /// The memory of the version in bytes: of its frames, and for a first layout of the items with
  /// the index of their ids if it is built.
  ///
  /// Memory that it shares with other versions counts in full.
  public var memoryBytes: Int {
    isFirst
      ? held.bytesWithData + names.memoryBytes : collection.frameBytes + HeldCollection.overhead
  }

  /// Whether the index of the items' ids is built.
  public var hasBuiltItemIDs: Bool { names.hasIndex }

  /// The index of the items' ids; `nil` if no item has one.
  ///
  /// - Complexity: O(*n*) for the first call, O(1) after it.
  func itemIDs() -> ItemIDIndex? { names.index(of: collection.data) }
}
