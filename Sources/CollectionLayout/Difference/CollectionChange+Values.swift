extension CollectionChange {
  /// At most how many values of items, given or not, the columns of the sections have beyond those
  /// before. A new section counts as four, and so does whatever was measured: nobody knows whether
  /// it is another value by now.
  ///
  /// - Complexity: O(*s* + *r*) for *s* sections and *r* runs of items in changed sections.
  public var mostAddedValues: Int {
    mostAddedItemValues + 8 * max(0, next.folds.marks.count - previous.folds.marks.count)
  }

  private var mostAddedItemValues: Int {
    switch (previous.data, next.data, lineage.content) {
    case (.sections(let old), .sections(let new), .sections(let origins)):
      return zip(origins, new).reduce(new.mostMeasuredValues) {
        $0 + $1.0.mostAddedValues(in: $1.1.items, old)
      }
    case (_, .sections(let new), _): return new.mostMeasuredValues
    // Parents are numbers, which become longer when nodes move on.
    case (_, .forest(let forest), _): return (4 + forest.items.columnCount) * forest.count
    }
  }
}

extension SectionOrigin {
  fileprivate func mostAddedValues(in section: Items, _ old: [CollectionSection]) -> Int {
    guard let base else { return 4 + section.columnCount * section.count }
    guard let items else { return 0 }
    let columnCount = section.columnCount
    let newColumnCount = max(0, columnCount - old[base].items.columnCount)
    let newCount = items.runs.reduce(0) {
      $1.origin?.isReplaced ?? true ? $0 + $1.elements.count : $0
    }
    return newColumnCount * section.count + columnCount * newCount
  }
}

extension Items {
  /// How many values each item has, given or not; 0 for plain items.
  fileprivate var columnCount: Int {
    ItemField.stored.count { has($0) } + (hasAnyID ? 1 : 0) + valueNames.count
  }
}

extension [CollectionSection] {
  fileprivate var mostMeasuredValues: Int {
    reduce(0) { count, section in
      let items = section.items
      return items.hasMeasured ? count + 2 * items.count + 8 * items.measured.count : count
    }
  }
}
