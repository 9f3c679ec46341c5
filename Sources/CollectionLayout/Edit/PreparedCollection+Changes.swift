extension PreparedCollection {
  /// The default limit of the work of a sequence of updates.
  public static let defaultVisitLimit = 500_000_000

  /// The collection with another layout: other options, other bounds, or another kind with
  /// sections.
  ///
  /// - Parameters:
  ///   - source: The same data, of which this is a view: another kind may know options of sections
  ///     that this one does not have.
  ///   - folds: What is folded then; `nil` for what is now.
  ///   - itemLimit: The largest number of items that may count as stored.
  /// - Returns: The collection, and the change; no change if all attributes certainly stay the
  ///   same.
  /// - Complexity: The cost of a prepare, without reading the data again. Sections whose options
  ///   and widths stay keep their bodies.
  public func changing(
    _ layout: GivenLayout, from source: PreparedCollection? = nil, folds: Folds? = nil,
    itemLimit: Int = .max
  ) throws(LayoutError) -> (collection: PreparedCollection, change: CollectionChange?) {
    let isOtherKind = layout.kind != self.layout.kind
    let isRearranged = layout.arrangement != self.layout.arrangement
    let base = isOtherKind || isRearranged ? source ?? self : self
    var (data, keepsOptions) = base.fittedSource(to: layout)
    if layout.isHorizontal != self.layout.isHorizontal {
      // What was measured along one axis says nothing of the other.
      data = data.withoutMeasured
    } else if isOtherKind || isRearranged, source != nil {
      data = data.carryingMeasured(from: self.source, by: .same)
    }
    var folds = folds ?? self.folds
    if isRearranged { folds.marks = [] }
    if layout == self.layout, folds == self.folds { return (self, nil) }
    let order =
      try isRearranged
      ? itemOrder(for: layout, data, of: base, itemLimit: itemLimit) : self.order
    let earlier = isRearranged ? nil : EarlierContent(content: content, origins: nil)
    let next = try PreparedCollection(
      layout, data, folds, order: order, after: earlier, itemLimit: itemLimit,
      typesetter: typesetter)
    if isRearranged {
      let lineage = lineage(to: next, by: .same)
      return (next, CollectionChange(from: self, to: next, by: lineage))
    }
    guard !content.isEqual(to: next.content) else {
      return (PreparedCollection(self, saidBy: layout), nil)
    }
    let isSame = keepsOptions && !(isOtherKind && source != nil)
    let lineage = isSame ? DataLineage.same : next.data.lineageOfOtherOptions
    return (
      next, CollectionChange(from: self, to: next, by: lineage, keepsIDs: true)
    )
  }

  /// The same data in another layout, beside this one: what this one has of it is shared.
  ///
  /// - Parameters:
  ///   - own: What was measured and folded in the other layout. What was in this one stays here.
  ///   - itemLimit: The largest number of items that may count as stored.
  /// - Complexity: As ``changing(_:itemLimit:)``.
  public func laidOut(
    by layout: GivenLayout, own: OwnState = OwnState(), itemLimit: Int = .max
  ) throws(LayoutError) -> PreparedCollection {
    var data = fittedSource(to: layout).data.withoutMeasured
    if own.hasMeasured, let sections = data.sections {
      data = .sections(own.applied(to: sections))
    }
    let order = try itemOrder(for: layout, data, of: self, itemLimit: itemLimit)
    let earlier = order == nil ? EarlierContent(content: content, origins: nil) : nil
    return try PreparedCollection(
      layout, data, own.folds, order: order, after: earlier, itemLimit: itemLimit,
      typesetter: typesetter)
  }

  /// The collection in its own layout after its data was changed elsewhere.
  ///
  /// - Parameters:
  ///   - source: The changed data, in any layout.
  ///   - lineage: Which item of it is which of this collection's.
  ///   - itemLimit: The largest number of items that may count as stored.
  /// - Complexity: As ``applying(_:visitLimit:itemLimit:)``.
  public func catchingUp(
    with source: PreparedCollection, by lineage: DataLineage, itemLimit: Int = .max
  ) throws(LayoutError) -> CollectionChange {
    let data = source.fittedSource(to: layout).data
      .carryingMeasured(from: self.source, by: lineage)
    let order = try itemOrder(
      for: layout, data, of: source, after: lineage, itemLimit: itemLimit)
    let origins =
      order == nil
      ? lineage.sections : self.order.flatMap { order?.origins(from: $0, by: lineage) }
    let earlier =
      order == nil || origins != nil ? EarlierContent(content: content, origins: origins) : nil
    let next = try PreparedCollection(
      layout, data, folds.following(lineage), order: order, after: earlier, itemLimit: itemLimit,
      typesetter: typesetter)
    let own =
      order == nil ? nil : origins.map { DataLineage(content: .sections($0)) }
    return CollectionChange(
      from: self, to: next, by: own ?? self.lineage(to: next, by: lineage))
  }

  /// About how many sections and items ``catchingUp(with:by:itemLimit:)`` goes over.
  ///
  /// - Complexity: O(*s* + *r*) for *s* sections and *r* runs of items.
  public func costOfCatchingUp(
    with source: PreparedCollection, by lineage: DataLineage
  ) -> Int {
    let cost = source.data.layoutCost(as: layout)
    guard layout.arrangement == nil else { return cost }
    return min(lineage.layoutCost(in: source.data) ?? cost, cost)
  }

  /// About how many items updates make it necessary to lay out one by one, beyond those that are
  /// stored already; 0 if frames stay arithmetic.
  ///
  /// - Complexity: O(*u*) for *u* updates.
  public func cost(of updates: [CollectionUpdate]) -> Int {
    // To shape texts is the work of many items.
    if updates.contains(where: \.traits.bringsTexts) { return 1 << 20 }
    guard case .sections(let kind) = layout.kind.form else {
      return updates.reduce(prepared.counts.cells) { $0 + $1.traits.addedCount }
    }
    switch kind.uniformity {
    case .always: return 0
    case .ofPlainItems
    where storedItemCount == 0 && !updates.contains(where: \.traits.mayStoreItems):
      return 0
    case .ofPlainItems, .never:
      return updates.reduce(prepared.counts.cells) { $0 + $1.traits.addedCount }
    }
  }

  /// The collection after a sequence of updates. Either all updates are applied or none. Where none
  /// of them changes anything, the lineage says that the data is the same.
  ///
  /// - Parameters:
  ///   - itemIDs: Returns the index of the items' ids, `nil` if no item has one. Is called if an
  ///     update names an item by its id.
  ///   - visitLimit: The limit of the work of the updates; see ``UpdateWork``.
  ///   - itemLimit: The largest number of items that may count as stored in the end.
  /// - Complexity: O(*s*) for *s* sections, and the cost of laying out each changed section from
  ///   its first change on. A tree is laid out as a whole. To find an item by its id is O(*r*) for
  ///   *r* runs of items in its section, and O(*s* + *r*) if the item is now in a section far away.
  /// - Throws: ``LayoutError``, for example ``LayoutError/invalidUpdate(_:member:requirement:)``
  ///   for the first update that is impossible or exceeds the limits.
  public func applying(
    _ updates: [CollectionUpdate], itemIDs: (() -> ItemIDIndex?)? = nil,
    visitLimit: Int = defaultVisitLimit, itemLimit: Int = .max
  ) throws(LayoutError) -> CollectionChange {
    let usesIDs = updates.contains { $0.usesIDs }
    let index = usesIDs ? itemIDs.map { $0() } ?? ItemIDIndex(data) : nil
    switch content {
    case .sections(let stack):
      let finder = usesIDs ? ItemFinder(stack.data, index: index) : nil
      return try applying(updates, to: stack, finder, visitLimit, itemLimit)
    case .forest(let tree):
      return try applying(updates, to: tree.forest, index, visitLimit, itemLimit)
    }
  }

  private func applying(
    _ updates: [CollectionUpdate], to stack: SectionStack, _ finder: ItemFinder?,
    _ visitLimit: Int, _ itemLimit: Int
  ) throws(LayoutError) -> CollectionChange {
    var editor = SectionEditor(
      stack.data, of: layout.kind, visitLimit: visitLimit, finder: finder)
    for (index, update) in updates.enumerated() { try editor.apply(update, index: index) }
    guard editor.hasChanged else {
      return CollectionChange(from: self, to: self, by: .same, missing: editor.missing)
    }
    try editor.finish()
    let lineage = DataLineage(content: .sections(editor.origins), emptied: editor.emptied)
    let next = try PreparedCollection(
      layout, .sections(editor.sections), folds.following(lineage), order: nil,
      after: EarlierContent(content: content, origins: editor.origins), itemLimit: itemLimit,
      typesetter: typesetter)
    return CollectionChange(
      from: self, to: next, by: lineage, keepsIDs: editor.keepsIDs, missing: editor.missing)
  }

  private func applying(
    _ updates: [CollectionUpdate], to forest: Forest, _ index: ItemIDIndex?, _ visitLimit: Int,
    _ itemLimit: Int
  ) throws(LayoutError) -> CollectionChange {
    var editor = ForestEditor(forest, visitLimit: visitLimit, index: index)
    for (index, update) in updates.enumerated() { try editor.apply(update, index: index) }
    guard editor.hasChanged else { return CollectionChange(from: self, to: self, by: .same) }
    let lineage = DataLineage(content: .forest(editor.origins), emptied: editor.emptied)
    let next = try PreparedCollection(
      layout, .forest(editor.forest), folds.following(lineage), order: nil, after: nil,
      itemLimit: itemLimit, typesetter: typesetter)
    return CollectionChange(from: self, to: next, by: lineage, keepsIDs: editor.keepsIDs)
  }
}

extension PreparedCollection {
  /// The data for another layout, before it is arranged, and whether it keeps all options of
  /// sections. An arrangement has none of them.
  fileprivate func fittedSource(
    to layout: GivenLayout
  ) -> (data: CollectionData, keepsOptions: Bool) {
    layout.arrangement == nil
      ? source.fitted(from: self.layout.kind, to: layout.kind) : (source, true)
  }
}

extension CollectionData {
  /// The data with only those options of sections that another kind of layout knows, and whether
  /// these are all of them.
  fileprivate func fitted(
    from old: LayoutKind, to kind: LayoutKind
  ) -> (data: CollectionData, keepsOptions: Bool) {
    guard kind != old, case .sections(let sections) = self,
      let table = kind.sectionTable(kind: nil)
    else { return (self, true) }
    var keepsOptions = true
    let fitted = sections.map { section in
      guard let settings = section.settings, !settings.options.isEmpty else { return section }
      let options = settings.options.kept(by: table)
      if options == settings.options { return section }
      keepsOptions = false
      return CollectionSection(
        items: section.items,
        settings: SectionSettings(id: settings.id, options: options, data: settings.data))
    }
    return keepsOptions ? (self, true) : (.sections(fitted), false)
  }

  /// The lineage of data whose sections have the items that they had, but other options.
  fileprivate var lineageOfOtherOptions: DataLineage {
    switch self {
    case .sections(let sections):
      DataLineage(content: .sections([SectionOrigin](of: sections)))
    case .forest: .same
    }
  }
}
