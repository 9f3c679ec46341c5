/// What is to be folded and unfolded.
public struct FoldsChange: Sendable {
  /// A node or a section.
  public enum Reference: Sendable {
    case item(ItemReference)
    case section(Int)
    case sectionID(ItemID)
  }

  /// From which depth on nodes are folded. Then no exception is left.
  public var from: SectionPatch.Change<Int> = .none
  public var fold: [Reference] = []
  public var unfold: [Reference] = []
  /// How many levels are unfolded, ≥ 1.
  public var levels = 1
  /// Nodes, or items, that are to be shown.
  public var reveal: [Reference] = []

  public init() {}
}

extension PreparedCollection {
  /// The collection after something was folded or unfolded.
  ///
  /// - Parameters:
  ///   - source: The collection of which this is a view, if it is one.
  ///   - itemIDs: As in ``applying(_:itemIDs:visitLimit:itemLimit:)``.
  /// - Returns: No change if depth and marks stay.
  /// - Complexity: O(*m* + *r*) for *m* marks and *r* rows or sections that come into sight or go.
  /// - Throws: ``LayoutError/invalidFold(list:_:requirement:)``.
  public func folding(
    _ change: FoldsChange, from source: PreparedCollection? = nil,
    itemIDs: (() -> ItemIDIndex?)? = nil, itemLimit: Int = .max
  ) throws(LayoutError) -> (collection: PreparedCollection, change: CollectionChange?) {
    let folds = try folds(after: change, itemIDs)
    return try changing(layout, from: source, folds: folds, itemLimit: itemLimit)
  }

  /// What is folded after a change.
  public func folds(
    after change: FoldsChange, _ itemIDs: (() -> ItemIDIndex?)? = nil
  ) throws(LayoutError) -> Folds {
    var folds = folds
    switch change.from {
    case .none: break
    case .remove: folds = Folds()
    case .set(let from):
      folds = Folds()
      folds.from = from
    }
    var index: ItemIDIndex??
    var sectionsByID: [ItemID: Int]?
    func path(_ item: ItemReference) -> IndexPath? {
      switch item {
      case .path(let path): return isThere(path) ? path : nil
      case .id(let id):
        if index == nil { index = .some(itemIDs.map { $0() } ?? ItemIDIndex(data)) }
        return index!.flatMap { firstItem(with: id, in: $0, isShown: false) }
      }
    }
    /// The place that folds, or is revealed.
    func place(
      _ reference: FoldsChange.Reference, _ list: String, _ number: Int
    ) throws(LayoutError) -> Int {
      func fault(_ requirement: String) -> LayoutError {
        .invalidFold(list: list, number, requirement: requirement)
      }
      let isOfSections = content.stack != nil && list != "reveal"
      switch reference {
      case .item(let item) where !isOfSections:
        guard let path = path(item) else {
          throw fault("the id or index path of \(content.stack == nil ? "a node" : "an item")")
        }
        if case .forest(let forest) = content { return forest.forest.node(at: path)! }
        return path.section
      case .section(let section) where isOfSections:
        guard section < content.stack!.sections.count else {
          throw fault("a section of the layout")
        }
        return section
      case .sectionID(let id) where isOfSections:
        if sectionsByID == nil {
          let named = content.stack!.data.enumerated().compactMap { index, section in
            section.settings?.id.map { ($0, index) }
          }
          sectionsByID = Dictionary(named) { first, _ in first }
        }
        guard let section = sectionsByID?[id] else { throw fault("the id of a section") }
        return section
      default:
        throw fault(
          isOfSections ? "a section: {\"section\": …}" : "an id or index path: {\"id\": …}")
      }
    }
    var marks: [Int: Bool?] = [:]
    func mark(_ place: Int, atDepth depth: Int, _ isFolded: Bool) {
      marks.updateValue(folds.isFolded(atDepth: depth) == isFolded ? nil : isFolded, forKey: place)
    }
    for (number, reference) in change.fold.enumerated() {
      let place = try place(reference, "fold", number)
      guard canFold(place) else {
        throw .invalidFold(
          list: "fold", number,
          requirement: content.stack == nil ? "a node with children" : "a section with items")
      }
      mark(place, atDepth: depth(of: place), true)
    }
    /// By depth, the nodes that unfold.
    var roots: [Int: [Int]] = [:]
    for (number, reference) in change.unfold.enumerated() {
      let place = try place(reference, "unfold", number)
      if content.stack == nil {
        roots[depth(of: place), default: []].append(place)
      } else if canFold(place) {
        mark(place, atDepth: 0, false)
      }
    }
    if case .forest(let prepared) = content {
      try forEachUnfolded(roots, change.levels, in: prepared.forest) {
        mark($0, atDepth: $1, false)
      }
    }
    /// What lies above was revealed with it.
    var revealed: Set<Int> = []
    for (number, reference) in change.reveal.enumerated() {
      let place = try place(reference, "reveal", number)
      guard case .forest(let prepared) = content else {
        mark(place, atDepth: 0, false)
        continue
      }
      var (node, depth) = (place, prepared.forest.depth(of: place))
      while let parent = prepared.forest.parent(of: node), revealed.insert(parent).inserted {
        (node, depth) = (parent, depth - 1)
        mark(node, atDepth: depth, false)
      }
    }
    put(marks, into: &folds)
    return folds
  }

  /// Calls `body` with each node that unfolds and its depth: some by depth, and what is below them
  /// so many levels deep.
  ///
  /// - Complexity: O(*n*) for *n* nodes down there, however often they are named.
  private func forEachUnfolded(
    _ roots: [Int: [Int]], _ levels: Int, in forest: Forest, _ body: (Int, Int) -> Void
  ) throws(LayoutError) {
    guard let first = roots.keys.min(), let last = roots.keys.max() else { return }
    /// The nodes of a depth, and how many levels from them on unfold.
    var nodes: [Int: Int] = [:]
    var depth = first
    while depth <= last || !nodes.isEmpty {
      for root in roots[depth] ?? [] { nodes[root] = levels }
      try LayoutError.reserve(nodes.count * 64)
      var below: [Int: Int] = [:]
      for (node, levels) in nodes where canFold(node) {
        body(node, depth)
        if levels > 1 { for child in forest.children(of: node) { below[child] = levels - 1 } }
      }
      (nodes, depth) = (below, depth + 1)
    }
  }

  private func put(_ marks: [Int: Bool?], into folds: inout Folds) {
    guard !marks.isEmpty else { return }
    if isArranged, let sections = content.stack?.data {
      for (place, mark) in marks { folds.groups[sections.group(place)] = mark }
      return
    }
    let walk: ForestWalk? =
      if case .forest(let forest) = content { forest.forest.walk } else { nil }
    func rank(_ mark: Folds.Mark) -> Int { walk?.rank(of: mark.place) ?? mark.place }
    var new = marks.compactMap { place, mark in
      mark.map { Folds.Mark(place: place, isFolded: $0) }
    }
    new.sort { rank($0) < rank($1) }
    let old = folds.marks.filter { marks[$0.place] == nil }
    folds.marks = []
    folds.marks.reserveCapacity(old.count + new.count)
    var next = new[...]
    for mark in old {
      while let first = next.first, rank(first) < rank(mark) {
        folds.marks.append(next.removeFirst())
      }
      folds.marks.append(mark)
    }
    folds.marks += next
  }

  private func canFold(_ place: Int) -> Bool {
    switch content {
    case .sections(let stack): stack.data[place].items.count > 0
    case .forest(let forest): !forest.forest.children(of: place).isEmpty
    }
  }

  private func depth(of place: Int) -> Int {
    if case .forest(let forest) = content { forest.forest.depth(of: place) } else { 0 }
  }

  /// Whether there is an item or node, shown or not.
  public func isThere(_ path: IndexPath) -> Bool {
    switch content {
    case .sections(let stack):
      stack.data.indices.contains(path.section)
        && (0..<stack.data[path.section].items.count).contains(path.item)
    case .forest(let forest): forest.forest.node(at: path) != nil
    }
  }
}

// MARK: What is hidden

extension PreparedCollection {
  /// What an item or node is folded in: what is shown in its place.
  public enum Cover: Sendable {
    case node(IndexPath, ItemID?)
    case section(Int, ItemID?)
  }

  /// What an item or node is folded in; `nil` if it is shown.
  ///
  /// - Precondition: It is there.
  public func cover(ofItemAt path: IndexPath) -> Cover? {
    switch content {
    case .sections(let stack):
      guard stack.sections[path.section].isFolded else { return nil }
      return .section(path.section, stack.data[path.section].settings?.id)
    case .forest(let forest):
      guard forest.foldedCount > 0, let node = forest.forest.node(at: path),
        let cover = HiddenRanks.cover(of: node, in: forest)
      else { return nil }
      return .node(forest.forest.indexPath(of: cover), forest.forest.items.id(at: cover))
    }
  }

  /// How many nodes or sections are shown folded.
  public var foldedCount: Int {
    switch content {
    case .sections(let stack): stack.foldedCount
    case .forest(let forest): forest.foldedCount
    }
  }

  /// Where each fold is, for the export.
  public func forEachFold(isFolded: Bool, _ body: (IndexPath?, _ section: Int) -> Void) {
    for mark in folds.marks where mark.isFolded == isFolded {
      switch content {
      case .sections: body(nil, mark.place)
      case .forest(let forest): body(forest.forest.indexPath(of: mark.place), 0)
      }
    }
  }

  /// The first item with an id in the order of the layout, hidden ones included or not.
  ///
  /// - Complexity: O(1) on average; O(*n*) if several items have it.
  public func firstItem(with id: ItemID, in index: ItemIDIndex, isShown: Bool) -> IndexPath? {
    guard let found = index.find(id, in: data) else { return nil }
    var isOrdered = true
    if case .forest(let forest) = content { isOrdered = !forest.followsWalk }
    let isRight = !isShown || cover(ofItemAt: found.path) == nil
    if found.isOnly || isOrdered && isRight { return isRight ? found.path : nil }
    switch content {
    case .sections(let stack):
      for (section, data) in stack.data.enumerated()
      where !isShown || !stack.sections[section].isFolded {
        if let item = (0..<data.items.count).first(where: { data.items.id(at: $0) == id }) {
          return IndexPath(section: section, item: item)
        }
      }
      return nil
    case .forest(let prepared):
      let forest = prepared.forest
      let node = (0..<forest.count).lazy
        .map { prepared.followsWalk ? forest.walk.node(at: $0) : $0 }
        .first {
          forest.items.id(at: $0) == id
            && (!isShown || HiddenRanks.cover(of: $0, in: prepared) == nil)
        }
      return node.map { forest.indexPath(of: $0) }
    }
  }
}

extension HiddenRanks {
  /// The folded node that is shown and hides a node; `nil` if that is shown.
  static func cover(of node: Int, in prepared: any PreparedForest) -> Int? {
    guard let ranks = prepared.hidden else { return nil }
    return ranks.cover(of: ranks.walk.rank(of: node)).map { ranks.walk.node(at: $0) }
  }
}
