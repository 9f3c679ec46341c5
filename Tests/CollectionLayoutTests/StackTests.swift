import TestSupport
import Testing

@testable import CollectionLayout

/// What every kind has in common, in numbers that can be checked on paper.
@Suite("sections in a stack, by hand")
struct StackTests {
  /// A list of two rows of 20, then one of one, with a header of 10 and a footer of 5 each.
  private func list(
    _ options: GivenOptions = [:], width: Double = 100, height: Double? = nil
  ) throws -> PreparedCollection {
    let common: GivenOptions = ["itemHeight": 20, "headerHeight": 10, "footerHeight": 5]
    return try PreparedCollection(
      "list", common.patched(by: options), width: width, height: height,
      [CollectionSection(2), CollectionSection(1)])
  }

  private func expect(
    _ collection: PreparedCollection, _ elements: [Element],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectEqual(collection.prepared.allElements, elements, sourceLocation: sourceLocation)
    expectEqual(collection.scannedElements(), elements, sourceLocation: sourceLocation)
  }

  @Test("sections lie one behind the other, with their headers and footers")
  func plain() throws {
    let collection = try list(["sectionSpacing": 7])
    expect(
      collection,
      [
        .cell(0, 0, Rect(x: 0, y: 10, width: 100, height: 20)),
        .cell(0, 1, Rect(x: 0, y: 30, width: 100, height: 20)),
        // 55 is the first section's bottom.
        .cell(1, 0, Rect(x: 0, y: 72, width: 100, height: 20)),
        .supplementary("footer", 0, 0, Rect(x: 0, y: 50, width: 100, height: 5)),
        .supplementary("footer", 1, 0, Rect(x: 0, y: 92, width: 100, height: 5)),
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 100, height: 10)),
        .supplementary("header", 1, 0, Rect(x: 0, y: 62, width: 100, height: 10)),
      ])
    same(collection.prepared.contentSize, Size(width: 100, height: 97))
  }

  @Test("insets narrow the content and a section's body, and frames begin at 0")
  func insets() throws {
    let collection = try list([
      "contentInset": ["top": 100, "left": 11, "bottom": 100, "right": 9],
      "sectionInset": ["top": 1, "left": 2, "bottom": 3, "right": 4], "background": "section",
    ])
    expect(
      collection,
      [
        .background(0, 0, Rect(x: 0, y: 0, width: 80, height: 59)),
        .background(1, 0, Rect(x: 0, y: 59, width: 80, height: 39)),
        .cell(0, 0, Rect(x: 2, y: 11, width: 74, height: 20)),
        .cell(0, 1, Rect(x: 2, y: 31, width: 74, height: 20)),
        .cell(1, 0, Rect(x: 2, y: 70, width: 74, height: 20)),
        .supplementary("footer", 0, 0, Rect(x: 0, y: 54, width: 80, height: 5)),
        .supplementary("footer", 1, 0, Rect(x: 0, y: 93, width: 80, height: 5)),
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 80, height: 10)),
        .supplementary("header", 1, 0, Rect(x: 0, y: 59, width: 80, height: 10)),
      ])
    same(collection.prepared.contentSize, Size(width: 80, height: 98))
    let place = try #require(collection.section(at: 1))
    same(place.frame, Rect(x: 0, y: 59, width: 80, height: 39))
    same(place.body, Rect(x: 2, y: 70, width: 74, height: 20))
  }

  @Test("an empty section has its header, footer, insets and background")
  func emptySection() throws {
    let collection = try PreparedCollection(
      "grid",
      [
        "headerHeight": 10, "footerHeight": 5, "sectionInset": ["top": 1, "bottom": 3],
        "background": "section",
      ], [CollectionSection(0)])
    expect(
      collection,
      [
        .background(0, 0, Rect(x: 0, y: 0, width: 100, height: 19)),
        .supplementary("footer", 0, 0, Rect(x: 0, y: 14, width: 100, height: 5)),
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 100, height: 10)),
      ])
  }

  @Test("without sections there is nothing", arguments: sectionedKinds)
  func noSections(kind: String) throws {
    var options: GivenOptions = ["contentInset": ["left": 10]]
    if kind == "group" {
      options["group"] = [
        "direction": "horizontal", "width": ["absolute": 10], "height": ["absolute": 10],
        "subitems": [["width": ["absolute": 5], "height": ["absolute": 5]]],
      ]
    }
    let collection = try PreparedCollection(kind, options, [])
    same(collection.prepared.contentSize, Size(width: 90, height: 0))
    expect(collection, [])
  }

  // MARK: Pinned

  private static let pinned: GivenOptions = ["pinHeaders": true, "pinFooters": true]

  @Test("a pinned header or footer may lie anywhere in its section")
  func pinned() throws {
    let collection = try list(Self.pinned)
    expect(
      collection,
      [
        .cell(0, 0, Rect(x: 0, y: 10, width: 100, height: 20)),
        .cell(0, 1, Rect(x: 0, y: 30, width: 100, height: 20)),
        .cell(1, 0, Rect(x: 0, y: 65, width: 100, height: 20)),
        .supplementary("footer", 0, 0, Rect(x: 0, y: 50, width: 100, height: 5), pinned: 10...50),
        .supplementary("footer", 1, 0, Rect(x: 0, y: 85, width: 100, height: 5), pinned: 65...85),
        // 50 − 10: as far as the footer.
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 100, height: 10), pinned: 0...40),
        .supplementary("header", 1, 0, Rect(x: 0, y: 55, width: 100, height: 10), pinned: 55...75),
      ])
  }

  @Test("what is pinned is in an answer where it may come, whatever is known")
  func sweptFrames() throws {
    let prepared = try list(Self.pinned).prepared
    func kinds(_ y: Double, _ height: Double, known: Rect? = nil) -> [String] {
      prepared.answer(
        to: ElementQuery(
          rect: Rect(x: 0, y: y, width: 1, height: height), known: known,
          categories: .supplementary)
      ).elements.map { "\($0.kind!) \($0.section)" }
    }
    // The first header sweeps from 0 to 50, its footer from 10 to 55; the second from 55 on.
    same(kinds(49, 0), ["footer 0", "header 0"])
    same(kinds(50, 5), ["footer 0"])
    same(kinds(55, 5), ["header 1"])
    same(kinds(0, 100, known: Rect(x: 0, y: 0, width: 100, height: 100)).count, 4)
  }

  @Test("a section that is lower than its header and footer leaves them no way")
  func noWay() throws {
    let collection = try PreparedCollection(
      "list", Self.pinned.patched(by: ["headerHeight": 10, "footerHeight": 5]),
      [CollectionSection(0)])
    expect(
      collection,
      [
        .supplementary("footer", 0, 0, Rect(x: 0, y: 10, width: 100, height: 5), pinned: 10...10),
        // The footer's top, 10, less the header's height is 0.
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 100, height: 10), pinned: 0...0),
      ])
  }

  @Test("horizontally they slide along x")
  func pinnedHorizontally() throws {
    let collection = try list(
      Self.pinned.patched(by: ["scrollDirection": "horizontal"]), width: 500, height: 100)
    expect(
      collection,
      [
        .cell(0, 0, Rect(x: 10, y: 0, width: 20, height: 100)),
        .cell(0, 1, Rect(x: 30, y: 0, width: 20, height: 100)),
        .cell(1, 0, Rect(x: 65, y: 0, width: 20, height: 100)),
        .supplementary("footer", 0, 0, Rect(x: 50, y: 0, width: 5, height: 100), pinned: 10...50),
        .supplementary("footer", 1, 0, Rect(x: 85, y: 0, width: 5, height: 100), pinned: 65...85),
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 10, height: 100), pinned: 0...40),
        .supplementary("header", 1, 0, Rect(x: 55, y: 0, width: 10, height: 100), pinned: 55...75),
      ])
    same(collection.prepared.contentSize, Size(width: 90, height: 100))
    let hit = collection.prepared.elements(in: Rect(x: 49, y: 0, width: 0, height: 1))
    same(hit.map(\.kind), [nil, "footer", "header"])
  }

  @Test("horizontally from right to left they slide along x the other way")
  func pinnedFromRightToLeft() throws {
    let collection = try list(
      Self.pinned.patched(by: [
        "scrollDirection": "horizontal", "layoutDirection": "rightToLeft",
        "contentInset": ["left": 15, "right": 5],
      ]), width: 80, height: 100)
    // All is taken from 80 − 20 = 60; the content goes on to the left of 0.
    expect(
      collection,
      [
        .cell(0, 0, Rect(x: 30, y: 0, width: 20, height: 100)),
        .cell(0, 1, Rect(x: 10, y: 0, width: 20, height: 100)),
        .cell(1, 0, Rect(x: -25, y: 0, width: 20, height: 100)),
        .supplementary("footer", 0, 0, Rect(x: 5, y: 0, width: 5, height: 100), pinned: 5...45),
        .supplementary(
          "footer", 1, 0, Rect(x: -30, y: 0, width: 5, height: 100), pinned: -30 ... -10),
        .supplementary("header", 0, 0, Rect(x: 50, y: 0, width: 10, height: 100), pinned: 10...50),
        .supplementary(
          "header", 1, 0, Rect(x: -5, y: 0, width: 10, height: 100), pinned: -25 ... -5),
      ])
    same(collection.prepared.contentSize, Size(width: 90, height: 100))
    // The second header sweeps from −25 to 5.
    let hit = collection.prepared.answer(
      to: ElementQuery(
        rect: Rect(x: 4.5, y: 0, width: 0, height: 0), categories: .supplementary))
    same(hit.elements.map(\.section), [1])
  }

  @Test("vertically from right to left they slide along y as ever")
  func pinnedVerticallyFromRightToLeft() throws {
    let header = try list(Self.pinned.patched(by: ["layoutDirection": "rightToLeft"]))
      .prepared.element(.supplementary("header"), 0, 0)
    same(
      header,
      .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 100, height: 10), pinned: 0...40))
  }

  // MARK: Directions

  @Test("from right to left a grid's first column is at the right, its inset too")
  func rightToLeft() throws {
    let collection = try PreparedCollection(
      "grid",
      [
        "layoutDirection": "rightToLeft", "columnSpacing": 10, "headerHeight": 6,
        "sectionInset": ["left": 20], "contentInset": ["left": 30],
      ], width: 120, [CollectionSection(3)])
    // The content is 90 wide, the body 70, a cell 30.
    expect(
      collection,
      [
        .cell(0, 0, Rect(x: 40, y: 6, width: 30, height: 45)),
        .cell(0, 1, Rect(x: 0, y: 6, width: 30, height: 45)),
        .cell(0, 2, Rect(x: 40, y: 56, width: 30, height: 45)),
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 90, height: 6)),
      ])
  }

  @Test("a horizontal grid has its columns one below the other")
  func horizontalGrid() throws {
    let collection = try PreparedCollection(
      "grid",
      [
        "scrollDirection": "horizontal", "columnSpacing": 10, "rowHeight": 40, "headerHeight": 6,
        "sectionInset": ["top": 1, "left": 2, "bottom": 3, "right": 4],
        "contentInset": ["top": 5, "left": 1000, "bottom": 1], "background": "row",
      ], width: 2000, height: 100, [CollectionSection(3)])
    // Across: 100 − 6 = 94 for the content, 90 for the body, 40 for each of two cells.
    expect(
      collection,
      [
        .background(0, 0, Rect(x: 8, y: 1, width: 35, height: 90)),
        .background(0, 1, Rect(x: 48, y: 1, width: 35, height: 90)),
        .cell(0, 0, Rect(x: 8, y: 1, width: 35, height: 40)),
        .cell(0, 1, Rect(x: 8, y: 51, width: 35, height: 40)),
        .cell(0, 2, Rect(x: 48, y: 1, width: 35, height: 40)),
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 6, height: 94)),
      ])
    // 6 + 2 + 75 + 4.
    same(collection.prepared.contentSize, Size(width: 87, height: 94))
  }

  @Test("a horizontal list multiplies by the ratio where a vertical one divides")
  func horizontalRatios() throws {
    let items = [PlainItem(aspectRatio: 1.5), PlainItem(width: 30), PlainItem(height: 30)]
    let horizontal = try PreparedCollection(
      "list", ["scrollDirection": "horizontal"], height: 60, [CollectionSection(items)])
    same(
      horizontal.prepared.allElements.map(\.frame),
      [
        Rect(x: 0, y: 0, width: 90, height: 60), Rect(x: 90, y: 0, width: 30, height: 60),
        Rect(x: 120, y: 0, width: 44, height: 60),
      ])
    let vertical = try PreparedCollection("list", width: 60, [CollectionSection(items)])
    same(
      vertical.prepared.allElements.map(\.frame),
      [
        Rect(x: 0, y: 0, width: 60, height: 40), Rect(x: 0, y: 40, width: 60, height: 44),
        Rect(x: 0, y: 84, width: 60, height: 30),
      ])
  }

  // MARK: Integral frames

  @Test("edges of cells and their backgrounds are rounded, so that neighbours touch")
  func integral() throws {
    let collection = try PreparedCollection(
      "grid",
      [
        "integral": true, "columns": 3, "columnSpacing": 0, "rowHeight": 11, "rowSpacing": 0,
        "headerHeight": 2.25, "background": "item",
      ], [CollectionSection(2)])
    // 33.3… wide, below a header of 2 points.
    let (first, second) = (
      Rect(x: 0, y: 2, width: 33, height: 11), Rect(x: 33, y: 2, width: 34, height: 11)
    )
    expect(
      collection,
      [
        .background(0, 0, first), .background(0, 1, second), .cell(0, 0, first),
        .cell(0, 1, second),
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 100, height: 2)),
      ])
    same(collection.prepared.contentSize, Size(width: 100, height: 13))
  }

  @Test("edges are rounded after turning and mirroring")
  func integralAfterMirroring() throws {
    let collection = try PreparedCollection(
      "list",
      [
        "integral": true, "itemHeight": 10.5, "scrollDirection": "horizontal",
        "layoutDirection": "rightToLeft", "headerHeight": 0.25,
      ], width: 50.5, height: 20, [CollectionSection(1)])
    // The header is a point, the item 11 points high: from 1 to 12. 50.5 − 12 is 38.5.
    expect(
      collection,
      [
        .cell(0, 0, Rect(x: 39, y: 0, width: 11, height: 20)),
        .supplementary("header", 0, 0, Rect(x: 49.5, y: 0, width: 1, height: 20)),
      ])
    // What a query finds is the frame as it is delivered.
    same(collection.prepared.elements(in: Rect(x: 39, y: 0, width: 0, height: 0)).count, 1)
    #expect(collection.prepared.elements(in: Rect(x: 38.75, y: 0, width: 0, height: 0)).isEmpty)
  }

  @Test("a gallery is integral unless it says otherwise, a section of its own, too")
  func integralGallery() throws {
    func widths(_ options: GivenOptions) throws -> [Double] {
      let item = [PlainItem(width: 99.5)]
      return try PreparedCollection(
        "gallery", options, width: 1000,
        [CollectionSection(item), CollectionSection(item, ["integral": true])]
      ).prepared.allElements.map(\.frame.size.width)
    }
    try same(widths([:]), [100, 100])
    try same(widths(["integral": false]), [99.5, 100])
  }

  // MARK: Sections' own options

  @Test("a section's options are merged over the layout's, objects member by member")
  func ownOptions() throws {
    let collection = try PreparedCollection(
      "list",
      ["itemHeight": 20, "headerHeight": 10, "sectionInset": ["left": 5, "right": 7]],
      [
        CollectionSection(1),
        CollectionSection(1, ["sectionInset": ["left": 6], "headerHeight": 0]),
        CollectionSection(1, ["itemHeight": 30]),
      ])
    expect(
      collection,
      [
        .cell(0, 0, Rect(x: 5, y: 10, width: 88, height: 20)),
        .cell(1, 0, Rect(x: 6, y: 30, width: 87, height: 20)),
        .cell(2, 0, Rect(x: 5, y: 60, width: 88, height: 30)),
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 100, height: 10)),
        .supplementary("header", 2, 0, Rect(x: 0, y: 50, width: 100, height: 10)),
      ])
  }

  @Test("of options that exclude each other a section's displaces the layout's")
  func displacement() throws {
    let collection = try PreparedCollection(
      "grid",
      [
        "columns": 4, "columnSpacing": 0, "rowSpacing": 0, "itemAspectRatio": 0.5,
      ],
      [
        CollectionSection(1), CollectionSection(1, ["minimumColumnWidth": 40]),
        CollectionSection(1, ["rowHeight": 7]),
        CollectionSection(1, ["columns": 1, "itemAspectRatio": 2]),
      ])
    same(
      collection.prepared.allElements.map(\.frame),
      [
        Rect(x: 0, y: 0, width: 25, height: 50), Rect(x: 0, y: 50, width: 50, height: 100),
        Rect(x: 0, y: 150, width: 25, height: 7), Rect(x: 0, y: 157, width: 100, height: 50),
      ])
  }

  @Test("a section's group takes the place of the layout's, nothing is merged")
  func ownGroup() throws {
    func group(_ width: Double, _ subitem: OptionValue) -> OptionValue {
      [
        "direction": "horizontal", "width": ["absolute": .number(width)],
        "height": ["absolute": 10], "spacing": 5, "subitems": [subitem],
      ]
    }
    let wide: OptionValue = ["width": ["absolute": 20], "height": ["absolute": 10], "count": 2]
    var narrow = GivenOptions()
    narrow["group"] = [
      "direction": "vertical", "width": ["absolute": 8], "height": ["absolute": 4],
      "subitems": [["width": ["absolute": 8], "height": ["absolute": 2], "count": 2]],
    ]
    let collection = try PreparedCollection(
      "group", ["group": group(50, wide)], [CollectionSection(3), CollectionSection(3, narrow)])
    same(
      collection.prepared.allElements.map(\.frame),
      [
        Rect(x: 0, y: 0, width: 20, height: 10), Rect(x: 25, y: 0, width: 20, height: 10),
        Rect(x: 0, y: 10, width: 20, height: 10), Rect(x: 0, y: 20, width: 8, height: 2),
        Rect(x: 0, y: 22, width: 8, height: 2), Rect(x: 0, y: 24, width: 8, height: 2),
      ])
  }

  // MARK: Compositional layouts

  @Test("sections of several kinds, one of which scrolls sideways by itself")
  func compositional() throws {
    let collection = try PreparedCollection(
      "compositional", ["headerHeight": 10, "sectionSpacing": 2],
      [
        CollectionSection(
          Items(uniform: 3), ["itemHeight": 60, "sectionInset": ["left": 5]], kind: "list",
          orthogonalHeight: 30),
        CollectionSection(
          Items(uniform: 2), ["columnSpacing": 0, "rowHeight": 20, "rowSpacing": 0], kind: "grid"),
      ])
    expect(
      collection,
      [
        .cell(0, 0, Rect(x: 5, y: 10, width: 60, height: 30)),
        .cell(0, 1, Rect(x: 65, y: 10, width: 60, height: 30)),
        .cell(0, 2, Rect(x: 125, y: 10, width: 60, height: 30)),
        .cell(1, 0, Rect(x: 0, y: 52, width: 50, height: 20)),
        .cell(1, 1, Rect(x: 50, y: 52, width: 50, height: 20)),
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 100, height: 10)),
        .supplementary("header", 1, 0, Rect(x: 0, y: 42, width: 100, height: 10)),
      ])
    same(collection.prepared.contentSize, Size(width: 100, height: 72))
    let place = try #require(collection.section(at: 0))
    same(place.kind, "list")
    same(place.body, Rect(x: 5, y: 10, width: 180, height: 30))
    let mirrored = try collection.changing(options: ["layoutDirection": "rightToLeft"]).collection
    same(mirrored.prepared.cellFrame(0, 2), Rect(x: -85, y: 10, width: 60, height: 30))
    same(mirrored.section(at: 0)?.body, Rect(x: -85, y: 10, width: 180, height: 30))
  }

  @Test("cells that reach beyond their section are found from afar")
  func overhang() throws {
    let items = [
      PlainItem(height: 20, width: 10, x: 0, y: -500),
      PlainItem(height: 2000, width: 10, x: 50, y: -1500),
    ]
    let collection = try PreparedCollection(
      "frames", [:],
      [CollectionSection(50), CollectionSection(items), CollectionSection(50)])
    let all = collection.scannedElements()
    for rect in [
      Rect(x: 0, y: -450, width: 100, height: 1), Rect(x: 0, y: -440, width: 100, height: 20),
      Rect(x: 55, y: 549, width: 0, height: 0), Rect(x: 55, y: 550, width: 0, height: 0),
      Rect(x: 55, y: -1450, width: 0, height: 0), Rect(x: 55, y: -1451, width: 0, height: 0),
    ] {
      expectEqual(collection.prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)")
    }
    // The body of the first section ends at 50, where the second begins.
    same(collection.prepared.cellFrame(1, 1), Rect(x: 50, y: -1450, width: 10, height: 2000))
    same(collection.prepared.contentSize.height, 600)
  }

  @Test("sections are found by their ids")
  func sectionIDs() throws {
    let collection = try PreparedCollection(
      "list", [:],
      [
        CollectionSection(Items(uniform: 1)), CollectionSection(Items(uniform: 2), id: "b"),
        CollectionSection(Items(uniform: 3), id: "b"),
      ])
    let place = collection.firstSection(withID: ItemID("b"))
    same(place?.index, 1)
    same(place?.itemCount, 2)
    same(place?.kind, "list")
    #expect(collection.firstSection(withID: ItemID("a")) == nil)
  }
}
