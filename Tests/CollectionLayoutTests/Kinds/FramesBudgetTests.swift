import TestSupport
import Testing

@testable import CollectionLayout

@Suite("frames, with a budget")
struct FramesBudgetTests {
  /// A hundred thousand frames in a row, item by item.
  private let body: any SectionBody

  init() throws {
    let items = (0..<100_000).map { NaiveItem(width: 1, height: 1, x: Double($0)) }
    body = try FramesLayout().body(of: Items(items), in: Container(width: 100), after: nil)
  }

  private func found(in rect: Rect, from start: Int = 0, visiting budget: Int) -> [Int] {
    var found: [Int] = []
    func take(_ elements: Span<PlacedElement>) -> Int {
      for index in elements.indices { found.append(elements[index].indexPath.item) }
      return elements.count
    }
    FrameSink.with(ElementQuery(rect: rect), visiting: budget, take) { sink in
      _ = body.offerFrames(in: Placement().search(rect), from: start, to: &sink)
      _ = sink.flush()
    }
    return found
  }

  @Test("what shows everything is gone through as it stands")
  func everything() {
    let rect = Rect(x: -1, y: -1, width: 100_002, height: 3)
    same(found(in: rect, visiting: 1000), Array(0..<1000))
    same(found(in: rect, from: 99_990, visiting: 1000), Array(99_990..<100_000))
  }

  @Test("what shows a good part is, too, once that is known")
  func half() {
    let rect = Rect(x: 0, y: 0, width: 50_000, height: 1)
    same(found(in: rect, visiting: .max), Array(0..<50_000))
    let page = found(in: rect, visiting: 20_000)
    #expect(page.count > 10_000)
    same(page, Array(0..<page.count))
    #expect(found(in: rect, visiting: 100).isEmpty)
  }

  @Test("what shows little is found and put in order")
  func little() {
    let rect = Rect(x: 70_000.5, y: 0, width: 99, height: 1)
    same(found(in: rect, visiting: 200), Array(70_000..<70_100))
    same(found(in: rect, from: 70_050, visiting: 200), Array(70_050..<70_100))
  }
}
