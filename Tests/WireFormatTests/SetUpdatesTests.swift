import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

@Suite("Updates bodies: set, setSection and setNode")
struct SetUpdatesTests {
  private func list(_ sections: String) throws -> PreparedCollection {
    try prepare("{\"bounds\":{\"width\":300},\"sections\":[\(sections)]}", as: "list").prepared()
  }

  private func request(
    _ update: String, kind name: String, maxItems: Int = 1000
  ) throws -> UpdatesRequest {
    let kind = try kind(name)
    return try withPadding(Array("{\"updates\":[\(update)]}".utf8)) {
      try UpdatesRequest($0, kind: kind, maxItems: maxItems)
    }
  }

  private func faults(_ update: String, kind: String) throws -> [InvalidMember] {
    do {
      _ = try request(update, kind: kind)
      return []
    } catch BodyError.invalid(let members) {
      return members
    }
  }

  private func sections(of collection: PreparedCollection) throws -> [CollectionSection] {
    guard case .sections(let sections) = collection.data else { return [] }
    return sections
  }

  // MARK: set

  @Test(
    "of items only what is given changes, in rows and in columns; null takes it away",
    arguments: cases("SetUpdates.set", String.self))
  func set(items: String) throws {
    let before = try list(
      #"{"items":[{"id":"a","height":9},{"id":"b","height":10,"x":1},{"id":"c","height":20},{"height":30},{"id":"e","height":40}]}"#
    )
    let change = try request(
      "{\"set\":{\"at\":[0,1],\"items\":\(items)}}", kind: "list"
    ).applied(to: before)
    let after = try sections(of: change.next)[0].items
    same(after.ids, ["a", "b", "c", "z", nil])
    same(after.values(of: .height), [9, 7, 20, nil, 40])
    same(after.values(of: .aspectRatio), [nil, nil, nil, 2, nil])
    same(after.values(of: .x), [nil, 1, nil, nil, nil])
    same(
      change.next.prepared.attributes(of: 0, at: IndexPath(section: 0, item: 4))?.frame,
      Rect(x: 0, y: 9 + 7 + 20 + 150, width: 300, height: 40))
  }

  @Test("a count sets nothing, and no items are set nowhere")
  func setNothing() throws {
    let before = try list(#"{"items":[{"height":9},{"height":10}]}"#)
    for update in cases("SetUpdates.setNothing", String.self) {
      let change = try request(update, kind: "list").applied(to: before)
      same(change.invalidatedRect, nil)
      try same(sections(of: change.next)[0].items.values(of: .height), [9, 10])
    }
  }

  @Test(
    "a set item that cannot be is pointed to",
    arguments: cases("SetUpdates.setFaults", String.self, String.self, String.self))
  func setFaults(items: String, pointer: String, detail: String) throws {
    let members = try faults("{\"set\":{\"at\":[0,0],\"items\":\(items)}}", kind: "list")
    same(members.map(\.pointer), ["/updates/0/set/items\(pointer)"], "\(members)")
    same(members.first?.detail.hasPrefix(detail), true, "\(members)")
  }

  @Test("as many items may be set as updates may bring, and no more")
  func setLimit() throws {
    for items in ["3", "[{},{},{}]", #"{"x":[1,2,3]}"#] {
      let update = "{\"set\":{\"at\":[0,0],\"items\":\(items)}}"
      _ = try request(update, kind: "list", maxItems: 3)
      #expect(throws: BodyError.tooManyItems(limit: 2)) {
        try request(update, kind: "list", maxItems: 2)
      }
    }
  }

  @Test("fields that exclude each other after the last update are refused, not before it")
  func setConflicts() throws {
    let before = try list(#"{"items":3},{"items":[{},{"width":5,"aspectRatio":2}]}"#)
    let set = #"{"set":{"at":[1,1],"items":[{"height":5}]}}"#
    #expect(
      throws: BodyError.invalid([
        InvalidMember(
          pointer: "/updates",
          detail: "must suit the layout: the aspectRatio of item [1, 1] must be left out if "
            + "width and height are given")
      ])
    ) { try request(set, kind: "list").applied(to: before) }
    let both = #"\#(set),{"set":{"at":[1,1],"items":{"aspectRatio":[null]}}}"#
    let change = try request(both, kind: "list").applied(to: before)
    try same(sections(of: change.next)[1].items.values(of: .height), [nil, 5])
  }

  // MARK: setSection

  @Test("what a section says is merged like a PATCH")
  func setSection() throws {
    let before = try list(
      #"{"id":"a","options":{"itemHeight":9,"sectionInset":{"top":1,"left":2}},"items":2}"#)
    func after(_ members: String) throws -> CollectionSection {
      let update = "{\"setSection\":{\"at\":0,\(members)}}"
      return try sections(of: request(update, kind: "list").applied(to: before).next)[0]
    }
    let merged = try after(
      #""options":{"itemHeight":null,"rowSpacing":3,"sectionInset":{"top":null,"right":4}}"#)
    same(merged.settings?.id, ItemID("a"))
    same(merged.options.members.map(\.name), ["sectionInset", "rowSpacing"])
    guard case .object(let inset) = merged.options["sectionInset"] else {
      Issue.record("no object: \(merged.options)")
      return
    }
    same(inset.members.map(\.name), ["left", "right"])
    try same(after(#""id":"é""#).settings?.id, ItemID("é"))
    let nameless = try after(#""id":null"#)
    #expect(nameless.settings?.id == nil && nameless.options["itemHeight"] == .number(9))
    try same(after(#""options":null"#).settings, SectionSettings(id: ItemID("a")))
    try same(after(#""id":null,"options":null"#).settings, nil)
  }

  @Test("of another kind a section's own options stay that it knows; then others are merged in")
  func setKind() throws {
    let before = try prepare(
      """
      {"bounds":{"width":300},"sections":[{"kind":"grid","orthogonal":{"height":90},"items":2,
      "options":{"columns":3,"rowHeight":20,"rowSpacing":5,"headerHeight":7,"background":"row"}}]}
      """, as: "compositional"
    ).prepared()
    let change = try request(
      #"{"setSection":{"at":0,"kind":"waterfall","orthogonal":null,"options":{"itemHeight":8}}}"#,
      kind: "compositional"
    ).applied(to: before)
    let settings = try #require(try sections(of: change.next)[0].settings)
    #expect(settings.kind == "waterfall" && settings.orthogonalHeight == nil)
    same(
      settings.options.members.map(\.name),
      [
        "columns", "rowSpacing", "headerHeight", "itemHeight",
      ])
    same(change.next.section(at: 0)?.kind, "waterfall")
  }

  @Test(
    "a change of a section that cannot be is pointed to",
    arguments: cases(
      "SetUpdates.setSectionFaults", String.self, String.self, String.self, String.self))
  func setSectionFaults(kind: String, members: String, pointer: String, detail: String) throws {
    let members = try faults("{\"setSection\":{\(members)}}", kind: kind)
    same(members.map(\.pointer), ["/updates/0/setSection\(pointer)"], "\(members)")
    same(members.first?.detail.hasPrefix(detail), true, "\(members)")
  }

  @Test("options are checked by the kind that the section has by then")
  func setSectionOptions() throws {
    let before = try prepare(
      #"{"bounds":{"width":300},"sections":[{"kind":"grid","items":2}]}"#, as: "compositional"
    ).prepared()
    func apply(_ updates: String) throws -> CollectionChange {
      try request(updates, kind: "compositional").applied(to: before)
    }
    _ = try apply(#"{"setSection":{"at":0,"kind":"list","options":{"itemHeight":5}}}"#)
    _ = try apply(
      #"{"setSection":{"at":0,"kind":"list"}},{"setSection":{"at":0,"options":{"itemHeight":5}}}"#)
    do {
      _ = try apply(
        #"{"setSection":{"at":0}},{"setSection":{"at":0,"options":{"itemHeight":5}}}"#)
      Issue.record("a grid took itemHeight")
    } catch BodyError.invalid(let members) {
      same(members.map(\.pointer), ["/updates/1/setSection/options/itemHeight"])
      #expect(members[0].detail.hasPrefix("is unknown; known: "))
    }
  }

  // MARK: setNode

  @Test("a node's size is set, left or taken away")
  func setNode() throws {
    let updates = try request(
      """
      {"setNode":{"at":[1,2],"width":5}},{"setNode":{"height":null,"at":[0,0]}},
      {"setNode":{"at":[0,0]}}
      """, kind: "tree"
    ).updates
    var changes: [String] = []
    for update in updates {
      guard case .setNode(let patch, .path(let at)) = update else {
        Issue.record("\(update)")
        continue
      }
      let items = Items(
        ItemStorage(count: 1, columns: [.width: [1], .height: [1]], ids: nil))
      let node = patch.applied(to: items)
      changes.append(
        "\(at.section),\(at.item): \(node.value(of: .width, at: 0) ?? 0) "
          + "\(node.value(of: .height, at: 0) ?? 0)")
    }
    same(changes, ["1,2: 5.0 1.0", "0,0: 1.0 0.0", "0,0: 1.0 1.0"])
  }

  @Test(
    "a node's change that cannot be is pointed to",
    arguments: cases("SetUpdates.setNodeFaults", String.self, String.self))
  func setNodeFaults(members: String, pointer: String) throws {
    try same(
      faults("{\"setNode\":{\(members)}}", kind: "tree").map(\.pointer),
      ["/updates/0/setNode\(pointer)"])
  }

  @Test("trees and sections have updates of their own")
  func forms() throws {
    for (update, kind) in cases("SetUpdates.forms", String.self, String.self) {
      let members = try faults(update, kind: kind)
      #expect(members.count == 1 && members[0].detail.hasPrefix("is unknown; known: "))
    }
  }
}
