/// The origins of all sections of a collection.
extension [SectionOrigin] {
  /// The sections of a collection before any change.
  init(of sections: [CollectionSection]) {
    self = sections.enumerated().map { SectionOrigin(base: $0, count: $1.items.count) }
  }

  /// The origin of a section; that of none beyond the last one.
  func section(_ index: Int) -> SectionOrigin { index < count ? self[index] : .absent }

  /// How many runs of items moved, in sections that are not as a whole what they were.
  ///
  /// - Complexity: O(*s* + *r*) for *s* sections and *r* runs.
  var movedCount: Int { reduce(0) { $0 + ($1.items?.movedCount ?? 0) } }

  /// Bytes held.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  var memoryBytes: Int {
    reduce(32 + count * MemoryLayout<SectionOrigin>.stride) {
      $0 + ($1.items?.memoryBytes ?? 0)
    }
  }

  /// The origins that the sections have in the collection that `earlier` goes back to.
  ///
  /// - Complexity: O(*s* + *r* · log *r*) for *s* sections and *r* runs of both; O(*s* + *r*) if
  ///   they are in the same order.
  func following(_ earlier: [SectionOrigin]) -> [SectionOrigin] {
    var index = 0
    return map { section in
      let base = section.base.map { earlier.section($0) }
      guard let items = section.items else { return base ?? section }
      return SectionOrigin(
        base: base?.base, baseCount: base?.baseCount ?? 0,
        items: items.mapRuns { count, origin, result in
          earlier.section(origin.path.section).forEachPart(
            of: origin.path.item..<origin.path.item + count, near: &index
          ) {
            let (isReplaced, isResized) = (origin.isReplaced, origin.isResized)
            result.append($0, from: $1?.marked(isReplaced: isReplaced, isResized: isResized))
          }
        })
    }
  }

  /// The map in the other direction: for each section of before, the one that it became, and what
  /// became of its items.
  ///
  /// - Parameters:
  ///   - findsReplaced: Whether items with fields that may have changed are the same items.
  /// - Returns: The sections of before up to the last one that is still there, or that had an item
  ///   that is still there.
  /// - Complexity: O(*s* + *r* · log *r*) for *s* sections and *r* runs.
  func inverse(findingReplaced findsReplaced: Bool) -> [SectionOrigin] {
    var sections: [SectionOrigin] = []
    var pieces: [Int: [(elements: Range<Int>, origin: ItemOrigin)]] = [:]
    func set(_ section: SectionOrigin, at index: Int) {
      while sections.count <= index { sections.append(.absent) }
      sections[index] = section
    }
    for (index, section) in enumerated() {
      if let base = section.base {
        set(
          section.items.map {
            // Of the earlier items none is found so far.
            SectionOrigin(
              base: index, baseCount: $0.count,
              items: ItemOrigins(count: section.baseCount, from: nil))
          } ?? SectionOrigin(base: index, count: section.baseCount), at: base)
      }
      for run in section.items?.runs ?? [] {
        guard let origin = run.origin, findsReplaced || !origin.isReplaced else { continue }
        let first = origin.path.item
        let place = IndexPath(section: index, item: run.elements.lowerBound)
        pieces[origin.path.section, default: []].append(
          (first..<first + run.elements.count, ItemOrigin(path: place)))
      }
    }
    for (index, pieces) in pieces {
      let section = sections.section(index)
      set(
        SectionOrigin(
          base: section.base, baseCount: section.baseCount,
          items: ItemOrigins(of: pieces, count: section.items?.count ?? 0)), at: index)
    }
    return sections
  }
}

extension SectionOrigin {
  /// As ``RunMap/forEachPart(of:near:_:)``, for the section's items.
  fileprivate func forEachPart(
    of range: Range<Int>, near index: inout Int, _ body: (_ count: Int, ItemOrigin?) -> Void
  ) {
    if let items {
      items.forEachPart(of: range, near: &index, body)
    } else if !range.isEmpty {
      body(range.count, origin(ofItem: range.lowerBound))
    }
  }
}
