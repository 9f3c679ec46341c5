import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

@Suite("Prepare bodies: what a section says of itself")
struct PrepareSectionsTests {
  private func body(_ sections: String, options: String = "{}") -> String {
    "{\"bounds\":{\"width\":300,\"height\":200},\"options\":\(options),\"sections\":[\(sections)]}"
  }

  @Test("id and options are kept; a section that says nothing has no settings")
  func settings() throws {
    let sections = try prepare(
      body(
        #"{"items":1},{"id":"é","items":2},{"options":{"columns":5},"items":3},{"options":{},"items":4}"#
      ), as: "grid"
    ).sections
    same(sections.map(\.items.count), [1, 2, 3, 4])
    same(sections[0].settings, nil)
    same(sections[1].settings, SectionSettings(id: ItemID("é")))
    same(sections[2].settings?.options["columns"], .number(5))
    same(sections[3].settings, nil)
  }

  @Test("a compositional section has a kind, and may scroll sideways")
  func compositional() throws {
    let request = try prepare(
      body(
        """
        {"kind":"list","orthogonal":{"height":80},"options":{"itemHeight":50},"items":6},
        {"items":{"x":[1,2]},"id":"f","kind":"frames"}
        """), as: "compositional")
    same(request.sections.map { $0.settings?.kind }, ["list", "frames"])
    same(request.sections.map { $0.settings?.orthogonalHeight }, [80, nil])
    let collection = try request.prepared()
    let first = try #require(collection.section(at: 0))
    same(first.kind, "list")
    same(first.frame, Rect(x: 0, y: 0, width: 300, height: 80))
    same(first.body, Rect(x: 0, y: 0, width: 300, height: 80))
    let second = try #require(collection.firstSection(withID: ItemID("f")))
    #expect(second.index == 1 && second.kind == "frames" && second.itemCount == 2)
  }

  @Test(
    "null is as if not given", arguments: cases("PrepareSections.null", String.self, String.self))
  func null(kind: String, section: String) throws {
    try same(prepare(body(section), as: kind).sections.map(\.settings), [nil])
  }

  @Test("a null orthogonal is as if not given")
  func nullOrthogonal() throws {
    let sections = try prepare(
      body(#"{"kind":"grid","orthogonal":null,"items":1}"#), as: "compositional"
    ).sections
    same(sections[0].settings, SectionSettings(kind: "grid"))
  }

  @Test(
    "what a section cannot say is pointed to",
    arguments: cases("PrepareSections.invalid", String.self, String.self, String.self, String.self))
  func invalid(kind: String, section: String, pointer: String, detail: String) throws {
    let other = kind == "compositional" ? #"{"kind":"flow","items":0}"# : #"{"items":0}"#
    let members = try faults(in: body("\(other),\(section)"), as: kind)
    same(members.map(\.pointer), ["/sections/1\(pointer)"], "\(members)")
    same(members.first?.detail.hasPrefix(detail), true, "\(members)")
  }

  @Test("what the layout finds wrong with a section's own option is pointed to there")
  func contradictions() throws {
    let request = try prepare(
      body(
        #"{"items":1},{"items":1},{"items":1},{"items":1,"options":{"columns":1000}}"#), as: "grid")
    try same(request.faultsOfLayout().map(\.pointer), ["/sections/3/options/columns"])
    // The layout's option is at fault where the section has none of that name.
    let other = try prepare(
      body(
        #"{"items":1,"options":{"sectionInset":{"left":290}}}"#,
        options: #"{"columnSpacing":40,"columns":7}"#), as: "grid")
    try same(other.faultsOfLayout().map(\.pointer), ["/options/columns"])
    let both = try prepare(
      body(#"{"items":1,"options":{"columns":2,"minimumColumnWidth":5}}"#), as: "grid")
    try same(
      both.faultsOfLayout(),
      [
        InvalidMember(
          pointer: "/sections/0/options/minimumColumnWidth",
          detail: "must be left out if columns is given")
      ])
  }

  @Test("a group's part that is wrong is pointed to")
  func groups() throws {
    func group(_ subitem: String) -> String {
      """
      {"group":{"direction":"horizontal","width":{"fractionalWidth":1},"height":{"absolute":50},\
      "subitems":[{"width":{"absolute":10},"height":{"absolute":10}},\(subitem)]}}
      """
    }
    for (subitem, pointer) in cases("PrepareSections.group", String.self, String.self) {
      let members = try faults(in: body(#"{"items":1}"#, options: group(subitem)), as: "group")
      same(members.map(\.pointer), ["/options/group/subitems/1\(pointer)"], "\(members)")
      let own = try faults(in: body("{\"items\":1,\"options\":\(group(subitem))}"), as: "group")
      same(own.map(\.pointer), ["/sections/0/options/group/subitems/1\(pointer)"], "\(own)")
    }
  }
}

@Suite("Prepare bodies: fields of items and nodes")
struct PrepareFieldsTests {
  @Test("items of every kind have the same fields, in rows and in columns")
  func everyKind() throws {
    for kind in SectionKinds.all {
      let options = kind.kind == "group" ? FieldCases.groupOptions : "{}"
      let items = try prepare(
        """
        {"bounds":{"width":900},"options":\(options),"sections":[{"items":[
        {"id":"a","width":1,"height":0,"x":-5.5,"y":1e300},{"aspectRatio":0.5,"width":7}]},
        {"items":{"id":["a",null],"width":[1,7],"height":[0,null],"x":[-5.5,null],
        "y":[1e300,null],"aspectRatio":[null,0.5]}}]}
        """, as: kind.kind
      ).items
      for items in items {
        same(items.ids, ["a", nil])
        same(items.values(of: .width), [1, 7])
        same(items.values(of: .height), [0, nil])
        same(items.values(of: .aspectRatio), [nil, 0.5])
        same(items.values(of: .x), [-5.5, nil])
        same(items.values(of: .y), [1e300, nil])
      }
    }
  }

  @Test("nodes have sizes in every form")
  func nodeSizes() throws {
    for data in cases("PrepareSections.nodeSizes", String.self) {
      let forest = try #require(try prepare("{\(data)}", as: "tree").forest)
      same(forest.nodes.values(of: .width), [10, nil, nil], "\(data)")
      same(forest.nodes.values(of: .height), [5, nil, 0.5], "\(data)")
    }
    let plain = try prepare(#"{"nodes":{"parent":[null,0],"width":[null,null]}}"#, as: "tree")
    same(plain.forest?.nodes.has(.width), false)
  }

  @Test(
    "a node's size that cannot be is pointed to",
    arguments: cases("PrepareSections.nodeFaults", String.self, String.self))
  func nodeFaults(data: String, pointer: String) throws {
    let members = try faults(in: "{\(data)}", as: "tree")
    same(members.map(\.pointer), [pointer])
    same(members.first?.detail.hasPrefix("must be a finite number > 0, was "), true)
  }
}

enum FieldCases {
  static let groupOptions = """
    {"group":{"direction":"horizontal","width":{"fractionalWidth":1},"height":{"absolute":60},\
    "subitems":[{"width":{"fractionalWidth":0.5},"height":{"fractionalHeight":1},"count":2}]}}
    """
}
