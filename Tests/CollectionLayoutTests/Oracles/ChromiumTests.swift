import TestSupport
import Testing

@testable import CollectionLayout

/// Grids and grid lanes as Chromium lays them out. All 400 are reproduced.
///
/// Chromium lays out in 1/64 pixel and rounds down. So what is whole is equal, and the rest is
/// within 1/64 for each length that was summed.
@Suite("Chromium's grids and lanes")
struct ChromiumTests {
  @Test(
    "each frame, to the last bit or as near as Chromium's units allow",
    arguments: [("css-grid", 158, 42), ("grid-lanes", 152, 48)])
  func frames(name: String, equal: Int, near: Int) throws {
    let cases = try Oracle.recording("\(name)/cases.json")["cases"].array
    var counts = (equal: 0, near: 0)
    for recorded in cases {
      let distance = try distance(of: recorded)
      let id = recorded["id"].string ?? ""
      let columns = recorded["prepare"]["options"]["columns"].number ?? 0
      let items = recorded["items"].array.count
      if distance == 0 {
        counts.equal += 1
      } else {
        #expect(distance <= (Double(items) + columns + 2) / 64, "\(id)")
        counts.near += 1
      }
    }
    #expect(counts == (equal, near))
  }

  /// The largest difference of an edge or extent.
  private func distance(of recorded: JSON) throws -> Double {
    let request = recorded["prepare"]
    let bounds = request["bounds"]
    var options = GivenOptions()
    for (name, value) in request["options"].object {
      options[name] = value.string.map { .string($0) } ?? value.number.map { .number($0) }
    }
    let items = request["sections"][0]["items"]
    let prepared = try Oracle.prepared(
      try #require(recorded["kind"].string), options,
      bounds: Bounds(width: bounds["width"].number, height: bounds["height"].number),
      [CollectionSection(items: try self.items(items))])
    let size = try #require(recorded["size"].numbers)
    let isMirrored = request["options"]["layoutDirection"].string == "rightToLeft"
    let isHorizontal = request["options"]["scrollDirection"].string == "horizontal"
    // A browser's scroller begins at its left edge, wherever the content does.
    let left = isMirrored && isHorizontal ? (bounds["width"].number ?? 0) - size[0] : 0
    var distance = 0.0
    for (item, frame) in recorded["frames"].array.enumerated() {
      let expected = try #require(frame.rect)
      let frame = try #require(prepared.attributes(.cells, 0, item)).frame
      for (a, b) in [
        (frame.origin.x - left, expected.origin.x), (frame.origin.y, expected.origin.y),
        (frame.size.width, expected.size.width), (frame.size.height, expected.size.height),
      ] { distance = max(distance, abs(a - b)) }
    }
    return distance
  }

  private func items(_ items: JSON) throws -> Items {
    if let count = items.number { return Items(uniform: Int(count)) }
    return Items(
      items.array.map { row in
        func number(_ name: String) -> Double? {
          row[name].string == "all" ? .infinity : row[name].number
        }
        return NaiveItem(
          width: number("width"), height: number("height"), aspectRatio: number("aspectRatio"),
          columnSpan: number("columnSpan"), rowSpan: number("rowSpan"), column: number("column"))
      })
  }
}
