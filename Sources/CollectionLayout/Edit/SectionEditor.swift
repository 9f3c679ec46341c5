/// Sections to which updates are applied. `CollectionUpdate.swift` says what each of them does.
struct SectionEditor {
  private(set) var sections: [CollectionSection]
  private(set) var origins: [SectionOrigin]
  /// Whether each item that has a name is where it was, with the same name.
  private(set) var keepsIDs = true
  private var comparisonsLeft = 1 << 18
  /// Whether any update has changed something.
  private(set) var hasChanged = false
  /// As ``CollectionChange/missing``.
  private(set) var missing: [String]?
  /// The sections from before that had no item meanwhile.
  private(set) var emptied: Set<Int> = []
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

  /// Whether each id that an update names is there. Those that are not are noted, and the other
  /// item of a move is checked.
  mutating func hasAllItems(
    of update: CollectionUpdate, _ index: Int
  ) throws(LayoutError) -> Bool {
    let items = update.traits.items.compactMap { $0 }
    missing = missing ?? []
    let isThere = try items.map { item throws(LayoutError) in
      guard case .id(let id) = item,
        try finder?.paths(of: id, in: sections, origins, index, &work).isEmpty ?? true
      else { return true }
      if missing?.contains(id.string) == false { missing?.append(id.string) }
      return false
    }
    guard isThere.contains(false) else { return true }
    guard items.count == 2 else { return false }
    if isThere[0] {
      try sections.checkItem(path(of: items[0], "/move/from", index), "/move/from", index)
    }
    if isThere[1] { _ = try place(path(of: items[1], "/move/to", index), "/move/to", index) }
    return false
  }

  /// A place before an item of a section, or behind its last.
  private func place(_ at: IndexPath, _ member: String, _ index: Int) throws(LayoutError) -> Int {
    try checkSection(at.section, member, index)
    return try LayoutError.place(at.item, upTo: sections[at.section].items.count, member, index)
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
    _ items: Items, at: IndexPath, _ member: String, _ index: Int
  ) throws(LayoutError) {
    let place = try place(at, member, index)
    guard items.count <= JSONInteger.maximum - sections[at.section].items.count else {
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
    guard !areThere(items, at: range, inSection: at.section) else { return }
    let old = try replace(range, inSection: at.section, with: items, index) {
      $0.marking(resized, \.resized, others: \.replaced)
    }
    finder?.keepIDs(of: items, from: old)
  }

  /// Whether nothing has changed so far, and items say the same as those that they replace. So many
  /// are compared in a request; more of them count as others.
  private mutating func areThere(_ items: Items, at range: Range<Int>, inSection section: Int)
    -> Bool
  {
    !hasChanged
      && items.say(theSameAs: sections[section].items.slice(range), comparing: &comparisonsLeft)
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
    guard !areThere(items, at: range, inSection: at.section) else { return }
    let old = try replace(
      range, inSection: at.section, with: items, index, keepingIDs: !patch.changesIDs
    ) { $0.marking(resized, \.resized, others: \.replaced) }
    if patch.changesIDs { finder?.keepIDs(of: items, from: old) }
  }

  mutating func put(
    _ items: Items, _ areColumns: Bool, at: ItemReference, _ index: Int
  ) throws(LayoutError) {
    var slots: [ItemID: Int] = [:]
    var ids: [(id: ItemID, first: Int, last: Int)] = []
    for item in 0..<items.count {
      guard let id = items.id(at: item) else { preconditionFailure("item \(item) has no id") }
      if let slot = slots[id] {
        ids[slot].last = item
      } else {
        slots[id] = ids.count
        ids.append((id, item, item))
      }
    }
    var found: [Int: [(place: Int, item: Int)]] = [:]
    var new: [Int] = []
    for (id, first, last) in ids {
      let paths = try finder?.paths(of: id, in: sections, origins, index, &work) ?? []
      guard paths.count < 2 else {
        throw .invalidUpdate(
          index, member: "/put/items/" + (areColumns ? "id/\(first)" : "\(first)/id"),
          requirement: "the id of at most one item, was \"\(id.string)\", which several have")
      }
      if let path = paths.first { found[path.section, default: []].append((path.item, last)) }
      if paths.isEmpty { new.append(last) }
    }
    let at = try path(of: at, "/put/at", index)
    for (section, pairs) in found {
      let old = sections[section].items
      let differing = pairs.filter { !items.says($0.item, theSameAs: old, $0.place) }
        .sorted { $0.place < $1.place }
      guard !differing.isEmpty else { continue }
      var next = old.replacing(differing, with: items)
      let resized = next.keepMeasured(replacing: 0..<old.count, of: old)
      try replace(0..<old.count, inSection: section, with: next, index, keepingIDs: true) {
        $0.marking(differing.map(\.place), \.replaced).marking(resized, \.resized)
      }
    }
    let added = Items().replacing(new.enumerated().map { (place: $0, item: $1) }, with: items)
    try insert(added, at: at, "/put/at", index)
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
    let (old, wasOrthogonal) = (sections[at].settings, sections[at].isOrthogonal)
    sections[at] = CollectionSection(
      items: sections[at].items, settings: patch.applied(to: sections[at].settings))
    if sections[at].settings != old { hasChanged = true }
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
    hasChanged = hasChanged || !inserted.isEmpty
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
    hasChanged = hasChanged || count > 0
    sections.removeSubrange(at..<at + count)
    origins.removeSubrange(at..<at + count)
  }

  mutating func moveSection(
    from: Int, to: Int, _ index: Int
  ) throws(LayoutError) {
    try checkSection(from, "/moveSection/from", index)
    let to = try LayoutError.place(to, upTo: sections.count - 1, "/moveSection/to", index)
    try work.visit(sections.count, index: index)
    hasChanged = hasChanged || from != to
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
    hasChanged = true
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
    if sections[section].items.count == 0, let base = origins[section].base { emptied.insert(base) }
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
