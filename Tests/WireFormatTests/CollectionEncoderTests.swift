import ServiceSupport
import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

@Suite("Exported collections")
struct CollectionEncoderTests {
  private func export(_ collection: PreparedCollection) -> String {
    var encoder = CollectionEncoder()
    encoder.encode(collection)
    return String(decoding: encoder.writer.bytes, as: UTF8.self)
  }

  /// Every element of a layout.
  private func elements(_ collection: PreparedCollection) -> [String] {
    var all: [String] = []
    let everything = Rect(x: -1e290, y: -1e290, width: 2e290, height: 2e290)
    let end = collection.prepared.forEachElement(in: ElementQuery(rect: everything)) {
      // How texts are stored is no matter.
      var attributes = $1
      attributes.texts = nil
      all.append("\($0) \(attributes) \($1.id?.string ?? "") \($1.texts?.all ?? [])")
    }
    same(end, .complete)
    #expect(all.count >= collection.prepared.counts.cells)
    return all
  }

  private func expectSame(_ a: PreparedCollection, _ b: PreparedCollection) throws {
    same(a.layout, b.layout)
    same(a.prepared.counts, b.prepared.counts)
    same(a.prepared.contentSize, b.prepared.contentSize)
    same(elements(a), elements(b))
    guard case .sections(let mine) = a.data, case .sections(let theirs) = b.data else { return }
    same(mine.map(\.settings), theirs.map(\.settings))
    for (mine, theirs) in zip(mine, theirs) {
      #expect(mine.items.isEqual(to: theirs.items, in: 0..<mine.items.count))
    }
  }

  @Test("an export is what was given, items as columns")
  func byHand() throws {
    let body = """
      {"sections":[{"items":[{"height":1.50,"id":"a"},{}],"id":"s","options":{"columns":null,
      "sectionInset":{"top":1e0,"left":null}}},{"items":7,"options":{}},{"items":[{},{}]}],
      "options":{"pinHeaders":true,"background":"none","cellPadding":0.1},
      "bounds":{"height":9,"width":320}}
      """
    try same(
      export(prepare(body, as: "waterfall").prepared()),
      #"""
      {"bounds":{"width":320,"height":9},\#
      "options":{"pinHeaders":true,"background":"none","cellPadding":0.1},\#
      "sections":[{"id":"s","options":{"sectionInset":{"top":1}},\#
      "items":{"id":["a",null],"height":[1.5,null]}},{"items":7},{"items":2}]}
      """#)
    try same(
      export(
        prepare(
          #"{"root":{"id":"a","children":[{"children":[{"id":"c"}]},{}]}}"#, as: "tree"
        ).prepared()), #"{"nodes":{"parent":[null,0,0,1],"id":["a",null,null,"c"]}}"#)
  }

  @Test("a compositional section is exported with its kind, group and height")
  func compositional() throws {
    let group = """
      {"group":{"direction":"horizontal","width":{"fractionalWidth":1},"height":{"absolute":60},\
      "subitems":[{"width":{"fractionalWidth":0.5},"height":{"fractionalHeight":1},"count":2}]}}
      """
    let text = """
      {"bounds":{"width":320},"sections":[{"kind":"group","orthogonal":{"height":80},\
      "options":\(group),"items":5},{"kind":"frames","items":{"width":[null,3],"x":[1,null]}}]}
      """
    try same(export(prepare(text, as: "compositional").prepared()), text)
  }

  /// A random collection as openapi.yaml describes it, without members that are refused.
  private func randomCollection(of kind: String, seed: Int) throws -> PreparedCollection {
    var bodies = RandomBodies(seed: seed)
    bodies.known["Bounds"] = [["width": 700, "height": 400.5]]
    let component = "Prepare" + kind.prefix(1).uppercased() + kind.dropFirst()
    while true {
      var body = bodies.value(of: component)
      while true {
        do {
          return try prepare(body.text, as: kind).prepared()
        } catch BodyError.invalid(let members) {
          let mended = body.removing(pointers: members.map(\.pointer))
          if mended == body { break }
          body = mended
        }
      }
    }
  }

  @Test(
    "prepared again an export is the same, and exports the same",
    arguments: Extent.seeds(60, of: 600))
  func again(seed: Int) throws {
    let kind = LayoutKind.all[seed % LayoutKind.all.count].name
    let collection = try randomCollection(of: kind, seed: seed)
    let text = export(collection)
    #expect(JSONGrammarReference.accepts(Array(text.utf8)), "\(text)")
    let second = try prepare(text, as: kind).prepared()
    try expectSame(collection, second)
    same(export(second), text)
  }

  @Test("the same after changes of items and sections", arguments: Extent.seeds(32, of: 160))
  func changed(seed: Int) throws {
    let kind = SectionKinds.all[seed % SectionKinds.all.count].kind
    var collection = try randomCollection(of: kind, seed: seed)
    // A section that comes needs a group.
    guard kind != "group" || collection.layout.options["group"] != nil else { return }
    let updates = [
      #"{"insertSections":{"at":0,"sections":[{"items":{"height":[5,null,7.5]}}]}}"#,
      #"{"insert":{"at":[0,1],"items":4}}"#,
      #"{"set":{"at":[0,2],"items":[{"width":9.5},{"id":"q"},{"y":3}]}}"#,
      #"{"setSection":{"at":0,"id":"t","options":{"headerHeight":3,"sectionInset":{"left":1}}}}"#,
      #"{"delete":{"at":[0,0]}}"#, #"{"move":{"from":[0,3],"to":[0,0]}}"#,
    ]
    for update in updates {
      let bytes = Array("{\"updates\":[\(update)]}".utf8)
      collection = try withPadding(bytes) {
        try UpdatesRequest($0, kind: collection.layout.kind, maxItems: 100)
          .applied(to: collection).next
      }
      try expectSame(collection, prepare(export(collection), as: kind).prepared())
    }
  }
}
