@testable import CollectionLayout

/// What a collection holds as plain nested lists; every item, section and node has a token that no
/// layout sees, so that it is known again wherever it goes.
struct PlainCollection {
  struct Item {
    var token: Int
    var fields: PlainItem
  }

  struct Section {
    var token: Int
    var items: [Item]
    var id: String?
    var kind: String?
    var orthogonalHeight: Double?
    var options: GivenOptions = [:]

    /// As a client gives it, the items in one piece.
    var given: CollectionSection {
      CollectionSection(
        Items(items.map(\.fields)), options, id: id, kind: kind,
        orthogonalHeight: orthogonalHeight)
    }
  }

  struct Node {
    var token: Int
    var id: String?
    var width: Double?
    var height: Double?
    var children: [Node] = []

    var count: Int { children.reduce(1) { $0 + $1.count } }
    var tokens: [Int] { children.reduce([token]) { $0 + $1.tokens } }

    /// The node and its descendants as rows, appended to others.
    func appendRows(parent: Int?, to rows: inout [PlainNode]) {
      let index = rows.count
      rows.append(PlainNode(parent: parent, id: id, width: width, height: height))
      for child in children { child.appendRows(parent: index, to: &rows) }
    }
  }

  let isForest: Bool
  var sections: [Section] = []
  var roots: [Node] = []
  private var lastToken = 0

  init(isForest: Bool) { self.isForest = isForest }

  mutating func newToken() -> Int {
    lastToken += 1
    return lastToken
  }

  mutating func newItems(_ fields: [PlainItem]) -> [Item] {
    fields.map { Item(token: newToken(), fields: $0) }
  }

  /// The first item with fields that exclude each other.
  var firstConflict: IndexPath? {
    for (section, items) in sections.enumerated() {
      if let item = items.items.firstIndex(where: \.fields.hasConflict) {
        return IndexPath(section, item)
      }
    }
    return nil
  }

  // MARK: Nodes

  /// The nodes of each depth in the order of a breadth-first walk.
  var depths: [[Node]] {
    var depths: [[Node]] = []
    var depth = roots
    while !depth.isEmpty {
      depths.append(depth)
      depth = depth.flatMap(\.children)
    }
    return depths
  }

  mutating func insert(_ node: Node, under parent: Int?, at index: Int) {
    guard let parent else { return roots.insert(node, at: index) }
    _ = Self.modify(&roots, parent) { $0[$1].children.insert(node, at: index) }
  }

  mutating func remove(_ token: Int) -> Node {
    Self.modify(&roots, token) { $0.remove(at: $1) }!
  }

  /// Gives a node another size.
  mutating func setSize(of token: Int, width: Double?, height: Double?) {
    _ = Self.modify(&roots, token) {
      $0[$1].width = width
      $0[$1].height = height
    }
  }

  private static func modify<R>(
    _ nodes: inout [Node], _ token: Int, _ body: (inout [Node], Int) -> R
  ) -> R? {
    if let index = nodes.firstIndex(where: { $0.token == token }) { return body(&nodes, index) }
    for index in nodes.indices {
      if let result = modify(&nodes[index].children, token, body) { return result }
    }
    return nil
  }

  // MARK: What the layout sees

  /// The data made anew.
  func data() throws(LayoutError) -> CollectionData {
    isForest ? .forest(try Self.forest(roots)) : .sections(sections.map(\.given))
  }

  static func forest(_ roots: [Node]) throws(LayoutError) -> Forest {
    var rows: [PlainNode] = []
    for root in roots { root.appendRows(parent: nil, to: &rows) }
    return try Forest(rows)
  }

  /// The first index path of each id.
  var pathsByID: [String: IndexPath] {
    var paths: [String: IndexPath] = [:]
    let ids = isForest ? depths.map { $0.map(\.id) } : sections.map { $0.items.map(\.fields.id) }
    for (section, ids) in ids.enumerated() {
      for (item, id) in ids.enumerated() {
        if let id, paths[id] == nil { paths[id] = IndexPath(section, item) }
      }
    }
    return paths
  }
}
