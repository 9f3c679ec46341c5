/// Finds items by their ids while sections are edited.
///
/// An index has the ids from before the edit. Nothing in it is changed; instead, an item that it
/// finds is looked for where it is now:
///
///     id ── index ──▸ source ── runs of the sections ──▸ index path
///
/// The source of an item is its index path from before. A new item gets a source in a section that
/// does not exist, behind all others. Ids that items got during the edit are kept beside the index.
struct ItemFinder {
  private let index: ItemIDIndex?
  private let before: [CollectionSection]
  /// The sources of items that got an id during the edit. They may have lost it again.
  private var given: [ItemID: [IndexPath]] = [:]
  /// The sources of items with an id that several had before the edit.
  private var namesakes: [ItemID: [IndexPath]] = [:]
  private var newItemCount = 0

  /// - Parameter index: The index of the ids of `sections`; `nil` if no item has one.
  init(_ sections: [CollectionSection], index: ItemIDIndex?) {
    self.index = index
    before = sections
  }

  /// The one item that has an id.
  ///
  /// - Parameters:
  ///   - member: The member of the update that names the item.
  ///   - index: The update's index in the sequence.
  mutating func path(
    of id: ItemID, in sections: [CollectionSection], _ origins: [SectionOrigin],
    _ member: String, _ index: Int, _ work: inout UpdateWork
  ) throws(LayoutError) -> IndexPath {
    let paths = try paths(of: id, in: sections, origins, index, &work)
    guard paths.count == 1 else { throw .unusableID(id, of: paths.count, member, index) }
    return paths[0]
  }

  /// The items that have an id, up to two of them.
  ///
  /// - Parameters:
  ///   - sections: As they are now.
  ///   - origins: Of the sections.
  ///   - budget: Is charged for the runs, and for all items, if several had the id before.
  /// - Complexity: O(*r*) for *r* runs in its section, for each item that has had the id. If it has
  ///   left its section, O(*s* + *r*) for *s* sections and all their runs.
  mutating func paths(
    of id: ItemID, in sections: [CollectionSection], _ origins: [SectionOrigin], _ index: Int,
    _ budget: inout UpdateWork
  ) throws(LayoutError) -> [IndexPath] {
    func work(_ count: Int) throws(LayoutError) { try budget.visit(count, index: index) }
    var paths: [IndexPath] = []
    for source in try sources(of: id, visiting: work) + (given[id] ?? []) {
      guard let path = try place(of: source, origins, visiting: work),
        !paths.contains(path), sections[path.section].items.id(at: path.item) == id
      else { continue }
      paths.append(path)
      if paths.count == 2 { break }
    }
    return paths
  }

  /// The items that had an id before the edit.
  private mutating func sources(
    of id: ItemID, visiting work: (Int) throws(LayoutError) -> Void
  ) throws(LayoutError) -> [IndexPath] {
    guard let found = index?.find(id, in: .sections(before)) else { return [] }
    if found.isOnly { return [found.path] }
    if let known = namesakes[id] { return known }
    var all: [IndexPath] = []
    for (section, data) in before.enumerated() where data.items.hasIDs {
      try work(data.items.count)
      data.items.forEachID { item, other in
        if other == id { all.append(IndexPath(section: section, item: item)) }
      }
    }
    namesakes[id] = all
    return all
  }

  /// Where an item is now; `nil` if it is gone.
  private func place(
    of source: IndexPath, _ origins: [SectionOrigin],
    visiting work: (Int) throws(LayoutError) -> Void
  ) throws(LayoutError) -> IndexPath? {
    // Most sections are where they were, or near. So the distances are 0, 1, -1, 2, -2, …
    let count = origins.count
    for step in 0..<count {
      let distance = step.isMultiple(of: 2) ? -(step / 2) : step / 2 + 1
      let section = ((source.section + distance) % count + count) % count
      guard let items = origins[section].items else {
        guard origins[section].base == source.section else {
          try work(1)
          continue
        }
        return IndexPath(section: section, item: source.item)
      }
      try work(items.runs.count)
      for run in items.runs {
        guard let first = run.origin?.path, first.section == source.section else { continue }
        let distance = source.item - first.item
        if (0..<run.elements.count).contains(distance) {
          return IndexPath(section: section, item: run.elements.lowerBound + distance)
        }
      }
    }
    return nil
  }

  // MARK: Edits

  /// The origins of new items, which get sources.
  mutating func origins(ofNewItems count: Int) -> ItemOrigins {
    defer { newItemCount += count }
    let source = IndexPath(section: before.count, item: newItemCount)
    return ItemOrigins(count: count, from: ItemOrigin(path: source))
  }

  /// Whether a source is that of a new item.
  func isNew(_ source: IndexPath) -> Bool { source.section == before.count }

  /// Keeps the ids that items got.
  ///
  /// - Parameter origins: Of the items.
  mutating func keepIDs(of items: Items, from origins: ItemOrigins) {
    items.forEachID { item, id in
      if let source = origins.origin(of: item)?.path { given[id, default: []].append(source) }
    }
  }
}

extension Items {
  /// Calls `body` with each item that has an id.
  func forEachID(_ body: (_ item: Int, ItemID) -> Void) {
    guard hasIDs else { return }
    var item = 0
    forEachRun(in: 0..<count) { storage, run in
      if let ids = storage?.ids {
        for index in run {
          if let id = ids[index] { body(item + index - run.lowerBound, id) }
        }
      }
      item += run.count
    }
  }
}
