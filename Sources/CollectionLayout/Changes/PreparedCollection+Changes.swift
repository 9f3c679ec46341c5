extension PreparedCollection {
  /// The default limit of the work of a sequence of updates.
  public static let defaultVisitLimit = 500_000_000

  /// The collection with another layout: other options, other bounds, or another kind with
  /// sections.
  ///
  /// - Parameter itemLimit: The largest number of items that may count as stored.
  /// - Returns: The collection, and the change; no change if all attributes certainly stay the
  ///   same.
  /// - Complexity: The cost of a prepare, without reading the data again. Sections whose options
  ///   and widths stay keep their bodies.
  public func changing(
    _ layout: GivenLayout, itemLimit: Int = .max
  ) throws(LayoutError) -> (collection: PreparedCollection, change: CollectionChange?) {
    let (layout, data) = try fitted(layout)
    let earlier = (prepared as? SectionStack).map { EarlierStack(stack: $0, origins: nil) }
    if layout == self.layout { return (self, nil) }
    let next = try PreparedCollection(layout, data, after: earlier, itemLimit: itemLimit)
    guard !prepared.isEqual(to: next.prepared) else {
      return (PreparedCollection(layout, data, next.prepared), nil)
    }
    let area = InvalidatedArea(prepared, next.prepared)
    return (
      next,
      CollectionChange(
        previous: self, next: next, area: area, keepsNames: true, identities: .identity)
    )
  }

  /// The layout, and the data without the options of sections that its kind does not know.
  private func fitted(
    _ layout: GivenLayout
  ) throws(LayoutError) -> (GivenLayout, CollectionData) {
    guard layout.kind != self.layout.kind, case .sections(let sections) = data,
      let table = layout.kind.sectionTable(kind: nil)
    else { return (layout, data) }
    return (
      layout,
      .sections(
        sections.map { section in
          guard let settings = section.settings, !settings.options.isEmpty else { return section }
          return CollectionSection(
            items: section.items,
            settings: SectionSettings(id: settings.id, options: settings.options.kept(by: table)))
        })
    )
  }

  /// The collection after a sequence of updates. Either all updates are applied or none.
  ///
  /// - Parameters:
  ///   - visitLimit: The limit of the work of the updates; see ``UpdateWork``.
  ///   - itemLimit: The largest number of items that may count as stored in the end.
  /// - Complexity: O(*s*) for *s* sections, and the cost of laying out each changed section from
  ///   its first change on. A tree is laid out as a whole.
  /// - Throws: ``LayoutError``, for example ``LayoutError/invalidUpdate(_:member:requirement:)``
  ///   for the first update that is impossible or exceeds the limits.
  public func applying(
    _ updates: [CollectionUpdate], visitLimit: Int = defaultVisitLimit, itemLimit: Int = .max
  ) throws(LayoutError) -> CollectionChange {
    switch data {
    case .sections(let sections): try applying(updates, to: sections, visitLimit, itemLimit)
    case .forest(let forest): try applying(updates, to: forest, visitLimit, itemLimit)
    }
  }

  private func applying(
    _ updates: [CollectionUpdate], to sections: [CollectionSection], _ visitLimit: Int,
    _ itemLimit: Int
  ) throws(LayoutError) -> CollectionChange {
    guard let stack = prepared as? SectionStack else {
      preconditionFailure("sections are laid out by a stack")
    }
    var editor = SectionEditor(sections, of: layout.kind, visitLimit: visitLimit)
    for (index, update) in updates.enumerated() { try editor.apply(update, index: index) }
    try editor.checkItems()
    editor.giveUpUnusedStorage()
    let next = try PreparedCollection(
      layout, .sections(editor.sections),
      after: EarlierStack(stack: stack, origins: editor.origins), itemLimit: itemLimit)
    guard let nextStack = next.prepared as? SectionStack else {
      preconditionFailure("sections are laid out by a stack")
    }
    return CollectionChange(
      previous: self, next: next,
      area: InvalidatedArea(stack, nextStack, origins: editor.origins),
      keepsNames: editor.keepsNames,
      identities: IdentityMap(editor.origins, previousSectionCount: sections.count))
  }

  private func applying(
    _ updates: [CollectionUpdate], to forest: Forest, _ visitLimit: Int, _ itemLimit: Int
  ) throws(LayoutError) -> CollectionChange {
    var editor = ForestEditor(forest, visitLimit: visitLimit)
    for (index, update) in updates.enumerated() { try editor.apply(update, index: index) }
    let next = try PreparedCollection(
      layout, .forest(editor.forest), after: nil, itemLimit: itemLimit)
    guard let old = prepared as? any PreparedTree, let new = next.prepared as? any PreparedTree
    else { preconditionFailure("a forest is laid out by a tree") }
    let toPrevious = editor.origins
    let toNext = toPrevious.inverse(count: forest.count)
    return CollectionChange(
      previous: self, next: next,
      area: InvalidatedArea(old, new, toPrevious: toPrevious, toNext: toNext),
      keepsNames: editor.keepsNames,
      identities: IdentityMap(
        toPrevious: toPrevious, toNext: toNext, previous: forest, next: editor.forest))
  }
}

extension PreparedLayout {
  /// Whether two layouts of the same data certainly have equal attributes.
  fileprivate func isEqual(to other: any PreparedLayout) -> Bool {
    switch (self, other) {
    case (let a as SectionStack, let b as SectionStack):
      a.layout.kind == b.layout.kind && a.isEqual(to: b)
    case (let a as any PreparedTree, let b as any PreparedTree): a.layout == b.layout
    default: false
    }
  }
}
