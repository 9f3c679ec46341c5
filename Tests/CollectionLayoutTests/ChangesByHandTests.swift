import TestSupport
import Testing

@testable import CollectionLayout

@Suite("single changes, by hand")
struct ChangesByHandTests {
  private func path(_ section: Int, _ item: Int) -> IndexPath {
    IndexPath(section: section, item: item)
  }

  /// Rows of 10, so that an item's frame is its index times 10.
  private func column(_ counts: Int...) throws -> PreparedCollection {
    try PreparedCollection("list", ["itemHeight": 10], counts.map { CollectionSection($0) })
  }

  private func waterfall(_ items: [PlainItem]) throws -> PreparedCollection {
    try PreparedCollection("waterfall", ["cellPadding": 0], [CollectionSection(items)])
  }

  /// Three generations: 0 ┬ 00 ─ 000, 0 ┴ 01, and 1.
  private func tree() throws -> PreparedCollection {
    let forest = try Forest([
      PlainNode(id: "0"), PlainNode(id: "1"), PlainNode(parent: 0, id: "00"),
      PlainNode(parent: 0, id: "01"), PlainNode(parent: 2, id: "000"),
    ])
    return try PreparedCollection(tree: [:], forest)
  }

  private func names(_ collection: PreparedCollection) -> [[String?]] {
    (0..<collection.prepared.counts.sections).map { section in
      (0..<collection.prepared.counts.cells).compactMap { item in
        collection.prepared.element(.cells, section, item).map(\.id)
      }
    }
  }

  /// Each transition as the index paths that it leads from and to.
  private func transitions(
    of change: CollectionChange, in rect: Rect = .everything
  ) -> [String] {
    var texts: [String] = []
    func text(_ attributes: LayoutAttributes) -> String {
      "\(attributes.indexPath.section).\(attributes.indexPath.item)"
    }
    _ = change.forEachTransition(in: rect) {
      switch $0 {
      case .appearing(_, let to): texts.append("+\(text(to))")
      case .disappearing(_, let from): texts.append("-\(text(from))")
      case .moving(_, let from, let to): texts.append("\(text(from))>\(text(to))")
      }
      return true
    }
    return texts
  }

  // MARK: Identity

  @Test("items without ids keep their identity when those before them go")
  func deletion() throws {
    let change = try column(4).applying([.deleteItems(at: path(0, 1), count: 2)])
    same(transitions(of: change), ["0.3>0.1", "-0.1", "-0.2"])
    same(change.invalidatedRect?.contains(Rect(x: 0, y: 10, width: 100, height: 30)), true)
    same(change.invalidatedRect.map { $0.origin.y }, 10)
    same(change.next.prepared.contentSize, Size(width: 100, height: 20))
  }

  @Test("a move's destination counts after the removal")
  func move() throws {
    let change = try column(4).applying([.moveItem(from: path(0, 0), to: path(0, 3))])
    same(transitions(of: change), ["0.1>0.0", "0.2>0.1", "0.3>0.2", "0.0>0.3"])
  }

  @Test("an item moves to another section, and goes on with it")
  func moveAcross() throws {
    let change = try column(2, 1).applying([
      .moveItem(from: path(0, 0), to: path(1, 1)), .moveSection(from: 1, to: 0),
      .insertSections([CollectionSection(1)], at: 0),
    ])
    same(transitions(of: change), ["+0.0", "1.0>1.0", "0.0>1.1", "0.1>2.0"])
  }

  @Test("an item that leaves a section that is deleted stays")
  func moveOutOfDeletedSection() throws {
    let change = try column(2, 1).applying([
      .moveItem(from: path(0, 1), to: path(1, 0)), .deleteSections(at: 0, count: 1),
    ])
    same(transitions(of: change), ["0.1>0.0", "1.0>0.1", "-0.0"])
  }

  @Test("an item that is deleted and one that is inserted in its place are two")
  func deletionAndInsertion() throws {
    let change = try column(3).applying([
      .deleteItems(at: path(0, 1), count: 1), .insertItems(Items(uniform: 1), at: path(0, 1)),
    ])
    same(transitions(of: change), ["+0.1", "-0.1"])
    same(change.invalidatedRect?.contains(Rect(x: 0, y: 10, width: 100, height: 10)), true)
  }

  @Test("a replaced item is the same with wholly new fields; an id not given again is gone")
  func replacement() throws {
    let collection = try waterfall([
      PlainItem(id: "a", height: 30), PlainItem(id: "b", height: 40), PlainItem(height: 10),
    ])
    let change = try collection.applying([
      .replaceItems(Items([PlainItem(height: 50)]), at: path(0, 0))
    ])
    same(transitions(of: change), ["0.0>0.0", "0.2>0.2"])
    expectEqual(
      change.next.prepared.allElements,
      [
        .cell(0, 0, Rect(x: 0, y: 0, width: 50, height: 50)),
        .cell(0, 1, Rect(x: 50, y: 0, width: 50, height: 40), id: "b"),
        .cell(0, 2, Rect(x: 0, y: 50, width: 50, height: 10)),
      ])
    let bare = try change.next.applying([.replaceItems(Items(uniform: 2), at: path(0, 0))])
    same(bare.next.prepared.cellFrame(0, 0)?.size.height, 180)
    #expect(ItemIDIndex(bare.next.data) == nil)
  }

  @Test("an item that is as wide as before but for rounding moves those behind it in its row")
  func replacementBelowRounding() throws {
    let change = try PreparedCollection(
      "gallery", ["horizontalInset": 0], width: 1000,
      [CollectionSection([PlainItem(width: 10.1), PlainItem(width: 10.3), PlainItem(width: 20)])]
    ).applying([.replaceItems(Items([PlainItem(width: 10.4)]), at: path(0, 0))])
    // The edge at 10.1 + 10.3 is rounded to 20, that at 10.4 + 10.3 to 21.
    same(transitions(of: change), ["0.1>0.1", "0.2>0.2"])
    let moved = Rect(x: 10, y: 0, width: 11, height: 250)
    same(change.invalidatedRect?.contains(moved), true)
  }

  @Test("a row that opens far down changes nothing above it", arguments: ["list", "flow"])
  func openedRow(kind: String) throws {
    let options: GivenOptions =
      kind == "flow" ? ["itemSize": ["width": 300, "height": 44.3]] : ["itemHeight": 44.3]
    let collection = try PreparedCollection(
      kind, options, width: 300, [CollectionSection(10_000)])
    let top = try #require(collection.prepared.cellFrame(0, 9_000)?.origin.y)
    let opened = try collection.applying([
      .replaceItems(Items([PlainItem(height: 200.1)]), at: path(0, 9_000))
    ])
    // A line may depend on the first item of the line behind it.
    let area = try #require(opened.invalidatedRect)
    #expect(area.origin.y >= top - 56)
    for item in [0, 19, 8_998] {
      same(opened.next.prepared.cellFrame(0, item), collection.prepared.cellFrame(0, item))
    }
    // So it is when it closes, and what is below moves by as much.
    let closed = try opened.next.applying([.replaceItems(Items(uniform: 1), at: path(0, 9_000))])
    #expect(try #require(closed.invalidatedRect).origin.y >= top - 56)
    expectEqual(closed.next.prepared.allElements, collection.prepared.allElements)
  }

  @Test("changes are seen where a unit is less than the distance of two doubles")
  func farAway() throws {
    let items = [0.1, 0.2, 0.3].map { PlainItem(width: $0, x: 1e17) }
    let change = try PreparedCollection("frames", [:], width: 300, [CollectionSection(items)])
      .applying([.moveItem(from: path(0, 2), to: path(0, 0))])
    let all = Rect(x: 0, y: 0, width: 2e17, height: 300)
    same(Set(transitions(of: change, in: all)), ["0.2>0.0", "0.0>0.1", "0.1>0.2"])

    let forest = try Forest([PlainNode(), PlainNode(parent: 0)])
    let collection = try PreparedCollection(
      tree: ["itemSize": ["width": 3e16], "insets": ["right": 1.5]], forest)
    let child = try #require(collection.prepared.cellFrame(1, 0))
    let area = try collection.applying([.deleteNode(at: path(1, 0))]).invalidatedRect
    same(area?.contains(child), true)
  }

  @Test("only what meets the rect before or after is a transition")
  func rect() throws {
    let change = try column(4).applying([.moveItem(from: path(0, 0), to: path(0, 3))])
    let last = Rect(x: 0, y: 30, width: 100, height: 10)
    same(transitions(of: change, in: last), ["0.0>0.3", "0.3>0.2"])
  }

  @Test("headers go with their sections")
  func headers() throws {
    let collection = try PreparedCollection(
      "grid", ["headerHeight": 10], Array(repeating: CollectionSection(0), count: 3))
    let change = try collection.applying([
      .deleteSections(at: 0, count: 1), .insertSections([CollectionSection(0)], at: 2),
    ])
    same(transitions(of: change), ["1.0>0.0", "2.0>1.0", "+2.0", "-0.0"])
  }

  @Test("an item that is changed while it is in another section is changed when it is back")
  func changedAway() throws {
    let collection = try PreparedCollection(
      "list", [:],
      [
        CollectionSection(Items(heights: [10, 10, 10])),
        CollectionSection(Items(heights: [10, 10])),
      ])
    let change = try collection.applying([
      .moveItem(from: path(0, 1), to: path(1, 0)),
      .replaceItems(Items([PlainItem(height: 25)]), at: path(1, 0)),
      .moveItem(from: path(1, 0), to: path(0, 1)),
    ])
    same(transitions(of: change), ["0.1>0.1", "0.2>0.2", "1.0>1.0", "1.1>1.1"])
    same(change.next.prepared.contentSize.height, 65)
    same(change.invalidatedRect?.contains(Rect(x: 0, y: 10, width: 100, height: 55)), true)
  }

  // MARK: Hierarchies

  @Test("from and parent name nodes before a move, the place counts after the removal")
  func moveNode() throws {
    let collection = try tree()
    func moved(_ from: IndexPath, _ parent: IndexPath?, _ index: Int) throws -> [[String?]] {
      names(try collection.applying([.moveNode(from: from, parent: parent, index: index)]).next)
    }
    try same(moved(path(1, 0), path(0, 0), 1), [["0", "1"], ["01", "00"], ["000"]])
    try same(moved(path(0, 0), path(0, 1), 0), [["1"], ["0"], ["00", "01"], ["000"]])
    try same(moved(path(0, 0), nil, 1), [["1", "0"], ["00", "01"], ["000"]])
    try same(moved(path(1, 0), path(1, 1), 0), [["0", "1"], ["01"], ["00"], ["000"]])
    try same(moved(path(2, 0), nil, 2), [["0", "1", "000"], ["00", "01"]])
  }

  @Test("a node goes with its subtree, and all of it may go")
  func deleteNode() throws {
    let rest = try tree().applying([.deleteNode(at: path(0, 0))])
    same(names(rest.next), [["1"]])
    same(transitions(of: rest), ["0.1>0.0", "-0.0", "-1.0", "-1.1", "-2.0", "-0.0", "-1.0"])
    let nothing = try rest.next.applying([.deleteNode(at: path(0, 0))])
    same(
      nothing.next.prepared.counts,
      ElementCounts(
        sections: 0, cells: 0, supplementary: 0, decorations: 0))
    let again = try nothing.next.applying([
      .insertNode(Forest([PlainNode(id: "new")]), parent: nil, index: 0)
    ])
    same(names(again.next), [["new"]])
  }

  // MARK: Nothing changes

  static let undone: [(name: String, updates: [CollectionUpdate])] = [
    ("no updates", []),
    ("no items", [.insertItems(Items(), at: IndexPath(section: 0, item: 1))]),
    (
      "a move to the same place",
      [.moveItem(from: IndexPath(section: 0, item: 1), to: IndexPath(section: 0, item: 1))]
    ),
    ("a section to the same place", [.moveSection(from: 0, to: 0)]),
    ("the same fields", [.replaceItems(Items(uniform: 2), at: IndexPath(section: 0, item: 0))]),
    (
      "there and back",
      [
        .moveItem(from: IndexPath(section: 0, item: 0), to: IndexPath(section: 0, item: 2)),
        .moveItem(from: IndexPath(section: 0, item: 2), to: IndexPath(section: 0, item: 0)),
      ]
    ),
    (
      "come and gone",
      [
        .insertItems(Items(uniform: 2), at: IndexPath(section: 0, item: 0)),
        .deleteItems(at: IndexPath(section: 0, item: 0), count: 2),
      ]
    ),
    (
      "the same fields, and come and gone",
      [
        .replaceItems(Items(uniform: 1), at: IndexPath(section: 0, item: 1)),
        .insertItems(Items(uniform: 2), at: IndexPath(section: 0, item: 0)),
        .deleteItems(at: IndexPath(section: 0, item: 0), count: 2),
      ]
    ),
    (
      "other fields, and the same again elsewhere",
      [
        .replaceItems(
          Items([PlainItem(height: 9)]), at: IndexPath(section: 0, item: 1)),
        .moveItem(from: IndexPath(section: 0, item: 1), to: IndexPath(section: 0, item: 2)),
        .replaceItems(Items(uniform: 1), at: IndexPath(section: 0, item: 2)),
        .moveItem(from: IndexPath(section: 0, item: 2), to: IndexPath(section: 0, item: 1)),
      ]
    ),
    (
      "a field that says what goes without saying",
      [
        .replaceItems(
          Items([PlainItem(height: 180)]), at: IndexPath(section: 0, item: 1))
      ]
    ),
  ]

  @Test("no invalidated rect when no attribute differs", arguments: undone.indices)
  func nothing(index: Int) throws {
    let (name, updates) = Self.undone[index]
    let collection = try waterfall(Array(repeating: PlainItem(), count: 3))
    let change = try collection.applying(updates)
    same(change.invalidatedRectsBesidePins.boundingBox, nil, "\(name)")
    expectEqual(change.next.prepared.allElements, collection.prepared.allElements)
    same(transitions(of: change), [], "\(name)")
    same(change.invalidatedRect, nil, "\(name)")
  }

  @Test("an option set to what it is, or one that moves nothing, invalidates nothing")
  func unchanged() throws {
    var layout = try waterfall([PlainItem()]).layout
    layout.options = layout.options.patched(by: ["contentInset": ["top": 40, "bottom": 7]])
    layout.bounds?.height = 50
    let (next, change) = try waterfall([PlainItem()]).changing(layout)
    #expect(change == nil)
    same(next.layout, layout)
    #expect(try next.changing(options: ["contentInset": ["left": 10]]).change != nil)
    layout.options["columns"] = 2
    layout.bounds?.height = nil
    try #expect(next.changing(layout).change == nil)
    layout.bounds?.width = 110
    #expect(try next.changing(layout).change != nil)
    layout.options["contentInset"] = ["left": 10]
    try #expect(next.changing(layout).change == nil)
  }

  @Test("a section that says the same again, or what it says already, invalidates nothing")
  func unchangedSection() throws {
    let collection = try PreparedCollection(
      "grid", ["columns": 2, "headerHeight": 10],
      [CollectionSection(3), CollectionSection(3, ["rowHeight": 30])])
    var again = SectionPatch()
    again.options = .set(OptionPatch(["rowHeight": 30]))
    var layouts = SectionPatch()
    layouts.options = .set(OptionPatch(["columns": 2, "rowHeight": 50]))
    var named = SectionPatch()
    named.id = .set(ItemID("a"))
    for (section, patch) in [(1, again), (0, layouts), (0, named), (1, SectionPatch())] {
      let change = try collection.applying([.setSection(patch, at: section)])
      same(change.invalidatedRect, nil, "\(patch)")
      same(transitions(of: change), [])
    }
  }

  @Test("fields set to what they are, or taken away where there are none, invalidate nothing")
  func unchangedFields() throws {
    let collection = try waterfall([PlainItem(id: "a", height: 30), PlainItem(height: 40)])
    var patch = ItemsPatch(count: 2)
    patch.set(.height, of: 0, to: 30)
    patch.set(.width, of: 1, to: nil)
    patch.set(.x, of: 1, to: 5)
    patch.setID(of: 0, to: ItemID("a"))
    let change = try collection.applying([.setItems(patch, at: path(0, 0))])
    same(change.invalidatedRect, nil)
    same(transitions(of: change), [])
    var renamed = ItemsPatch(count: 1)
    renamed.setID(of: 0, to: ItemID("b"))
    let other = try collection.applying([.setItems(renamed, at: path(0, 0))])
    same(transitions(of: other), ["0.0>0.0"])
    same(other.invalidatedRect?.contains(Rect(x: 0, y: 0, width: 50, height: 30)), true)
  }

  @Test("what changes of a pinned element alone is beside nobody's pins")
  func pinnedOnly() throws {
    let collection = try PreparedCollection(
      "list", ["itemHeight": 10, "headerHeight": 5, "pinHeaders": true],
      [CollectionSection(3), CollectionSection(1)])
    // The last section's header may slide further, and there is one more cell.
    let change = try collection.applying([.insertItems(Items(uniform: 1), at: path(1, 1))])
    same(change.invalidatedRect?.contains(Rect(x: 0, y: 35, width: 100, height: 25)), true)
    same(change.invalidatedRectsBesidePins.boundingBox.map(\.origin.y), 50)
    // A header that is pinned no more is one that clients have to ask for.
    var patch = SectionPatch()
    patch.options = .set(OptionPatch(["pinHeaders": false]))
    let unpinned = try collection.applying([.setSection(patch, at: 0)])
    same(
      unpinned.invalidatedRectsBesidePins.boundingBox?.contains(
        Rect(x: 0, y: 0, width: 100, height: 5)), true)
  }

  @Test("fields that exclude each other are refused once all updates are made")
  func conflict() throws {
    let collection = try waterfall([PlainItem(height: 1, width: 2), PlainItem()])
    var ratio = ItemsPatch(count: 1)
    ratio.set(.aspectRatio, of: 0, to: 2)
    var noWidth = ItemsPatch(count: 1)
    noWidth.set(.width, of: 0, to: nil)
    let set = CollectionUpdate.setItems(ratio, at: path(0, 0))
    #expect(
      throws: LayoutError.invalidItem(
        path(0, 1), field: "aspectRatio", requirement: ItemStorage.conflictRequirement)
    ) {
      try collection.applying([set, .moveItem(from: path(0, 0), to: path(0, 1))])
    }
    let next = try collection.applying([set, .setItems(noWidth, at: path(0, 0))]).next
    same(next.prepared.cellFrame(0, 0), Rect(x: 0, y: 0, width: 50, height: 25))
  }

  @Test("another kind keeps the items and what it knows of sections' options")
  func anotherKind() throws {
    let items = [PlainItem(id: "a", height: 30), PlainItem(height: 40)]
    let list = try PreparedCollection(
      "list", ["itemHeight": 9],
      [CollectionSection(items, ["rowSpacing": 3, "headerHeight": 10, "itemHeight": 7])])
    let (grid, change) = try list.changing(GivenLayout("grid", ["columnSpacing": 0]))
    expectEqual(
      grid.prepared.allElements,
      [
        .cell(0, 0, Rect(x: 0, y: 10, width: 50, height: 47), id: "a"),
        .cell(0, 1, Rect(x: 50, y: 10, width: 50, height: 47)),
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 100, height: 10)),
      ])
    guard case .sections(let sections) = grid.data else { preconditionFailure("sections") }
    same(sections[0].options, ["rowSpacing": 3, "headerHeight": 10])
    same(change.map { transitions(of: $0) }, ["0.0>0.0", "0.1>0.1"])
    // Heights are kept though a grid has no use for them.
    let back = try grid.changing(GivenLayout("list")).collection
    same(back.prepared.cellFrame(0, 1), Rect(x: 0, y: 43, width: 100, height: 40))
  }
}

// MARK: Impossible updates

extension ChangesByHandTests {
  struct Impossible: Sendable {
    var member: String
    var update: CollectionUpdate

    init(_ member: String, _ update: CollectionUpdate) {
      self.member = member
      self.update = update
    }
  }

  /// Of sections of 2, 0 and 3 items.
  static let impossible: [Impossible] = {
    func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(section: section, item: item) }
    let two = Items(uniform: 2)
    return [
      Impossible("/insert/at", .insertItems(two, at: path(0, 3))),
      Impossible("/insert/at", .insertItems(two, at: path(3, 0))),
      Impossible("/insert/at", .insertItems(Items(), at: path(1, 1))),
      Impossible("/delete/at", .deleteItems(at: path(0, 2), count: 1)),
      Impossible("/delete/at", .deleteItems(at: path(1, 0), count: 1)),
      Impossible("/delete/at", .deleteItems(at: path(3, 0), count: 1)),
      Impossible("/delete/count", .deleteItems(at: path(2, 1), count: 3)),
      Impossible("/delete/count", .deleteItems(at: path(2, 1), count: .max)),
      Impossible("/move/from", .moveItem(from: path(0, 2), to: path(2, 0))),
      Impossible("/move/from", .moveItem(from: path(9, 0), to: path(2, 0))),
      Impossible("/move/to", .moveItem(from: path(0, 0), to: path(0, 2))),
      Impossible("/move/to", .moveItem(from: path(0, 0), to: path(1, 1))),
      Impossible("/move/to", .moveItem(from: path(0, 0), to: path(3, 0))),
      Impossible("/replace/at", .replaceItems(two, at: path(1, 0))),
      Impossible("/replace/at", .replaceItems(two, at: path(.max, 0))),
      Impossible("/replace/at", .replaceItems(Items(), at: path(1, 1))),
      Impossible("/replace/items", .replaceItems(two, at: path(0, 1))),
      Impossible("/insertSections/at", .insertSections([CollectionSection(2)], at: 4)),
      Impossible("/deleteSections/at", .deleteSections(at: 3, count: 1)),
      Impossible("/deleteSections/count", .deleteSections(at: 1, count: 3)),
      Impossible("/deleteSections/count", .deleteSections(at: 1, count: .max)),
      Impossible("/moveSection/from", .moveSection(from: 3, to: 0)),
      Impossible("/moveSection/to", .moveSection(from: 0, to: 3)),
      Impossible("/insert/at", .insertItems(two, at: path(0, -1))),
      Impossible("/insert/at", .insertItems(two, at: path(-1, 0))),
      Impossible("/delete/at", .deleteItems(at: path(0, -1), count: 1)),
      Impossible("/delete/count", .deleteItems(at: path(0, 0), count: -1)),
      Impossible("/deleteSections/count", .deleteSections(at: 0, count: -1)),
      Impossible("/insertSections/at", .insertSections([CollectionSection(2)], at: -1)),
      Impossible("/set/at", .setItems(ItemsPatch(count: 1), at: path(1, 0))),
      Impossible("/set/at", .setItems(ItemsPatch(), at: path(3, 0))),
      Impossible("/set/items", .setItems(ItemsPatch(count: 2), at: path(0, 1))),
      Impossible("/setSection/at", .setSection(SectionPatch(), at: 3)),
      Impossible("/setSection/at", .setSection(SectionPatch(), at: -1)),
      Impossible("", .deleteNode(at: path(0, 0))),
      Impossible("", .setNode(ItemsPatch(count: 1), at: path(0, 0))),
      Impossible("", .moveNode(from: path(0, 0), parent: nil, index: 0)),
    ]
  }()

  @Test("an impossible update names itself, and none is applied", arguments: impossible.indices)
  func impossibleUpdate(index: Int) throws {
    let example = Self.impossible[index]
    let collection = try column(2, 0, 3)
    expectFault(7, example.member, of: collection) {
      // Seven that leave everything as it was, so that the eighth meets what the table says.
      let there = CollectionUpdate.insertSections([CollectionSection(4)], at: 1)
      let back = CollectionUpdate.deleteSections(at: 1, count: 1)
      let still = CollectionUpdate.moveSection(from: 0, to: 0)
      return [there, back, still, there, back, still, still, example.update]
    }
    same(collection.prepared.allElements.count, 5)
  }

  /// Of the nodes 0, 1; 00, 01; 000.
  static let impossibleOfNodes: [Impossible] = {
    func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(section: section, item: item) }
    guard let leaf = try? Forest([PlainNode()]),
      let pair = try? Forest([PlainNode(), PlainNode()]),
      let nothing = try? Forest([])
    else { preconditionFailure("these are forests") }
    return [
      Impossible("/insertNode/parent", .insertNode(leaf, parent: path(0, 2), index: 0)),
      Impossible("/insertNode/parent", .insertNode(leaf, parent: path(3, 0), index: 0)),
      Impossible("/insertNode/at", .insertNode(leaf, parent: nil, index: 3)),
      Impossible("/insertNode/at", .insertNode(leaf, parent: path(1, 1), index: 1)),
      Impossible("/deleteNode/at", .deleteNode(at: path(1, 2))),
      Impossible("/deleteNode/at", .deleteNode(at: path(.max, 0))),
      Impossible("/moveNode/from", .moveNode(from: path(2, 1), parent: nil, index: 0)),
      Impossible("/moveNode/parent", .moveNode(from: path(0, 1), parent: path(5, 0), index: 0)),
      Impossible("/moveNode/parent", .moveNode(from: path(0, 0), parent: path(0, 0), index: 0)),
      Impossible("/moveNode/parent", .moveNode(from: path(0, 0), parent: path(2, 0), index: 0)),
      Impossible("/moveNode/at", .moveNode(from: path(1, 0), parent: path(0, 0), index: 2)),
      Impossible("/moveNode/at", .moveNode(from: path(0, 0), parent: nil, index: 2)),
      Impossible("/moveNode/at", .moveNode(from: path(1, 0), parent: path(1, 1), index: 1)),
      Impossible("/deleteNode/at", .deleteNode(at: path(-1, 0))),
      Impossible("/deleteNode/at", .deleteNode(at: path(0, -1))),
      Impossible("/insertNode/at", .insertNode(leaf, parent: nil, index: -1)),
      Impossible("/insertNode/node", .insertNode(pair, parent: nil, index: 0)),
      Impossible("/insertNode/node", .insertNode(nothing, parent: nil, index: 0)),
      Impossible("/setNode/at", .setNode(ItemsPatch(count: 1), at: path(1, 2))),
      Impossible("", .deleteItems(at: path(0, 0), count: 1)),
      Impossible("", .setSection(SectionPatch(), at: 0)),
      Impossible("", .moveSection(from: 0, to: 0)),
    ]
  }()

  @Test("so it is with nodes", arguments: impossibleOfNodes.indices)
  func impossibleUpdateOfNodes(index: Int) throws {
    let example = Self.impossibleOfNodes[index]
    let collection = try tree()
    let leaf = try Forest([PlainNode()])
    expectFault(2, example.member, of: collection) {
      [
        .insertNode(leaf, parent: path(0, 1), index: 0), .deleteNode(at: path(1, 2)),
        example.update,
      ]
    }
    same(names(collection), [["0", "1"], ["00", "01"], ["000"]])
  }

  @Test("to look at all items, because several had a name, is work")
  func workOfNames() throws {
    let items = (0..<20).map { PlainItem(id: $0 < 2 ? "twin" : "\($0)") }
    let collection = try PreparedCollection("list", [:], [CollectionSection(items)])
    let updates: [CollectionUpdate] = [
      .deleteItems(at: path(0, 0), count: 1), .deleteItems(at: .id(ItemID("twin")), count: 1),
    ]
    let change = try collection.applying(updates)
    same(change.next.prepared.counts.cells, 18)
    same(change.next.prepared.element(.cells, 0, 0)?.id, "2")
    expectFault(1, "", of: collection, visitLimit: 20) { updates }
  }

  @Test("names stay that are far from a change")
  func namesFarAway() throws {
    var items = Items((0..<600).map { PlainItem(id: "\($0)") })
    for _ in 0..<3 {
      items.append(ItemStorage(Array(repeating: PlainItem(height: 10), count: 600)))
    }
    let next = try PreparedCollection("waterfall", [:], [CollectionSection(items)])
      .applying([.deleteItems(at: path(0, 2399), count: 1)]).next
    same(next.prepared.element(.cells, 0, 7)?.id, "7")
    same(ItemIDIndex(next.data)?.indexPath(of: ItemID("7"), in: next.data), path(0, 7))
  }

  /// Of the sections ["a", 600 without names], [-, -], ["b"].
  static let updatesOfNames: [(keepsIDs: Bool, CollectionUpdate)] = {
    func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(section: section, item: item) }
    var height = ItemsPatch(count: 1)
    height.set(.height, of: 0, to: 9)
    var name = height
    name.setID(of: 0, to: ItemID("c"))
    let named = Items([PlainItem(id: "c")])
    return [
      (true, .setItems(height, at: path(0, 0))),
      (false, .setItems(name, at: path(0, 1))),
      (true, .setSection(SectionPatch(), at: 0)),
      (true, .insertItems(Items(uniform: 2), at: path(0, 1))),
      (false, .insertItems(Items(uniform: 2), at: path(0, 0))),
      (false, .insertItems(named, at: path(1, 0))),
      (true, .deleteItems(at: path(1, 0), count: 2)),
      (true, .deleteItems(at: path(0, 1), count: 1)),
      (false, .deleteItems(at: path(2, 0), count: 1)),
      (true, .replaceItems(Items(uniform: 1), at: path(0, 1))),
      (false, .replaceItems(Items(uniform: 1), at: path(0, 0))),
      (true, .moveItem(from: path(1, 0), to: path(1, 1))),
      (true, .moveItem(from: path(1, 0), to: path(0, 1))),
      (false, .moveItem(from: path(1, 0), to: path(2, 0))),
      (false, .moveItem(from: path(0, 0), to: path(0, 1))),
      (true, .insertSections([CollectionSection(2)], at: 3)),
      (false, .insertSections([CollectionSection(2)], at: 2)),
      (false, .insertSections([CollectionSection(named)], at: 3)),
      (false, .deleteSections(at: 1, count: 1)),
      (true, .moveSection(from: 1, to: 1)),
      (false, .moveSection(from: 1, to: 0)),
    ]
  }()

  @Test(
    "a change says whether names are where they were, with the items that have them",
    arguments: updatesOfNames.indices)
  func keepsIDs(index: Int) throws {
    let (keepsIDs, update) = Self.updatesOfNames[index]
    // So many that they are not stored with their neighbour.
    var items = Items([PlainItem(id: "a")])
    for block in Items(uniform: 600).blocks { items.append(block) }
    let collection = try PreparedCollection(
      "waterfall", [:],
      [CollectionSection(items), CollectionSection(2), CollectionSection([PlainItem(id: "b")])])
    try same(collection.applying([update]).keepsIDs, keepsIDs)
  }

  @Test("so does a change of nodes")
  func keepsNamesOfNodes() throws {
    let forest = try Forest([
      PlainNode(id: "0"), PlainNode(id: "1"), PlainNode(parent: 0, id: "00"),
    ])
    let collection = try PreparedCollection(tree: ["spacing": "compact"], forest)
    var wide = ItemsPatch(count: 1)
    wide.set(.width, of: 0, to: 9)
    let leaf = try Forest([PlainNode()])
    #expect(try collection.applying([.setNode(wide, at: path(0, 1))]).keepsIDs)
    #expect(try !collection.applying([.insertNode(leaf, parent: nil, index: 0)]).keepsIDs)
    #expect(try !collection.applying([.deleteNode(at: path(1, 0))]).keepsIDs)
    #expect(
      try !collection.applying([.moveNode(from: path(0, 1), parent: nil, index: 0)]).keepsIDs)
  }

  @Test("heights that follow from the width do so after a change behind them")
  func ratiosInAnEarlierPiece() throws {
    let items = (0..<5000).map { $0 < 4096 ? PlainItem(aspectRatio: 1) : PlainItem(height: 10) }
    let next = try waterfall(items)
      .applying([.replaceItems(Items(heights: [20]), at: path(0, 4999))]).next
    var layout = next.layout
    layout.bounds = Bounds(width: 200)
    let wide = try next.changing(layout).collection
    same(wide.prepared.cellFrame(0, 0), Rect(x: 0, y: 0, width: 100, height: 100))
  }

  @Test("the area of a change reaches up to where the shorter column goes on")
  func unevenColumns() throws {
    let items = (0..<5000).map { PlainItem(height: $0 % 2 == 0 ? 1 : 1000) }
    let change = try waterfall(items)
      .applying([.insertItems(Items(heights: [1]), at: path(0, 4095))])
    // Item 4096 is the 2,049th of the left column, whose items are 1 high.
    let frame = Rect(x: 0, y: 2048, width: 50, height: 1)
    same(change.previous.prepared.cellFrame(0, 4096), frame)
    same(change.invalidatedRect?.contains(frame), true)
  }

  @Test("the area holds a footer whose end is rounded beyond its section's")
  func roundedFooter() throws {
    let collection = try PreparedCollection(
      "grid",
      [
        "columns": 1, "rowHeight": 9.2, "rowSpacing": 0, "headerHeight": 21.6, "footerHeight": 6,
      ], [CollectionSection(3), CollectionSection(1)])
    let footer = try #require(collection.prepared.element(.supplementary("footer"), 1, 0)?.frame)
    let area = try collection.applying([.deleteSections(at: 1, count: 1)]).invalidatedRect
    same(area?.contains(footer), true)
  }

  @Test("an invalidated rect holds integral frames that are mirrored in no whole number")
  func integralMirrored() throws {
    let collection = try PreparedCollection(
      "list",
      [
        "integral": true, "itemHeight": 10.5, "scrollDirection": "horizontal",
        "layoutDirection": "rightToLeft",
      ], width: 50.25, height: 20, [CollectionSection(2)])
    let change = try collection.applying([.deleteItems(at: path(0, 1), count: 1)])
    // From 11 to 22; 50.25 − 22 is 28.25, rounded to 28.
    let last = Rect(x: 28, y: 0, width: 11, height: 20)
    same(collection.prepared.cellFrame(0, 1), last)
    same(change.invalidatedRect?.contains(last), true)
  }

  @Test("an item's background goes with its item, not with what its new section has instead")
  func backgrounds() throws {
    let collection = try PreparedCollection(
      "grid", ["background": "item"],
      [CollectionSection(2), CollectionSection(1, ["background": "row"])])
    let change = try collection.applying([.moveItem(from: path(0, 1), to: path(1, 0))])
    var disappearing: [String?] = []
    _ = change.forEachTransition(in: .everything) {
      if case .disappearing(let series, _) = $0 { disappearing.append(series.kind) }
      return true
    }
    same(disappearing, ["background"])
  }

  @Test("equal items that come without storage are not counted as stored")
  func storedItems() throws {
    let fields = Items([PlainItem(id: "a", width: 1)])
    let collection = try PreparedCollection("list", [:], [CollectionSection(3)])
    let stored = try collection.applying([.replaceItems(fields, at: path(0, 1))]).next
    same(stored.storedItemCount, 3)
    let bare = try stored.applying([.replaceItems(Items(uniform: 3), at: path(0, 0))]).next
    same(bare.storedItemCount, 0)
  }

  @Test("updates that go over too many pieces are refused")
  func pieceVisits() throws {
    let collection = try PreparedCollection("grid", [:], [CollectionSection(1000)])
    let moves = (0..<100).map { CollectionUpdate.moveItem(from: path(0, 5 * $0), to: path(0, 0)) }
    #expect(throws: LayoutError.self) { try collection.applying(moves, visitLimit: 1000) }
    _ = try collection.applying(moves)
  }

  @Test("an item of a section that has moved by a few is found without going over all sections")
  func nearbySections() throws {
    func item(_ number: Int) -> Items { Items([PlainItem(id: "\(number)")]) }
    let collection = try PreparedCollection(
      "grid", [:], (0..<2000).map { CollectionSection(item($0)) })
    let updates = (100..<600).map { number in
      CollectionUpdate.replaceItems(item(number), at: .id(ItemID("\(number)")))
    }
    for shift in [
      CollectionUpdate.deleteSections(at: 0, count: 2),
      .insertSections([CollectionSection(1), CollectionSection(1)], at: 0),
    ] {
      _ = try collection.applying([shift] + updates, visitLimit: 10_000)
    }
  }

  @Test("updates that go over too many sections, new ones included, are refused")
  func sectionVisits() throws {
    let collection = try PreparedCollection(
      "grid", [:], Array(repeating: CollectionSection(1), count: 10))
    let empty = CollectionSection(0)
    let insert = CollectionUpdate.insertSections(Array(repeating: empty, count: 5), at: 3)
    let delete = CollectionUpdate.deleteSections(at: 0, count: 2)
    let move = CollectionUpdate.moveSection(from: 9, to: 0)
    for (updates, visits) in [
      ([insert], 15), ([delete], 10), ([move], 10), ([insert, move], 30), ([delete, insert], 23),
    ] {
      _ = try collection.applying(updates, visitLimit: visits)
      #expect(throws: LayoutError.self) {
        try collection.applying(updates, visitLimit: visits - 1)
      }
    }
  }

  @Test("updates that go over too many nodes, or depths, are refused", arguments: [1, 100])
  func nodeVisits(depths: Int) throws {
    let nodes = (0..<100).map { PlainNode(parent: $0 == 0 || depths == 1 ? nil : $0 - 1) }
    let collection = try PreparedCollection(tree: [:], Forest(nodes))
    func deletions(_ count: Int, upTo visits: Int) throws {
      _ = try collection.applying(
        Array(repeating: .deleteNode(at: path(0, 0)), count: count), visitLimit: visits)
    }
    try deletions(1, upTo: 100 + 50 * depths)
    #expect(throws: LayoutError.self) { try deletions(1, upTo: 100 + 50 * depths - 1) }
    guard depths == 1 else { return }
    try deletions(2, upTo: 199 + 100)
    #expect(throws: LayoutError.self) { try deletions(2, upTo: 199 + 99) }
  }

  @Test("more stored items than the caller's limit are refused")
  func itemLimit() throws {
    let collection = try PreparedCollection("list", [:], [CollectionSection(1_000_000)])
    let three = CollectionUpdate.insertSections(
      [CollectionSection(Items(heights: [1, 2, 3]))], at: 0)
    try same(collection.applying([three], itemLimit: 3).next.storedItemCount, 3)
    #expect(throws: LayoutError.tooManyItems(limit: 2)) {
      try collection.applying([three], itemLimit: 2)
    }
    // One height makes a section of a million one that is stored.
    let one = CollectionUpdate.replaceItems(Items(heights: [1]), at: path(0, 5))
    #expect(throws: LayoutError.tooManyItems(limit: 999_999)) {
      try collection.applying([one], itemLimit: 999_999)
    }
  }

  @Test("an unknown option of a section's change is named by its path")
  func invalidOption() throws {
    let collection = try PreparedCollection("grid", [:], [CollectionSection(1)])
    var patch = SectionPatch()
    patch.options = .set(OptionPatch(["sectionInset": ["middle": 1]]))
    do {
      _ = try collection.applying([
        .deleteItems(at: path(0, 0), count: 1), .setSection(patch, at: 0),
      ])
      Issue.record("there is no such option")
    } catch {
      guard case .invalidUpdateOption(1, let path, let detail) = error else { throw error }
      same(path, ["setSection", "options", "sectionInset", "middle"])
      same(detail, "is unknown; known: top, left, bottom, right")
    }
  }

  private func expectFault(
    _ index: Int, _ member: String, of collection: PreparedCollection,
    visitLimit: Int = PreparedCollection.defaultVisitLimit, _ updates: () -> [CollectionUpdate]
  ) {
    do {
      _ = try collection.applying(updates(), visitLimit: visitLimit)
      Issue.record("\(member) is possible")
    } catch {
      guard case .invalidUpdate(index, member: member, requirement: let text) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(!text.isEmpty)
    }
  }

  @Test("more items than can be counted are refused")
  func tooManyItems() throws {
    let collection = try PreparedCollection(
      "grid", ["columns": 1_000_000, "columnSpacing": 0],
      [CollectionSection(JSONInteger.maximum)])
    #expect(throws: LayoutError.tooManyItems(limit: JSONInteger.maximum)) {
      try collection.applying([.insertItems(Items(uniform: 1), at: path(0, 5))])
    }
    #expect(throws: LayoutError.tooManyItems(limit: JSONInteger.maximum)) {
      try collection.applying([.insertItems(Items(uniform: .max), at: path(0, 5))])
    }
    #expect(throws: LayoutError.tooManyItems(limit: JSONInteger.maximum)) {
      try collection.applying([.insertSections([CollectionSection(1)], at: 0)])
    }
    #expect(throws: LayoutError.tooManyItems(limit: JSONInteger.maximum)) {
      try collection.applying([
        .insertSections([CollectionSection(1)], at: 0), .moveItem(from: path(0, 0), to: path(1, 0)),
      ])
    }
    // A move within a section adds none.
    let moved = try collection.applying([.moveItem(from: path(0, 0), to: path(0, 5))])
    same(moved.next.prepared.counts.cells, JSONInteger.maximum)
  }
}

// MARK: Memory

extension ChangesByHandTests {
  @Test(
    "ten thousand replaced items leave a section in few pieces",
    arguments: [PlainItem(), PlainItem(height: 1), PlainItem(aspectRatio: 1, width: 1)])
  func pieces(pattern: PlainItem) throws {
    let count = 6000
    var random = SeededGenerator(seed: 1)
    func item() -> PlainItem {
      var item = pattern
      for field in ItemField.stored where pattern[field] != nil {
        item[field] = Double(random.integer(1...100))
      }
      if pattern == PlainItem() { item.id = "\(random.integer(0...1000))" }
      return item
    }
    var plain = (0..<count).map { _ in item() }
    var items = Items(plain)
    var mostBlocks = 0
    var mostBytes = 0
    for step in 0..<(pattern == PlainItem() ? 2000 : 10_000) {
      let index = random.integer(0...count - 1)
      plain[index] = item()
      items.replaceSubrange(index..<index + 1, with: Items([plain[index]]))
      mostBlocks = max(mostBlocks, items.blocks.count)
      if step % 100 == 0 { mostBytes = max(mostBytes, items.memoryBytes) }
    }
    same(plain.indices.map { items.id(at: $0)?.string }, plain.map(\.id))
    for field in ItemField.stored {
      same(plain.indices.map { items.value(of: field, at: $0) }, plain.map { $0[field] })
    }
    #expect(mostBlocks <= 1 + 2 * count / 512)
    #expect(mostBytes < 4 * Items(plain).memoryBytes + 65_536)
  }

  @Test("what was deleted is kept beside at least a third as much that was not")
  func deletedItems() throws {
    let names = (0..<100_000).map { "item \($0) with a name of some length" }
    let items = Items(names.map { PlainItem(id: $0) })
    let collection = try PreparedCollection(
      "grid", [:], [CollectionSection(items), CollectionSection(0)])
    func changed(_ updates: CollectionUpdate...) throws -> [Items] {
      guard case .sections(let sections) = try collection.applying(updates).next.data else {
        return []
      }
      return sections.map(\.items)
    }
    let few = try changed(
      .deleteItems(at: path(0, 50_000), count: 49_000), .deleteItems(at: path(0, 0), count: 49_990),
      .moveItem(from: path(0, 3), to: path(1, 0)))
    let left = Array(names[49_990..<50_000] + names[99_000...])
    same((0..<1009).map { few[0].id(at: $0)?.string }, left.filter { $0 != names[49_993] })
    same(few[1].id(at: 0)?.string, names[49_993])
    #expect(few[0].memoryBytes < items.memoryBytes / 50)
    #expect(few[1].memoryBytes < 1000)
    // To copy more would take longer than to delete.
    let half = try changed(.deleteItems(at: path(0, 25_000), count: 50_000))
    same(half[0].id(at: 49_999)?.string, names[99_999])
    #expect(half[0].blocks.allSatisfy { $0.storage === items.blocks[0].storage })
    for (count, isKept) in [(75_000, true), (75_001, false)] {
      let rest = try changed(.deleteItems(at: path(0, 0), count: count))[0]
      same((rest.blocks[0].storage === items.blocks[0].storage), isKept)
    }
  }
}
