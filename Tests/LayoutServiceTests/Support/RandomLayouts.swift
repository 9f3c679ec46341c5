import TestSupport

/// Random layouts of every kind and random changes of them, as the bodies of requests that are all
/// possible.
struct RandomLayouts {
  static let sectionKinds = [
    "grid", "list", "waterfall", "gallery", "flow", "justified", "group", "frames",
  ]
  static let kinds = sectionKinds + ["compositional", "tree"]

  private(set) var random: SeededGenerator
  /// Whether numbers are multiples of a half.
  private let isNice: Bool
  private var lastID = 0

  init(seed: Int) {
    random = SeededGenerator(seed: seed)
    isNice = random.chance(50)
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int { random.integer(range) }
  mutating func chance(_ percent: Int) -> Bool { random.chance(percent) }

  private mutating func number(_ range: ClosedRange<Double>) -> JSON {
    .number(random.number(range, isNice: isNice))
  }

  private mutating func word(_ words: String...) -> JSON { .string(random.element(of: words)) }

  /// Some of the members that are given.
  private mutating func some(_ members: [String: JSON]) -> [String: JSON] {
    let names = members.keys.sorted().filter { _ in random.chance(50) }
    return Dictionary(uniqueKeysWithValues: names.map { ($0, members[$0]!) })
  }

  // MARK: Layouts

  /// The body of a prepare request.
  mutating func body(of kind: String) -> JSON {
    guard kind != "tree" else {
      return ["bounds": ["width": 320], "options": treeOptions(), "nodes": nodes()]
    }
    var options = commonOptions(of: kind)
    options.merge(wholeOptions()) { $1 }
    if chance(40) { options["scrollDirection"] = "horizontal" }
    if kind != "compositional" { options.merge(ownOptions(of: kind)) { $1 } }
    return [
      "bounds": ["width": number(330...500), "height": number(330...500)],
      "options": .object(options),
      "sections": .array(sections(integer(2...5), of: kind)),
    ]
  }

  mutating func sections(_ count: Int, of kind: String) -> [JSON] {
    (0..<count).map { _ in
      var section: [String: JSON] = ["items": items(chance(15) ? 0 : integer(1...30))]
      if chance(30) { section["id"] = id() }
      var own = kind
      if kind == "compositional" {
        own = random.element(of: Self.sectionKinds)
        section["kind"] = .string(own)
        if chance(30) { section["orthogonal"] = ["height": number(100...150)] }
      }
      var options = chance(40) ? commonOptions(of: own) : [:]
      if chance(30) || kind == "compositional" { options.merge(ownOptions(of: own)) { $1 } }
      if !options.isEmpty { section["options"] = .object(options) }
      return .object(section)
    }
  }

  /// Options of a layout as a whole that may change.
  private mutating func wholeOptions() -> [String: JSON] {
    some([
      "layoutDirection": word("leftToRight", "rightToLeft"),
      "sectionSpacing": number(0...12), "emptySections": word("keep", "hide"),
      "sectionPlacement": word("packed", "packed", "stacked"),
      "sectionColumnSpacing": number(0...12),
      "minimumSectionWidth": number(0...90), "contentAlignment": word("top", "bottom"),
      "estimates": .boolean(chance(70)),
      "contentInset": .object(some(["top": number(0...9), "left": number(0...9), "right": 4])),
    ])
  }

  /// Options that every section has.
  private mutating func commonOptions(of kind: String) -> [String: JSON] {
    some([
      "headerHeight": chance(30) ? 0 : number(5...30),
      "footerHeight": chance(50) ? 0 : number(5...20),
      "pinHeaders": .boolean(chance(50)), "pinFooters": .boolean(chance(50)),
      "sectionInset": .object(some(["top": number(0...9), "left": number(0...9), "bottom": 3])),
      "background": kind == "grid"
        ? word("none", "section", "body", "item", "row") : word("none", "section", "body"),
      "backgroundInset": .object(some(["top": number(0...9), "left": number(0...9), "right": 4])),
      "integral": .boolean(chance(50)),
    ])
  }

  /// Options of a kind's own; of two that exclude each other one is null.
  private mutating func ownOptions(of kind: String) -> [String: JSON] {
    func either(_ one: String, _ other: String, _ isOne: Bool, _ value: JSON) -> [String: JSON] {
      [isOne ? one : other: value, isOne ? other : one: .null]
    }
    func columns() -> [String: JSON] {
      let isCount = chance(60)
      return either(
        "columns", "minimumColumnWidth", isCount,
        isCount ? .number(Double(integer(1...4))) : number(40...120))
    }
    switch kind {
    case "grid":
      let isHeight = chance(60)
      var options = columns()
      options.merge(
        either(
          "rowHeight", "itemAspectRatio", isHeight, isHeight ? number(20...60) : number(0.5...3))
      ) { $1 }
      options.merge(some(["columnSpacing": number(0...8), "rowSpacing": number(0...8)])) { $1 }
      return options
    case "list": return some(["itemHeight": number(0...60), "rowSpacing": number(0...9)])
    case "waterfall":
      var options = columns()
      options.merge(
        some([
          "cellPadding": number(0...6), "itemHeight": number(0...80),
          "placement": word("roundRobin", "shortestColumn"),
        ])
      ) { $1 }
      return options
    case "gallery":
      return [
        "minimumItemWidth": number(20...40), "maximumItemWidth": number(60...120),
        "itemHeight": number(20...60), "horizontalInset": number(0...8),
        "verticalInset": number(0...8), "seed": .number(Double(integer(0...9))),
      ]
    case "flow":
      return some([
        "itemSize": .object(some(["width": number(20...70), "height": number(20...70)])),
        "columnSpacing": number(0...9), "rowSpacing": number(0...9),
        "alignment": word("justified", "start", "center", "end"),
        "lineAlignment": word("top", "center", "bottom"),
      ])
    case "justified":
      return some([
        "targetRowHeight": number(40...100), "targetRowHeightTolerance": number(0...1),
        "columnSpacing": number(0...9), "rowSpacing": number(0...9),
        "lastRow": word("left", "center", "justify"),
      ])
    case "group": return ["group": group(), "rowSpacing": number(0...9)]
    case "frames":
      return some(["itemSize": .object(some(["width": number(20...70), "height": 30]))])
    default: preconditionFailure(kind)
    }
  }

  private mutating func group() -> JSON {
    let inner: JSON = [
      "direction": "vertical", "width": ["flexible": 2], "height": ["fractionalHeight": 1],
      "spacing": number(0...3),
      "subitems": [
        [
          "width": ["fractionalWidth": 1], "height": ["flexible": 1],
          "count": .number(Double(integer(1...3))), "insets": ["top": number(0...4)],
        ]
      ],
    ]
    return [
      "direction": "horizontal", "width": ["absolute": number(90...100)],
      "height": ["absolute": number(60...80)], "spacing": number(0...6),
      "subitems": [
        ["width": ["flexible": 1], "height": ["fractionalHeight": number(0.5...1)]], inner,
      ],
    ]
  }

  private mutating func treeOptions() -> JSON {
    .object(
      some([
        "itemSize": .object(some(["width": number(30...90), "height": number(10...40)])),
        "insets": .object(some(["top": number(0...9), "left": number(0...9)])),
        "spacing": word("rows", "compact"), "connectors": .boolean(chance(80)),
        "direction": word("right", "down", "left", "up"),
      ]))
  }

  private mutating func nodes() -> JSON {
    let count = integer(1...50)
    return .array(
      (0..<count).map { node in
        var fields: [String: JSON] = node % 3 == 0 ? ["id": id()] : [:]
        if node > 0, chance(95) { fields["parent"] = .number(Double(integer(0...node - 1))) }
        return .object(fields)
      })
  }

  // MARK: Items

  private mutating func id() -> JSON {
    lastID += 1
    return .string("i\(lastID)")
  }

  /// Items in any of the three forms.
  mutating func items(_ count: Int) -> JSON {
    switch integer(0...2) {
    case 0: return .number(Double(count))
    case 1: return .array((0..<count).map { _ in item() })
    default:
      let rows = (0..<count).map { _ in item() }
      let names = Set(rows.flatMap(\.object.keys)).sorted()
      guard !names.isEmpty else { return .number(Double(count)) }
      let columns = names.map { name in (name, JSON.array(rows.map { $0[name] })) }
      return .object(Dictionary(uniqueKeysWithValues: columns))
    }
  }

  private mutating func item() -> JSON {
    var fields = some(["x": number(0...300), "y": number(-20...400)])
    if chance(50) { fields["id"] = id() }
    if chance(20) { fields["measured"] = number(0...90) }
    if chance(30) { fields["data"] = data() }
    switch integer(0...3) {
    case 0: fields["aspectRatio"] = number(0.3...3)
    case 1: fields.merge(some(["width": number(0...60), "height": number(0...90)])) { $1 }
    case 2: fields.merge(["aspectRatio": number(0.5...2), "width": number(5...60)]) { $1 }
    default: break
    }
    return .object(fields)
  }

  mutating func data() -> JSON {
    random.element(of: [
      ["title": .string("gull \(integer(0...9))")], "pier", .number(Double(integer(0...3))), [],
      true,
    ])
  }

  /// Changes of an item's fields, whatever it has; null takes one away.
  private mutating func itemChange() -> JSON {
    switch integer(0...4) {
    case 4: ["data": chance(30) ? nil : data()]
    case 0: ["aspectRatio": number(0.3...3), "width": nil, "height": nil]
    case 1: ["height": number(0...90), "aspectRatio": nil]
    case 2: ["id": chance(50) ? nil : id(), "x": number(0...300), "y": nil]
    default: ["width": nil, "height": nil]
    }
  }

  // MARK: Changes

  /// Sizes of cells that somebody measured; all in one direction.
  mutating func measurements(of cells: [JSON], isHorizontal: Bool) -> JSON {
    let sizes = (0..<integer(1...4)).map { _ -> JSON in
      let cell = random.element(of: cells)
      var size: [String: JSON] = [
        isHorizontal ? "width" : "height": chance(25) ? nil : number(0...90)
      ]
      // Several items may have an id after changes.
      size["at"] = cell["indexPath"]
      return .object(size)
    }
    return ["sizes": .array(sizes)]
  }

  /// One update of a layout of sections.
  ///
  /// - Parameter sections: What GET sections lists.
  mutating func update(of kind: String, _ sections: [JSON]) -> JSON {
    let section = integer(0...max(0, sections.count - 1))
    let count = sections.isEmpty ? 0 : sections[section]["items"].integer!
    let item = integer(0...max(0, count - 1))
    let place: JSON = [.number(Double(section)), .number(Double(item))]
    let index: JSON = .number(Double(section))
    switch integer(0...10) {
    case 0 where count > 0:
      let most = min(3, count - item)
      return ["delete": ["at": place, "count": .number(Double(integer(1...most)))]]
    case 1...2 where count > 0:
      let target = integer(0...sections.count - 1)
      let last = sections[target]["items"].integer! - (target == section ? 1 : 0)
      let to: JSON = [.number(Double(target)), .number(Double(integer(0...last)))]
      return ["move": ["from": place, "to": to]]
    case 3 where count > 0: return ["replace": ["at": place, "items": items(1)]]
    case 4 where count > 0:
      let changes = (0..<min(2, count - item)).map { _ in itemChange() }
      return ["set": ["at": place, "items": .array(changes)]]
    case 5 where !sections.isEmpty:
      let to = JSON.number(Double(integer(0...sections.count - 1)))
      return ["moveSection": ["from": index, "to": to]]
    case 6 where sections.count > 3: return ["deleteSections": ["at": index]]
    case 7 where sections.count < 7:
      let at = JSON.number(Double(integer(0...sections.count)))
      return ["insertSections": ["at": at, "sections": .array(self.sections(1, of: kind))]]
    case 8...9 where !sections.isEmpty:
      return ["setSection": sectionChange(of: kind, sections[section])]
    default:
      guard !sections.isEmpty else {
        return ["insertSections": ["at": 0, "sections": .array(self.sections(2, of: kind))]]
      }
      let at: JSON = [index, .number(Double(chance(40) ? count : integer(0...count)))]
      return ["insert": ["at": at, "items": items(integer(1...4))]]
    }
  }

  private mutating func sectionChange(of kind: String, _ section: JSON) -> JSON {
    var change: [String: JSON] = ["at": section["section"]]
    var own = section["kind"].string!
    if kind == "compositional", chance(40) {
      own = random.element(of: Self.sectionKinds)
      change["kind"] = .string(own)
    }
    if kind == "compositional", chance(30) {
      change["orthogonal"] = chance(50) ? nil : ["height": number(100...150)]
    }
    if chance(20) { change["id"] = chance(50) ? nil : id() }
    if chance(10), own != "group" {
      change["options"] = .null
    } else {
      var options = commonOptions(of: own)
      if change["kind"] != nil || chance(50) { options.merge(ownOptions(of: own)) { $1 } }
      change["options"] = .object(options)
    }
    return .object(change)
  }

  /// The body of a PATCH.
  mutating func patch(of kind: String) -> JSON {
    guard kind != "tree" else { return ["options": treeOptions()] }
    var body: [String: JSON] = [:]
    var kind = kind
    if kind != "compositional", chance(25) {
      kind = random.element(of: Self.sectionKinds)
      body["kind"] = .string(kind)
    }
    if chance(30) { body["bounds"] = ["width": number(330...500)] }
    var options = chance(60) ? commonOptions(of: kind) : wholeOptions()
    if kind != "compositional", body["kind"] != nil || chance(40) {
      options.merge(ownOptions(of: kind)) { $1 }
    }
    body["options"] = .object(options)
    return .object(body)
  }

  /// One update of a tree.
  ///
  /// - Parameter elements: All that it has.
  mutating func nodeUpdate(_ elements: [JSON]) -> JSON {
    let cells = elements.filter { $0["category"] == "cell" }
    guard cells.count > 20 else {
      return [
        "insertNode": ["at": 0, "node": ["children": [[:], ["children": [[:], [:]]], [:]]]]
      ]
    }
    let (cell, other) = (random.element(of: cells), random.element(of: cells))
    switch integer(0...3) {
    case 0 where cell["children"].array.count < 2:
      return ["deleteNode": ["at": cell["indexPath"]]]
    case 1 where cell["children"].array.isEmpty && cell != other:
      return [
        "moveNode": ["from": cell["indexPath"], "parent": other["indexPath"], "at": 0]
      ]
    case 2: return ["moveNode": ["from": cell["indexPath"], "parent": nil, "at": 0]]
    default:
      let at = JSON.number(Double(integer(0...cell["children"].array.count)))
      let node: JSON = ["id": id(), "children": [[:], [:]]]
      return ["insertNode": ["parent": cell["indexPath"], "at": at, "node": node]]
    }
  }
}

extension JSON {
  /// A body or an export without what was measured.
  var unmeasured: JSON {
    switch self {
    case .array(let items): return .array(items.map(\.unmeasured))
    case .object(let members):
      var rest: [String: JSON] = [:]
      for (name, value) in members {
        switch (name, value) {
        // A column may be the only one, which says how many items there are.
        case ("measured", .array(let sizes)): rest[name] = .array(sizes.map { _ in .null })
        case ("measured", _), ("measuredAt", _): continue
        default: rest[name] = value.unmeasured
        }
      }
      return .object(rest)
    default: return self
    }
  }
}
