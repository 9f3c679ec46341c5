import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

@Suite("Elements in JSON, as a query delivers them")
struct ElementBatchTests {
  /// What a query's elements are, written one by one.
  private func oneByOne(_ query: ElementQuery, _ layout: any PreparedLayout) -> [UInt8] {
    var encoder = ElementsEncoder(JSONWriter())
    var current: ElementSeries?
    _ = layout.forEachElement(in: query) { series, element in
      if series != current { encoder.begin(series) }
      current = series
      encoder.encode(element)
    }
    return encoder.writer.bytes
  }

  private func inBatches(
    _ query: ElementQuery, _ layout: any PreparedLayout, upTo byteCount: Int = .max
  ) -> (bytes: [UInt8], end: QueryEnd) {
    var encoder = ElementsEncoder(JSONWriter())
    let end = query.forEachBatch(
      of: layout, begin: { encoder.begin($0) },
      { encoder.encode($0, of: layout, upTo: byteCount) })
    return (encoder.writer.bytes, end)
  }

  private static let layouts: [(kind: String, body: String)] = [
    (
      "waterfall",
      """
      {"bounds":{"width":320},"options":{"headerHeight":10,"footerHeight":5,"pinHeaders":true},"sections":[
      {"items":200},{"items":[{"id":"a","height":12.34},{"height":1e-7},{"id":"é\\"\\n"}]},
      {"items":0},{"items":{"height":[\((0..<300).map { "\(Double($0) / 7)" }.joined(separator: ","))]}}]}
      """
    ),
    (
      "grid",
      """
      {"bounds":{"width":320},"options":{"columns":3,"background":"item"},"sections":[
      {"items":[{"id":"a"},{},{"id":"b"}]},{"items":100}]}
      """
    ),
    (
      "gallery",
      """
      {"bounds":{"width":320},"sections":[{"items":{"width":[10,20.5,30]}},{"items":[{"id":"x"}]}]}
      """
    ),
    ("tree", tree(childCounts: [3, 63, 64, 65, 100, 101, 200])),
    ("tree", #"{"root":{"id":"a","children":[{"id":"b"},{"children":[{}]}]}}"#),
  ]

  /// A root whose children have so many children each.
  private static func tree(childCounts: [Int]) -> String {
    let first = ["null"] + childCounts.map { _ in "0" }
    let second = childCounts.enumerated().flatMap { index, count in
      (0..<count).map { _ in "\(index + 1)" }
    }
    return #"{"nodes":{"parent":[\#((first + second).joined(separator: ","))]}}"#
  }

  private func prepare(_ index: Int) throws -> any PreparedLayout {
    let (kind, body) = Self.layouts[index]
    return try WireFormatTests.prepare(body, as: kind).prepared().prepared
  }

  private static let everything = Rect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)

  @Test("are the same text as written one by one", arguments: layouts.indices)
  func sameText(index: Int) throws {
    let layout = try prepare(index)
    let rects =
      [Self.everything]
      + (0..<20).map { Rect(x: Double($0) * 13, y: Double($0) * 29, width: 150, height: 200) }
    for rect in rects {
      let query = ElementQuery(rect: rect)
      let (bytes, end) = inBatches(query, layout)
      same(end, .complete)
      same(bytes, oneByOne(query, layout))
      #expect(JSONGrammarReference.accepts([UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")]))
    }
  }

  @Test("end with the first that reaches the limit of bytes", arguments: layouts.indices)
  func byteLimit(index: Int) throws {
    let layout = try prepare(index)
    let whole = oneByOne(ElementQuery(rect: Self.everything), layout)
    for byteCount in [0, 1, 100, 1000, 5000] {
      var query = ElementQuery(rect: Self.everything)
      var pieces: [[UInt8]] = []
      paging: while true {
        let (bytes, end) = inBatches(query, layout, upTo: byteCount)
        pieces.append(bytes)
        switch end {
        case .limitReached(let position):
          query.start = position
          #expect(bytes.count >= byteCount)
          // An element more than there had to be is one too many.
          let last = try #require(bytes.lastIndex(of: UInt8(ascii: "{")))
          #expect(last <= byteCount)
        case .complete: break paging
        case .budgetSpent: Issue.record("nobody set a budget")
        }
      }
      same(Array(pieces.filter { !$0.isEmpty }.joined(separator: [UInt8(ascii: ",")])), whole)
    }
  }

  @Test("are the same text from an encoder that has written other lists", arguments: 0..<20)
  func restarted(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let layouts = try Self.layouts.indices.map(prepare)
    var encoder = ElementsEncoder(JSONWriter())
    for _ in 0..<20 {
      let layout = layouts.randomElement(using: &generator)!
      let rect = Rect(
        x: Double.random(in: -50...300, using: &generator),
        y: Double.random(in: -50...2000, using: &generator), width: 200, height: 300)
      let query = ElementQuery(rect: rect, limit: Int.random(in: 0...40, using: &generator))
      encoder.restart(JSONWriter())
      _ = query.forEachBatch(
        of: layout, begin: { encoder.begin($0) },
        { encoder.encode($0, of: layout, upTo: .max) })
      same(encoder.finish(), oneByOne(query, layout))
      same(encoder.count, 0)
    }
  }

  @Test("are the same text with single elements of other sections between them")
  func mixed() throws {
    let layout = try prepare(0)
    func element(_ section: Int) throws -> LayoutAttributes {
      try #require(layout.attributes(of: 0, at: IndexPath(section: section, item: 0)))
    }
    var single = ElementsEncoder(JSONWriter())
    var mixed = ElementsEncoder(JSONWriter())
    single.begin(.cells)
    mixed.begin(.cells)
    for (section, isInBatch) in [(0, true), (3, false), (0, true), (3, true)] {
      let attributes = try element(section)
      single.encode(attributes)
      if isInBatch {
        let taken = mixed.encode([PlacedElement(attributes)].span, of: layout, upTo: .max)
        same(taken, 1)
      } else {
        mixed.encode(attributes)
      }
    }
    same(mixed.finish(), single.finish())
  }
}
