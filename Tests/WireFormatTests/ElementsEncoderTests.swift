import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

/// What the contract says that an element is in JSON.
private func json(_ element: LayoutAttributes, of series: ElementSeries) -> JSON {
  func numbers(_ values: [Double]) -> JSON {
    .array(values.map { .number(TestSupport.JSON.readable($0)) })
  }
  func path(_ section: Int, _ item: Int) -> JSON { numbers([Double(section), Double(item)]) }
  let frame = element.frame
  var members: [String: JSON] = [
    "category": .string(Array(series.category.rawValue.utf8)),
    "indexPath": path(element.indexPath.section, element.indexPath.item),
    "frame": numbers([frame.origin.x, frame.origin.y, frame.size.width, frame.size.height]),
    "zIndex": .number(
      ["decoration": -1, "cell": 0, "supplementary": 1][series.category.rawValue]!),
  ]
  if let kind = series.kind { members["kind"] = .string(Array(kind.utf8)) }
  if let id = element.id { members["id"] = .string(Array(id.string.utf8)) }
  if let children = element.children {
    let paths = children.items.map { path(children.section, $0) }
    members["firstChild"] = paths[0]
    members["childCount"] = .number(Double(paths.count))
    members["children"] = paths.count <= 100 ? .array(paths) : nil
  }
  if let range = element.pinRange { members["pinRange"] = numbers([range.from, range.to]) }
  return .object(Dictionary(uniqueKeysWithValues: members.map { (Array($0.utf8), $1) }))
}

private func encode(_ elements: [(ElementSeries, LayoutAttributes)]) -> [UInt8] {
  var writer = JSONWriter()
  writer.write("[")
  var encoder = ElementsEncoder(writer)
  var current: ElementSeries?
  for (series, element) in elements {
    if series != current { encoder.begin(series) }
    current = series
    encoder.encode(element)
  }
  writer = encoder.writer
  writer.write("]")
  return writer.bytes
}

@Suite("Elements in JSON")
struct ElementsEncoderTests {
  @Test("the contract's example is written as it stands there")
  func contractExample() {
    let path = IndexPath(section: 0, item: 0)
    let bytes = encode([
      (
        .decorations("background"),
        LayoutAttributes(indexPath: path, frame: Rect(x: 0, y: 0, width: 320, height: 45))
      ),
      (
        .cells,
        LayoutAttributes(
          indexPath: path, frame: Rect(x: 0, y: 0, width: 103.33333333333333, height: 45),
          id: ItemID("a"))
      ),
      (
        .supplementary("header"),
        LayoutAttributes(
          indexPath: path, frame: Rect(x: 0, y: 0, width: 320, height: 44),
          pinRange: PinRange(from: 0, to: 956))
      ),
    ])
    let expected = """
      [{"category":"decoration","kind":"background","indexPath":[0,0],"frame":[0,0,320,45],"zIndex":-1},\
      {"category":"cell","indexPath":[0,0],"frame":[0,0,103.333,45],"zIndex":0,"id":"a"},\
      {"category":"supplementary","kind":"header","indexPath":[0,0],"frame":[0,0,320,44],"zIndex":1,"pinRange":[0,956]}]
      """
    same(String(decoding: bytes, as: UTF8.self), expected)
  }

  @Test("an element of no series is our bug, which ends the program")
  func noSeries() async {
    await #expect(processExitsWith: .failure) {
      var encoder = ElementsEncoder(JSONWriter())
      encoder.encode(
        LayoutAttributes(
          indexPath: IndexPath(section: 0, item: 0), frame: Rect(x: 0, y: 0, width: 1, height: 1)))
    }
  }

  @Test("no elements are an empty list")
  func none() {
    same(encode([]), Array("[]".utf8))
  }

  @Test("children are index paths one section deeper; −0 is 0")
  func children() throws {
    let bytes = encode([
      (
        .cells,
        LayoutAttributes(
          indexPath: IndexPath(section: 1, item: 2),
          frame: Rect(x: -0.0, y: -1.5, width: 0, height: 1e300),
          children: .init(section: 2, items: 3..<6))
      )
    ])
    try same(
      FoundationJSON.read(bytes),
      .array([
        json(
          LayoutAttributes(
            indexPath: IndexPath(section: 1, item: 2),
            frame: Rect(x: 0, y: -1.5, width: 0, height: 1e300),
            children: .init(section: 2, items: 3..<6)), of: .cells)
      ]))
    #expect(!String(decoding: bytes, as: UTF8.self).contains("-0,"))
  }

  @Test("elements of all series read back, to Foundation too", arguments: 0..<100)
  func randomElements(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let series: [ElementSeries] = [
      .cells, .supplementary("header"), .supplementary("footer"), .decorations("background"),
      .supplementary("a\"\\\n"),
    ]
    func number() -> Double {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: Double(Int.random(in: -1000...100_000, using: &generator))
      case 1: Double(Int.random(in: -1000...100_000, using: &generator)) / 100
      case 2: Double.random(in: 0...1e6, using: &generator)
      default: 320 / Double(Int.random(in: 1...99, using: &generator))
      }
    }
    let elements = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
      let largest = generator.once(in: 8) ? Int(1) << 53 : 100
      // What has children is not pinned.
      let detail = Int.random(in: 0..<3, using: &generator)
      return (
        series.randomElement(using: &generator)!,
        LayoutAttributes(
          indexPath: IndexPath(
            section: Int.random(in: 0...largest, using: &generator),
            item: Int.random(in: 0...largest, using: &generator)),
          frame: Rect(x: number(), y: number(), width: number(), height: number()),
          id: Bool.random(using: &generator)
            ? ["a", "é😀", "\"quoted\"\\", "\u{0}\u{1F}", String(repeating: "\u{1}", count: 128)]
              .randomElement(using: &generator).map { ItemID($0) } : nil,
          children: detail == 1
            ? .init(section: 7, items: 5..<5 + Int.random(in: 1...4, using: &generator)) : nil,
          pinRange: detail == 2 ? PinRange(from: number(), to: number()) : nil)
      )
    }
    let expected = JSON.array(elements.map { json($1, of: $0) })
    let bytes = encode(elements)
    #expect(JSONGrammarReference.accepts(bytes))
    try same(FoundationJSON.read(bytes), expected)
    try same(read(bytes), expected)
  }

  @Test("rects, sizes and bounds are written as the contract has them")
  func geometry() {
    func text(_ write: (inout JSONWriter) -> Void) -> String {
      var writer = JSONWriter()
      write(&writer)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    same(text { $0.write(Rect(x: 0, y: -1, width: 2.5, height: 1e3)) }, "[0,-1,2.5,1000]")
    same(text { Size(width: 320, height: 0.25).write(to: &$0) }, #"{"width":320,"height":0.25}"#)
    same(text { Bounds(width: 320).write(to: &$0) }, #"{"width":320}"#)
    same(text { Bounds(width: 320, height: 0).write(to: &$0) }, #"{"width":320,"height":0}"#)
  }

  @Test("sections are written as the contract has them")
  func sections() throws {
    let collection = try prepare(
      """
      {"bounds":{"width":320},"options":{"headerHeight":30,"rowSpacing":0},"sections":[{"items":2},
      {"id":"2026-\\"10","items":40,"options":{"columns":5}}]}
      """, as: "grid"
    ).prepared()
    let sections = [
      try #require(collection.section(at: 0)), try #require(collection.section(at: 1)),
    ]
    let text = JSONWriter.text {
      $0["id"] = "3q2"
      $0.write(version: 7, hash: 0x0f9ac1)
      $0["sections"] = sections
    }
    let expected = #"""
      {"id":"3q2","version":7,"versionTag":"7-0f9ac1","sections":[\#
      {"section":0,"kind":"grid","items":2,"frame":[0,0,320,80],"body":[0,30,320,50]},\#
      {"section":1,"id":"2026-\"10","kind":"grid","items":40,"frame":[0,80,320,430],\#
      "body":[0,110,320,400]}]}
      """#
    same(String(decoding: text, as: UTF8.self), expected)
  }
}
