/// Sections to which updates are applied. `CollectionUpdate.swift` says what each of them does.
struct SectionEditor {
  private(set) var sections: [CollectionSection]
  private(set) var origins: [SectionOrigin]
  /// Whether each item that has a name is where it was, with the same name.
  private(set) var keepsIDs = true
  private let kind: LayoutKind
  private var work: UpdateWork
  /// Finds items by their ids; `nil` if no update names one by its id.
  private var finder: ItemFinder?

  /// - Parameters:
  ///   - kind: The kind of the layout. It decides which settings a section may have.
  ///   - finder: Of these sections, if updates name items by their ids.
  init(
    _ sections: [CollectionSection], of kind: LayoutKind, visitLimit: Int, finder: ItemFinder? = nil
  ) {
    self.kind = kind
    self.finder = finder
    self.sections = sections
    work = UpdateWork(limit: visitLimit)
    origins = [SectionOrigin](of: sections)
  }

  /// The index path of an item that an update names.
  mutating func path(
    of item: ItemReference, _ member: String, _ index: Int
  ) throws(LayoutError) -> IndexPath {
    switch item {
    case .path(let path): return path
    case .id(let id):
      guard finder != nil else { throw .unusableID(id, of: 0, member, index) }
      return try finder!.path(of: id, in: sections, origins, member, index, &work)
    }
  }

  /// Ends the edit. The origins of new items are no longer told apart.
  ///
  /// - Throws: If an item has fields that exclude each other, after all updates.
  mutating func finish() throws(LayoutError) {
    if let finder {
      for index in origins.indices {
        origins[index] = origins[index].withoutOrigins { finder.isNew($0) }
      }
    }
    try checkItems()
    for index in sections.indices where origins[index].items != nil {
      sections[index].items.giveUpUnusedStorage()
    }
  }

  // MARK: Items

  mutating func insert(
    _ items: Items, at: IndexPath, _ index: Int
  ) throws(LayoutError) {
    try checkSection(at.section, "/insert/at", index)
    let count = sections[at.section].items.count
    let place = try LayoutError.place(at.item, upTo: count, "/insert/at", index)
    guard items.count <= JSONInteger.maximum - count else {
      throw .tooManyItems(limit: JSONInteger.maximum)
    }
    let new = origins(ofNewItems: items.count)
    try replace(place..<place, inSection: at.section, with: items, index) { _ in new }
    finder?.keepIDs(of: items, from: new)
  }

  private mutating func origins(ofNewItems count: Int) -> ItemOrigins {
    finder?.origins(ofNewItems: count) ?? ItemOrigins(count: count, from: nil)
  }

  mutating func delete(
    _ count: Int, at: IndexPath, _ index: Int
  ) throws(LayoutError) {
    try sections.checkItem(at, "/delete/at", index)
    let remaining = sections[at.section].items.count - at.item
    guard (0...remaining).contains(count) else {
      throw .invalidUpdate(
        index, member: "/delete/count",
        requirement: "at most \(remaining), the items from there on, was \(count)")
    }
    try delete(at.item..<at.item + count, inSection: at.section, index)
  }

  mutating func move(
    from: IndexPath, to reference: ItemReference, _ index: Int
  ) throws(LayoutError) {
    try sections.checkItem(from, "/move/from", index)
    if case .id(let id) = reference, sections[from.section].items.id(at: from.item) == id { return }
    var to = try path(of: reference, "/move/to", index)
    // An index path counts after the removal.
    if case .id = reference, to.section == from.section, to.item > from.item { to.item -= 1 }
    try checkSection(to.section, "/move/to", index)
    let count = sections[to.section].items.count - (to.section == from.section ? 1 : 0)
    to.item = try LayoutError.place(to.item, upTo: count, "/move/to", index)
    guard from != to else { return }
    let range = from.item..<from.item + 1
    var moved = sections[from.section].items.slice(range)
    var origin = try delete(range, inSection: from.section, index)
    if sections[from.section].isOrthogonal != sections[to.section].isOrthogonal {
      moved.measured = MeasuredSizes()
      origin = origin.mapOrigins(\.resized)
    }
    try replace(to.item..<to.item, inSection: to.section, with: moved, index) { _ in origin }
  }

  mutating func replace(
    at: IndexPath, with items: Items, _ index: Int
  ) throws(LayoutError) {
    let range = try places(of: items.count, at: at, "/replace", index)
    guard !range.isEmpty else { return }
    var items = items
    let resized = items.keepMeasured(replacing: range, of: sections[at.section].items)
    let old = try replace(range, inSection: at.section, with: items, index) {
      $0.marking(resized, \.resized, others: \.replaced)
    }
    finder?.keepIDs(of: items, from: old)
  }

  mutating func set(
    _ patch: ItemsPatch, at: IndexPath, _ index: Int
  ) throws(LayoutError) {
    let range = try places(of: patch.count, at: at, "/set", index)
    guard !range.isEmpty else { return }
    try work.visit(patch.count, index: index)
    let names = patch.valueNames.union(sections[at.section].items.valueNames)
    if let kind = names.kindOfTooMany {
      throw .invalidUpdate(
        index, member: "/set/items", requirement: "items with \(kind.countRequirement)")
    }
    var items = patch.applied(to: sections[at.section].items.slice(range))
    let resized = items.keepMeasured(
      replacing: range, of: sections[at.section].items, mayResize: patch.mayChangeSizes)
    let old = try replace(
      range, inSection: at.section, with: items, index, keepingIDs: !patch.changesIDs
    ) { $0.marking(resized, \.resized, others: \.replaced) }
    if patch.changesIDs { finder?.keepIDs(of: items, from: old) }
  }

  /// The places of `count` items from an index path on. If there are none, the index path may be
  /// behind the last item.
  ///
  /// - Throws: If a place or an item is not there. The error names a member of `update`.
  private func places(
    of count: Int, at: IndexPath, _ update: String, _ index: Int
  ) throws(LayoutError) -> Range<Int> {
    guard count > 0 else {
      try checkSection(at.section, update + "/at", index)
      let place = try LayoutError.place(
        at.item, upTo: sections[at.section].items.count, update + "/at", index)
      return place..<place
    }
    try sections.checkItem(at, update + "/at", index)
    let remaining = sections[at.section].items.count - at.item
    guard count <= remaining else {
      throw .invalidUpdate(
        index, member: update + "/items",
        requirement: "at most \(remaining), the items from there on, were \(count)")
    }
    return at.item..<at.item + count
  }

  /// Throws if an item has fields that exclude each other, after all updates.
  private func checkItems() throws(LayoutError) {
    for (section, data) in sections.enumerated() where origins[section].items != nil {
      if let item = data.items.firstConflict {
        throw .invalidItem(
          IndexPath(section: section, item: item), field: ItemField.aspectRatio.name,
          requirement: ItemStorage.conflictRequirement)
      }
    }
    try checkNames()
  }

  /// Throws if there are too many names of texts or keys, after all updates.
  private func checkNames() throws(LayoutError) {
    guard origins.contains(where: { $0.items != nil }) else { return }
    var names: Set<ValueName> = []
    for (section, data) in sections.enumerated() {
      names.formUnion(data.items.valueNames)
      if let kind = names.kindOfTooMany {
        throw .invalidItem(
          IndexPath(section: section, item: 0), field: kind.field,
          requirement: "of at most \(ValueKind.maxNames) names in a layout")
      }
    }
  }

  // MARK: Sections

  mutating func setSection(
    _ patch: SectionPatch, at: Int, _ index: Int
  ) throws(LayoutError) {
    try checkSection(at, "/setSection/at", index)
    let kind: String? =
      if case .set(let name) = patch.kind { name } else { sections[at].settings?.kind }
    if case .set(let options) = patch.options, let table = self.kind.sectionTable(kind: kind),
      let fault = options.faults(by: table, limit: 1).first
    {
      throw .invalidUpdateOption(
        index, path: ["setSection", "options"] + fault.path, detail: fault.detail)
    }
    let wasOrthogonal = sections[at].isOrthogonal
    sections[at] = CollectionSection(
      items: sections[at].items, settings: patch.applied(to: sections[at].settings))
    // What was measured along one axis says nothing of the other.
    if sections[at].isOrthogonal != wasOrthogonal {
      sections[at].items.measured = MeasuredSizes()
      _ = origins[at].replace(0..<sections[at].items.count) { $0.mapOrigins(\.resized) }
    }
  }

  mutating func insert(
    _ inserted: [CollectionSection], at: Int, _ index: Int
  ) throws(LayoutError) {
    let at = try LayoutError.place(at, upTo: sections.count, "/insertSections/at", index)
    try work.visit(sections.count + inserted.count, index: index)
    if hasIDs(inSections: at..<sections.count) || inserted.contains(where: \.items.hasIDs) {
      keepsIDs = false
    }
    sections.insert(contentsOf: inserted, at: at)
    let new = inserted.map { origins(ofNewItems: $0.items.count) }
    origins.insert(
      contentsOf: new.map { SectionOrigin(base: nil, baseCount: 0, items: $0) }, at: at)
    for (data, origins) in zip(inserted, new) { finder?.keepIDs(of: data.items, from: origins) }
  }

  mutating func deleteSections(
    _ count: Int, at: Int, _ index: Int
  ) throws(LayoutError) {
    try checkSection(at, "/deleteSections/at", index)
    guard (0...sections.count - at).contains(count) else {
      throw .invalidUpdate(
        index, member: "/deleteSections/count",
        requirement: "at most \(sections.count - at), the sections from there on, was \(count)")
    }
    try work.visit(sections.count, index: index)
    if hasIDs(inSections: at..<sections.count) { keepsIDs = false }
    sections.removeSubrange(at..<at + count)
    origins.removeSubrange(at..<at + count)
  }

  mutating func moveSection(
    from: Int, to: Int, _ index: Int
  ) throws(LayoutError) {
    try checkSection(from, "/moveSection/from", index)
    let to = try LayoutError.place(to, upTo: sections.count - 1, "/moveSection/to", index)
    try work.visit(sections.count, index: index)
    if hasIDs(inSections: min(from, to)..<max(from, to) + 1) { keepsIDs = false }
    sections.insert(sections.remove(at: from), at: to)
    origins.insert(origins.remove(at: from), at: to)
  }

  private func hasIDs(inSections range: Range<Int>) -> Bool {
    sections[range].contains { $0.items.hasIDs }
  }

  /// Replaces a range of items with others.
  ///
  /// - Parameters:
  ///   - keepsRange: Whether the new items have the ids of the old ones.
  ///   - new: Returns the origins of the new items, given those of the old ones.
  /// - Returns: The origins of the old items.
  @discardableResult
  private mutating func replace(
    _ range: Range<Int>, inSection section: Int, with items: Items, _ index: Int,
    keepingIDs keepsRange: Bool = false,
    origins new: (ItemOrigins) -> ItemOrigins
  ) throws(LayoutError) -> ItemOrigins {
    guard !range.isEmpty || items.count > 0 else { return ItemOrigins() }
    try work.visit(
      sections[section].items.blocks.count + sections[section].items.measured.count / 8
        + (origins[section].items?.runs.count ?? 0), index: index)
    if keepsIDs, !keepsRange {
      let all = sections[section].items
      // Where the number changes, those behind are moved.
      let end = items.count == range.count ? range.upperBound : all.count
      keepsIDs = !items.hasIDs && !all.hasIDs(in: range.lowerBound..<end)
    }
    sections[section].items.replaceSubrange(range, with: items)
    return origins[section].replace(range, with: new)
  }

  /// - Returns: The origins of the deleted items.
  @discardableResult
  mutating func delete(
    _ range: Range<Int>, inSection section: Int, _ index: Int
  ) throws(LayoutError) -> ItemOrigins {
    try replace(range, inSection: section, with: Items(), index) { _ in ItemOrigins() }
  }

  func checkSection(_ section: Int, _ member: String, _ index: Int) throws(LayoutError) {
    guard sections.indices.contains(section) else {
      throw .invalidUpdate(
        index, member: member,
        requirement: "in one of the \(sections.count) sections, was in section \(section)")
    }
  }
}
