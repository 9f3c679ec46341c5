import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Changes of a layout on which no frame depends")
struct UnchangedFramesTests {
  private func collection(sectionOptions: GivenOptions) throws -> PreparedCollection {
    let sections = (0..<100).map { index in
      CollectionSection(
        items: Items(uniform: index % 3),
        settings: index == 50 ? SectionSettings(options: sectionOptions) : nil)
    }
    return try PreparedCollection(
      GivenLayout(kind: .named("grid")!, bounds: Bounds(width: 320, height: 480)),
      .sections(sections))
  }

  @Test("nothing is laid out again if a height changes that no section uses")
  func keepsFrames() throws {
    let collection = try collection(sectionOptions: GivenOptions())
    var layout = collection.layout
    layout.bounds = Bounds(width: 320, height: 500)
    let (next, change) = try collection.changing(layout)
    #expect(change == nil)
    same(next.layout, layout)
    #expect(next.prepared === collection.prepared)
    same(next.memoryBytes, collection.memoryBytes)
  }

  @Test("what changes frames is laid out, and what is impossible is refused as ever")
  func changes() throws {
    let collection = try collection(sectionOptions: GivenOptions())
    for bounds in [Bounds(width: 321, height: 480), Bounds(width: 320)] {
      let layout = GivenLayout(kind: collection.layout.kind, bounds: bounds)
      let (next, change) = try collection.changing(layout)
      same((change == nil), (bounds.width == 320))
      let alone = try PreparedCollection(layout, collection.data)
      #expect(next.content.isEqual(to: alone.content))
    }
    var hiding = collection.layout
    hiding.options["emptySections"] = .string("hide")
    #expect(try collection.changing(hiding).change != nil)
    var impossible = collection.layout
    impossible.bounds = Bounds(width: -1, height: 480)
    #expect(throws: LayoutError.self) { try collection.changing(impossible) }
    #expect(throws: LayoutError.tooManyItems(limit: -1)) {
      var layout = collection.layout
      layout.bounds = Bounds(width: 320, height: 99)
      _ = try collection.changing(layout, itemLimit: -1)
    }
  }

  @Test("a section with options of its own is laid out")
  func ownOptions() throws {
    let collection = try collection(
      sectionOptions: GivenOptions([.init(name: "headerHeight", value: .number(9))]))
    var layout = collection.layout
    layout.bounds = Bounds(width: 320, height: 500)
    let (next, change) = try collection.changing(layout)
    #expect(change == nil)
    #expect(next.content.isEqual(to: collection.content))
  }
}
