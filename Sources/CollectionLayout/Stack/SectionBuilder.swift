/// The earlier version from which a layout may take something.
struct EarlierContent {
  let content: Content
  /// The origin of each section; `nil` if the data is the same, or a hierarchy.
  let origins: [SectionOrigin]?

  var stack: EarlierStack? { content.stack.map { EarlierStack(stack: $0, origins: origins) } }
}

/// The earlier version from which a stack may take sections.
struct EarlierStack {
  let stack: SectionStack
  /// The origin of each section; `nil` if the data is the same.
  let origins: [SectionOrigin]?
}

/// Makes the sections of a stack. It takes unchanged sections from an earlier version.
struct SectionBuilder {
  let metrics: StackMetrics
  private(set) var ownStyle: SectionStyle?
  private(set) var countedItems = 0
  /// The bytes of the bodies that were made, beyond ``bytesPerBody`` of each.
  private var madeBytes = 0
  /// The columns of the bodies that were made. Whatever places items goes over all of them.
  private var madeColumns = 0
  /// At least how much will be kept of the items and of the bodies that were made.
  private var keptBytes = 0
  private let layout: GivenLayout
  /// The kind of all sections; `nil` if they name their kinds themselves.
  private let kind: (any SectionLayout.Type)?
  private let earlier: EarlierStack?
  private let itemLimit: Int
  /// Whether a section with the same settings keeps its style.
  private let keepsStyles: Bool
  /// A required option that the layout lacks, and the error of that. It does not matter if every
  /// section has the option.
  private var missing: (option: String, error: LayoutError)?
  /// The last section of each kind, as its settings name it. The next one may share its style and
  /// body.
  private var last: [String?: Made] = [:]

  /// About how many bytes a section needs beside its items.
  private static let bytesPerSection = 256
  /// What a body may take beside its items.
  private static let bytesPerBody = 1024
  /// How much memory sections may take beyond ``bytesPerItem``.
  private static let byteLimit = 8 << 20
  /// How many columns sections may have beyond ``columnsPerItem``.
  private static let columnLimit = 1 << 20
  private static let columnsPerItem = 64
  /// About how many bytes a kind needs for each item while a body is made.
  private static let madeBytesPerItem = 32
  /// More than any kind takes for an item.
  private static let bytesPerItem = 256

  private struct Made {
    let settings: SectionSettings?
    let section: SectionStack.Section
  }

  init(
    _ layout: GivenLayout, after earlier: EarlierStack?, itemLimit: Int,
    typesetter: (any TextTypesetter)?
  ) throws(LayoutError) {
    var options = StackOptions()
    try StackOptions.options.assign(layout.options, to: &options, section: nil)
    metrics = try StackMetrics(options, bounds: layout.bounds, typesetter: typesetter)
    self.layout = layout
    switch layout.kind.form {
    case .sections(let kind): self.kind = kind
    case .compositional: kind = nil
    case .forest: throw .unsupportedData(expected: "nodes or root")
    }
    self.earlier = earlier
    self.itemLimit = itemLimit
    // The layout's own options include whether empty sections are hidden.
    keepsStyles =
      earlier.map {
        $0.stack.layout.kind == layout.kind && $0.stack.layout.options == layout.options
          && $0.stack.layout.bounds == layout.bounds
      } ?? false
    if keepsStyles, let style = earlier?.stack.ownStyle {
      ownStyle = style
      return
    }
    do throws(LayoutError) {
      let style = try Self.style(
        kind ?? SectionKinds.plainest, layout.options, orthogonalHeight: nil, in: metrics,
        section: nil)
      if kind != nil { ownStyle = style }
    } catch {
      guard case .invalidOption(let option, _, _) = error,
        kind?.requiredOptions.contains(option) ?? false, layout.options[option] == nil
      else { throw error }
      missing = (option, error)
    }
  }

  /// Makes all sections. Sizes that were measured get the width that their cells have, where it is
  /// not known.
  ///
  /// - Returns: The sections, and for each the number of items before it; and last the number of
  ///   all items.
  mutating func build(
    _ data: inout [CollectionSection]
  ) throws(LayoutError) -> (sections: [SectionStack.Section], itemStarts: [Int]) {
    try LayoutError.reserve(data.count * Self.bytesPerSection)
    // Otherwise the items are those of another version.
    if earlier == nil { keptBytes = CollectionData.sections(data).memoryBytes }
    var sections: [SectionStack.Section] = []
    sections.reserveCapacity(data.count)
    var passed = 0
    var itemStarts = [0]
    itemStarts.reserveCapacity(data.count + 1)
    for index in data.indices {
      let items = data[index].items
      guard items.count <= JSONInteger.maximum - itemStarts[index] else {
        throw .tooManyItems(limit: JSONInteger.maximum)
      }
      itemStarts.append(itemStarts[index] + items.count)
      passed += 16 + items.storedCount
      if passed >= 64 << 10 {
        passed = 0
        try LayoutError.check()
      }
      let section = try self.section(index, data[index])
      sections.append(section)
      if items.measured.hasUnknownWidths {
        data[index].items.measured = items.measured.resolved {
          section.body.frame(of: $0).size.width
        }
      }
    }
    try checkOwnStyle(for: data)
    return (sections, itemStarts)
  }

  /// Refuses a layout that lacks a required option, unless every section has it.
  private func checkOwnStyle(for sections: [CollectionSection]) throws(LayoutError) {
    guard let missing else { return }
    guard sections.allSatisfy({ $0.options[missing.option] != nil }) else { throw missing.error }
  }

  private static func style(
    _ kind: any SectionLayout.Type, _ options: GivenOptions, orthogonalHeight: Double?,
    in metrics: StackMetrics, section: Int?
  ) throws(LayoutError) -> SectionStyle {
    let style = try SectionStyle(
      kind, options, orthogonalHeight: orthogonalHeight, in: metrics, section: section)
    // This checks whether options and container fit each other, even for a section without items.
    _ = try style.layout.body(of: Items(), in: style.container, after: nil)
    return style
  }

  private mutating func section(
    _ index: Int, _ data: CollectionSection
  ) throws(LayoutError) -> SectionStack.Section {
    if keepsStyles, let section = earlier?.unchangedSection(index, data) {
      try count(section)
      return section
    }
    let origin = earlier?.origin(of: index, data.items)
    let before = origin.map { earlier!.stack.sections[$0.base] }
    let style = try style(of: index, data.settings, before: origin?.base)
    var section = try newSection(data, style, before, kept: origin?.kept)
    section.isHidden = metrics.hidesEmptySections && data.items.count == 0
    try count(section)
    last[data.settings?.kind] = Made(settings: data.settings, section: section)
    return section
  }

  private mutating func count(_ section: SectionStack.Section) throws(LayoutError) {
    countedItems += section.countedItems
    guard countedItems <= itemLimit else { throw .tooManyItems(limit: itemLimit) }
  }

  private func style(
    of index: Int, _ settings: SectionSettings?, before base: Int?
  ) throws(LayoutError) -> SectionStyle {
    if kind != nil { try Self.refuseKind(of: index, settings) }
    if let ownStyle, settings.map({ $0.options.isEmpty }) ?? true { return ownStyle }
    if keepsStyles, let base, let earlier, earlier.stack.data[base].settings.says(settings) {
      return earlier.stack.sections[base].style
    }
    if let settings, let last = last[settings.kind], last.settings.says(settings) {
      return last.section.style
    }
    guard let kind = kind ?? settings?.kind.flatMap({ SectionKinds.named($0) }) else {
      throw .invalidSection(index, member: "kind", requirement: SectionKinds.requirement)
    }
    return try Self.style(
      kind, layout.options.merging(ofSection: settings?.options ?? GivenOptions()),
      orthogonalHeight: settings?.orthogonalHeight, in: metrics, section: index)
  }

  /// Refuses members that only a section of a compositional layout may have.
  private static func refuseKind(
    of index: Int, _ settings: SectionSettings?
  ) throws(LayoutError) {
    guard let settings, settings.kind != nil || settings.orthogonalHeight != nil else { return }
    throw .invalidSection(
      index, member: settings.kind != nil ? "kind" : "orthogonal",
      requirement: "left out: only sections of a compositional layout have one")
  }

  /// - Parameters:
  ///   - before: The earlier section that it was, if it is none that is new.
  ///   - kept: Which of its items are the same; `nil` if all are.
  private mutating func newSection(
    _ data: CollectionSection, _ style: SectionStyle, _ before: SectionStack.Section?,
    kept: [EarlierBody.Kept]?
  ) throws(LayoutError) -> SectionStack.Section {
    let texts = try style.container.card?.texts(of: data.items) ?? [:]
    let continued = before.flatMap { $0.style.hasBodies(like: style) ? $0 : nil }
    let isSame = continued != nil && kept == nil
    let isUniform =
      isSame
      ? continued?.body is LatticeBody : style.layout.isUniform(data.items, in: style.container)
    var twin = isSame ? continued : nil
    if !isSame, isUniform {
      // Of arithmetic nothing but the number of items counts.
      twin = [continued, last[data.settings?.kind]?.section].lazy.compactMap { $0 }.first {
        $0.style === style && $0.body is LatticeBody && $0.body.count == data.items.count
      }
    }
    var body = twin?.body
    if body == nil {
      var earlier: EarlierBody?
      if let continued, let kept { earlier = EarlierBody(body: continued.body, kept: kept) }
      body = try self.body(of: data.items, texts, style, isUniform: isUniform, after: earlier)
    }
    return SectionStack.Section(
      style: style, body: body!,
      background: twin?.style === style
        ? twin?.background : background(of: body!, data.items, style),
      countedItems: isUniform ? data.items.storedCount : data.items.count, texts: texts)
  }

  private mutating func body(
    of items: Items, _ texts: CardTexts, _ style: SectionStyle, isUniform: Bool,
    after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    guard isUniform || items.count <= min(itemLimit, Int(Int32.max)) else {
      throw .tooManyItems(limit: min(itemLimit, Int(Int32.max)))
    }
    if !isUniform {
      try LayoutError.reserve(items.count * Self.madeBytesPerItem)
      keptBytes += items.count * type(of: style.layout).keptBytesPerItem
      try LayoutError.checkFits(keptBytes)
    }
    var container = style.container
    container.texts = texts
    let body = try style.layout.body(of: items, in: container, after: earlier)
    madeBytes += max(0, body.memoryBytes - Self.bytesPerBody)
    // Some bytes of a request can stand for many sections with lines of thousands of items each.
    let limit = Self.byteLimit + (countedItems + items.count) * Self.bytesPerItem
    guard madeBytes <= limit else { throw .refused(.tooLarge(bytes: madeBytes, limit: limit)) }
    let cells = body as? PiecesBody ?? (body as? GridBody)?.lanes
    madeColumns += cells?.metrics?.trackCount ?? 0
    guard madeColumns <= Self.columnLimit + (countedItems + items.count) * Self.columnsPerItem
    else {
      throw style.container.invalidOption(
        "columns", "fewer in so many sections whose items span or name columns")
    }
    return body
  }

  private func background(
    of body: any SectionBody, _ items: Items, _ style: SectionStyle
  ) -> (any SectionBody)? {
    switch style.options.background {
    case SectionOptions.noBackground, SectionOptions.sectionBackground,
      SectionOptions.bodyBackground:
      nil
    case let background:
      narrowed(
        style.layout.backgroundBody(background, behind: body, in: style.container),
        behind: body, items, style)
    }
  }

  /// The row behind the cells of a section that shares a row, as wide as the section; else all rows
  /// as they are.
  private func narrowed(
    _ rows: any SectionBody, behind body: any SectionBody, _ items: Items, _ style: SectionStyle
  ) -> any SectionBody {
    let width = metrics.width(of: body, items, in: style)
    guard rows !== body, width < metrics.width else { return rows }
    let row = rows.frame(of: 0)
    let inset = style.options.sectionInset
    return LatticeBody(
      .single(
        Size(width: width - (inset.left + inset.right), height: row.size.height), y: row.origin.y),
      count: 1, pitch: 0, height: rows.height)
  }
}

extension SectionSettings? {
  /// Whether both settings lead to the same elements. The section's id does not count.
  fileprivate func says(_ other: SectionSettings?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self === other
      || self.kind == other.kind && self.orthogonalHeight == other.orthogonalHeight
        && self.options == other.options
  }
}

extension EarlierStack {
  /// The section of the earlier version, if its items and settings are unchanged.
  ///
  /// In most changes most sections are unchanged, so this is asked first.
  fileprivate func unchangedSection(
    _ section: Int, _ data: CollectionSection
  ) -> SectionStack.Section? {
    var base = section
    if let origins {
      guard origins[section].items == nil, let origin = origins[section].base else { return nil }
      base = origin
    }
    let before = stack.data[base]
    // Updates that cancel each other may have changed how the items are stored.
    guard before.settings === data.settings, before.items.storedCount == data.items.storedCount,
      before.items.measured.isSame(as: data.items.measured)
    else { return nil }
    let section = stack.sections[base]
    return section.texts.isEmpty || before.items.hasSameStorage(as: data.items) ? section : nil
  }

  /// The earlier section that a section was, and which of its items are the same (`nil` if all
  /// are). The result is `nil` for a new section.
  fileprivate func origin(
    of section: Int, _ items: Items
  ) -> (base: Int, kept: [EarlierBody.Kept]?)? {
    var (base, changed): (Int, [Range<Int>]) = (section, [])
    if let origins {
      guard let origin = origins[section].base else { return nil }
      base = origin
      guard let replaced = origins[section].replaced else { return (base, origins[section].kept) }
      // An item that was replaced by an equal one has not changed.
      let (old, hasCard) = (stack.data[base].items, stack.sections[base].style.hasCard)
      changed = replaced.filter { !items.isEqual(to: old, in: $0, withTexts: hasCard) }
    }
    let measured = items.measured.changes(from: stack.data[base].items.measured)
    if !measured.isEmpty {
      changed += measured.map { $0.item..<$0.item + 1 }
      changed.sort { $0.lowerBound < $1.lowerBound }
    }
    guard !changed.isEmpty else { return (base, nil) }
    var kept: [EarlierBody.Kept] = []
    var item = 0
    for range in changed + [items.count..<items.count] {
      if item < range.lowerBound { kept.append(.init(item..<range.lowerBound, from: item)) }
      item = max(item, range.upperBound)
    }
    return (base, kept)
  }
}
