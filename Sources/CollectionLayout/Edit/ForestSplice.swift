/// One change of a forest's structure: it removes a subtree, or inserts one, or both.
struct ForestSplice {
  /// The root of the removed subtree.
  var removed: Int?
  /// The inserted subtree.
  var inserted: Inserted?
  /// The new parent of the inserted subtree; `nil` if it becomes a root.
  var parent: Int?
  /// The place of the inserted subtree among its siblings, counted after the removal.
  var index = 0

  enum Inserted {
    /// The removed subtree.
    case moved
    /// A forest with one root.
    case new(Forest)
  }

  /// The forest after the change, and for each of its nodes the node that it was before.
  ///
  /// - Complexity: O(*n*) for *n* nodes.
  func applied(to forest: Forest) -> (forest: Forest, origins: RunMap<Int>) {
    var splicing = Splicing(self, forest)
    return splicing.result()
  }
}

/// A forest that is built, depth by depth, from an earlier one and a new subtree.
///
/// The children of adjacent nodes are adjacent too, except where a subtree is removed or inserted.
/// So a depth consists of a few pieces. The links of a piece are copied, with a constant distance
/// added.
private struct Splicing {
  /// Nodes of one depth that are adjacent both before and after.
  private struct Piece {
    let nodes: Range<Int>
    let isNew: Bool
    /// The distance by which their parents have moved.
    let parentShift: Int32
  }

  private let splice: ForestSplice
  private let forest: Forest
  private let subtree: Forest?
  /// The parent of the removed subtree; −1 if a root is removed.
  private let removedFrom: Int?

  private var parents: [Int32] = []
  private var childStarts: [Int32] = []
  private var depthStarts: [Int] = []
  private var origins = RunMap<Int>()
  /// The pieces of the next depth.
  private var pieces: [Piece] = []
  /// The number of nodes up to the end of that depth.
  private var count = 0

  init(_ splice: ForestSplice, _ forest: Forest) {
    self.splice = splice
    self.forest = forest
    removedFrom = splice.removed.map { Int(forest.parents[$0]) }
    subtree = if case .new(let subtree) = splice.inserted { subtree } else { nil }
    let capacity = forest.count + (subtree?.count ?? 0)
    parents.reserveCapacity(capacity)
    childStarts.reserveCapacity(capacity + 1)
  }

  mutating func result() -> (forest: Forest, origins: RunMap<Int>) {
    appendChildren(0..<forest.rootCount, of: nil, shift: 0)
    var depth: [Piece] = []
    while !pieces.isEmpty {
      swap(&depth, &pieces)
      pieces.removeAll(keepingCapacity: true)
      append(depth)
    }
    childStarts.append(Int32(count))
    depthStarts.append(count)
    return (
      Forest(
        breadthFirst: parents, childStarts: childStarts, depthStarts: depthStarts, ids: ids(),
        sizes: sizes()),
      origins
    )
  }

  private mutating func append(_ depth: [Piece]) {
    var place = parents.count
    depthStarts.append(place)
    for piece in depth {
      let source = source(of: piece)
      for node in piece.nodes { parents.append(source.parents[node] + piece.parentShift) }
      origins.append(piece.nodes.count, from: piece.isNew ? nil : piece.nodes.lowerBound)
    }
    for piece in depth {
      let source = source(of: piece)
      var start = piece.nodes.lowerBound
      while start < piece.nodes.upperBound {
        let end = piece.isNew ? piece.nodes.upperBound : endOfPart(start..<piece.nodes.upperBound)
        let childShift = Int32(count) - source.childStarts[start]
        for node in start..<end { childStarts.append(source.childStarts[node] + childShift) }
        let children = source.children(of: start..<end)
        if piece.isNew {
          append(children, isNew: true, parentShift: place - start)
        } else {
          appendChildren(children, of: end - 1, shift: place - start)
        }
        place += end - start
        start = end
      }
    }
  }

  private func source(of piece: Piece) -> Forest {
    if piece.isNew, let subtree { subtree } else { forest }
  }

  /// The end of the first part of `nodes` whose children stay adjacent.
  private func endOfPart(_ nodes: Range<Int>) -> Int {
    var end = nodes.upperBound
    if let owner = removedFrom, nodes.contains(owner) { end = owner + 1 }
    if let owner = splice.parent, (nodes.lowerBound..<end).contains(owner) { end = owner + 1 }
    return end
  }

  /// Appends children. It leaves out the removed subtree and puts in the inserted one.
  ///
  /// - Parameters:
  ///   - owner: The last parent of the children; `nil` for roots. Only next to its children may a
  ///     subtree be removed or inserted.
  ///   - shift: The distance by which their parents have moved.
  private mutating func appendChildren(_ children: Range<Int>, of owner: Int?, shift: Int) {
    guard let inserted = splice.inserted, owner == splice.parent else {
      appendKept(children, parentShift: shift)
      return
    }
    let first = owner.map { Int(forest.childStarts[$0]) } ?? 0
    var place = first + splice.index
    if let removed = splice.removed, (first..<children.upperBound).contains(removed),
      place > removed
    {
      place += 1
    }
    appendKept(children.lowerBound..<place, parentShift: shift)
    let parent = owner.map { $0 + shift } ?? -1
    switch inserted {
    case .new: append(0..<1, isNew: true, parentShift: parent + 1)
    case .moved:
      if let node = splice.removed {
        append(node..<node + 1, isNew: false, parentShift: parent - Int(forest.parents[node]))
      }
    }
    appendKept(place..<children.upperBound, parentShift: shift)
  }

  private mutating func appendKept(_ nodes: Range<Int>, parentShift: Int) {
    guard let removed = splice.removed, nodes.contains(removed) else {
      append(nodes, isNew: false, parentShift: parentShift)
      return
    }
    append(nodes.lowerBound..<removed, isNew: false, parentShift: parentShift)
    append(removed + 1..<nodes.upperBound, isNew: false, parentShift: parentShift)
  }

  private mutating func append(_ nodes: Range<Int>, isNew: Bool, parentShift: Int) {
    guard !nodes.isEmpty else { return }
    pieces.append(Piece(nodes: nodes, isNew: isNew, parentShift: Int32(parentShift)))
    count += nodes.count
  }

  /// The ids of the nodes. New nodes keep their order.
  private func ids() -> IDColumn? {
    guard forest.ids != nil || subtree?.ids != nil else { return nil }
    var names = IDColumnBuilder(
      capacity: count, bytes: (forest.ids?.bytes.count ?? 0) + (subtree?.ids?.bytes.count ?? 0))
    var newCount = 0
    for run in origins.runs {
      let count = run.elements.count
      if let origin = run.origin {
        names.append(origin..<origin + count, of: forest.ids)
      } else {
        names.append(newCount..<newCount + count, of: subtree?.ids)
        newCount += count
      }
    }
    return names.column
  }

  /// The sizes of the nodes, in the order of ``ids()``.
  private func sizes() -> NodeSizes? {
    guard forest.sizes != nil || subtree?.sizes != nil else { return nil }
    func column(_ column: KeyPath<NodeSizes, [Double]?>) -> [Double] {
      var values: [Double] = []
      values.reserveCapacity(count)
      var newCount = 0
      for run in origins.runs {
        let source = (run.origin == nil ? subtree : forest)?.sizes?[keyPath: column]
        let (start, count) = (run.origin ?? newCount, run.elements.count)
        if run.origin == nil { newCount += count }
        if let source {
          values += source[start..<start + count]
        } else {
          values += repeatElement(.nan, count: count)
        }
      }
      return values
    }
    return NodeSizes(widths: column(\.widths), heights: column(\.heights))
  }
}
