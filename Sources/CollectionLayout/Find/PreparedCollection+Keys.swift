extension PreparedCollection {
  /// The first cell, in the order of this layout, whose first value of a key is in a range; if all
  /// such cells are folded away, the first of these.
  ///
  /// - Parameters:
  ///   - from: The least value.
  ///   - upTo: The largest value; of the type of `from`. A range of one type holds no other.
  /// - Complexity: O(*n*) for *n* items up to there.
  public func firstCell(
    withKey name: ValueName, from: ItemKey?, upTo: ItemKey?
  ) -> (path: IndexPath, isShown: Bool)? {
    guard let stack = content.stack, let bound = from ?? upTo else { return nil }
    let limit = bound.bytes
    var hidden: IndexPath?
    for (section, data) in stack.data.enumerated() where data.items.valueNames.contains(name) {
      var item = -1
      var found: IndexPath?
      data.items.forEachText(name) { bytes in
        item += 1
        guard found == nil, !bytes.isEmpty else { return }
        let first = bytes.withUnsafeBufferPointer { Array(ItemKey.first(in: $0)) }
        guard first[0] == limit[0] else { return }
        let isIn =
          from == nil
          ? !limit.lexicographicallyPrecedes(first) : !first.lexicographicallyPrecedes(limit)
        if isIn { found = IndexPath(section: section, item: item) }
      }
      guard let found else { continue }
      if cover(ofItemAt: found) == nil { return (found, true) }
      hidden = hidden ?? found
    }
    return hidden.map { ($0, false) }
  }
}
