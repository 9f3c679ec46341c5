import TestSupport
import Testing

@testable import CollectionLayout

@Suite("layouts that are turned")
struct TurningTests {
  @Test(
    "a horizontal layout of the turned collection is the turned vertical one",
    arguments: sectionedKinds, 0..<100)
  func horizontal(kind: String, seed: Int) throws {
    var example = RandomCollection(kind, seed: seed, isTurnable: true)
    let vertical = try example.prepared()
    example.layout.options = example.layout.options.turned
    example.layout.options["scrollDirection"] = "horizontal"
    let bounds = try #require(example.layout.bounds)
    example.layout.bounds = Bounds(width: bounds.height, height: bounds.width)
    for section in example.model.sections.indices {
      example.model.sections[section].options = example.model.sections[section].options.turned
      for item in example.model.sections[section].items.indices {
        let fields = example.model.sections[section].items[item].fields
        example.model.sections[section].items[item].fields = fields.turned
      }
    }
    let horizontal = try example.prepared()
    expectEqual(horizontal.scannedElements(), vertical.scannedElements().map(\.turned))
    let size = vertical.prepared.contentSize
    same(horizontal.prepared.contentSize, Size(width: size.height, height: size.width))
  }

  @Test(
    "a layout from right to left is the mirror image of one from left to right",
    arguments: sectionedKinds, 0..<100)
  func mirrored(kind: String, seed: Int) throws {
    var example = RandomCollection(kind, seed: seed)
    example.layout.options["layoutDirection"] = nil
    // Edges are rounded after they were mirrored.
    example.layout.options["integral"] = false
    for section in example.model.sections.indices {
      example.model.sections[section].options["integral"] = nil
    }
    let plain = try example.prepared()
    example.layout.options["layoutDirection"] = "rightToLeft"
    let mirrored = try example.prepared()
    let inset = example.layout.options.edges("contentInset")
    let width = try #require(example.layout.bounds?.width) - (inset.left + inset.right)
    let isHorizontal = plain.isHorizontal
    let expected = plain.scannedElements().map { element in
      var element = element
      let elementWidth = element.frame.size.width
      element.frame.origin.x = width - (element.frame.origin.x + elementWidth)
      if isHorizontal, let range = element.pinRange {
        element.pinRange = PinRange(
          from: width - (range.to + elementWidth), to: width - (range.from + elementWidth))
      }
      return element
    }
    expectEqual(mirrored.scannedElements(), expected)
    same(mirrored.prepared.contentSize, plain.prepared.contentSize)
  }
}
