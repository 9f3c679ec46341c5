import TestSupport

@testable import CollectionLayout

extension RandomCollection {
  /// Options of a layout of the kind, each as often given as not.
  mutating func layoutOptions() -> GivenOptions {
    if layout.kind.isForest { return treeOptions() }
    var options = GivenOptions()
    if !isTurnable, random.chance(35) { options["scrollDirection"] = "horizontal" }
    if !isTurnable, random.chance(35) { options["layoutDirection"] = "rightToLeft" }
    if random.chance(30) { options["contentInset"] = insets(0...20) }
    if random.chance(40) { options["sectionSpacing"] = .number(number(0...30)) }
    if random.chance(25) { options["emptySections"] = "hide" }
    if random.chance(15) { options["contentAlignment"] = "bottom" }
    let own =
      layout.kind.isCompositional
      ? frameOptions(of: "list", share: 50) : sectionOptions(of: kind, share: 50)
    for member in own.members { options[member.name] = member.value }
    if kind == "group" { options["group"] = options["group"] ?? group() }
    return options
  }

  /// Options of a section of a kind, each given in so many of a hundred.
  mutating func sectionOptions(of kind: String, share: Int) -> GivenOptions {
    var options = frameOptions(of: kind, share: share)
    for (name, value) in kindOptions(of: kind) where random.chance(share) {
      let (one, other) =
        GivenOptions.exclusivePairs.first { $0 == name || $1 == name } ?? (name, name)
      if one == other || options[one == name ? other : one] == nil { options[name] = value }
    }
    if kind == "group", layout.kind.isCompositional { options["group"] = group() }
    return options
  }

  private mutating func frameOptions(of kind: String, share: Int) -> GivenOptions {
    var options = GivenOptions()
    if random.chance(share) { options["headerHeight"] = .number(length(1...50)) }
    if random.chance(share) { options["footerHeight"] = .number(length(1...50)) }
    if random.chance(share) { options["pinHeaders"] = .boolean(random.chance(60)) }
    if random.chance(share) { options["pinFooters"] = .boolean(random.chance(60)) }
    if random.chance(share) { options["sectionInset"] = insets(0...30) }
    if random.chance(share) {
      let backgrounds = ["none", "section", "body"] + (kind == "grid" ? ["item", "row"] : [])
      options["background"] = .string(random.element(of: backgrounds))
    }
    if random.chance(share) { options["backgroundInset"] = insets(0...40) }
    if random.chance(share / 2) { options["integral"] = .boolean(random.chance(70)) }
    return options
  }

  /// A length of a range, or 0.
  private mutating func length(_ range: ClosedRange<Double>) -> Double {
    random.chance(20) ? 0 : number(range)
  }

  private mutating func insets(_ range: ClosedRange<Double>) -> OptionValue {
    var insets = GivenOptions()
    for edge in ["top", "left", "bottom", "right"] where random.chance(70) {
      insets[edge] = .number(number(range))
    }
    return .object(insets)
  }

  private mutating func itemSize() -> OptionValue {
    ["width": .number(number(20...120)), "height": .number(number(20...120))]
  }

  private mutating func kindOptions(of kind: String) -> [(String, OptionValue)] {
    func word<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type) -> OptionValue {
      .string(random.element(of: Word.allCases.map(\.rawValue)))
    }
    func value(_ range: ClosedRange<Double>) -> OptionValue { .number(number(range)) }
    switch kind {
    case "grid":
      return [
        ("columns", .number(Double(random.integer(1...5)))),
        ("minimumColumnWidth", value(30...150)), ("rowHeight", value(20...80)),
        ("itemAspectRatio", .number(ratio())), ("columnSpacing", .number(length(0.5...10))),
        ("rowSpacing", .number(length(0.5...15))),
        ("maximumColumns", .number(Double(random.integer(1...4)))),
        ("rowSizing", word(GridLayout.RowSizing.self)),
        ("itemAlignment", word(GridLayout.ItemAlignment.self)),
        ("placement", word(GridLayout.Placement.self)),
      ]
    case "list": return [("itemHeight", .number(length(1...80))), ("rowSpacing", value(0...12))]
    case "waterfall":
      return [
        ("columns", .number(Double(random.integer(1...6)))),
        ("minimumColumnWidth", value(40...200)), ("cellPadding", .number(length(0.5...8))),
        ("itemHeight", value(0...200)), ("placement", word(WaterfallLayout.Placement.self)),
        ("maximumColumns", .number(Double(random.integer(1...4)))),
        ("columnSpacing", .number(length(0.5...10))), ("rowSpacing", .number(length(0.5...15))),
        ("tolerance", .number(length(0.5...60))),
      ]
    case "gallery":
      return [
        ("horizontalInset", .number(length(0.5...12))), ("verticalInset", value(0...20)),
        ("minimumItemWidth", value(20...60)), ("maximumItemWidth", value(60...120)),
        ("itemHeight", value(1...250)), ("seed", .number(Double(random.integer(0...3)))),
      ]
    case "flow":
      return [
        ("itemSize", itemSize()), ("columnSpacing", .number(length(0.5...20))),
        ("rowSpacing", value(0...20)), ("alignment", word(FlowLayout.Alignment.self)),
        ("lineAlignment", word(LineAlignment.self)),
      ]
    case "justified":
      return [
        ("targetRowHeight", value(40...200)),
        ("targetRowHeightTolerance", .number(random.element(of: [0, 0.25, 0.5, 1]))),
        ("columnSpacing", value(0...12)), ("rowSpacing", value(0...12)),
        ("lastRow", word(JustifiedLayout.LastRow.self)),
      ]
    case "group": return [("group", group()), ("rowSpacing", value(0...20))]
    case "frames": return [("itemSize", itemSize())]
    default: return []
    }
  }

  /// A group of a few items, perhaps with a group in it.
  private mutating func group() -> OptionValue {
    let isHorizontal = random.chance(50)
    let width: OptionValue = [
      random.element(of: ["fractionalWidth"]): random.element(of: [1, 0.5])
    ]
    let height: OptionValue =
      random.chance(30) ? ["fractionalWidth": 0.5] : ["absolute": .number(number(60...200))]
    let (along, across, fraction) =
      isHorizontal
      ? ("width", "height", "fractionalHeight") : ("height", "width", "fractionalWidth")
    func slot(_ count: Int) -> OptionValue {
      var slot: GivenOptions = [
        "width": [:], "height": [:], "count": .number(Double(count)),
      ]
      slot[along] = ["flexible": .number(random.element(of: [1, 2, 0.3]))]
      slot[across] = [fraction: .number(random.element(of: [1, 0.5, 1.0 / 3]))]
      if random.chance(50) { slot["insets"] = insets(0...3) }
      return .object(slot)
    }
    var inner: OptionValue = slot(random.integer(1...2))
    if random.chance(40), case .object(var nested) = inner {
      nested["insets"] = nil
      nested["direction"] = isHorizontal ? "vertical" : "horizontal"
      nested["subitems"] = [
        [
          "width": ["fractionalWidth": 0.5], "height": ["fractionalHeight": 0.5],
          "count": random.chance(50) ? 2 : 1,
        ]
      ]
      inner = .object(nested)
    }
    var group: GivenOptions = [
      "direction": isHorizontal ? "horizontal" : "vertical", "width": width, "height": height,
      "subitems": [slot(random.integer(1...3)), inner],
    ]
    if random.chance(40) { group["spacing"] = .number(number(0...3)) }
    return .object(group)
  }

  private mutating func treeOptions() -> GivenOptions {
    var options = GivenOptions()
    if random.chance(70) { options["itemSize"] = itemSize() }
    if random.chance(70) { options["insets"] = insets(0...20) }
    if random.chance(50) { options["spacing"] = "compact" }
    if random.chance(25) { options["connectors"] = false }
    if random.chance(70) {
      options["direction"] = .string(
        random.element(of: TreeLayout.Direction.allCases.map(\.rawValue)))
    }
    return options
  }

  // MARK: Changes

  /// Takes up to three options from another random layout or away, and sometimes other bounds or
  /// another kind.
  mutating func changeLayout() {
    if !layout.kind.isForest, !layout.kind.isCompositional, random.chance(25) { changeKind() }
    let other = layoutOptions()
    for _ in 0..<random.integer(0...3) where !other.isEmpty {
      let name = random.element(of: other.names)
      layout.options[name] = random.chance(15) && name != "group" ? nil : other[name]
    }
    // A layout that lies at the bottom needs a height.
    defer { if layout.bounds?.height == nil { layout.options["contentAlignment"] = nil } }
    guard random.chance(40), let bounds = newBounds() else { return }
    if random.chance(60) { layout.bounds?.width = bounds.width }
    if random.chance(60) { layout.bounds?.height = bounds.height }
  }

  private mutating func changeKind() {
    let kinds = sectionedKinds.filter { $0 != kind && $0 != "compositional" }
    layout.kind = LayoutKind.named(random.element(of: kinds))!
    layout.options = layoutOptions()
    let table = layout.kind.sectionTable(kind: nil)!
    for index in model.sections.indices {
      model.sections[index].options = model.sections[index].options.kept(by: table)
    }
  }
}
