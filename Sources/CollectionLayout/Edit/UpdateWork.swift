/// The limit of the work of a sequence of updates. The first update that would exceed it is
/// refused.
///
/// The work is counted in visits. An update of items visits the pieces into which earlier updates
/// split the section, and what was measured there, of which eight sizes count as one. An update of
/// whole sections visits all sections. An update of nodes visits all nodes, and all depths, which
/// count 50 each.
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
        requirement: "sent in another request: with it, the updates visit more than \(limit) "
          + "pieces, sections or nodes")
    }
    visits += count
  }
}
