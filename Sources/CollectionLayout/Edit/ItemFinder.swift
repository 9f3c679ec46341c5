/// Finds items by their ids while sections are edited.
///
/// An index has the ids from before the edit. Nothing in it is changed; instead, an item that it
/// finds is looked for where it is now:
///
///     id ── index ──▸ source ── strays, or its section ──▸ section's runs ──▸ index path
///
/// The source of an item is its index path from before. A new item gets a source in a section that
/// does not exist, behind all others. Ids that items got during the edit are kept beside the index.
struct ItemFinder {
  private let index: ItemIDIndex?
  private let before: [CollectionSection]
  /// The items that got an id during the edit. They may have lost it again.
  private var given: [ItemID: [Origin]] = [:]
  /// The items with an id that several had before the edit.
  private var namesakes: [ItemID: [Origin]] = [:]
  /// The keys of the sections in which items are that changed their section, by their sources.
  private var strays: [IndexPath: Int] = [:]
  /// The key of each section: its index before the edit, or a number that no other section has had.
  private var keys: [Int]
  private var keyCount: Int
  /// The index of the section with each key, −1 for a deleted one; `nil` if it must be made again.
  private var places: [Int]?
  private var newItemCount = 0

  /// Where an item comes from.
  private struct Origin {
    let source: IndexPath
    /// The key of the section where it was at first.
    let section: Int
  }

  /// - Parameter index: The index of the ids of `sections`; `nil` if no item has one.
  init(_ sections: [CollectionSection], index: ItemIDIndex?) {
    self.index = index
    before = sections
    keys = Array(sections.indices)
    keyCount = sections.count
  }

  /// The items that have an id, up to two of them.
  ///
  /// - Parameters:
  ///   - sections: As they are now.
  ///   - origins: Of the sections.
  ///   - work: Is charged for the runs, and for all items, if several had the id before.
  /// - Complexity: O(*r*) for *r* runs in the section of each item that has had the id.
  mutating func paths(
    of id: ItemID, in sections: [CollectionSection], _ origins: [SectionOrigin],
    except excluded: IndexPath?, visiting work: (Int) throws(LayoutError) -> Void
  ) throws(LayoutError) -> [IndexPath] {
    var paths: [IndexPath] = []
    for origin in try self.origins(of: id, visiting: work) + (given[id] ?? []) {
      guard let path = try place(of: origin, origins, visiting: work), path != excluded,
        !paths.contains(path), sections[path.section].items.id(at: path.item) == id
      else { continue }
      paths.append(path)
      if paths.count == 2 { break }
    }
    return paths
  }

  /// The items that had an id before the edit.
  private mutating func origins(
    of id: ItemID, visiting work: (Int) throws(LayoutError) -> Void
  ) throws(LayoutError) -> [Origin] {
    guard let found = index?.find(id, in: .sections(before)) else { return [] }
    if found.isOnly { return [Origin(source: found.path, section: found.path.section)] }
    if let known = namesakes[id] { return known }
    var all: [Origin] = []
    for (section, data) in before.enumerated() where data.items.hasIDs {
      try work(data.items.count)
      data.items.forEachID { item, other in
        if other == id {
          all.append(Origin(source: IndexPath(section: section, item: item), section: section))
        }
      }
    }
    namesakes[id] = all
    return all
  }

  /// Where an item is now; `nil` if it is gone.
  private mutating func place(
    of origin: Origin, _ origins: [SectionOrigin], visiting work: (Int) throws(LayoutError) -> Void
  ) throws(LayoutError) -> IndexPath? {
    if places == nil {
      var places = [Int](repeating: -1, count: keyCount)
      for (section, key) in keys.enumerated() { places[key] = section }
      self.places = places
    }
    let section = places![strays[origin.source] ?? origin.section]
    guard section >= 0 else { return nil }
    guard let items = origins[section].items else {
      guard origins[section].base == origin.source.section else { return nil }
      return IndexPath(section: section, item: origin.source.item)
    }
    try work(items.runs.count)
    for run in items.runs {
      guard let source = run.origin?.path, source.section == origin.source.section else { continue }
      let distance = origin.source.item - source.item
      if (0..<run.elements.count).contains(distance) {
        return IndexPath(section: section, item: run.elements.lowerBound + distance)
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
  /// - Parameters:
  ///   - origins: Of the items.
  ///   - section: The index of their section.
  mutating func keepIDs(of items: Items, from origins: ItemOrigins, in section: Int) {
    guard items.hasIDs else { return }
    items.forEachID { item, id in
      guard let source = origins.origin(of: item)?.path else { return }
      given[id, default: []].append(Origin(source: source, section: keys[section]))
    }
  }

  /// An item has moved to a section.
  mutating func move(_ source: IndexPath, toSection section: Int) {
    strays[source] = keys[section]
  }

  mutating func insertSections(_ count: Int, at place: Int) {
    keys.insert(contentsOf: keyCount..<keyCount + count, at: place)
    keyCount += count
    places = nil
  }

  mutating func deleteSections(_ range: Range<Int>) {
    keys.removeSubrange(range)
    places = nil
  }

  mutating func moveSection(from: Int, to: Int) {
    keys.insert(keys.remove(at: from), at: to)
    places = nil
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
