/// Finds the area in which two stacks of sections differ, section by section.
///
/// What is the same in both is skipped: sections that share style, body and top; items before the
/// first that may have changed; cells that cannot have moved. Other frames are compared one by one,
/// as far as patience goes. The rest counts as different.
struct StackComparison {
  private let old: SectionStack
  private let new: SectionStack
  private(set) var area = InvalidatedArea()
  /// How many more frames are compared or included one by one.
  private var patience = 2048
  /// The sections for which there was no patience left, in the stack's own coordinates.
  private var rest = (old: Extent(), new: Extent())

  /// Up to so many frames of neighbours are included one by one.
  private static let fewFrames = 64
  /// So many frames at both ends are included one by one if there are more.
  private static let edgeFrames = 8
  /// What a section that differs as a whole costs of the patience, besides its frames.
  private static let sectionCost = 32
  /// Updates with more pieces are not looked at one by one.
  private static let mostRuns = 512

  /// - Parameter origins: Where the new sections come from; `nil` if the data is the same.
  /// - Complexity: O(*s* + *r*) for *s* sections and *r* runs of items, and some thousand frames.
  init(_ old: SectionStack, _ new: SectionStack, origins: [SectionOrigin]?) {
    self.old = old
    self.new = new
    let isPlacedAlike = old.metrics == new.metrics
    for section in new.sections.indices {
      let origin =
        origins?[section]
        ?? SectionOrigin(base: section, count: new.sections[section].body.count)
      if origin.base == section, section < old.sections.count {
        if !isPlacedAlike || !isUntouched(section, origin) { compare(section, origin) }
      } else {
        include(section, of: new, to: \.rest.new)
      }
    }
    for section in old.sections.indices
    where section >= new.sections.count || origins.map({ $0[section].base != section }) ?? false {
      include(section, of: old, to: \.rest.old)
    }
    area.include(rest.old.turned(old.outerPlacement))
    area.include(rest.new.turned(new.outerPlacement))
  }

  /// Whether a section is certainly the same in both stacks, whose sections are placed alike.
  private func isUntouched(_ section: Int, _ origin: SectionOrigin) -> Bool {
    let (before, after) = (old.sections[section], new.sections[section])
    return origin.items == nil && before.body === after.body && before.style === after.style
      && before.isHidden == after.isHidden && old.tops[section] == new.tops[section]
  }

  // MARK: Whole sections

  /// Includes all elements of a section.
  private mutating func include(
    _ index: Int, of stack: SectionStack, to rest: WritableKeyPath<StackComparison, Extent>
  ) {
    let section = stack.sections[index]
    guard !section.isHidden else { return }
    guard patience > 0 else {
      let top = stack.tops[index]
      self[keyPath: rest].include(
        Rect(
          x: 0, y: top, width: stack.metrics.width, height: section.bottom(from: top) - top))
      if section.body.count > 0 {
        var reach = section.reach
        reach.origin.x += section.style.options.sectionInset.left
        reach.origin.y += section.bodyTop(from: top)
        self[keyPath: rest].include(reach)
      }
      return
    }
    patience -= Self.sectionCost
    for series in Self.parts { include(stack.part(series, ofSection: index)) }
    let placement = stack.bodyPlacement(of: index)
    include(0..<section.body.count, of: section.body, placement)
    if let background = section.background, background !== section.body {
      include(0..<background.count, of: background, placement)
    }
  }

  private static let parts = [SectionStack.header, SectionStack.footer, SectionStack.background]

  private mutating func include(_ part: SectionStack.Part?) {
    guard let part else { return }
    patience -= 1
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
    let isFew = items.count <= Self.fewFrames
    let edge = isFew || patience <= 0 ? 0 : Self.edgeFrames
    let single = isFew ? items : items.lowerBound..<items.lowerBound + edge
    for item in single { area.include(placement.frame(body.frame(of: item))) }
    patience -= single.count + edge
    guard !isFew else { return }
    for item in items.suffix(edge) { area.include(placement.frame(body.frame(of: item))) }
    var extent = Extent()
    body.forEachOutermostFrame(of: items.dropFirst(edge).dropLast(edge)) {
      extent.include(placement.frame($0))
      patience -= 1
    }
    area.include(extent)
  }

  // MARK: Sections that may differ in parts

  private mutating func compare(_ index: Int, _ origin: SectionOrigin) {
    let (before, after) = (old.sections[index], new.sections[index])
    guard patience > 0 else {
      include(index, of: old, to: \.rest.old)
      include(index, of: new, to: \.rest.new)
      return
    }
    for series in Self.parts {
      let (from, to) = (old.part(series, ofSection: index), new.part(series, ofSection: index))
      guard from != to else { continue }
      include(from)
      include(to)
    }
    var cells = BodyComparison(
      before.body, old.bodyPlacement(of: index), after.body, new.bodyPlacement(of: index))
    if cells.isPlacedAlike, before.style.hasBodies(like: after.style),
      type(of: before.body) == type(of: after.body)
        || !after.style.layout.traits.contains(.differsWhenUniform)
    {
      // What lies before the first change was laid out alike, or is even shared.
      let first = origin.firstChanged ?? after.body.count
      cells.firstItem = min(
        before.body.firstItem(dependingOn: first), after.body.firstItem(dependingOn: first))
      cells.isContinued = true
    }
    if new.showsCards(like: old, inSection: index), new.marksEstimates == old.marksEstimates {
      compareItems(of: index, origin, cells)
    } else {
      include(0..<before.body.count, of: before.body, cells.oldPlacement)
      include(0..<after.body.count, of: after.body, cells.newPlacement)
    }
    compareBackgrounds(of: index, cells)
  }

  /// Two bodies of a section, and where they stand.
  private struct BodyComparison {
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

    /// The distance at which items that did not change move alike; `nil` if it is not known.
    var movingPeriod: Int? {
      guard isContinued, type(of: old) == type(of: new), old.count == new.count,
        old.movingPeriod == new.movingPeriod
      else { return nil }
      return new.movingPeriod
    }

    func oldFrame(_ item: Int) -> Rect { oldPlacement.frame(old.frame(of: item)) }
    func newFrame(_ item: Int) -> Rect { newPlacement.frame(new.frame(of: item)) }
  }

  private mutating func compareItems(
    of index: Int, _ origin: SectionOrigin, _ cells: BodyComparison
  ) {
    guard let items = origin.items else {
      compare(0..<min(cells.old.count, cells.new.count), cells)
      return
    }
    guard items.runs.count <= Self.mostRuns, origin.base != nil else {
      let first = origin.firstChanged ?? 0
      compare(0..<first, cells)
      let count = cells.new.count
      if origin.base != nil, cells.old.count == count, items.runs.allSatisfy(origin.isInPlace) {
        return compareReplaced(first..<count, of: index, cells)
      }
      include(first..<max(cells.old.count, first), of: cells.old, cells.oldPlacement)
      include(first..<max(cells.new.count, first), of: cells.new, cells.newPlacement)
      return
    }
    var oldItem = 0
    for run in items.runs {
      let range = run.elements
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
  private mutating func compareReplaced(
    _ range: Range<Int>, of index: Int, _ cells: BodyComparison
  ) {
    let (oldItems, newItems) = (old.data[index].items, new.data[index].items)
    let showsItems = new.sections[index].style.container.card != nil || new.marksEstimates
    func isAlike(in range: Range<Int>) -> Bool {
      showsItems
        ? newItems.isEqual(to: oldItems, in: range) : newItems.hasSameIDs(as: oldItems, in: range)
    }
    let areAlike = isAlike(in: range)
    let haveSameData = newItems.hasSameData(as: oldItems, in: range)
    guard !areAlike || !cells.isSame || !haveSameData else { return }
    area.isOfDataAlone = areAlike && cells.isSame
    defer { area.isOfDataAlone = false }
    guard range.count <= max(patience, Self.fewFrames) else {
      include(range, of: cells.old, cells.oldPlacement)
      include(range, of: cells.new, cells.newPlacement)
      return
    }
    patience -= range.count
    for item in range {
      let (from, to) = (cells.oldFrame(item), cells.newFrame(item))
      let isAlike = from == to && (areAlike || isAlike(in: item..<item + 1))
      if isAlike, haveSameData || newItems.hasSameData(as: oldItems, in: item..<item + 1) {
        continue
      }
      area.isOfDataAlone = isAlike
      area.include(from)
      area.include(to)
    }
  }

  /// Compares items that are the same and have the same index paths.
  private mutating func compare(_ items: Range<Int>, _ cells: BodyComparison) {
    guard !cells.isSame else { return }
    let items = items.from(cells.firstItem)
    guard !items.isEmpty else { return }
    if let period = cells.movingPeriod {
      compareTracks(items, cells, period)
      return
    }
    // Where both ends differ, all is taken as different, which it mostly is.
    let edge = Self.edgeFrames
    if items.count > Self.fewFrames,
      (Array(items.prefix(edge)) + items.suffix(edge)).allSatisfy({
        cells.oldFrame($0) != cells.newFrame($0)
      })
    {
      include(items, of: cells.old, cells.oldPlacement)
      include(items, of: cells.new, cells.newPlacement)
      return
    }
    var last = items.upperBound
    if items.count > patience {
      let least = max(items.lowerBound, last - patience / 2)
      while last > least, cells.oldFrame(last - 1) == cells.newFrame(last - 1) { last -= 1 }
      patience /= 2
    }
    for item in items.lowerBound..<last {
      guard patience > 0 else {
        include(item..<last, of: cells.old, cells.oldPlacement)
        include(item..<last, of: cells.new, cells.newPlacement)
        return
      }
      patience -= 1
      let (from, to) = (cells.oldFrame(item), cells.newFrame(item))
      guard from != to else { continue }
      area.include(from)
      area.include(to)
    }
  }

  /// Compares items of which those in one track all move by the same distance.
  private mutating func compareTracks(
    _ items: Range<Int>, _ cells: BodyComparison, _ trackCount: Int
  ) {
    for first in items.prefix(trackCount) where cells.oldFrame(first) != cells.newFrame(first) {
      let last = first + (items.upperBound - 1 - first) / trackCount * trackCount
      var extents = (old: Extent(), new: Extent())
      for item in [first, last] {
        extents.old.include(cells.oldFrame(item))
        extents.new.include(cells.newFrame(item))
      }
      area.include(extents.old)
      area.include(extents.new)
      patience -= 2
    }
  }

  /// Compares the decorations behind cells and rows.
  private mutating func compareBackgrounds(of index: Int, _ cells: BodyComparison) {
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
    var rows = BodyComparison(before, cells.oldPlacement, after, cells.newPlacement)
    if cells.isContinued, before.count > 0, after.count > 0 {
      let top = min(
        cells.old.top(ofItemsFrom: cells.firstItem), cells.new.top(ofItemsFrom: cells.firstItem))
      rows.firstItem = min(before.firstRow(reaching: top), after.firstRow(reaching: top))
    }
    let common = min(before.count, after.count)
    compare(0..<common, rows)
    include(common..<before.count, of: before, rows.oldPlacement)
    include(common..<after.count, of: after, rows.newPlacement)
  }
}

extension SectionBody {
  /// The first of some rows that reaches down to a y; ``count`` if none does.
  fileprivate func firstRow(reaching y: Double) -> Int {
    partitionPoint(in: 0..<count) { frame(of: $0).maxY < y }
  }
}
