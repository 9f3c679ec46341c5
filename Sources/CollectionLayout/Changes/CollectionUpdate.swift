/// One change to what a collection holds; a sequence of them is applied in order, each to the
/// result of the one before.
public enum CollectionUpdate: Sendable {
  /// The item may be the section's count.
  case insertItems(Items, at: IndexPath)
  case deleteItems(at: IndexPath, count: Int)
  /// The destination counts after the removal.
  case moveItem(from: IndexPath, to: IndexPath)
  /// New fields and names for as many items.
  case replaceItems(Items, at: IndexPath)
  case insertSections([Items], at: Int)
  case deleteSections(at: Int, count: Int)
  /// The destination counts after the removal.
  case moveSection(from: Int, to: Int)
  /// A subtree as the `index`-th child of a node, or root where `parent` is nil.
  case insertNode(Forest, parent: IndexPath?, index: Int)
  /// A node with its subtree.
  case deleteNode(at: IndexPath)
  /// A node with its subtree; `from` and `parent` name nodes as they are before the move, `index`
  /// counts after the removal.
  case moveNode(from: IndexPath, parent: IndexPath?, index: Int)
}

/// How much the updates of a sequence may go over together; the first that would exceed it is
/// refused.
public struct UpdateLimits: Sendable {
  /// An update of whole sections goes over all that there are then.
  public var sectionVisits: Int
  /// An update of nodes goes over all that there are then.
  public var nodeVisits: Int

  public static let none = UpdateLimits(sectionVisits: .max, nodeVisits: .max)

  public init(sectionVisits: Int, nodeVisits: Int) {
    self.sectionVisits = sectionVisits
    self.nodeVisits = nodeVisits
  }
}

/// Counts what updates go over.
struct UpdateWork {
  private let limit: Int
  private let things: String
  private var visits = 0

  /// - Parameter things: What is gone over, in the plural.
  init(limit: Int, of things: String) {
    self.limit = limit
    self.things = things
  }

  /// - Parameter index: The update's index in the sequence.
  mutating func visit(_ count: Int, index: Int) throws(LayoutError) {
    guard count <= limit - visits else {
      throw .invalidUpdate(
        index, member: "",
        requirement:
          "left to another request: with it the updates go over more than \(limit) \(things)")
    }
    visits += count
  }
}
