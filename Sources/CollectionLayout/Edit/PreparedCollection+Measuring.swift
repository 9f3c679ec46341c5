/// The size along the scroll direction that somebody measured for an item.
public struct Measurement: Sendable {
  /// What of the cell was measured.
  public enum Axis: String, CaseIterable, Sendable { case height, width }

  public var item: ItemReference
  public var axis: Axis
  /// In points, ≥ 0; `nil` takes an earlier size away.
  public var size: Double?

  public init(_ item: ItemReference, _ axis: Axis, _ size: Double?) {
    self.item = item
    self.axis = axis
    self.size = size
  }
}

extension PreparedCollection {
  /// The collection after sizes of its cells were measured. They belong to this layout: its data
  /// stays. Either all sizes are taken or none; of several for one item the last counts.
  ///
  /// - Parameters:
  ///   - itemIDs: As in ``applying(_:itemIDs:visitLimit:itemLimit:)``.
  ///   - visitLimit: The limit of the work of finding items by their ids.
  ///   - itemLimit: The largest number of items that may count as stored in the end.
  /// - Returns: `nil` if each cell has its size already.
  /// - Complexity: The cost of laying out each section that has a new size from the first on.
  /// - Throws: ``LayoutError``, for example ``LayoutError/invalidUpdate(_:member:requirement:)``
  ///   for the first size that no item may have.
  public func measuring(
    _ sizes: [Measurement], itemIDs: (() -> ItemIDIndex?)? = nil,
    visitLimit: Int = defaultVisitLimit, itemLimit: Int = .max
  ) throws(LayoutError) -> CollectionChange? {
    guard case .sections(let stack) = content else {
      throw .invalidUpdate(
        0, member: "", requirement: "left out: cells of a hierarchy are not measured")
    }
    var sections = stack.data
    var source = self.source
    let measured = try measured(sizes, in: stack, itemIDs, visitLimit)
    var origins = [SectionOrigin](of: sections)
    var isNew = false
    for (section, changes) in measured {
      let before = sections[section].items.measured
      sections[section].items.measured.apply(changes)
      if let order { source.apply(changes, at: section, of: order) }
      let after = sections[section].items.measured
      let differing = changes.keys.filter { before[$0] != after[$0] }.sorted()
      if !differing.isEmpty { isNew = true }
      _ = origins[section].replace(0..<sections[section].items.count) {
        $0.marking(differing, \.replaced)
      }
    }
    guard isNew else { return nil }
    let next = try PreparedCollection(
      layout, order == nil ? .sections(sections) : source, folds, order: order,
      after: EarlierContent(content: content, origins: nil), itemLimit: itemLimit,
      typesetter: typesetter)
    return CollectionChange(
      from: self, to: next, by: .same, comparing: DataLineage(content: .sections(origins)))
  }

  /// What was measured, by section and item; `nil` where a size is taken away.
  private func measured(
    _ sizes: [Measurement], in stack: SectionStack, _ itemIDs: (() -> ItemIDIndex?)?,
    _ visitLimit: Int
  ) throws(LayoutError) -> [Int: [Int: MeasuredSizes.Entry?]] {
    var measured: [Int: [Int: MeasuredSizes.Entry?]] = [:]
    let usesIDs = sizes.contains { if case .id = $0.item { true } else { false } }
    let index = usesIDs ? itemIDs.map { $0() } ?? ItemIDIndex(data) : nil
    var finder = ItemFinder(stack.data, index: index)
    let origins = [SectionOrigin](of: usesIDs ? stack.data : [])
    var work = UpdateWork(limit: visitLimit)
    for (index, size) in sizes.enumerated() {
      let path: IndexPath
      switch size.item {
      case .path(let given):
        path = given
        try stack.data.checkItem(path, "/at", index)
      case .id(let id):
        path = try finder.path(of: id, in: stack.data, origins, "", index, &work)
      }
      let section = stack.sections[path.section]
      guard section.style.layout.traits.contains(.ownHeights) else {
        throw .invalidUpdate(
          index, member: "",
          requirement: "of an item whose cell has a size of its own: in a list, waterfall or flow, "
            + "or in a grid whose rowSizing is \"tallest\"")
      }
      let axis: Measurement.Axis = section.style.container.isTransposed ? .width : .height
      guard size.axis == axis else {
        throw .invalidUpdate(
          index, member: "/\(size.axis.rawValue)",
          requirement: "\(axis.rawValue): it is measured along the scroll direction")
      }
      let width = section.body.frame(of: path.item).size.width
      let entry = size.size.map {
        MeasuredSizes.Entry(item: path.item, size: $0, width: width)
      }
      measured[path.section, default: [:]].updateValue(entry, forKey: path.item)
    }
    return measured
  }

  /// Calls `body` with each item of a section of which a size was measured: the item, the size, and
  /// the width of the cell at that time if it has another by now.
  public func forEachMeasured(
    inSection section: Int, _ body: (_ item: Int, _ size: Double, _ width: Double?) -> Void
  ) {
    guard let stack = content.stack else { return }
    let cells = stack.sections[section].body
    for entry in stack.data[section].items.measured.entries {
      let width = cells.frame(of: entry.item).size.width
      body(entry.item, entry.size, width == entry.width ? nil : entry.width)
    }
  }
}

extension CollectionData {
  /// Takes over what was measured of items of an arrangement.
  fileprivate mutating func apply(
    _ changes: [Int: MeasuredSizes.Entry?], at section: Int, of order: ItemOrder
  ) {
    guard var sections else { return }
    var measured: [Int: [Int: MeasuredSizes.Entry?]] = [:]
    for (item, entry) in changes {
      let path = order.sourcePath(of: IndexPath(section: section, item: item))
      var entry = entry
      entry?.item = path.item
      measured[path.section, default: [:]].updateValue(entry, forKey: path.item)
    }
    for (section, changes) in measured { sections[section].items.measured.apply(changes) }
    self = .sections(sections)
  }
}

extension [CollectionSection] {
  /// Throws if there is no item at an index path.
  ///
  /// - Parameters:
  ///   - member: Which names the item.
  ///   - index: Of the change in the sequence.
  func checkItem(_ at: IndexPath, _ member: String, _ index: Int) throws(LayoutError) {
    guard indices.contains(at.section) else {
      throw .invalidUpdate(
        index, member: member,
        requirement: "in one of the \(count) sections, was in section \(at.section)")
    }
    let count = self[at.section].items.count
    guard (0..<count).contains(at.item) else {
      throw .invalidUpdate(
        index, member: member,
        requirement: "one of the \(count) items of section \(at.section), was item \(at.item)")
    }
  }
}
