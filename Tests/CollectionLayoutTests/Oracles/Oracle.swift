import Foundation
import TestSupport
import Testing

@testable import CollectionLayout

/// Recorded answers of another library, and what it takes to ask this one the same.
enum Oracle {
  static func recording(_ path: String) throws -> JSON {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: tests.appending(path: "Fixtures/" + path))
    return try JSON(parsing: Array(data))
  }

  static func prepared(
    _ kind: String, _ options: GivenOptions, bounds: Bounds, _ sections: [CollectionSection]
  ) throws -> any PreparedLayout {
    let layout = GivenLayout(
      kind: try #require(LayoutKind.named(kind)), options: options, bounds: bounds)
    return try PreparedCollection(layout, .sections(sections)).prepared
  }
}

extension PreparedLayout {
  /// The attributes of an element of a series, if it is there.
  func attributes(
    _ kind: ElementSeries, _ section: Int, _ item: Int = 0
  ) -> LayoutAttributes? {
    guard let series = series.firstIndex(of: kind) else { return nil }
    return attributes(of: series, at: .init(section: section, item: item))
  }

  /// The index paths of the cells in a rect.
  func cells(in rect: Rect) -> [CollectionLayout.IndexPath] {
    var paths: [CollectionLayout.IndexPath] = []
    let query = ElementQuery(rect: rect, categories: .cells)
    _ = forEachElement(in: query) { paths.append($1.indexPath) }
    return paths
  }
}

extension JSON {
  var numbers: [Double]? {
    if case .array(let values) = self { values.compactMap(\.number) } else { nil }
  }

  /// `[x, y, width, height]`.
  var rect: Rect? {
    guard let numbers, numbers.count == 4 else { return nil }
    return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

extension GivenOptions {
  init(_ members: KeyValuePairs<String, OptionValue>) {
    self.init()
    for (name, value) in members { self[name] = value }
  }
}

extension OptionValue {
  static func insets(top: Double, left: Double, bottom: Double, right: Double) -> OptionValue {
    .object(
      GivenOptions([
        "top": .number(top), "left": .number(left), "bottom": .number(bottom),
        "right": .number(right),
      ]))
  }
}
