@testable import CollectionLayout

/// A tree that is laid out by recursion over its nodes.
struct PlainTree {
  private let nodes: [PlainNode]
  private let options: TreeLayout
  private var children: [[Int]]
  private var roots: [Int]
  /// Nodes by depth, each depth in the order of a breadth-first walk.
  private var depths: [[Int]] = []
  /// The row that each node stands in; may be a fraction.
  private(set) var rows: [Double]

  init(_ nodes: [PlainNode], options: TreeLayout) {
    self.nodes = nodes
    self.options = options
    children = Array(repeating: [], count: nodes.count)
    roots = []
    rows = Array(repeating: 0, count: nodes.count)
    for (node, row) in nodes.enumerated() {
      if let parent = row.parent { children[parent].append(node) } else { roots.append(node) }
    }
    var depth = roots
    while !depth.isEmpty {
      depths.append(depth)
      depth = depth.flatMap { children[$0] }
    }
    switch options.spacing {
    case .rows: placeInRows()
    case .compact: placeCompactly()
    }
  }

  private func rowCount(_ node: Int) -> Int {
    children[node].isEmpty ? 1 : children[node].reduce(0) { $0 + rowCount($1) }
  }

  private mutating func placeInRows() {
    var row = 0
    for root in roots {
      placeInRows(root, from: row)
      row += rowCount(root)
    }
  }

  private mutating func placeInRows(_ node: Int, from first: Int) {
    rows[node] = Double(first)
    var row = first
    for child in children[node] {
      placeInRows(child, from: row)
      row += rowCount(child)
    }
  }

  private func forest() -> PlainLayout {
    let depthPitch = options.itemSize.width + options.insets.left + options.insets.right
    let rowPitch = options.itemSize.height + options.insets.top + options.insets.bottom
    let topmost = options.spacing == .compact ? rows.min() ?? 0 : 0
    let ys = rows.map { ($0 - topmost) * rowPitch + options.insets.top }
    var elements: [Element] = []
    for (depth, nodesThere) in depths.enumerated() {
      for (item, node) in nodesThere.enumerated() {
        let x = Double(depth) * depthPitch + options.insets.left
        let childPaths = children[node].map { child in
          IndexPath(section: depth + 1, item: depths[depth + 1].firstIndex(of: child)!)
        }
        let frame = Rect(
          x: x, y: ys[node], width: options.itemSize.width, height: options.itemSize.height)
        elements.append(.cell(depth, item, frame, id: nodes[node].id, children: childPaths))
        guard options.connectors, let last = children[node].last, let first = children[node].first
        else { continue }
        var top = ys[node]
        var bottom = ys[last] + options.itemSize.height
        if options.spacing == .compact {
          top = min(top, ys[first])
          bottom = max(bottom, ys[node] + options.itemSize.height)
        }
        let connector = Rect(
          x: x + options.itemSize.width, y: top,
          width: options.insets.left + options.insets.right, height: bottom - top)
        elements.append(
          .supplementary("connector", depth, item, connector, children: childPaths))
      }
    }
    let height =
      switch options.spacing {
      case .rows: Double(roots.reduce(0) { $0 + rowCount($1) }) * rowPitch
      case .compact:
        ys.max().map { $0 + options.itemSize.height + options.insets.bottom } ?? 0
      }
    return PlainLayout(
      elements: elements,
      contentSize: Size(width: Double(depths.count) * depthPitch, height: height),
      sectionCount: depths.count)
  }

  static func layout(_ nodes: [PlainNode], options: TreeLayout) -> PlainLayout {
    PlainTree(nodes, options: options).forest()
  }
}

// Compact spacing: every subtree is pushed away from all those before it, depth by depth.
extension PlainTree {
  private mutating func placeCompactly() {
    arrange(roots)
  }

  private mutating func arrange(_ siblings: [Int]) {
    for (index, node) in siblings.enumerated() {
      arrange(children[node])
      if let first = children[node].first, let last = children[node].last {
        rows[node] = (rows[first] + rows[last]) / 2
      }
      if index > 0 { push(index, of: siblings) }
    }
  }

  /// Puts a subtree beside the one before it, then away from what it overlaps, and gives the
  /// subtrees in between their share of each push.
  private mutating func push(_ index: Int, of siblings: [Int]) {
    let node = siblings[index]
    move(node, by: rows[siblings[index - 1]] + 1 - rows[node])
    var own = children[node]
    var others = (0..<index).map { children[siblings[$0]] }
    while !own.isEmpty {
      var lowest: (row: Double, sibling: Int)?
      for (sibling, level) in others.enumerated() {
        for other in level where rows[other] > lowest?.row ?? -.infinity {
          lowest = (rows[other], sibling)
        }
      }
      guard let lowest else { return }
      let overlap = lowest.row + 1 - (own.map { rows[$0] }.min() ?? 0)
      if overlap > 0 {
        let share = overlap / Double(index - lowest.sibling)
        for sibling in lowest.sibling + 1..<index {
          move(siblings[sibling], by: share * Double(sibling - lowest.sibling))
        }
        move(node, by: overlap)
      }
      own = own.flatMap { children[$0] }
      others = others.map { level in level.flatMap { children[$0] } }
    }
  }

  private mutating func move(_ node: Int, by distance: Double) {
    rows[node] += distance
    for child in children[node] { move(child, by: distance) }
  }
}
