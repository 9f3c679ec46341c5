import TestSupport
import Testing

@testable import CollectionLayout

/// What every kind has in common, in numbers that can be checked on paper.
@Suite("sections in a stack, by hand")
struct StackTests {
  @Test("without sections there is nothing", arguments: sectionedKinds)
  func noSections(kind: String) throws {
    var options: GivenOptions = ["contentInset": ["left": 10]]
    if kind == "group" {
      options["group"] = [
        "direction": "horizontal", "width": ["absolute": 10], "height": ["absolute": 10],
        "subitems": [["width": ["absolute": 5], "height": ["absolute": 5]]],
      ]
    }
    let collection = try PreparedCollection(kind, options, [])
    same(collection.prepared.contentSize, Size(width: 90, height: 0))
    expectEqual(collection.prepared.allElements + collection.scannedElements(), [])
  }

  // MARK: Pinned

  @Test("what is pinned is in an answer where it may come, whatever is known")
  func sweptFrames() throws {
    let options: GivenOptions = [
      "itemHeight": 20, "headerHeight": 10, "footerHeight": 5, "pinHeaders": true,
      "pinFooters": true,
    ]
    let prepared = try PreparedCollection(
      "list", options, [CollectionSection(2), CollectionSection(1)]
    ).prepared
    func kinds(_ y: Double, _ height: Double, known: Rect? = nil) -> [String] {
      prepared.answer(
        to: ElementQuery(
          rect: Rect(x: 0, y: y, width: 1, height: height), known: known,
          categories: .supplementary)
      ).elements.map { "\($0.kind!) \($0.section)" }
    }
    // The first header sweeps from 0 to 50, its footer from 10 to 55; the second from 55 on.
    same(kinds(49, 0), ["footer 0", "header 0"])
    same(kinds(50, 5), ["footer 0"])
    same(kinds(55, 5), ["header 1"])
    same(kinds(0, 100, known: Rect(x: 0, y: 0, width: 100, height: 100)).count, 4)
  }

  // MARK: Compositional layouts

  @Test("cells that reach beyond their section are found from afar")
  func overhang() throws {
    let items = [
      PlainItem(height: 20, width: 10, x: 0, y: -500),
      PlainItem(height: 2000, width: 10, x: 50, y: -1500),
    ]
    let collection = try PreparedCollection(
      "frames", [:],
      [CollectionSection(50), CollectionSection(items), CollectionSection(50)])
    let all = collection.scannedElements()
    for rect in [
      Rect(x: 0, y: -450, width: 100, height: 1), Rect(x: 0, y: -440, width: 100, height: 20),
      Rect(x: 55, y: 549, width: 0, height: 0), Rect(x: 55, y: 550, width: 0, height: 0),
      Rect(x: 55, y: -1450, width: 0, height: 0), Rect(x: 55, y: -1451, width: 0, height: 0),
    ] {
      expectEqual(collection.prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)")
    }
    // The body of the first section ends at 50, where the second begins.
    same(collection.prepared.cellFrame(1, 1), Rect(x: 50, y: -1450, width: 10, height: 2000))
    same(collection.prepared.contentSize.height, 600)
  }

  @Test("sections are found by their ids")
  func sectionIDs() throws {
    let collection = try PreparedCollection(
      "list", [:],
      [
        CollectionSection(Items(uniform: 1)), CollectionSection(Items(uniform: 2), id: "b"),
        CollectionSection(Items(uniform: 3), id: "b"),
      ])
    let place = collection.firstSection(withID: ItemID("b"))
    same(place?.index, 1)
    same(place?.itemCount, 2)
    same(place?.kind, "list")
    #expect(collection.firstSection(withID: ItemID("a")) == nil)
  }
}
