/// How much the updates of a sequence may go over together; the first that would exceed it is
/// refused.
///
/// An update of items goes over the pieces that its section's items are in after other updates, one
/// of whole sections over all sections, one of nodes over all nodes and depths, of which a depth
/// counts for 50.
struct UpdateWork {
  private let limit: Int
  private var visits = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// - Parameter index: The update's index in the sequence.
  mutating func visit(_ count: Int, index: Int) throws(LayoutError) {
    guard count <= limit - visits else {
      throw .invalidUpdate(
        index, member: "",
        requirement: "left to another request: with it the updates go over more than \(limit) "
          + "pieces, sections or nodes")
    }
    visits += count
  }
}
