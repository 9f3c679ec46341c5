extension PreparedCollection {
  /// The collection with other options or bounds.
  ///
  /// - Returns: `nil` beside the collection when no attribute can be another than before.
  /// - Complexity: That of preparing the layout, without reading the data again.
  public func changing(
    layout: any CollectionViewLayout, bounds: Bounds?
  ) throws(LayoutError) -> (collection: PreparedCollection, change: CollectionChange?) {
    try Self.check(bounds)
    guard try layout.shouldInvalidate(self.prepared, for: bounds) else {
      return (
        PreparedCollection(layout: layout, bounds: bounds, data: data, prepared: self.prepared), nil
      )
    }
    let prepared = try layout.prepared(
      for: data, bounds: bounds, after: PreviousLayout(prepared: self.prepared, origins: nil))
    let next = PreparedCollection(layout: layout, bounds: bounds, data: data, prepared: prepared)
    let everything = InvalidatedArea(self.prepared, prepared)
    return (
      next,
      CollectionChange(
        previous: self, next: next, invalidatedRect: everything.rect, identities: .identity)
    )
  }

  /// The collection with the updates applied in order, all or none.
  ///
  /// - Complexity: O(*s*) for *s* sections, and that of laying out what comes behind the first
  ///   change in its section; a section behind it is only moved, or, where its sums were rounded,
  ///   laid out again. A tree is laid out as a whole.
  /// - Throws: Among others ``LayoutError/invalidUpdate(_:member:requirement:)`` for the first
  ///   update that is impossible or exceeds the limits.
  public func applying(
    _ updates: [CollectionUpdate], limits: UpdateLimits = .none
  ) throws(LayoutError) -> CollectionChange {
    switch data {
    case .sections(let sections): try applying(updates, to: sections, limits)
    case .forest(let forest): try applying(updates, to: forest, limits)
    }
  }

  private func applying(
    _ updates: [CollectionUpdate], to sections: [Items], _ limits: UpdateLimits
  ) throws(LayoutError) -> CollectionChange {
    var editor = SectionEditor(sections, limits: limits)
    for (index, update) in updates.enumerated() { try editor.apply(update, index: index) }
    editor.giveUpUnusedStorage()
    let data = CollectionData.sections(editor.sections)
    data.requireColumns(of: type(of: layout).dataForm)
    let previous = PreviousLayout(prepared: prepared, origins: editor.origins)
    let prepared = try layout.prepared(for: data, bounds: bounds, after: previous)
    let next = PreparedCollection(layout: layout, bounds: bounds, data: data, prepared: prepared)
    return CollectionChange(
      previous: self, next: next,
      invalidatedRect: InvalidatedArea(self.prepared, prepared, origins: editor.origins).rect,
      identities: IdentityMap(
        editor.origins, previousSectionCount: sections.count))
  }

  private func applying(
    _ updates: [CollectionUpdate], to forest: Forest, _ limits: UpdateLimits
  ) throws(LayoutError) -> CollectionChange {
    var editor = ForestEditor(forest, limits: limits)
    for (index, update) in updates.enumerated() { try editor.apply(update, index: index) }
    let data = CollectionData.forest(editor.forest)
    let prepared = try layout.prepared(for: data, bounds: bounds)
    let toPrevious = editor.origins
    let toNext = toPrevious.inverse(count: forest.count)
    let area = InvalidatedArea(self.prepared, prepared, toPrevious: toPrevious, toNext: toNext)
    return CollectionChange(
      previous: self,
      next: PreparedCollection(layout: layout, bounds: bounds, data: data, prepared: prepared),
      invalidatedRect: area.rect,
      identities: IdentityMap(
        toPrevious: toPrevious, toNext: toNext, previous: forest, next: editor.forest))
  }
}
