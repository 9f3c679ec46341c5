/// What folds hide of the walk over a forest: behind each folded node that is shown, the range of
/// its descendants.
///
///     rank       0   1   2   3   4   5   6   7
///     folded         ▸   –   –           ▸   –       the nodes 1 and 6 are shown, 2, 3 and 7 not
struct HiddenRanks: Sendable {
  let walk: ForestWalk
  /// The ranks of the folded nodes that are shown, ascending.
  let folded: [Int32]
  /// How many ranks are hidden before each of these, and last how many in all.
  let hiddenBefore: [Int32]

  /// - Parameter folds: Fitted to the forest.
  /// - Complexity: O(*m* + *d*) for *m* marks and *d* nodes at the depth from which on they are
  ///   folded, and below what is unfolded there.
  init(_ forest: Forest, _ folds: Folds) {
    let walk = forest.walk
    self.walk = walk
    var folded: [Int32] = []
    var hiddenBefore: [Int32] = [0]
    var end = 0
    func fold(_ rank: Int) {
      guard rank >= end else { return }
      end = walk.end(of: rank)
      folded.append(Int32(rank))
      hiddenBefore.append(hiddenBefore[folded.count - 1] + Int32(end - rank - 1))
    }
    var next = 0
    /// Folds by marks what comes before a rank. Returns the mark of the rank itself.
    func mark(before rank: Int) -> Bool? {
      while next < folds.marks.count {
        let mark = folds.marks[next]
        let place = walk.rank(of: mark.place)
        if place >= rank { return place == rank ? mark.isFolded : nil }
        if mark.isFolded { fold(place) }
        next += 1
      }
      return nil
    }
    if let from = folds.from, from < forest.depthCount {
      var open = [forest.nodes(atDepth: from)]
      while var siblings = open.popLast() {
        while let node = siblings.popFirst() {
          let children = forest.children(of: node)
          if children.isEmpty { continue }
          let rank = walk.rank(of: node)
          if mark(before: rank) ?? true || rank < end {
            fold(rank)
          } else {
            if !siblings.isEmpty { open.append(siblings) }
            siblings = children
          }
        }
      }
    }
    _ = mark(before: walk.count)
    self.folded = folded
    self.hiddenBefore = hiddenBefore
  }

  var isEmpty: Bool { folded.isEmpty }
  /// How many nodes are shown.
  var shownCount: Int { walk.count - Int(hiddenBefore[folded.count]) }
  var memoryBytes: Int { folded.count * 8 + 96 }

  /// How many folded nodes come before a rank.
  func index(of rank: Int) -> Int { partitionPoint(in: 0..<folded.count) { folded[$0] < rank } }

  func isFolded(_ rank: Int, at index: Int) -> Bool {
    index < folded.count && folded[index] == rank
  }

  /// The rank of the folded node that hides a rank; `nil` if it is shown.
  func cover(of rank: Int) -> Int? {
    let index = index(of: rank)
    guard index > 0, walk.end(of: Int(folded[index - 1])) > rank else { return nil }
    return Int(folded[index - 1])
  }

  /// How many shown ranks come before a shown one.
  func ordinal(of rank: Int) -> Int { rank - Int(hiddenBefore[index(of: rank)]) }

  func rank(ofOrdinal ordinal: Int) -> Int {
    let index = partitionPoint(in: 0..<folded.count) {
      Int(folded[$0] - hiddenBefore[$0]) < ordinal
    }
    return ordinal + Int(hiddenBefore[index])
  }

  /// Calls `body` with each range of shown ranks, in order.
  func forEachShownRange(_ body: (Range<Int>) -> Void) {
    var start = 0
    for rank in folded {
      body(start..<Int(rank) + 1)
      start = walk.end(of: Int(rank))
    }
    body(start..<walk.count)
  }
}
