/// Finds the area in which two stacks of sections differ, section by section.
///
/// Runs of items tell what came, went, moved or was replaced. Items that stayed may have been
/// pushed: their frames are compared one by one, up to a limit. The rest counts as different.
struct StackComparison {
  private let old: SectionStack
  private let new: SectionStack
  private(set) var area = InvalidatedArea()
  /// How many more frames are compared or included one by one.
  private var comparisonsLeft = 2048
  /// The sections that were not compared, because no comparison was left.
  private var rest = Extent()

  /// Up to so many frames of neighbours are included one by one.
  private static let fewFrames = 64
  /// Where so many frames at both ends differ, all between them count as different.
  private static let edgeFrames = 8
  /// As how many comparisons a section counts that differs as a whole, besides its frames.
  private static let sectionCost = 32

  /// - Parameter origins: Where the new sections come from; `nil` if the data is the same.
  /// - Complexity: O(*s* + *r*) for *s* sections and *r* runs of items, and some thousand frames.
  init(_ old: SectionStack, _ new: SectionStack, origins: [SectionOrigin]?) {
    self.old = old
    self.new = new
    let isPlacedAlike = old.metrics == new.metrics
    let (oldCount, newCount) = (old.sections.count, new.sections.count)
    for index in 0..<max(oldCount, newCount) {
      if index < min(oldCount, newCount), case let origin = origins?[index],
        origin.map({ $0.base == index }) ?? true
      {
        if !isPlacedAlike || !isUntouched(index, origin) { compare(index, origin) }
      } else {
        if index < oldCount { include(index, of: old) }
        if index < newCount { include(index, of: new) }
      }
    }
    area.include(rest)
  }

  /// Whether a section is certainly the same in both stacks, whose sections are placed alike.
  private func isUntouched(_ section: Int, _ origin: SectionOrigin?) -> Bool {
    let (before, after) = (old.sections[section], new.sections[section])
    return origin?.items == nil && before.body === after.body && before.style === after.style
      && before.isHidden == after.isHidden && before.isFolded == after.isFolded
      && old.tops[section] == new.tops[section]
      && old.left(ofSection: section) == new.left(ofSection: section)
      && hasSameData(section)
  }

  private func hasSameData(_ section: Int) -> Bool {
    let (before, after) = (old.data[section].settings, new.data[section].settings)
    return before === after || before?.data == after?.data
  }

  // MARK: What differs as a whole

  /// Includes all elements of a section.
  private mutating func include(_ index: Int, of stack: SectionStack) {
    let section = stack.sections[index]
    guard !section.isHidden else { return }
    guard comparisonsLeft > 0 else {
      rest = rest.union(stack.extent(ofSection: index))
      return
    }
    comparisonsLeft -= Self.sectionCost
    for series in SectionStack.parts { include(stack.part(series, ofSection: index)) }
    if !section.isFolded { includeBody(of: index, in: stack) }
  }

  private mutating func includeBody(of index: Int, in stack: SectionStack) {
    let section = stack.sections[index]
    let placement = stack.bodyPlacement(of: index)
    include(0..<section.body.count, of: section.body, placement)
    if let background = section.background, background !== section.body {
      include(0..<background.count, of: background, placement)
    }
  }

  private mutating func include(_ part: SectionStack.Part?) {
    guard let part else { return }
    comparisonsLeft -= 1
    if part.pinRange == nil {
      area.include(part.swept)
    } else {
      area.include(pinned: part.swept)
    }
  }

  /// Includes the frames of a range of items.
  private mutating func include(
    _ items: Range<Int>, of body: any SectionBody, _ placement: Placement
  ) {
    guard !items.isEmpty else { return }
    if items.count <= Self.fewFrames {
      for item in items { area.include(placement.frame(body.frame(of: item))) }
      comparisonsLeft -= items.count
    } else {
      area.include(Extent(body.outermostFrames(of: items).map { placement.frame($0) }))
      comparisonsLeft -= 1
    }
  }

  /// Includes the frames of a range of items before and after.
  private mutating func include(_ items: Range<Int>, of bodies: BodyPair) {
    include(items, of: bodies.old, bodies.oldPlacement)
    include(items, of: bodies.new, bodies.newPlacement)
  }

  // MARK: Sections that may differ in parts

  private mutating func compare(_ index: Int, _ origin: SectionOrigin?) {
    guard comparisonsLeft > 0 else {
      include(index, of: old)
      include(index, of: new)
      return
    }
    for series in SectionStack.parts {
      let (from, to) = (old.part(series, ofSection: index), new.part(series, ofSection: index))
      let isOfData = from == to && series == SectionStack.header && !hasSameData(index)
      guard from != to || isOfData else { continue }
      area.values = isOfData ? [.data] : []
      include(from)
      include(to)
      area.values = []
    }
    let (before, after) = (old.sections[index], new.sections[index])
    guard !before.isFolded, !after.isFolded else {
      if !before.isFolded { includeBody(of: index, in: old) }
      if !after.isFolded { includeBody(of: index, in: new) }
      return
    }
    var cells = BodyPair(
      before.body, old.bodyPlacement(of: index), after.body, new.bodyPlacement(of: index))
    if cells.isPlacedAlike, before.style.hasBodies(like: after.style),
      type(of: before.body) == type(of: after.body)
        || !after.style.layout.traits.contains(.differsWhenUniform)
    {
      // What lies before the first change was laid out alike, or is even shared.
      let first = origin?.firstChanged ?? after.body.count
      cells.firstItem = min(
        before.body.firstItem(differingFrom: after.body, changedFrom: first),
        after.body.firstItem(differingFrom: before.body, changedFrom: first))
      cells.isContinued = true
    }
    if new.showsCards(like: old, inSection: index),
      new.metrics.marksEstimates == old.metrics.marksEstimates
    {
      compareItems(of: index, origin, cells)
    } else {
      include(0..<before.body.count, of: before.body, cells.oldPlacement)
      include(0..<after.body.count, of: after.body, cells.newPlacement)
    }
    compareBackgrounds(of: index, cells)
  }

  /// Two bodies of a section, and where they stand.
  private struct BodyPair {
    let old: any SectionBody
    let oldPlacement: Placement
    let new: any SectionBody
    let newPlacement: Placement
    let isPlacedAlike: Bool
    /// The first item that may lie elsewhere.
    var firstItem = 0
    /// Whether both bodies are of one layout, so that only changed items make a difference.
    var isContinued = false

    init(
      _ old: any SectionBody, _ oldPlacement: Placement, _ new: any SectionBody,
      _ newPlacement: Placement
    ) {
      (self.old, self.oldPlacement) = (old, oldPlacement)
      (self.new, self.newPlacement) = (new, newPlacement)
      isPlacedAlike = oldPlacement.places(like: newPlacement)
    }

    /// Whether all frames are the same.
    var isSame: Bool { isPlacedAlike && old === new }

    /// Whether what was not replaced lies where it did.
    var keepsFrames: Bool { isSame || isContinued && old is FramesBody && new is FramesBody }

    func frames(_ item: Int) -> (old: Rect, new: Rect) {
      (oldPlacement.frame(old.frame(of: item)), newPlacement.frame(new.frame(of: item)))
    }
  }

  private mutating func compareItems(of index: Int, _ origin: SectionOrigin?, _ cells: BodyPair) {
    guard let origin, let items = origin.items else {
      compare(0..<min(cells.old.count, cells.new.count), cells)
      return
    }
    /// The first old item that is not accounted for.
    var oldItem = 0
    for run in items.runs {
      let range = run.elements
      guard comparisonsLeft > 0 else {
        include(range.lowerBound..<cells.new.count, of: cells.new, cells.newPlacement)
        break
      }
      guard origin.isInPlace(run) else {
        include(range, of: cells.new, cells.newPlacement)
        continue
      }
      include(oldItem..<range.lowerBound, of: cells.old, cells.oldPlacement)
      oldItem = range.upperBound
      if run.origin?.isReplaced ?? false {
        compareReplaced(range, of: index, cells)
      } else {
        compare(range, cells)
      }
    }
    include(oldItem..<max(cells.old.count, oldItem), of: cells.old, cells.oldPlacement)
  }

  /// Compares items at the same index paths whose fields may differ.
  private mutating func compareReplaced(_ range: Range<Int>, of index: Int, _ cells: BodyPair) {
    let (oldItems, newItems) = (old.data[index].items, new.data[index].items)
    let hasCard = new.sections[index].style.hasCard
    func isAlike(in range: Range<Int>) -> Bool {
      hasCard || new.metrics.marksEstimates
        ? newItems.isEqual(to: oldItems, in: range, withTexts: hasCard)
        : newItems.hasSameIDs(as: oldItems, in: range)
    }
    /// What differs of items that may lie where they did.
    func values(in range: Range<Int>) -> [ValueKind] {
      (newItems.hasSameData(as: oldItems, in: range) ? [] : [.data])
        + (newItems.hasSameTexts(as: oldItems, in: range) ? [] : [.text])
    }
    let areAlike = isAlike(in: range)
    let differing = values(in: range)
    guard !areAlike || !cells.isSame || !differing.isEmpty else { return }
    defer { area.values = [] }
    guard range.count <= max(comparisonsLeft, Self.fewFrames) else {
      area.values = areAlike && cells.isSame ? differing : []
      include(range, of: cells)
      return
    }
    comparisonsLeft -= range.count
    for item in range {
      let (from, to) = cells.frames(item)
      let isAlike = from == to && (areAlike || isAlike(in: item..<item + 1))
      let own = isAlike && !differing.isEmpty ? values(in: item..<item + 1) : []
      if isAlike, own.isEmpty { continue }
      area.values = own
      area.include(from)
      area.include(to)
    }
  }

  /// Compares items that are the same and have the same index paths.
  private mutating func compare(_ items: Range<Int>, _ cells: BodyPair) {
    let items = items.from(cells.firstItem)
    guard !items.isEmpty, !cells.keepsFrames else { return }
    func differs(_ item: Int) -> Bool {
      let (from, to) = cells.frames(item)
      return from != to
    }
    if items.count > Self.fewFrames, items.prefix(Self.edgeFrames).allSatisfy(differs),
      items.suffix(Self.edgeFrames).allSatisfy(differs)
    {
      include(items, of: cells)
      return
    }
    let compared = items.prefix(max(comparisonsLeft, 0))
    comparisonsLeft -= compared.count
    for item in compared where differs(item) {
      let (from, to) = cells.frames(item)
      area.include(from)
      area.include(to)
    }
    include(items.dropFirst(compared.count), of: cells)
  }

  /// Compares the decorations behind cells and rows.
  private mutating func compareBackgrounds(of index: Int, _ cells: BodyPair) {
    let (before, after) = (old.sections[index].background, new.sections[index].background)
    let isOfItems = (
      before.map { $0 === cells.old } ?? false, after.map { $0 === cells.new } ?? false
    )
    // They lie where their cells do.
    if isOfItems.0, isOfItems.1 { return }
    guard let before, let after, !isOfItems.0, !isOfItems.1 else {
      if let before { include(0..<before.count, of: before, cells.oldPlacement) }
      if let after { include(0..<after.count, of: after, cells.newPlacement) }
      return
    }
    var rows = BodyPair(before, cells.oldPlacement, after, cells.newPlacement)
    if cells.isContinued {
      rows.firstItem = min(
        before.firstRow(of: cells.firstItem, in: cells.old),
        after.firstRow(of: cells.firstItem, in: cells.new))
    }
    let common = min(before.count, after.count)
    compare(0..<common, rows)
    include(common..<before.count, of: before, rows.oldPlacement)
    include(common..<after.count, of: after, rows.newPlacement)
  }
}

extension SectionBody {
  /// The first of some rows that reaches down to a cell; ``count`` if none does.
  fileprivate func firstRow(of cell: Int, in cells: any SectionBody) -> Int {
    let y = cell < cells.count ? cells.frame(of: cell).origin.y : cells.height
    return partitionPoint(in: 0..<count) { frame(of: $0).maxY < y }
  }
}

extension SectionStack {
  fileprivate static let parts = [header, footer, background]

  /// An extent of the content that holds all elements of a section. Frames may be rounded beyond
  /// what it is made of, so that is widened.
  fileprivate func extent(ofSection index: Int) -> Extent {
    let section = sections[index]
    var extent = Extent(frames(ofSection: index).section.widened)
    if section.body.count > 0, !section.isFolded {
      var reach = section.reach
      reach.origin.x += left(ofSection: index) + section.style.options.sectionInset.left
      reach.origin.y += section.bodyTop(from: tops[index])
      extent.include(outerPlacement.frame(reach.widened))
    }
    return extent
  }
}
