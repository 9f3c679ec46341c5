/// How much the updates of a sequence may go over together; the first that would exceed it is
/// refused.
public struct UpdateLimits: Sendable {
  /// An update of items goes over the pieces that its section's items are in after other updates.
  public var pieceVisits: Int
  /// An update of whole sections goes over all that there are then.
  public var sectionVisits: Int
  /// An update of nodes goes over all that there are then, and over all depths, each of which
  /// counts for 50.
  public var nodeVisits: Int

  /// Whatever it takes.
  public static let none = UpdateLimits(
    pieceVisits: .max, sectionVisits: .max, nodeVisits: .max)

  /// - Parameters: Each ≥ 0.
  public init(pieceVisits: Int, sectionVisits: Int, nodeVisits: Int) {
    self.pieceVisits = pieceVisits
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
