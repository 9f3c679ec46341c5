/// What belongs to a layout beside what was given of it, without its items: sizes that were
/// measured, and folds. So a log has it, and so it goes on while the frames are not there.
///
///     sections    0: item 3 is 62 high in a cell 390 wide     2: item 0 is 118 high in such a cell
///     folds       marks: section 1 is folded
public struct OwnState: Sendable {
  /// The size of one item, or that there is none any more.
  public struct Size: Equatable, Sendable {
    public var path: IndexPath
    /// In points, ≥ 0; `nil` if an earlier size is taken away.
    public var size: Double?
    /// The width of the cell when it was measured, in points, ≥ 0.
    public var width: Double

    public init(_ path: IndexPath, size: Double?, width: Double) {
      self.path = path
      self.size = size
      self.width = width
    }
  }

  private var sections: [Int: MeasuredSizes] = [:]
  /// What is folded.
  public var folds = Folds()

  /// Nothing was measured or folded.
  public init() {}

  /// Nothing was measured.
  public init(_ folds: Folds) { self.folds = folds }

  /// What was measured and folded in a collection's layout.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  public init(of collection: PreparedCollection) {
    folds = collection.folds
    let all = collection.source.sections ?? []
    for (index, section) in all.enumerated() where section.items.hasMeasured {
      sections[index] = section.items.measured
    }
  }

  public var isEmpty: Bool { sections.isEmpty && folds.isEmpty }
  public var hasMeasured: Bool { !sections.isEmpty }

  public var memoryBytes: Int {
    sections.values.reduce(folds.memoryBytes) { $0 + $1.memoryBytes + 48 }
  }

  /// All sizes, in the order of the items.
  public var sizes: [Size] {
    sections.sorted { $0.key < $1.key }.flatMap { section, measured in
      measured.entries.map {
        Size(IndexPath(section: section, item: $0.item), size: $0.size, width: $0.width)
      }
    }
  }

  /// Takes other sizes over.
  ///
  /// - Parameter sizes: In any order; of several for one item the last counts.
  public mutating func apply(_ sizes: [Size]) {
    var changes: [Int: [Int: MeasuredSizes.Entry?]] = [:]
    for size in sizes {
      let entry = size.size.map {
        MeasuredSizes.Entry(item: size.path.item, size: $0, width: size.width)
      }
      changes[size.path.section, default: [:]].updateValue(entry, forKey: size.path.item)
    }
    for (section, entries) in changes {
      var measured = sections[section] ?? MeasuredSizes()
      measured.apply(entries)
      sections[section] = measured.isEmpty ? nil : measured
    }
  }

  /// What is left of it after a change of the data.
  public func following(_ lineage: DataLineage) -> OwnState {
    var result = self
    result.folds = folds.following(lineage)
    guard case .sections(let origins) = lineage.content else { return result }
    result.sections = [:]
    for (index, origin) in origins.enumerated() {
      let measured = origin.measured { sections[$0] ?? MeasuredSizes() }
      if !measured.isEmpty { result.sections[index] = measured }
    }
    return result
  }

  /// The sections with these sizes. Those of items that are not there are left out.
  func applied(to all: [CollectionSection]) -> [CollectionSection] {
    all.enumerated().map { index, section in
      var section = section
      section.items.measured = sections[index]?.slice(0..<section.items.count) ?? MeasuredSizes()
      return section
    }
  }
}

extension CollectionChange {
  /// The sizes that differ after a measurement, for those who make the same change elsewhere: of
  /// items of the collection, however it is arranged.
  public var measuredSizes: [OwnState.Size] {
    guard let before = previous.source.sections, let after = next.source.sections else { return [] }
    return zip(before, after).enumerated().flatMap { section, pair in
      pair.1.items.measured.changes(from: pair.0.items.measured).map { item, entry in
        OwnState.Size(
          IndexPath(section: section, item: item), size: entry?.size, width: entry?.width ?? 0)
      }
    }
  }
}
