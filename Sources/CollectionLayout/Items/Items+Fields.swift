/// Reading items' fields, run by run.
extension Items {
  /// Whether any item has a value of a field.
  ///
  /// - Complexity: O(*n*) for *n* stored items, as far as the first that has one.
  public func has(_ field: ItemField) -> Bool {
    blocks.contains { block in
      block.storage?[field].map { $0[block.range].contains { !$0.isNaN } } ?? false
    }
  }

  /// Whether any item's ratio is known.
  ///
  /// - Complexity: As ``has(_:)``.
  var hasRatios: Bool {
    blocks.contains { block in
      guard let storage = block.storage, storage.mayHaveRatios else { return false }
      return block.range.contains { storage.ratio(at: $0) != nil }
    }
  }

  /// Writes the height of each item of a range that is so wide: by its ratio, else its own, else
  /// `standard`.
  func readHeights(
    _ range: Range<Int>, ofWidth width: Double, else standard: Double, in container: Container,
    into heights: UnsafeMutablePointer<Double>
  ) {
    var target = heights
    forEachRun(in: range) { storage, run in
      if let given = storage?[container.field(.height)] {
        given.withUnsafeBufferPointer { given in
          for place in 0..<run.count {
            let height = given[run.lowerBound + place]
            // Only NaN is not itself; isNaN takes each number apart, one at a time.
            target[place] = height == height ? height : standard
          }
        }
      } else {
        target.initialize(repeating: standard, count: run.count)
      }
      if let storage, storage.mayHaveRatios {
        for place in 0..<run.count {
          if let ratio = storage.ratio(at: run.lowerBound + place) {
            target[place] = container.height(ofWidth: width, ratio: ratio)
          }
        }
      }
      target += run.count
    }
  }

  /// Calls `body` with each item from one on and its value of a field, NaN where it has none.
  public func forEachValue(
    of field: ItemField, from first: Int, _ body: (Int, Double) -> Void
  ) {
    var item = first
    guard first < count else { return }
    for block in blocks[blockIndex(of: first)...] {
      let column = block.storage?[field]
      while item < block.end {
        body(item, column?[block.offset + item - block.first] ?? .nan)
        item += 1
      }
    }
  }

  /// Whether any item has a name.
  ///
  /// - Complexity: O(*n*) for *n* items of storage with names, as far as the first that has one.
  public var hasNames: Bool {
    hasIDs
      && blocks.contains { block in
        block.storage?.ids.map { ids in block.range.contains { ids[$0] != nil } } ?? false
      }
  }

  /// Calls `body` with each item's name, `nil` where it has none.
  public func forEachID(_ body: (ItemID?) -> Void) {
    forEachRun(in: 0..<count) { storage, run in
      for index in run { body(storage?.ids?[index]) }
    }
  }

  /// Calls `body` with each item from one on and its ratio, if that is known.
  func forEachRatio(
    from first: Int, _ body: (Int, Double?) throws(LayoutError) -> Void
  ) throws(LayoutError) {
    var item = first
    guard first < count else { return }
    for block in blocks[blockIndex(of: first)...] {
      let storage = block.storage.flatMap { $0.mayHaveRatios ? $0 : nil }
      while item < block.end {
        try body(item, storage?.ratio(at: block.offset + item - block.first))
        item += 1
      }
    }
  }
}

extension Items.Block {
  /// The block's items in its storage.
  fileprivate var range: Range<Int> { offset..<offset + count }
}

extension ItemStorage {
  /// Whether any item's ratio may be known.
  var mayHaveRatios: Bool {
    self[.aspectRatio] != nil || self[.width] != nil && self[.height] != nil
  }

  /// An item's width divided by its height: its `aspectRatio`, else from both of them; `nil` where
  /// that or its reciprocal is no finite number > 0.
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
