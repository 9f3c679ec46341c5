extension DataLineage {
  /// The sections of a later version with what was measured of their items in an earlier one.
  ///
  /// A size follows its item wherever that goes. It is gone with the item, and when the item's runs
  /// say that it no longer holds.
  ///
  /// - Parameters:
  ///   - sections: Of the later version. What it says was measured is of another layout.
  ///   - earlier: Of the earlier version.
  /// - Complexity: O(*s* + *r* · log *m* + *m*) for *s* sections, *r* runs of changed items and *m*
  ///   sizes.
  func carryingMeasured(
    to sections: [CollectionSection], from earlier: [CollectionSection]
  ) -> [CollectionSection] {
    guard
      sections.contains(where: \.items.hasMeasured) || earlier.contains(where: \.items.hasMeasured)
    else { return sections }
    guard case .sections(let origins) = content else {
      return zip(sections, earlier).map { section, earlier in
        section.withMeasured(earlier.items.measured)
      }
    }
    return zip(sections, origins).map { section, origin in
      section.withMeasured(origin.measured { earlier[$0].items.measured })
    }
  }
}

extension SectionOrigin {
  /// What was measured of the items of a section.
  ///
  /// - Parameter earlier: What was measured of those of a section from before.
  func measured(_ earlier: (Int) -> MeasuredSizes) -> MeasuredSizes {
    guard let items else { return base.map(earlier) ?? MeasuredSizes() }
    var entries: [MeasuredSizes.Entry] = []
    for run in items.runs {
      guard let origin = run.origin, !origin.isResized else { continue }
      let first = origin.path.item
      let distance = run.elements.lowerBound - first
      entries += earlier(origin.path.section).entries(in: first..<first + run.elements.count)
        .lazy.map { $0.moved(by: distance) }
    }
    return MeasuredSizes(entries)
  }
}

extension CollectionSection {
  fileprivate func withMeasured(_ measured: MeasuredSizes) -> CollectionSection {
    var section = self
    section.items.measured = measured
    return section
  }
}

extension CollectionData {
  /// The data with what was measured of its items in an earlier version.
  func carryingMeasured(from earlier: CollectionData, by lineage: DataLineage) -> CollectionData {
    guard let sections, let others = earlier.sections else { return self }
    return .sections(lineage.carryingMeasured(to: sections, from: others))
  }

  /// The data, of whose items nothing was measured.
  var withoutMeasured: CollectionData {
    guard let sections, hasMeasured else { return self }
    return .sections(
      sections.map { CollectionSection(items: $0.items.withoutMeasured, settings: $0.settings) })
  }

  /// Whether anything was measured of any item.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  public var hasMeasured: Bool { sections?.contains(where: \.items.hasMeasured) ?? false }

  /// The memory of what was measured, in bytes.
  var measuredBytes: Int { sections?.reduce(0) { $0 + $1.items.measured.memoryBytes } ?? 0 }
}
