import CollectionLayout

/// The simple way to write a layout, as a rival: a dictionary of attribute objects by index path.
/// Every query looks at all of them.
struct AttributeDictionary {
  /// Like `UICollectionViewLayoutAttributes`.
  final class Attributes {
    let indexPath: IndexPath
    let frame: Rect

    init(indexPath: IndexPath, frame: Rect) {
      self.indexPath = indexPath
      self.frame = frame
    }
  }

  private var attributes: [IndexPath: Attributes] = [:]

  /// One section of `count` items.
  init(count: Int, frame: (Int) -> Rect) {
    for item in 0..<count { add(IndexPath(section: 0, item: item), frame(item)) }
  }

  /// A hierarchy with a row for each leaf, placed with the default options of `tree`.
  ///
  /// - Parameter parents: The parent of each node, level by level; −1 for the root.
  init(treeOf parents: [Int]) {
    var children = [[Int]](repeating: [], count: parents.count)
    var depths = [Int](repeating: 0, count: parents.count)
    for (node, parent) in parents.enumerated() where parent >= 0 {
      children[parent].append(node)
      depths[node] = depths[parent] + 1
    }
    var rowCounts = [Int](repeating: 1, count: parents.count)
    for node in parents.indices.reversed() where !children[node].isEmpty {
      rowCounts[node] = children[node].reduce(0) { $0 + rowCounts[$1] }
    }
    var rows = [Int](repeating: 0, count: parents.count)
    var places: [Int] = []
    for node in parents.indices {
      let depth = depths[node]
      if depth == places.count { places.append(0) }
      add(
        IndexPath(section: depth, item: places[depth]),
        Rect(
          x: Double(depth) * 220 + 20, y: Double(rows[node]) * 88 + 20, width: 180, height: 48))
      places[depth] += 1
      var row = rows[node]
      for child in children[node] {
        rows[child] = row
        row += rowCounts[child]
      }
    }
  }

  private mutating func add(_ indexPath: IndexPath, _ frame: Rect) {
    attributes[indexPath] = Attributes(indexPath: indexPath, frame: frame)
  }

  var count: Int { attributes.count }

  /// Like `layoutAttributesForElements(in:)`.
  ///
  /// - Complexity: O(*n*).
  func elements(in rect: Rect) -> [Attributes] {
    attributes.values.filter { $0.frame.intersects(rect) }
  }
}
