import TestSupport
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
      """, as: "grid")
    same(request.layout.bounds, Bounds(width: 320, height: 480))
    same(request.layout.options["columns"], .number(3))
    same(request.items.map(\.count), [1000, 1, 2])
    same(request.items[1].ids, ["a"])
    same(request.items[2].ids, ["b", "c"])
    let prepared = try request.prepared()
    same(prepared.kind, "grid")
    same(prepared.prepared.contentSize, Size(width: 320, height: 16785))
    same(prepared.prepared.counts.cells, 1003)
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
      """#, as: "waterfall")
    let (count, rows, columns) = (
      request.items[0], request.items[1], request.items[2]
    )
    same(count.values(of: .height), [nil, nil])
    for items in [rows, columns] {
      same(items.values(of: .height), [120, nil, nil, nil])
      same(items.values(of: .aspectRatio), [nil, 1.5, nil, nil])
      same(items.ids, ["a", nil, nil, nil])
    }
  }

  @Test("spans mean the same as rows and columns, and come back in an export")
  func spanForms() throws {
    let request = try prepare(
      #"""
      {"bounds": {"width": 300}, "sections": [
        {"items": [{"columnSpan": 2, "rowSpan": 3}, {"columnSpan": "all", "column": 0}, {}]},
        {"items": {"columnSpan": [2, "\u0061ll", null], "rowSpan": [3, null, null],
                   "column": [null, 0, null]}}]}
      """#, as: "grid")
    for items in request.items {
      same(items.values(of: .columnSpan), [2, .infinity, nil])
      same(items.values(of: .rowSpan), [3, nil, nil])
      same(items.values(of: .column), [nil, 0, nil])
    }
    var encoder = CollectionEncoder()
    encoder.encode(try request.prepared())
    let text = String(decoding: encoder.writer.bytes, as: UTF8.self)
    let columns = #"{"columnSpan":[2,"all",null],"rowSpan":[3,null,null],"column":[null,0,null]}"#
    same(
      text, #"{"bounds":{"width":300},"sections":[{"items":\#(columns)},{"items":\#(columns)}]}"#)
  }

  @Test("a field that only a late row has, and one that only early rows have")
  func lateFields() throws {
    let rows = (0..<9_000).map { row in
      row < 3 ? "{\"rowSpan\":\(row + 1)}" : row == 8_500 ? "{\"columnSpan\":\"all\"}" : "{}"
    }
    let items = try prepare(
      "{\"bounds\":{\"width\":9},\"sections\":[{\"items\":[\(rows.joined(separator: ","))]}]}",
      as: "grid"
    ).items[0]
    let (columns, rowSpans) = (items.values(of: .columnSpan), items.values(of: .rowSpan))
    same(columns.indices.filter { columns[$0] != nil }, [8_500])
    same(rowSpans.indices.filter { rowSpans[$0] != nil }, [0, 1, 2])
  }

  @Test("a gallery's items mean the same as count, rows or columns")
  func galleryForms() throws {
    let request = try prepare(
      #"""
      {"bounds": {"width": 2000}, "sections": [{"items": 3}, {"items": [{"width": 200}, {"id": "b"}]},
        {"items": {"width": [200, null], "id": [null, "b"]}}]}
      """#, as: "gallery")
    same(request.items.map(\.count), [3, 2, 2])
    for items in request.items[1...] {
      same(items.values(of: .width), [200, nil])
      same(items.ids, [nil, "b"])
    }
  }

  @Test("a grid's items mean the same as count, rows or columns")
  func gridForms() throws {
    let request = try prepare(
      #"""
      {"bounds": {"width": 100}, "sections": [{"items": 3}, {"items": [{}, {"id": "b"}, {}]},
        {"items": {"id": [null, "b", null]}}, {"items": {"id": [null, null]}}, {"items": [{}, {}]}]}
      """#, as: "grid")
    same(request.items.map(\.count), [3, 3, 3, 2, 2])
    same(request.items[1].ids, [nil, "b", nil])
    same(request.items[2].ids, [nil, "b", nil])
    same(request.items[3].ids, [nil, nil])
  }

  @Test("members may come in any order", arguments: cases("PrepareItems.anyOrder", String.self))
  func anyOrder(body: String) throws {
    let request = try prepare(body, as: "grid")
    same(request.layout.bounds, Bounds(width: 90, height: 5))
    same(request.layout.options["columns"], .number(4))
    same(request.items.map(\.count), [1])
  }

  @Test("sections and items may be none")
  func nothing() throws {
    #expect(
      try prepare(#"{"bounds":{"width":9},"sections":[]}"#, as: "grid").sections.isEmpty)
    let request = try prepare(
      #"{"bounds":{"width":90},"sections":[{"items":0},{"items":[]},{"items":{"height":[]}}]}"#,
      as: "waterfall")
    same(request.items.map(\.count), [0, 0, 0])
    try same(request.prepared().prepared.counts.cells, 0)
  }

  @Test("a height of the bounds may be left out, null or 0")
  func optionalHeight() throws {
    for (body, height) in [("", nil), (",\"height\":null", nil), (",\"height\":0", 0)]
      as [(String, Double?)]
    {
      let request = try prepare(
        "{\"bounds\":{\"width\":9\(body)},\"sections\":[]}", as: "grid")
      same(request.layout.bounds, Bounds(width: 9, height: height))
    }
  }

  @Test("−0 is 0")
  func negativeZero() throws {
    let request = try prepare(
      #"{"bounds":{"width":90,"height":-0},"options":{"cellPadding":-0.0},"sections":[{"items":-0}]}"#,
      as: "waterfall")
    same(request.layout.bounds?.height?.sign, .plus)
    let first = try request.prepared().prepared.attributes(
      of: 0, at: IndexPath(section: 0, item: 0))
    same(first, nil)
    same(request.items[0].count, 0)
  }

  @Test("a count of a billion costs nothing")
  func hugeCount() throws {
    let request = try prepare(
      #"{"bounds":{"width":320},"sections":[{"items":1e9}]}"#, as: "grid", maxItems: 0)
    same(request.items[0].count, 1_000_000_000)
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
      """, as: "waterfall")
    let expected = (0..<count).map { $0 % 3 == 0 ? nil : Double($0) }
    for items in request.items { same(items.values(of: .height), expected) }
    same(request.items[0].ids, (0..<count).map { $0 % 3 == 0 ? "\($0)" : nil })
  }
}
