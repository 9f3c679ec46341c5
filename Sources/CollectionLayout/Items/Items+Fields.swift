/// Reading the fields of items, block by block.
extension Items {
  /// Whether any item has a value of a field.
  ///
  /// - Complexity: O(*n*) for *n* stored items. The search stops at the first value.
  public func has(_ field: ItemField) -> Bool {
    anyBlock { storage, range in storage.column(field)?.hasValue(in: range) ?? false }
  }

  /// Whether any item has an integer other than 1 in a field.
  ///
  /// - Complexity: Like ``has(_:)``.
  func hasOtherThanOne(in field: ItemField) -> Bool {
    anyBlock { storage, range in
      guard case .integers(let values) = storage.column(field) else { return false }
      return values[range].contains { $0 != 1 && $0 != ItemColumn.none }
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
        given.withUnsafeBufferPointer {
          step.readLengths(
            $0.baseAddress! + run.lowerBound, count: run.count, else: standard, into: target)
        }
      } else {
        target.initialize(repeating: standard, count: run.count)
      }
      if let storage, storage.mayHaveRatios {
        storage.forEachRatio(of: run) { index, ratio in
          let place = index - run.lowerBound
          if ratio == ratio {
            target[place] = container.height(
              ofWidth: width(target - heights + place), ratio: ratio)
          }
        }
      }
      container.card?.readHeights(
        of: storage, run, container.texts, ofWidths: { width(target - heights + $0) }, into: target)
      target += run.count
    }
    for entry in measured.entries(in: range) {
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
    guard first < count else { return }
    var item = first
    forEachRun(in: first..<count) { storage, run in
      let column = storage?.column(field)
      for index in run {
        body(item, column?[index] ?? .nan)
        item += 1
      }
    }
  }

  /// Whether any item has an id; ``hasIDs`` says whether one may have.
  ///
  /// - Complexity: O(*n*) for *n* items of storage with ids. The search stops at the first id.
  public var hasAnyID: Bool {
    hasIDs
      && anyBlock { storage, range in
        storage.ids.map { ids in range.contains { ids[$0] != nil } } ?? false
      }
  }

  /// Calls `body` with the id of each item of a range, or of all; `nil` if it has none.
  public func forEachID(in range: Range<Int>? = nil, _ body: (ItemID?) -> Void) {
    forEachRun(in: range ?? 0..<count) { storage, run in
      for index in run { body(storage?.ids?[index]) }
    }
  }

  /// Calls `body` with the aspect ratio of each item of a range, NaN if it is unknown.
  @inline(__always)
  func forEachRatio(
    in range: Range<Int>, _ body: (Double) throws(LayoutError) -> Void
  ) throws(LayoutError) {
    var item = range.lowerBound
    while item < range.upperBound {
      let (storage, index, end) = run(from: item)
      let count = min(end, range.upperBound) - item
      if let storage {
        try storage.forEachRatio(of: index..<index + count) { (_, ratio) throws(LayoutError) in
          try body(ratio)
        }
      } else {
        for _ in 0..<count { try body(.nan) }
      }
      item += count
    }
  }
}

extension Items {
  /// Whether something is there in any run of items of one storage.
  ///
  /// - Complexity: O(*b*) calls for *b* blocks, and O(*n*) for *n* items of an arrangement that
  ///   have nothing of what others in their blocks have.
  func anyBlock(_ isThere: (ItemStorage, Range<Int>) -> Bool) -> Bool {
    let isInBlocks = blocks.contains { block in
      block.storage.map { isThere($0, block.range) } ?? false
    }
    guard isInBlocks, order != nil else { return isInBlocks }
    return (0..<count).contains { item in
      let (storage, index) = storage(at: item)
      return storage.map { isThere($0, index..<index + 1) } ?? false
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
  func ratio(at index: Int) -> Double? {
    var found = Double.nan
    forEachRatio(of: index..<index + 1) { found = $1 }
    return found.isNaN ? nil : found
  }

  /// Calls `body` with the index and the aspect ratio of each item of a run, NaN if it is unknown.
  ///
  /// The columns are found once, because to find them for each item takes longer than to read them.
  @inline(__always)
  func forEachRatio<E>(of run: Range<Int>, _ body: (Int, Double) throws(E) -> Void) throws(E) {
    let (ratios, widths, heights) = (self[.aspectRatio], self[.width], self[.height])
    for index in run {
      var ratio = ratios?[index] ?? .nan
      if ratio.isNaN, let widths, let heights, widths[index] > 0, heights[index] > 0 {
        ratio = widths[index] / heights[index]
      }
      try body(index, ratio.isUsableRatio ? ratio : .nan)
    }
  }
}

extension Double {
  @inline(__always)
  fileprivate var isUsableRatio: Bool {
    self > 0 && self <= .greatestFiniteMagnitude && 1 / self <= .greatestFiniteMagnitude
  }
}
