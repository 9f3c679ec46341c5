/// Reading the fields of items, block by block.
extension Items {
  /// Whether any item has a value of a field.
  ///
  /// - Complexity: O(*n*) for *n* stored items. The search stops at the first value.
  public func has(_ field: ItemField) -> Bool {
    blocks.contains { block in
      block.storage?.column(field)?.hasValue(in: block.range) ?? false
    }
  }

  /// Whether any item has an integer other than 1 in a field.
  ///
  /// - Complexity: Like ``has(_:)``.
  func hasOtherThanOne(in field: ItemField) -> Bool {
    blocks.contains { block in
      guard case .integers(let values) = block.storage?.column(field) else { return false }
      return values[block.range].contains { $0 != 1 && $0 != ItemColumn.none }
    }
  }

  /// Whether the aspect ratio of any item is known.
  ///
  /// - Complexity: Like ``has(_:)``.
  var hasRatios: Bool {
    blocks.contains { block in
      guard let storage = block.storage, storage.mayHaveRatios else { return false }
      return block.range.contains { storage.ratio(at: $0) != nil }
    }
  }

  /// Whether the height of any item for a width follows from its fields.
  func haveHeights(in container: Container) -> Bool {
    !measured.isEmpty || has(container.field(.height)) || hasRatios
      || container.card?.applies(to: self) ?? false
  }

  /// Writes the heights of the items of a range, in whole steps.
  ///
  /// The height is the one that was measured. Without one it is that of the item's card, and
  /// without a card it follows from its aspect ratio. Without a ratio it is the item's own height,
  /// and without that it is `standard`.
  ///
  /// - Parameters:
  ///   - width: The width of an item, by its place in the range.
  ///   - standard: In whole steps.
  @inline(__always)
  func readHeights(
    _ range: Range<Int>, ofWidths width: (Int) -> Double, else standard: Double,
    in container: Container, into heights: UnsafeMutablePointer<Double>
  ) {
    var target = heights
    let step = container.step
    forEachRun(in: range) { storage, run in
      if let given = storage?[container.field(.height)] {
        given.withUnsafeBufferPointer { given in
          for place in 0..<run.count {
            let height = step.length(given[run.lowerBound + place])
            // Only NaN differs from itself. This test is vectorized, and `isNaN` is not.
            target[place] = height == height ? height : standard
          }
        }
      } else {
        target.initialize(repeating: standard, count: run.count)
      }
      if let storage, storage.mayHaveRatios {
        for place in 0..<run.count {
          if let ratio = storage.ratio(at: run.lowerBound + place) {
            target[place] = container.height(
              ofWidth: width(target - heights + place), ratio: ratio)
          }
        }
      }
      container.card?.readHeights(
        of: storage, run, ofWidths: { width(target - heights + $0) }, into: target)
      target += run.count
    }
    measured.forEachEntry(in: range) { entry in
      heights[entry.item - range.lowerBound] = step.length(entry.size)
    }
  }

  /// Writes the values of a field of integers, ``ItemColumn/none`` for an item without one.
  func readIntegers(
    of field: ItemField, in range: Range<Int>, into values: UnsafeMutablePointer<UInt32>
  ) {
    var target = values
    forEachRun(in: range) { storage, run in
      if case .integers(let given) = storage?.column(field) {
        given.withUnsafeBufferPointer {
          target.initialize(from: $0.baseAddress! + run.lowerBound, count: run.count)
        }
      } else {
        target.initialize(repeating: ItemColumn.none, count: run.count)
      }
      target += run.count
    }
  }

  /// Calls `body` with each item from `first` on and its value of a field, NaN if it has none.
  public func forEachValue(
    of field: ItemField, from first: Int, _ body: (Int, Double) -> Void
  ) {
    var item = first
    guard first < count else { return }
    for block in blocks[blockIndex(of: first)...] {
      let column = block.storage?.column(field)
      while item < block.end {
        body(item, column?[block.offset + item - block.first] ?? .nan)
        item += 1
      }
    }
  }

  /// Whether any item has an id; ``hasIDs`` says whether one may have.
  ///
  /// - Complexity: O(*n*) for *n* items of storage with ids. The search stops at the first id.
  public var hasAnyID: Bool {
    hasIDs
      && blocks.contains { block in
        block.storage?.ids.map { ids in block.range.contains { ids[$0] != nil } } ?? false
      }
  }

  /// Calls `body` with the id of each item, `nil` if it has none.
  public func forEachID(_ body: (ItemID?) -> Void) {
    forEachRun(in: 0..<count) { storage, run in
      for index in run { body(storage?.ids?[index]) }
    }
  }

  /// Calls `body` with each item from `first` on and its aspect ratio, `nil` if it is unknown.
  ///
  /// - Parameter end: The item at which to end; `nil` for the last.
  func forEachRatio(
    from first: Int, to end: Int? = nil, _ body: (Int, Double?) throws(LayoutError) -> Void
  ) throws(LayoutError) {
    var item = first
    let end = end ?? count
    guard first < end else { return }
    for block in blocks[blockIndex(of: first)...] where block.first < end {
      let storage = block.storage.flatMap { $0.mayHaveRatios ? $0 : nil }
      while item < min(block.end, end) {
        try body(item, storage?.ratio(at: block.offset + item - block.first))
        item += 1
      }
    }
  }
}

extension Items.Block {
  /// The block's items in its storage.
  var range: Range<Int> { offset..<offset + count }
}

extension ItemStorage {
  /// Whether the aspect ratio of any item may be known.
  var mayHaveRatios: Bool {
    self[.aspectRatio] != nil || self[.width] != nil && self[.height] != nil
  }

  /// An item's width divided by its height: its `aspectRatio`, or the quotient of its width and
  /// height.
  ///
  /// - Returns: `nil` if neither is given, or if the ratio or its reciprocal is not a finite number
  ///   > 0.
  @inline(__always)
  func ratio(at index: Int) -> Double? {
    if let ratio = self[.aspectRatio]?[index], ratio == ratio {
      return ratio.isUsableRatio ? ratio : nil
    }
    guard let width = self[.width]?[index], let height = self[.height]?[index], width > 0,
      height > 0
    else { return nil }
    let ratio = width / height
    return ratio.isUsableRatio ? ratio : nil
  }
}

extension Double {
  @inline(__always)
  fileprivate var isUsableRatio: Bool {
    self > 0 && self <= .greatestFiniteMagnitude && 1 / self <= .greatestFiniteMagnitude
  }
}
