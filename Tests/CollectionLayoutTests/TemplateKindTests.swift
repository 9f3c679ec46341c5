import Foundation
import TestSupport
import Testing

@testable import CollectionLayout

/// Items of one size, each one step lower and further right.
struct StairsLayout: SectionLayout {
  /// The size of a stair, in points, each > 0.
  var itemSize = Size(width: 100, height: 20)

  static let kind = "stairs"
  static let uniformity = Uniformity.never
  static let options: [LayoutOption<StairsLayout>] = LayoutOption.size("itemSize", \.itemSize)
  static let lengths: [any WritableKeyPath<StairsLayout, Double> & Sendable] = [
    \.itemSize.height
  ]

  func transposed() -> StairsLayout {
    var layout = self
    layout.itemSize = itemSize.transposed
    return layout
  }

  func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    guard itemSize.width <= container.width else {
      throw container.invalidOption("itemSize.width", "at most the section's width")
    }
    var cells = PiecesBuilder(after: earlier)
    for item in cells.count..<items.count {
      cells.add(
        x: min(Double(item) * itemSize.height, container.width - itemSize.width),
        width: itemSize.width, top: Double(item) * itemSize.height, height: itemSize.height)
      cells.endRow()
    }
    return cells.body()
  }
}

@Suite("the kind that Documentation/source-tour.md shows")
struct TemplateKindTests {
  @Test("it lays out stairs")
  func frames() throws {
    let body = try StairsLayout().body(
      of: Items(uniform: 3), in: Container(width: 130), after: nil)
    same(
      (0..<3).map { body.frame(of: $0) },
      [
        Rect(x: 0, y: 0, width: 100, height: 20), Rect(x: 20, y: 20, width: 100, height: 20),
        Rect(x: 30, y: 40, width: 100, height: 20),
      ])
    same(body.height, 60)
  }

  @Test("it refuses stairs that are too wide")
  func tooWide() {
    #expect(throws: LayoutError.self) {
      try StairsLayout().body(of: Items(), in: Container(width: 99), after: nil)
    }
  }

  @Test("the page has it as it is compiled here")
  func page() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let page = try String(
      contentsOf: tests.appending(path: "../../Documentation/source-tour.md"), encoding: .utf8)
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let start = try #require(source.range(of: "/// Items of one size"))
    let end = try #require(source.range(of: "\n\n@Suite"))
    #expect(page.contains(source[start.lowerBound..<end.lowerBound]))
  }
}
