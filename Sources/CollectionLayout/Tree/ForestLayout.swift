/// A kind of layout of a hierarchy, with its options.
protocol ForestLayout: Equatable, Sendable {
  /// The kind's name on the wire.
  static var kind: String { get }
  static var table: OptionTable { get }
  /// Whether the bounds must have a width.
  static var needsWidth: Bool { get }

  /// - Throws: ``LayoutError`` for an option that is wrong.
  init(_ given: GivenLayout) throws(LayoutError)

  /// - Parameters:
  ///   - folds: What is folded.
  ///   - earlier: Another version, or another layout, of which something may be shared.
  /// - Complexity: O(*n*) for *n* nodes.
  func prepared(
    for forest: Forest, _ folds: Folds, after earlier: (any PreparedForest)?,
    typesetter: (any TextTypesetter)?
  ) throws(LayoutError) -> any PreparedForest
}

extension ForestLayout {
  static var needsWidth: Bool { false }
}

/// All kinds of hierarchies. A new one needs a line here.
enum ForestKinds {
  static let all: [any ForestLayout.Type] = [TreeLayout.self, OutlineLayout.self]

  static func named(_ name: String) -> (any ForestLayout.Type)? { all.first { $0.kind == name } }
}

/// A prepared layout of a hierarchy.
protocol PreparedForest: PreparedLayout {
  /// All nodes, hidden ones included.
  var forest: Forest { get }
  /// Fitted to the forest.
  var folds: Folds { get }
  /// What the folds hide; `nil` if there are none.
  var hidden: HiddenRanks? { get }

  /// Whether the order of elements is that of the walk, and not the breadth-first order.
  var followsWalk: Bool { get }

  /// The node of an ordinal.
  func node(ofOrdinal ordinal: Int) -> Int

  /// Bytes that another layout does not hold, too.
  func unsharedBytes(besides other: any PreparedForest) -> Int

  /// Whether this is the layout of equal options: for the same nodes and folds all is the same.
  func isLaidOut(like other: any PreparedForest) -> Bool

  /// Where an earlier version of the same kind differs.
  ///
  /// - Parameter toPrevious: For each node, the node that it was.
  func area(from old: any PreparedForest, _ toPrevious: RunMap<Int>?) -> InvalidatedArea
}

extension PreparedForest {
  /// How many nodes are shown folded.
  var foldedCount: Int { hidden?.folded.count ?? 0 }
  func hasIDs(inSection section: Int) -> Bool { forest.items.hasIDs }
  func id(ofItemAt indexPath: IndexPath) -> ItemID? { forest.id(at: indexPath) }
  func data(ofItemAt indexPath: IndexPath) -> ItemData? {
    forest.node(at: indexPath).flatMap { forest.items.data(at: $0) }
  }
  func texts(ofItemAt indexPath: IndexPath) -> ItemTextsOfItem? {
    guard let node = forest.node(at: indexPath) else { return nil }
    let (storage, index) = forest.items.storage(at: node)
    return storage?.texts == nil ? nil : ItemTextsOfItem(storage, at: index)
  }

  /// What a node has that differs from what a node of another layout has.
  func values(of node: Int, besides other: any PreparedForest, _ otherNode: Int) -> [ValueKind] {
    let (mine, theirs) = (
      forest.items.storage(at: node), other.forest.items.storage(at: otherNode)
    )
    if mine.storage === theirs.storage, mine.index == theirs.index { return [] }
    var values: [ValueKind] = []
    if ItemData(mine.storage, at: mine.index) != ItemData(theirs.storage, at: theirs.index) {
      values.append(.data)
    }
    let texts = ItemTextsOfItem(mine.storage, at: mine.index)
    if texts != ItemTextsOfItem(theirs.storage, at: theirs.index) { values.append(.text) }
    return values
  }

  func identity(of series: Int, at indexPath: IndexPath) -> ElementIdentity { .item }

  /// The children of a node of the forest; `nil` for a leaf.
  func children(of node: Int, atDepth depth: Int) -> LayoutAttributes.Children? {
    let children = forest.children(of: node)
    guard !children.isEmpty else { return nil }
    let first = forest.depthStarts[depth + 1]
    return LayoutAttributes.Children(
      section: depth + 1, items: children.lowerBound - first..<children.upperBound - first)
  }
}
