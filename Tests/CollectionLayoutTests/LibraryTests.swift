import CollectionLayout
import Testing

/// The library as README shows it, by its public interface alone.
@Test("a collection is prepared and queried by whoever imports the library")
func library() throws {
  var layout = WaterfallLayout()
  layout.columns = 3
  let items = Items(
    ItemStorage(count: 3, columns: [[120, 80, .nan], [.nan, .nan, 1.5]], ids: nil))
  let collection = try PreparedCollection(
    layout: layout, bounds: Bounds(width: 396), data: .sections([items]))
  let query = ElementQuery(rect: Rect(x: 0, y: 0, width: 396, height: 100))
  var frames: [Rect] = []
  let end = collection.prepared.forEachElement(in: query) { series, attributes in
    #expect(series.category == .cell)
    #expect(attributes.indexPath == IndexPath(section: 0, item: frames.count))
    frames.append(attributes.frame)
  }
  #expect(end == .complete)
  // Columns of 132 with a padding of 6 on all sides; 120 / 1.5 is 80.
  #expect(
    frames == [
      Rect(x: 6, y: 6, width: 120, height: 120), Rect(x: 138, y: 6, width: 120, height: 80),
      Rect(x: 270, y: 6, width: 120, height: 80),
    ])
}
