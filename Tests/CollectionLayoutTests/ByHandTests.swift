import TestSupport
import Testing

@testable import CollectionLayout

/// Layouts in numbers that can be checked on paper, as `Tests/cases/ByHand.json` has them.
///
/// A section is a number of items, a list of items, or an object with `items`, `options`, `kind`
/// and `orthogonal`; an item is a height, or an object of its fields. What is expected is `size`,
/// the `elements` (an element's name, section, item, frame, and between what it is pinned), or the
/// `frames` alone; what a rect meets (`hits`), and where sections are (`places`).
@Suite("layouts by hand")
struct ByHandTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let json: JSON

    static let all = CaseText.file("ByHand").members.map { name, value in
      Example(testDescription: name, json: value.json ?? .null)
    }

    func prepared() throws -> PreparedCollection {
      try PreparedCollection(
        json["kind"].string ?? "", GivenOptions(json: json["options"]),
        width: json["width"].number ?? 100, height: json["height"].number,
        json["sections"].array.map { CollectionSection(json: $0) })
    }
  }

  @Test(
    "each has its elements where they are expected, however it is asked", arguments: Example.all)
  func example(_ example: Example) throws {
    let collection = try example.prepared()
    let (prepared, json) = (collection.prepared, example.json)
    let all = prepared.allElements
    let name = example.testDescription
    expectEqual(collection.scannedElements(), all, name)
    if json["size"] != .null {
      same(prepared.contentSize, Size(json: json["size"]), "\(name)")
    }
    if json["elements"] != .null {
      expectEqual(all, json["elements"].array.map { Element(json: $0) }, name)
      let counts = ElementCounts(
        sections: json["sections"].array.count, cells: all.count { $0.category == .cell },
        supplementary: all.count { $0.category == .supplementary },
        decorations: all.count { $0.category == .decoration })
      same(prepared.counts, counts, "\(name)")
    }
    if json["frames"] != .null {
      same(all.map(\.frame), json["frames"].array.map { Rect(json: $0) }, "\(name)")
    }
    for hit in json["hits"].array {
      let found = prepared.elements(in: Rect(json: hit[0]))
      let names = found.map { "\($0.kind ?? "cell") \($0.section) \($0.item)" }
      same(names, hit[1].array.map { $0.string ?? "" }, "\(name)")
    }
    for (index, place) in json["places"].object {
      let found = collection.section(at: Int(index) ?? -1)
      for (member, expected) in place.object {
        let rect = member == "frame" ? found?.frame : found?.body
        same(rect, Rect(json: expected), "\(name)")
      }
    }
  }
}
