@testable import CollectionLayout

/// What a collection holds as plain nested lists; every item, section and node has a token that no
/// layout sees, so that it is known again wherever it goes.
struct ChangesModel {
  struct Item {
    var token: Int
    var fields: PlainItem
  }

  struct Section {
    var token: Int
    var items: [Item]
  }

  struct Node {
    var token: Int
    var id: String?
    var children: [Node] = []

    var count: Int { children.reduce(1) { $0 + $1.count } }
    var tokens: [Int] { children.reduce([token]) { $0 + $1.tokens } }

    /// The node and its descendants as rows, appended to others.
    func appendRows(parent: Int?, to rows: inout [(parent: Int?, id: String?)]) {
      let index = rows.count
      rows.append((parent, id))
      for child in children { child.appendRows(parent: index, to: &rows) }
    }
  }

  let kind: Kind
  var sections: [Section] = []
  var roots: [Node] = []
  private var lastToken = 0

  init(_ kind: Kind) { self.kind = kind }

  mutating func newToken() -> Int {
    lastToken += 1
    return lastToken
  }

  mutating func newItems(_ fields: [PlainItem]) -> [Item] {
    fields.map { Item(token: newToken(), fields: $0) }
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

  /// The data made anew, each section in one piece.
  func data() throws -> CollectionData {
    guard kind == .tree else {
      return .sections(sections.map { Items($0.items.map(\.fields), of: kind) })
    }
    return .forest(try Self.forest(roots))
  }

  static func forest(_ roots: [Node]) throws -> Forest {
    var rows: [(parent: Int?, id: String?)] = []
    for root in roots { root.appendRows(parent: nil, to: &rows) }
    return try Forest(
      parents: rows.map { $0.parent.map { Int32($0) } ?? -1 },
      ids: rows.contains { $0.id != nil } ? IDColumn(rows.map(\.id)) : nil)
  }

  /// The first index path of each id.
  var pathsByID: [String: IndexPath] {
    var paths: [String: IndexPath] = [:]
    let ids =
      kind == .tree
      ? depths.map { $0.map(\.id) } : sections.map { $0.items.map(\.fields.id) }
    for (section, ids) in ids.enumerated() {
      for (item, id) in ids.enumerated() {
        if let id, paths[id] == nil { paths[id] = IndexPath(section: section, item: item) }
      }
    }
    return paths
  }
}

/// What an element is the same by in two versions.
struct ChangesKey: Hashable {
  var series: Int
  var token: Int
  var item: Int
}

/// All elements of one version, in order and by what they are.
struct ChangesSnapshot {
  var ordered: [(series: Int, attributes: LayoutAttributes)] = []
  var byKey: [ChangesKey: LayoutAttributes] = [:]
  private var items: [[Int]]
  private var sections: [Int]
  private var belonging: [Int: ElementIdentity]

  init(_ collection: PreparedCollection, _ model: ChangesModel) {
    items =
      model.kind == .tree
      ? model.depths.map { $0.map(\.token) } : model.sections.map { $0.items.map(\.token) }
    sections = model.sections.map(\.token)
    let background = (collection.layout as? GridLayout)?.background
    belonging = [
      0: .item, 1: background == .item ? .item : .section,
      2: model.kind == .gallery ? .layout : .section, 3: .section, 4: .item,
    ]
    let prepared = collection.prepared
    for index in prepared.series.indices {
      let series = Self.number(of: prepared.series[index])
      _ = prepared.forEachElement(
        of: index, in: .everything, from: IndexPath(section: 0, item: 0)
      ) {
        ordered.append((series, $0))
        byKey[key(series, $0.indexPath)] = $0
        return true
      }
    }
  }

  static func number(of series: ElementSeries) -> Int {
    switch series.kind {
    case nil: 0
    case "background": 1
    case "header": 2
    case "footer": 3
    default: 4
    }
  }

  func key(_ series: Int, _ path: IndexPath) -> ChangesKey {
    switch belonging[series]! {
    case .item: ChangesKey(series: series, token: items[path.section][path.item], item: 0)
    case .section: ChangesKey(series: series, token: sections[path.section], item: path.item)
    case .layout: ChangesKey(series: series, token: 0, item: 0)
    }
  }

  /// The same elements, each being the same as long as its index path stays.
  var byIndexPath: [ChangesKey: LayoutAttributes] {
    var byPath: [ChangesKey: LayoutAttributes] = [:]
    for (series, attributes) in ordered {
      byPath[Self.pathKey(series, attributes.indexPath)] = attributes
    }
    return byPath
  }

  static func pathKey(_ series: Int, _ path: IndexPath) -> ChangesKey {
    ChangesKey(series: series, token: path.section, item: path.item)
  }
}

extension LayoutAttributes {
  /// Whether all numbers are the same bits and everything else is equal.
  func isIdentical(to other: LayoutAttributes) -> Bool {
    self == other && frame.bits == other.frame.bits
  }

  /// Whether the frame meets the rect, by the rule for all kinds.
  func isIn(_ rect: Rect) -> Bool {
    Element.meet(frame.origin.x, frame.size.width, rect.origin.x, rect.size.width)
      && Element.meet(frame.origin.y, frame.size.height, rect.origin.y, rect.size.height)
  }
}

extension Rect {
  var bits: SIMD4<UInt64> {
    SIMD4(
      origin.x.bitPattern, origin.y.bitPattern, size.width.bitPattern, size.height.bitPattern)
  }

  /// Whether the other lies inside, edges included.
  func contains(_ other: Rect) -> Bool {
    origin.x <= other.origin.x && origin.y <= other.origin.y && other.maxX <= maxX
      && other.maxY <= maxY
  }
}
