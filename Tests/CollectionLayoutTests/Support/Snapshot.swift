@testable import CollectionLayout

/// All elements of one version, in order and by what they are.
struct Snapshot {
  /// What an element is the same by in two versions.
  struct Key: Hashable {
    var series: ElementSeries
    /// Whether it belongs to an item, not to a section.
    var isOfItem: Bool
    var token: Int
    var item: Int

    /// Series are few, and their names take long.
    func hash(into hasher: inout Hasher) {
      hasher.combine(token)
      hasher.combine(item)
    }
  }

  let elements: [Element]
  private(set) var byKey: [Key: Element] = [:]
  /// The same elements, each being the same as long as its index path stays.
  private(set) var byPath: [Key: Element] = [:]
  let isHorizontal: Bool
  private let items: [[Int]]
  private let sections: [Int]
  private let backgrounds: [String]

  init(_ collection: PreparedCollection, _ model: PlainCollection) {
    items =
      model.isForest
      ? model.depths.map { $0.map(\.token) } : model.sections.map { $0.items.map(\.token) }
    sections = model.sections.map(\.token)
    let options = collection.layout.options
    backgrounds = model.sections.map {
      ($0.options.text("background") ?? options.text("background")) ?? "none"
    }
    isHorizontal = collection.isHorizontal
    elements = collection.scannedElements()
    byKey.reserveCapacity(elements.count)
    byPath.reserveCapacity(elements.count)
    for element in elements {
      byKey[key(element)] = element
      byPath[Self.pathKey(element)] = element
    }
  }

  func key(_ element: Element) -> Key {
    let isOfItem =
      switch element.category {
      case .cell: true
      case .decoration: backgrounds[element.section] == "item"
      case .supplementary: sections.isEmpty
      }
    return isOfItem
      ? Key(
        series: element.series, isOfItem: true, token: items[element.section][element.item],
        item: 0)
      : Key(
        series: element.series, isOfItem: false, token: sections[element.section],
        item: element.item)
  }

  static func pathKey(_ element: Element) -> Key {
    Key(series: element.series, isOfItem: true, token: element.section, item: element.item)
  }

  /// All that an element may cover.
  func sweptFrame(of element: Element) -> Rect { element.sweptFrame(isHorizontal: isHorizontal) }
}
