extension Items {
  /// Whether the items of a range have the same ids and fields in both, or all but texts.
  ///
  /// - Complexity: O(*b* + *n*) for *b* blocks and *n* items in blocks with storage.
  func isEqual(to other: Items, in range: Range<Int>, withTexts: Bool = true) -> Bool {
    hasSameIDs(as: other, in: range) && (!withTexts || hasSameTexts(as: other, in: range))
      && measured.isEqual(to: other.measured, in: range)
      && ItemField.stored.allSatisfy { field in
        hasSame(in: range, as: other, where: { $0.column(field) != nil }) { storage, index in
          storage?.value(of: field, at: index)
        }
      }
  }

  /// The items of a list whose size, ratio or texts differ from those of items of another list.
  ///
  /// - Parameters:
  ///   - first: The item of the other list that is the first of them.
  ///   - count: How many items to compare from there on, with the first here.
  /// - Complexity: O(*b* + *n*) for *b* blocks and *n* items in blocks with sizes or texts.
  func itemsOfOtherSize(than other: Items, from first: Int, count: Int) -> [Int] {
    let fields = ItemField.stored.filter(\.isSize)
    func saysSizes(_ storage: ItemStorage?) -> Bool {
      storage.map { storage in
        storage.texts?.has(.text) == true || fields.contains { storage[$0] != nil }
      }
        ?? false
    }
    var found: [Int] = []
    var start = 0
    while start < count {
      let (mine, theirs) = (run(from: start), other.run(from: first + start))
      let end = min(mine.end, theirs.end - first, count)
      // There may be any number of items without fields, and most are stored once for both.
      if mine.storage !== theirs.storage || mine.index != theirs.index,
        saysSizes(mine.storage) || saysSizes(theirs.storage)
      {
        for item in start..<end {
          let index = mine.index + item - start
          let otherIndex = theirs.index + item - start
          let differs =
            fields.contains { field in
              mine.storage?.value(of: field, at: index)
                != theirs.storage?.value(of: field, at: otherIndex)
            }
            || ItemTextsOfItem(mine.storage, at: index)
              != ItemTextsOfItem(theirs.storage, at: otherIndex)
          if differs { found.append(item) }
        }
      }
      start = end
    }
    return found
  }

  /// The first item whose merged fields exclude each other: it has an aspect ratio, a width and a
  /// height.
  ///
  /// - Complexity: O(*b*) for *b* blocks, and O(*n*) for *n* items in merged blocks.
  var firstConflict: Int? {
    for block in blocks {
      guard let storage = block.storage, storage.isMerged else { continue }
      for index in block.range where storage.hasConflict(at: index) {
        return block.first + index - block.offset
      }
    }
    return nil
  }

  /// Whether an item of a range may have an id.
  ///
  /// - Complexity: O(*b*) for *b* blocks.
  func hasIDs(in range: Range<Int>) -> Bool {
    var isAny = false
    if hasIDs { forEachRun(in: range) { storage, _ in isAny = isAny || storage?.ids != nil } }
    return isAny
  }

  /// Whether all items, as many as those of another list, say the same as those.
  ///
  /// - Parameter most: How many may be compared one by one; where there are more, they do not.
  /// - Complexity: O(*b* + *n*) for *b* blocks and *n* items that are compared.
  func say(theSameAs other: Items, comparing most: inout Int) -> Bool {
    var start = 0
    while start < count {
      let (mine, theirs) = (run(from: start), other.run(from: start))
      let range = start..<min(mine.end, theirs.end, count)
      start = range.upperBound
      // There may be any number of items without fields, and most are stored once for both.
      if mine.storage === theirs.storage, mine.storage == nil || mine.index == theirs.index {
        continue
      }
      guard range.count <= most else { return false }
      most -= range.count
      guard range.allSatisfy({ says($0, theSameAs: other, $0) }) else { return false }
    }
    return measured.isEqual(to: other.measured, in: 0..<count)
  }

  /// Whether an item says the same as one of another list, which may have been measured.
  func says(_ item: Int, theSameAs other: Items, _ otherItem: Int) -> Bool {
    let (mine, index) = storage(at: item)
    let (theirs, otherIndex) = other.storage(at: otherItem)
    if let size = measured[item] {
      guard let other = other.measured[otherItem], size.isEqual(to: other) else { return false }
    }
    return ItemField.stored.allSatisfy {
      mine?.value(of: $0, at: index) == theirs?.value(of: $0, at: otherIndex)
    } && mine?.ids?[index] == theirs?.ids?[otherIndex]
      && [mine?.texts, theirs?.texts].allSatisfy {
        $0?.names.allSatisfy {
          mine?.texts?.text($0, of: index) ?? [] == theirs?.texts?.text($0, of: otherIndex) ?? []
        } ?? true
      }
  }

  /// Whether the items of a range have the same ids in both.
  ///
  /// - Complexity: O(*b* + *n* · log *b*) for *b* blocks and *n* items in blocks with ids.
  func hasSameIDs(as other: Items, in range: Range<Int>) -> Bool {
    hasSame(in: range, as: other, where: { $0.ids != nil }, saying: { $0?.ids?[$1] })
  }

  /// Whether the items of a range say the same in both.
  ///
  /// - Parameters:
  ///   - isThere: Whether any item of a storage may say something. Other storage is not looked at.
  ///   - value: What an item of a storage says.
  func hasSame<Value: Equatable>(
    in range: Range<Int>, as other: Items, where isThere: (ItemStorage) -> Bool,
    saying value: (ItemStorage?, Int) -> Value
  ) -> Bool {
    var start = range.lowerBound
    while start < range.upperBound {
      let (mine, theirs) = (run(from: start), other.run(from: start))
      let end = min(mine.end, theirs.end, range.upperBound)
      let (first, otherFirst) = (mine.index - start, theirs.index - start)
      let isShared = mine.storage === theirs.storage && first == otherFirst
      if !isShared, mine.storage.map(isThere) ?? false || theirs.storage.map(isThere) ?? false {
        for item in start..<end
        where value(mine.storage, first + item) != value(theirs.storage, otherFirst + item) {
          return false
        }
      }
      start = end
    }
    return true
  }
}
