import Testing

@testable import CollectionLayout
@testable import WireFormat

@Suite("Prepare bodies: sections")
struct PrepareItemsTests {
  @Test("the contract's example is read")
  func contractExample() throws {
    let request = try prepare(
      """
      {"bounds": {"width": 320, "height": 480},
       "options": {"columns": 3},
       "sections": [{"items": 1000}, {"items": [{"id": "a"}]}, {"items": {"id": ["b", "c"]}}]}
      """, as: GridLayout.self)
    #expect(request.bounds == Bounds(width: 320, height: 480))
    #expect((request.layout as? GridLayout)?.columns == 3)
    #expect(request.sections.map(\.count) == [1000, 1, 2])
    #expect(request.sections[1].ids == ["a"])
    #expect(request.sections[2].ids == ["b", "c"])
    let prepared = try request.prepared()
    #expect(prepared.kind == "grid")
    #expect(prepared.prepared.contentSize == Size(width: 320, height: 16795))
    #expect(prepared.prepared.counts.cells == 1003)
  }

  @Test("a waterfall's items mean the same as count, rows or columns")
  func waterfallForms() throws {
    let request = try prepare(
      #"""
      {"bounds": {"width": 300},
       "sections": [{"items": 2},
         {"items": [{"id": "a", "height": 120}, {"aspectRatio": 1.5}, {"height": null}, {}]},
         {"items": {"height": [120, null, null, null], "aspectRatio": [null, 1.5, null, null],
                    "id": ["a", null, null, null]}}]}
      """#, as: WaterfallLayout.self)
    let (count, rows, columns) = (
      request.sections[0], request.sections[1], request.sections[2]
    )
    #expect(count.values(of: 0) == [nil, nil])
    for items in [rows, columns] {
      #expect(items.values(of: WaterfallLayout.heightField) == [120, nil, nil, nil])
      #expect(items.values(of: WaterfallLayout.aspectRatioField) == [nil, 1.5, nil, nil])
      #expect(items.ids == ["a", nil, nil, nil])
    }
  }

  @Test("a gallery's items mean the same as count, rows or columns")
  func galleryForms() throws {
    let request = try prepare(
      #"""
      {"bounds": {"width": 2000}, "sections": [{"items": 3}, {"items": [{"width": 200}, {"id": "b"}]},
        {"items": {"width": [200, null], "id": [null, "b"]}}]}
      """#, as: GalleryLayout.self)
    #expect(request.sections.map(\.count) == [3, 2, 2])
    for items in request.sections[1...] {
      #expect(items.values(of: GalleryLayout.widthField) == [200, nil])
      #expect(items.ids == [nil, "b"])
    }
  }

  @Test("a grid's items mean the same as count, rows or columns")
  func gridForms() throws {
    let request = try prepare(
      #"""
      {"bounds": {"width": 100}, "sections": [{"items": 3}, {"items": [{}, {"id": "b"}, {}]},
        {"items": {"id": [null, "b", null]}}, {"items": {"id": [null, null]}}, {"items": [{}, {}]}]}
      """#, as: GridLayout.self)
    #expect(request.sections.map(\.count) == [3, 3, 3, 2, 2])
    #expect(request.sections[1].ids == [nil, "b", nil])
    #expect(request.sections[2].ids == [nil, "b", nil])
    #expect(request.sections[3].ids == [nil, nil])
  }

  @Test(
    "members may come in any order",
    arguments: [
      #"{"sections":[{"items":1}],"options":{"columns":4},"bounds":{"height":5,"width":90}}"#,
      #"{"options":{"columns":4},"bounds":{"width":9e1,"height":5.0},"sections":[{"items":1}]}"#,
      #"{"bo\u0075nds":{"wid\u0074h":90,"height":5},"sections":[{"it\u0065ms":1}],"options":{"columns":4e0}}"#,
    ])
  func anyOrder(body: String) throws {
    let request = try prepare(body, as: GridLayout.self)
    #expect(request.bounds == Bounds(width: 90, height: 5))
    #expect((request.layout as? GridLayout)?.columns == 4)
    #expect(request.sections.map(\.count) == [1])
  }

  @Test("sections and items may be none")
  func nothing() throws {
    #expect(
      try prepare(#"{"bounds":{"width":9},"sections":[]}"#, as: GridLayout.self).sections.isEmpty)
    let request = try prepare(
      #"{"bounds":{"width":90},"sections":[{"items":0},{"items":[]},{"items":{"height":[]}}]}"#,
      as: WaterfallLayout.self)
    #expect(request.sections.map(\.count) == [0, 0, 0])
    #expect(try request.prepared().prepared.counts.cells == 0)
  }

  @Test("a height of the bounds may be left out, null or 0")
  func optionalHeight() throws {
    for (body, height) in [("", nil), (",\"height\":null", nil), (",\"height\":0", 0)]
      as [(String, Double?)]
    {
      let request = try prepare(
        "{\"bounds\":{\"width\":9\(body)},\"sections\":[]}", as: GridLayout.self)
      #expect(request.bounds == Bounds(width: 9, height: height))
    }
  }

  @Test("−0 is 0")
  func negativeZero() throws {
    let request = try prepare(
      #"{"bounds":{"width":90,"height":-0},"options":{"cellPadding":-0.0},"sections":[{"items":-0}]}"#,
      as: WaterfallLayout.self)
    #expect(request.bounds?.height?.sign == .plus)
    #expect((request.layout as? WaterfallLayout)?.cellPadding.sign == .plus)
    #expect(request.sections[0].count == 0)
  }

  @Test("a count of a billion costs nothing")
  func hugeCount() throws {
    let request = try prepare(
      #"{"bounds":{"width":320},"sections":[{"items":1e9}]}"#, as: GridLayout.self, maxItems: 0)
    #expect(request.sections[0].count == 1_000_000_000)
  }

  @Test(
    "rows beyond a block, as a list of every length, keep their values",
    arguments: [8191, 8192, 8193, 20_000])
  func manyRows(count: Int) throws {
    let rows = (0..<count).map { $0 % 3 == 0 ? "{\"id\":\"\($0)\"}" : "{\"height\":\($0)}" }
    let heights = (0..<count).map { $0 % 3 == 0 ? "null" : "\($0)" }
    let request = try prepare(
      """
      {"bounds":{"width":300},"sections":[{"items":[\(rows.joined(separator: ","))]},
        {"items":{"height":[\(heights.joined(separator: ","))]}}]}
      """, as: WaterfallLayout.self)
    let expected = (0..<count).map { $0 % 3 == 0 ? nil : Double($0) }
    for items in request.sections { #expect(items.values(of: 0) == expected) }
    #expect(request.sections[0].ids == (0..<count).map { $0 % 3 == 0 ? "\($0)" : nil })
  }
}

@Suite("Prepare bodies: options")
struct PrepareOptionsTests {
  @Test("every option of a grid is read")
  func grid() throws {
    let request = try prepare(
      #"""
      {"bounds":{"width":320},"sections":[],"options":{"columns":3,"rowHeight":40,"columnSpacing":0,
       "rowSpacing":1.5,"headerHeight":10,"footerHeight":20,"background":"section"}}
      """#, as: GridLayout.self)
    var expected = GridLayout()
    expected.columns = 3
    expected.rowHeight = 40
    expected.columnSpacing = 0
    expected.rowSpacing = 1.5
    expected.headerHeight = 10
    expected.footerHeight = 20
    expected.background = .section
    #expect(request.layout as? GridLayout == expected)
  }

  @Test("options within options are read; what is not given keeps its default")
  func nested() throws {
    let waterfall = try prepare(
      #"{"bounds":{"width":9},"sections":[],"options":{"contentInset":{"left":3,"top":4},"placement":"shortestColumn"}}"#,
      as: WaterfallLayout.self)
    var expected = WaterfallLayout()
    expected.contentInset = EdgeInsets(top: 4, left: 3, bottom: 0, right: 0)
    expected.placement = .shortestColumn
    #expect(waterfall.layout as? WaterfallLayout == expected)
    let tree = try prepare(
      #"{"nodes":0,"options":{"insets":{"bottom":1,"right":2},"itemSize":{"height":3},"spacing":"compact","connectors":false}}"#,
      as: TreeLayout.self)
    var expectedTree = TreeLayout()
    expectedTree.insets = EdgeInsets(top: 20, left: 20, bottom: 1, right: 2)
    expectedTree.itemSize = Size(width: 180, height: 3)
    expectedTree.spacing = .compact
    expectedTree.connectors = false
    #expect(tree.layout as? TreeLayout == expectedTree)
  }

  @Test(
    "null stands for the default",
    arguments: [
      "{}", #"{"insets":null}"#, #"{"insets":{}}"#, #"{"insets":{"top":null}}"#,
      #"{"itemSize":null}"#,
      #"{"spacing":null,"connectors":null}"#,
    ])
  func null(options: String) throws {
    let request = try prepare("{\"nodes\":1,\"options\":\(options)}", as: TreeLayout.self)
    #expect(request.layout as? TreeLayout == TreeLayout())
  }

  @Test("a gallery's header is a quarter of an item until it is given")
  func galleryHeader() throws {
    for (text, height) in [("null", nil), ("0", 0), ("12.5", 12.5)] as [(String, Double?)] {
      let request = try prepare(
        "{\"bounds\":{\"width\":9},\"sections\":[],\"options\":{\"headerHeight\":\(text)}}",
        as: GalleryLayout.self)
      #expect((request.layout as? GalleryLayout)?.headerHeight == height)
    }
  }

  @Test("a seed may be as large as 2^53 − 1")
  func largestSeed() throws {
    let request = try prepare(
      #"{"bounds":{"width":9},"sections":[],"options":{"seed":9007199254740991}}"#,
      as: GalleryLayout.self)
    #expect((request.layout as? GalleryLayout)?.seed == 9_007_199_254_740_991)
  }

  @Test(
    "an option that cannot be is pointed to",
    arguments: [
      ("grid", #"{"columns":0}"#, "/options/columns", "0"),
      ("grid", #"{"columns":2.5}"#, "/options/columns", "2.5"),
      ("grid", #"{"columns":"2"}"#, "/options/columns", "\"2\""),
      ("grid", #"{"columns":1e999}"#, "/options/columns", "1e999"),
      ("grid", #"{"columns":9007199254740992}"#, "/options/columns", "9007199254740992"),
      ("grid", #"{"columns":[3]}"#, "/options/columns", "[3]"),
      ("grid", #"{"columns":{"a":1}}"#, "/options/columns", "{\"a\":1}"),
      ("grid", #"{"rowHeight":0}"#, "/options/rowHeight", "0"),
      ("grid", #"{"rowHeight":true}"#, "/options/rowHeight", "true"),
      ("grid", #"{"columnSpacing":-0.5}"#, "/options/columnSpacing", "-0.5"),
      ("grid", #"{"headerHeight":1e999}"#, "/options/headerHeight", "1e999"),
      ("grid", #"{"background":"all"}"#, "/options/background", "\"all\""),
      ("grid", #"{"background":1}"#, "/options/background", "1"),
      ("waterfall", #"{"contentInset":{"top":-1}}"#, "/options/contentInset/top", "-1"),
      ("waterfall", #"{"contentInset":5}"#, "/options/contentInset", "5"),
      ("waterfall", #"{"contentInset":{"top":{}}}"#, "/options/contentInset/top", "{}"),
      ("waterfall", #"{"placement":"RoundRobin"}"#, "/options/placement", "\"RoundRobin\""),
      ("gallery", #"{"headerHeight":-1}"#, "/options/headerHeight", "-1"),
      ("gallery", #"{"headerHeight":"a"}"#, "/options/headerHeight", "\"a\""),
      ("gallery", #"{"seed":-1}"#, "/options/seed", "-1"),
      ("gallery", #"{"seed":9007199254740992}"#, "/options/seed", "9007199254740992"),
      ("gallery", #"{"minimumItemWidth":0}"#, "/options/minimumItemWidth", "0"),
      ("tree", #"{"itemSize":{"width":0}}"#, "/options/itemSize/width", "0"),
      ("tree", #"{"itemSize":[1,2]}"#, "/options/itemSize", "[1,2]"),
      ("tree", #"{"connectors":"true"}"#, "/options/connectors", "\"true\""),
      ("tree", #"{"connectors":1}"#, "/options/connectors", "1"),
    ])
  func invalidOptions(kind: String, options: String, pointer: String, value: String) throws {
    let members = try optionFaults(kind, options)
    #expect(members.map(\.pointer) == [pointer])
    let detail = try #require(members.first?.detail)
    #expect(detail.hasPrefix("must be "))
    #expect(detail.hasSuffix(", was \(value)"), "\(detail)")
  }

  @Test(
    "an unknown option is pointed to",
    arguments: [
      ("grid", #"{"rows":1}"#, "/options/rows"), ("grid", #"{"Columns":1}"#, "/options/Columns"),
      ("grid", #"{"":1}"#, "/options/"), ("grid", #"{"a/b~c":1}"#, "/options/a~1b~0c"),
      ("grid", #"{"rows":null}"#, "/options/rows"),
      ("grid", #"{"rows":{"a":[1]}}"#, "/options/rows"),
      ("waterfall", #"{"contentInset":{"middle":1}}"#, "/options/contentInset/middle"),
      ("waterfall", #"{"contentInset":{"":1}}"#, "/options/contentInset/"),
      ("waterfall", #"{"contentInset":{"a~":null}}"#, "/options/contentInset/a~0"),
      ("waterfall", #"{"contentInset.top":1}"#, "/options/contentInset.top"),
      ("waterfall", #"{"top":1}"#, "/options/top"),
      ("tree", #"{"insets":{"left.":1}}"#, "/options/insets/left."),
      ("gallery", #"{"columns":2}"#, "/options/columns"), ("grid", #"{"é":1}"#, "/options/é"),
    ])
  func unknownOptions(kind: String, options: String, pointer: String) throws {
    let members = try optionFaults(kind, options)
    #expect(members.map(\.pointer) == [pointer])
    #expect(members.first?.detail.contains("is unknown; known: ") == true)
  }

  @Test("an option that is given twice is pointed to")
  func duplicates() throws {
    #expect(
      try optionFaults("grid", #"{"columns":1,"columns":1}"#).map(\.pointer) == ["/options/columns"]
    )
    #expect(
      try optionFaults("tree", #"{"insets":{"top":1,"left":2,"top":3}}"#).map(\.pointer)
        == ["/options/insets/top"])
    #expect(
      try optionFaults("tree", #"{"insets":{"top":1},"insets":{}}"#).map(\.pointer)
        == ["/options/insets"])
  }

  @Test("options that cannot be together are pointed to when the layout is prepared")
  func contradictions() throws {
    for (kind, options, pointer) in [
      ("grid", #"{"rowHeight":10,"rowSpacing":10}"#, "/options/rowSpacing"),
      ("grid", #"{"columns":100,"columnSpacing":50}"#, "/options/columns"),
      ("waterfall", #"{"contentInset":{"left":200,"right":200}}"#, "/options/contentInset"),
      ("gallery", #"{"minimumItemWidth":10,"maximumItemWidth":9}"#, "/options/maximumItemWidth"),
    ] {
      let layout = try #require(LayoutKinds.named(kind))
      let request = try prepare(
        "{\"bounds\":{\"width\":300},\"sections\":[{\"items\":3}],\"options\":\(options)}",
        as: layout)
      #expect(try request.faultsOfLayout().map(\.pointer) == [pointer])
    }
  }

  private func optionFaults(_ kind: String, _ options: String) throws -> [InvalidMember] {
    let layout = try #require(LayoutKinds.named(kind))
    let data = kind == "tree" ? "\"nodes\":1" : "\"bounds\":{\"width\":9},\"sections\":[]"
    return try faults(in: "{\(data),\"options\":\(options)}", as: layout)
  }
}
