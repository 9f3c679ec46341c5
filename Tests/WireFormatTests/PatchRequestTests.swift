import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

@Suite("PATCH bodies")
struct PatchRequestTests {
  private func collection(
    _ kind: String, options: String = "{}", sections: String = #"{"items":9}"#
  ) throws -> PreparedCollection {
    let data = kind == "tree" ? #""nodes":3"# : "\"sections\":[\(sections)]"
    return try prepare(
      "{\"bounds\":{\"width\":300,\"height\":200},\"options\":\(options),\(data)}", as: kind
    ).prepared()
  }

  private func request(
    _ body: String, _ collection: PreparedCollection
  ) throws -> PatchRequest {
    try withPadding(Array(body.utf8)) { try PatchRequest($0, merging: collection) }
  }

  private func faults(_ body: String, _ collection: PreparedCollection) throws -> [InvalidMember] {
    do {
      _ = try request(body, collection).applied(to: collection)
      return []
    } catch BodyError.invalid(let members) {
      return members
    }
  }

  private func names(_ options: GivenOptions) -> [String] { options.members.map(\.name) }

  @Test("bounds and options are merged, and null takes away")
  func merging() throws {
    let grid = try collection(
      "grid", options: #"{"columns":3,"headerHeight":5,"sectionInset":{"top":1,"left":2}}"#)
    let layout = try request(
      """
      {"bounds":{"width":400,"height":null},"options":{"headerHeight":null,"rowHeight":9,
      "rowSpacing":1,"sectionInset":{"top":null,"right":3}}}
      """, grid
    ).layout
    same(layout.bounds, Bounds(width: 400))
    same(names(layout.options), ["columns", "sectionInset", "rowHeight", "rowSpacing"])
    guard case .object(let inset) = layout.options["sectionInset"] else {
      Issue.record("no object: \(layout.options)")
      return
    }
    same(names(inset), ["left", "right"])
    #expect(try request(#"{"options":null}"#, grid).layout.options.isEmpty)
    try same(request("{}", grid).layout, grid.layout)
    try same(
      request(#"{"bounds":{"height":7}}"#, grid).layout.bounds, Bounds(width: 300, height: 7))
  }

  @Test("a group is replaced as one value")
  func group() throws {
    let before = try collection("group", options: FieldCases.groupOptions)
    let other = """
      {"direction":"vertical","width":{"absolute":30},"height":{"absolute":40},\
      "subitems":[{"width":{"absolute":30},"height":{"absolute":40}}]}
      """
    let layout = try request("{\"options\":{\"group\":\(other)}}", before).layout
    guard case .object(let group) = layout.options["group"] else {
      Issue.record("no object: \(layout.options)")
      return
    }
    same(names(group), ["direction", "width", "height", "subitems"])
    same(group["direction"], .string("vertical"))
    try same(faults(#"{"options":{"group":null}}"#, before).map(\.pointer), ["/options/group"])
  }

  @Test("of another kind those options stay that it knows, and whose values it takes")
  func kinds() throws {
    let before = try collection(
      "grid",
      options: """
        {"scrollDirection":"horizontal","columns":3,"rowHeight":20,"rowSpacing":4,
        "background":"item","headerHeight":9,"sectionInset":{"left":2}}
        """,
      sections: """
        {"id":"a","items":3,"options":{"columns":2,"rowHeight":30,"background":"section"}},{"items":2}
        """)
    let request = try request(#"{"kind":"list","options":{"itemHeight":11}}"#, before)
    same(
      names(request.layout.options),
      ["scrollDirection", "rowSpacing", "headerHeight", "sectionInset", "itemHeight"])
    let (after, change) = try request.applied(to: before)
    #expect(after.kind == "list" && change != nil)
    guard case .sections(let sections) = after.data else {
      Issue.record("no sections")
      return
    }
    same(names(sections[0].options), ["background"])
    same(sections[0].settings?.id, ItemID("a"))
    same(sections[1].settings, nil)
    // Options of the same PATCH are those of the new kind.
    try same(
      faults(#"{"options":{"columns":2},"kind":"list"}"#, before).map(\.pointer),
      ["/options/columns"])
  }

  @Test("items keep fields that a kind has no use for")
  func fields() throws {
    let before = try collection(
      "frames", sections: #"{"items":[{"x":5,"y":6,"width":70,"height":80}]}"#)
    let list = try request(#"{"kind":"list"}"#, before).applied(to: before).collection
    let frames = try request(#"{"kind":"frames"}"#, list).applied(to: list).collection
    let first = IndexPath(section: 0, item: 0)
    same(frames.prepared.attributes(of: 0, at: first), before.prepared.attributes(of: 0, at: first))
    // 300 · 80 / 70 = 342.857…, which is 351,086 steps.
    same(
      list.prepared.attributes(of: 0, at: first)?.frame,
      Rect(x: 0, y: 0, width: 300, height: 351_086.0 / 1024))
  }

  @Test("the kind that a layout has may be said; compositional and tree keep theirs")
  func keptKinds() throws {
    for kind in ["compositional", "tree"] {
      let before = try collection(kind, sections: #"{"kind":"grid","items":2}"#)
      try same(request("{\"kind\":\"\(kind)\"}", before).layout, before.layout)
      let members = try faults(#"{"kind":"grid"}"#, before)
      same(members.map(\.pointer), ["/kind"])
      #expect(members[0].detail.hasPrefix(kind == "tree" ? "must be one of" : "must stay"))
    }
    let grid = try collection("grid")
    for value in [#""compositional""#, #""tree""#, #""Grid""#, "null", "5", "[]"] {
      let members = try faults("{\"kind\":\(value)}", grid)
      same(members.map(\.pointer), ["/kind"])
      #expect(members[0].detail.hasSuffix(", was \(value)"))
    }
  }

  @Test(
    "what cannot be is pointed to in the body that brought it",
    arguments: cases("PatchRequest.faultsOfGrid", String.self, String.self))
  func faultsOfGrid(body: String, pointer: String) throws {
    let grid = try collection("grid", options: #"{"columns":3}"#)
    let members = try faults(body, grid)
    same(members.map(\.pointer), [pointer], "\(members)")
  }
}
