import CollectionLayout
import WireFormat

/// Stops with a message, which `precondition` has none of in an optimised build.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}

/// An element with the series that it is in.
struct FuzzElement: Equatable {
  var series: ElementSeries
  var attributes: LayoutAttributes
}

extension PreparedCollection {
  /// Every element, found one by one.
  func elements() -> [FuzzElement] {
    guard let cells = prepared.series.firstIndex(of: .cells) else { return [] }
    let itemCounts = (0..<prepared.counts.sections).map { section in
      var count = 0
      while prepared.attributes(of: cells, at: IndexPath(section: section, item: count)) != nil {
        count += 1
      }
      return count
    }
    return prepared.series.indices.flatMap { series in
      itemCounts.enumerated().flatMap { section, count in
        (0..<max(count, 1)).compactMap { item in
          prepared.attributes(of: series, at: IndexPath(section: section, item: item))
            .map { FuzzElement(series: prepared.series[series], attributes: $0) }
        }
      }
    }
  }

  /// Compares queries with what a look at every element finds.
  func checkQueries() {
    require(
      prepared.contentSize.width.isFinite && prepared.contentSize.height.isFinite,
      "\(prepared.contentSize)")
    guard prepared.counts.cells <= 2 * FuzzLayout.maxItems else { return }
    let all = elements()
    let counts = prepared.counts
    checkSections()
    require(
      all.count == counts.cells + counts.supplementary + counts.decorations,
      "\(all.count) elements, counted \(counts)")
    for element in all {
      let frame = element.attributes.frame
      require(
        [frame.origin.x, frame.origin.y, frame.size.width, frame.size.height].allSatisfy(\.isFinite)
          && frame.size.width >= 0 && frame.size.height >= 0, "\(element)")
    }
    let frames = [all.first, all.last, all.isEmpty ? nil : all[all.count / 2]]
      .compactMap { $0?.attributes.frame }
    for frame in frames {
      let (x, y) = (frame.origin.x, frame.origin.y)
      for rect in [
        frame, Rect(x: x, y: y, width: 0, height: 0), Rect(x: x - 50, y: y, width: 100, height: 0),
        Rect(x: frame.maxX, y: frame.maxY, width: 70, height: 200),
      ] where rect.maxX.isFinite && rect.maxY.isFinite {
        check(rect, all)
      }
    }
  }

  private func check(_ rect: Rect, _ all: [FuzzElement]) {
    let expected = all.filter { prepared.sweptFrame(of: $0.attributes).intersects(rect) }
    var found: [FuzzElement] = []
    var query = ElementQuery(rect: rect, limit: 7)
    paging: while true {
      let end = prepared.forEachElement(in: query) {
        found.append(FuzzElement(series: $0, attributes: $1))
      }
      switch end {
      case .limitReached(let position): query.start = position
      case .complete, .budgetSpent: break paging
      }
      require(found.count <= all.count, "paging goes round in circles")
    }
    require(found == expected, "\(rect): \(found), expected \(expected)")
  }

  /// Compares a layout that went on from another with one that did not.
  func checkIsAsPreparedAnew() {
    guard let anew = try? PreparedCollection(layout, data) else {
      fatalError("cannot be prepared anew")
    }
    require(anew.prepared.counts == prepared.counts, "other counts than prepared anew")
    require(anew.prepared.contentSize == prepared.contentSize, "another size than prepared anew")
    require(anew.elements() == elements(), "other elements than prepared anew")
  }

  /// Prepares an export, which must be the same layout.
  func checkExport() {
    guard prepared.counts.cells <= 2 * FuzzLayout.maxItems else { return }
    var encoder = CollectionEncoder()
    encoder.encode(self)
    let text = encoder.writer.bytes
    guard let again = PreparedCollection(fuzzed: text, as: layout.kind, maxItems: .max) else {
      fatalError("cannot be prepared again: \(String(decoding: text, as: UTF8.self))")
    }
    require(again.prepared.counts == prepared.counts, "other counts than exported")
    require(again.prepared.contentSize == prepared.contentSize, "another size than exported")
    require(again.elements() == elements(), "other elements than exported")
  }

  /// Compares the list of sections that a rect meets with a look at each.
  func checkSections() {
    guard let count = sectionCount, count <= FuzzLayout.maxItems else { return }
    let all = (0..<count).compactMap { section(at: $0) }
    require(all.count == count, "\(all.count) sections of \(count)")
    guard let middle = all.isEmpty ? nil : all[count / 2].frame else { return }
    for rect in [middle, Rect(origin: middle.origin, size: Size(width: 0, height: 0))] {
      var found: [Int] = []
      forEachSection(in: rect, from: 0) {
        found.append($0.index)
        return true
      }
      let expected = all.filter { $0.frame.intersects(rect) }.map(\.index)
      require(found == expected, "\(rect): \(found), expected \(expected)")
    }
  }
}

extension CollectionChange {
  /// Whether what was changed lies inside.
  func checkInvalidatedRect() {
    let (before, after) = (previous.elementsByPlace(), next.elementsByPlace())
    for (place, old) in before where after[place] != old { check(old, of: previous) }
    for (place, new) in after where before[place] != new { check(new, of: next) }
  }

  private func check(_ element: FuzzElement, of collection: PreparedCollection) {
    check(element, collection.prepared.sweptFrame(of: element.attributes), in: invalidatedRects)
    if element.attributes.pinRange == nil {
      check(element, element.attributes.frame, in: invalidatedRectsBesidePins)
    }
  }

  private func check(_ element: FuzzElement, _ frame: Rect, in area: InvalidatedRects) {
    require(
      area.rects.contains { rect in
        rect.origin.x <= frame.origin.x && frame.end.x <= rect.end.x
          && rect.origin.y <= frame.origin.y && frame.end.y <= rect.end.y
      },
      "\(area.rects) do not hold \(element)")
  }
}

extension PreparedCollection {
  fileprivate func elementsByPlace() -> [FuzzPlace: FuzzElement] {
    Dictionary(
      uniqueKeysWithValues: elements().map {
        (FuzzPlace(series: $0.series, indexPath: $0.attributes.indexPath), $0)
      })
  }
}

/// What an element is found by.
private struct FuzzPlace: Hashable {
  var series: ElementSeries
  var indexPath: IndexPath
}

extension Rect {
  /// The corner opposite to the origin, or the last that there is.
  fileprivate var end: Point {
    Point(
      x: min(maxX, .greatestFiniteMagnitude), y: min(maxY, .greatestFiniteMagnitude))
  }
}
