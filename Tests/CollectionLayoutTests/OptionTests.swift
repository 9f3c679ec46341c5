import TestSupport
import Testing

@testable import CollectionLayout

@Suite("options")
struct OptionTests {
  private static let nonNegative: [OptionValue] = [0, 7.25, 1e300]
  private static let positive: [OptionValue] = [1e-300, 7.25, 1e300]
  private static let notNumbers: [OptionValue] = [
    "7", true, .number(.nan), .number(.infinity), .number(-.infinity), [:], [1],
  ]
  private static let notNonNegative = notNumbers + [-1, -1e-300]
  private static let notPositive = notNonNegative + [0, -0.0]
  private static let notIntegers = notNonNegative + [0, 1.5, 0x1p53, 1e300]

  /// What each option of a kind takes and refuses, by its dotted name.
  private static let values: [String: (accepted: [OptionValue], refused: [OptionValue])] = {
    var values: [String: ([OptionValue], [OptionValue])] = [:]
    for name in [
      "headerHeight", "footerHeight", "sectionSpacing", "sectionColumnSpacing",
      "minimumSectionWidth", "columnSpacing", "rowSpacing",
      "cellPadding", "horizontalInset", "verticalInset", "itemHeight", "tolerance", "indent",
    ] {
      values[name] = (nonNegative, notNonNegative)
    }
    for object in ["contentInset", "sectionInset", "backgroundInset", "insets"] {
      for edge in ["top", "left", "bottom", "right"] {
        values["\(object).\(edge)"] = (nonNegative, notNonNegative)
      }
    }
    for name in [
      "minimumColumnWidth", "rowHeight", "itemAspectRatio", "minimumItemWidth",
      "maximumItemWidth", "targetRowHeight", "itemSize.width", "itemSize.height",
      "minimumRowWidth",
    ] {
      values[name] = (positive, notPositive)
    }
    for name in ["pinHeaders", "pinFooters", "integral", "connectors", "estimates"] {
      values[name] = ([true, false], ["true", 0, 1, [:]])
    }
    for name in ["columns", "maximumColumns"] {
      values[name] = ([1, 3, .number(0x1p53 - 1)], notIntegers)
    }
    values["pinAncestors"] = ([0, 16], notNonNegative + [0.5, 17])
    values["seed"] = ([0, 1, .number(0x1p53 - 1)], notNonNegative + [1.5, 0x1p53])
    values["targetRowHeightTolerance"] = ([0, 0.25, 1], notNonNegative + [1.01])
    for (name, words) in [
      ("scrollDirection", ["vertical", "horizontal"]),
      ("layoutDirection", ["leftToRight", "rightToLeft"]),
      ("sectionPlacement", ["stacked", "packed"]), ("emptySections", ["keep", "hide"]),
      ("contentAlignment", ["top", "bottom"]),
      ("rowSizing", ["fixed", "tallest"]),
      ("itemAlignment", ["stretch", "start", "center", "end"]),
      ("alignment", ["justified", "start", "center", "end"]),
      ("lineAlignment", ["center", "top", "bottom"]), ("lastRow", ["left", "center", "justify"]),
      ("spacing", ["rows", "compact"]), ("leaves", ["spread", "stacked"]),
      ("direction", ["right", "down", "left", "up"]),
      ("background", ["none", "section", "body"]),
    ] {
      values[name] = (words.map { .string($0) }, ["", "Top", false, 0])
    }
    values["group"] = (
      [
        [
          "direction": "horizontal", "width": ["absolute": 1], "height": ["absolute": 1],
          "subitems": [["width": ["flexible": 1], "height": ["absolute": 1]]],
        ]
      ], [0, "group", [:], ["direction": "horizontal"]]
    )
    values["card"] = (
      [["parts": [["media": true]]], ["padding": 8, "parts": [["media": true, "bleed": true]]]],
      [
        0, "card", [:], ["parts": []], ["parts": [["media": 1]]],
        ["parts": [["media": true]], "a": 1],
      ]
    )
    return values
  }()

  private func takes(_ option: OptionTable.Entry, _ value: OptionValue) -> Bool {
    do throws(OptionFault) {
      try option.check(value)
      return true
    } catch {
      return false
    }
  }

  @Test("each option takes what the contract says, and nothing else", arguments: LayoutKind.all)
  func values(kind: LayoutKind) throws {
    for option in kind.optionTable.entries {
      // Two kinds have other words for it.
      let values = option.name == "placement" ? ([], []) : Self.values[option.name]
      var (accepted, refused) = try #require(values, "\(option.name)")
      if option.name == "placement" {
        let words: [OptionValue] =
          kind.name == "grid"
          ? ["sparse", "dense"] : ["roundRobin", "shortestColumn", "lanes"]
        (accepted, refused) = (words, ["", "Sparse", false, 0])
      }
      if kind.name == "gallery", option.name == "itemHeight" {
        (accepted, refused) = (Self.positive, Self.notPositive)
      }
      for value in accepted where !takes(option, value) {
        Issue.record("\(option.name) refuses \(value)")
      }
      for value in refused where takes(option, value) {
        Issue.record("\(option.name) takes \(value)")
      }
      #expect(!option.form.requirement.isEmpty)
    }
  }

  private static let common = [
    "background", "backgroundInset", "footerHeight", "headerHeight", "integral", "pinFooters",
    "pinHeaders",
    "sectionInset",
  ]
  private static let whole = [
    "contentAlignment", "contentInset", "emptySections", "estimates", "layoutDirection",
    "minimumSectionWidth", "scrollDirection", "sectionColumnSpacing", "sectionPlacement",
    "sectionSpacing",
  ]
  private static let own: [String: [String]] = [
    "grid": [
      "card", "columnSpacing", "columns", "itemAlignment", "itemAspectRatio", "maximumColumns",
      "minimumColumnWidth", "placement", "rowHeight", "rowSizing", "rowSpacing",
    ],
    "list": ["card", "itemHeight", "rowSpacing"],
    "waterfall": [
      "card", "cellPadding", "columnSpacing", "columns", "itemHeight", "maximumColumns",
      "minimumColumnWidth", "placement", "rowSpacing", "tolerance",
    ],
    "gallery": [
      "horizontalInset", "itemHeight", "maximumItemWidth", "minimumItemWidth", "seed",
      "verticalInset",
    ],
    "flow": [
      "alignment", "card", "columnSpacing", "itemSize", "lineAlignment", "rowSpacing",
    ],
    "justified": [
      "columnSpacing", "lastRow", "rowSpacing", "targetRowHeight", "targetRowHeightTolerance",
    ],
    "group": ["group", "rowSpacing"],
    "frames": ["itemSize"],
    "compositional": [],
  ]

  @Test("a kind has the options of the contract, and no others", arguments: sectionedKinds)
  func names(kind: String) throws {
    let layoutKind = try #require(LayoutKind.named(kind))
    let own = try #require(Self.own[kind])
    same(layoutKind.optionTable.members().sorted(), (Self.whole + Self.common + own).sorted())
    guard kind != "compositional" else {
      #expect(layoutKind.sectionTable(kind: nil) == nil)
      let grid = layoutKind.sectionTable(kind: "grid")
      same(grid?.members().sorted(), (Self.common + Self.own["grid"]!).sorted())
      return
    }
    let section = try #require(layoutKind.sectionTable(kind: nil))
    same(section.members().sorted(), (Self.common + own).sorted())
  }

  @Test("a tree has its own, and its depths have none")
  func tree() throws {
    let tree = try #require(LayoutKind.named("tree"))
    same(
      tree.optionTable.members().sorted(),
      ["connectors", "direction", "insets", "itemSize", "leaves", "spacing"])
    #expect(tree.sectionTable(kind: nil) == nil)
  }

  @Test("only a grid knows backgrounds of items and rows")
  func backgrounds() throws {
    for kind in sectionedKinds {
      let option = try #require(
        LayoutKind.named(kind)?.optionTable.option(named: "background"))
      for word in ["item", "row"] {
        same(takes(option, .string(word)), (kind == "grid"), "\(kind): \(word)")
      }
    }
  }

  @Test("defaults are those of the contract")
  func defaults() {
    let frame = SectionOptions()
    #expect(frame.headerHeight == 0 && frame.footerHeight == 0)
    #expect(!frame.pinHeaders && !frame.pinFooters && !frame.integral)
    same(frame.sectionInset, EdgeInsets(all: 0))
    #expect(frame.background == "none" && frame.backgroundInset == EdgeInsets(all: 0))
    let stack = StackOptions()
    #expect(stack.scrollDirection == .vertical && stack.layoutDirection == .leftToRight)
    #expect(stack.contentInset == EdgeInsets(all: 0) && stack.sectionSpacing == 0)
    #expect(stack.emptySections == .keep && stack.contentAlignment == .top)
    let grid = GridLayout()
    #expect(grid.columns == 2 && grid.rowHeight == 50)
    #expect(grid.columnSpacing == 5 && grid.rowSpacing == 5)
    #expect(grid.rowSizing == .fixed && grid.itemAlignment == .stretch)
    #expect(grid.placement == .sparse && grid.maximumColumns == nil)
    let list = ListLayout()
    #expect(list.itemHeight == 44 && list.rowSpacing == 0)
    let waterfall = WaterfallLayout()
    #expect(waterfall.columns == 2 && waterfall.cellPadding == nil)
    #expect(waterfall.columnSpacing == nil && waterfall.rowSpacing == nil)
    #expect(waterfall.tolerance == nil && waterfall.maximumColumns == nil)
    #expect(waterfall.itemHeight == 180 && waterfall.placement == .roundRobin)
    let gallery = GalleryLayout()
    #expect(gallery.horizontalInset == 15 && gallery.verticalInset == 15)
    #expect(gallery.minimumItemWidth == 150 && gallery.maximumItemWidth == 300)
    #expect(gallery.itemHeight == 250 && gallery.seed == 0)
    let flow = FlowLayout()
    same(flow.itemSize, Size(width: 50, height: 50))
    #expect(flow.columnSpacing == 10 && flow.rowSpacing == 10)
    #expect(flow.alignment == .justified && flow.lineAlignment == .center)
    let justified = JustifiedLayout()
    #expect(justified.targetRowHeight == 320 && justified.targetRowHeightTolerance == 0.25)
    #expect(justified.columnSpacing == 10 && justified.rowSpacing == 10)
    same(justified.lastRow, .left)
    #expect(GroupLayout().group == nil && GroupLayout().rowSpacing == 0)
    same(FramesLayout().itemSize, Size(width: 50, height: 50))
    let tree = TreeLayout()
    same(tree.itemSize, Size(width: 180, height: 48))
    same(tree.insets, EdgeInsets(all: 20))
    #expect(tree.spacing == .rows && tree.connectors && tree.direction == .right)
  }

  @Test("the kinds by name")
  func kinds() {
    same(
      LayoutKind.all.map(\.name),
      [
        "grid", "list", "waterfall", "gallery", "flow", "justified", "group", "frames",
        "compositional", "tree", "outline",
      ])
    for kind in LayoutKind.all { same(LayoutKind.named(kind.name), kind) }
    same(LayoutKind.named("Grid"), nil)
    same(LayoutKind.named(""), nil)
  }

  @Test("an option that is null is not given, and each is there once, in order")
  func given() {
    var options: GivenOptions = ["b": 1, "a": 2, "c": .null]
    same(options.names, ["b", "a"])
    options["b"] = 3
    options["d"] = "x"
    options["a"] = .null
    same(options, ["b": 3, "d": "x"])
    options["b"] = nil
    same(options.names, ["d"])
  }

  @Test("a change merges objects member by member, but for a group")
  func patch() {
    var patch = OptionPatch()
    var inset = OptionPatch()
    inset.add("top", .set(1))
    inset.add("left", .set(.null))
    patch.add("sectionInset", .merge(inset))
    patch.add("columns", .set(.null))
    patch.add("group", .set(["b": 2]))
    let options: GivenOptions = [
      "columns": 3, "sectionInset": ["left": 5, "right": 6], "group": ["a": 1], "rowHeight": 7,
    ]
    same(
      patch.applied(to: options),
      ["sectionInset": ["right": 6, "top": 1], "group": ["b": 2], "rowHeight": 7])
    same(patch.names, ["sectionInset", "columns", "group"])
  }

  @Test("faults of a change are told by their paths, as many as are asked for")
  func faults() throws {
    let table = try #require(LayoutKind.named("grid")).optionTable
    let patch = OptionPatch([
      "columns": 1.5, "sectionInset": ["top": -1, "middle": 2], "contentInset": 3, "colums": 1,
      "contentInset.top": 5, "rowHeight": ["a": 1],
    ])
    let faults = patch.faults(by: table, limit: 10)
    same(
      faults.map(\.path),
      [
        ["columns"], ["sectionInset", "top"], ["sectionInset", "middle"], ["contentInset"],
        ["colums"], ["contentInset.top"], ["rowHeight"],
      ])
    same(
      faults.prefix(4).map(\.detail),
      [
        "must be an integer from 1 to 9007199254740991, was 1.5",
        "must be a finite number ≥ 0, was -1", "is unknown; known: top, left, bottom, right",
        "must be an object, was 3",
      ])
    same(patch.faults(by: table, limit: 2).count, 2)
  }

  @Test("numbers are integers when nothing is lost")
  func integers() {
    same(JSONInteger.exactly(3), 3)
    same(JSONInteger.exactly(-3), -3)
    same(JSONInteger.exactly(0x1p53 - 1), 9_007_199_254_740_991)
    same(JSONInteger.exactly(0x1p53), nil)
    same(JSONInteger.exactly(0.5), nil)
    same(JSONInteger.exactly(.nan), nil)
    same(JSONInteger.exactly(.infinity), nil)
  }
}
