import CollectionLayout
import TestSupport
import Testing

/// The library as Documentation/source-tour.md shows it, by its public interface alone.
@Test("a collection is prepared and queried by whoever imports the library")
func library() throws {
  var layout = GivenLayout(kind: try #require(.named("waterfall")), bounds: Bounds(width: 396))
  layout.options["columns"] = .number(3)
  let items = Items(
    ItemStorage(
      count: 3, columns: [.height: [120, 80, .nan], .aspectRatio: [.nan, .nan, 1.5]], ids: nil))
  let collection = try PreparedCollection(layout, .sections([CollectionSection(items: items)]))
  let query = ElementQuery(rect: Rect(x: 0, y: 0, width: 396, height: 100))
  var frames: [Rect] = []
  let end = collection.prepared.forEachElement(in: query) { series, attributes in
    same(series.category, .cell)
    same(attributes.indexPath, IndexPath(section: 0, item: frames.count))
    frames.append(attributes.frame)
  }
  same(end, .complete)
  // Columns of 132 with a padding of 6 on all sides; 120 / 1.5 is 80.
  same(
    frames,
    [
      Rect(x: 6, y: 6, width: 120, height: 120), Rect(x: 138, y: 6, width: 120, height: 80),
      Rect(x: 270, y: 6, width: 120, height: 80),
    ])
}

/// What the documentation rules out stops the process, each in one of its own.
@Suite("preconditions of the library")
struct LibraryPreconditionTests {
  @Test("columns have a value for each item")
  func columnsOfUnequalLength() async {
    await #expect(processExitsWith: .failure) {
      _ = ItemStorage(count: 2, columns: [.height: [1]], ids: nil)
    }
  }

  @Test("there are no fewer items than none")
  func negativeCount() async {
    await #expect(processExitsWith: .failure) { _ = Items(uniform: -1) }
  }

  @Test("limits and budgets are no less than 0")
  func negativeLimit() async {
    await #expect(processExitsWith: .success) { queryNothing(limit: 0, budget: 0) }
    await #expect(processExitsWith: .failure) { queryNothing(limit: -1, budget: 0) }
    await #expect(processExitsWith: .failure) { queryNothing(limit: 0, budget: -1) }
  }
}

private func queryNothing(limit: Int, budget: Int) {
  let layout = LayoutKind.named("grid").map { GivenLayout(kind: $0, bounds: Bounds(width: 100)) }
  let prepared = layout.flatMap { try? PreparedCollection($0, .sections([])).prepared }
  let query = ElementQuery(rect: Rect(x: 0, y: 0, width: 100, height: 100), limit: limit)
  _ = prepared?.forEachElement(in: query, visiting: budget) { _, _ in }
}
