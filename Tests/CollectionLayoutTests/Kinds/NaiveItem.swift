@testable import CollectionLayout

/// An item as a client gives it.
struct NaiveItem: Equatable {
  var width: Double?
  var height: Double?
  var aspectRatio: Double?
  var x: Double?
  var y: Double?
  /// Infinity for all columns.
  var columnSpan: Double?
  var rowSpan: Double?
  var column: Double?

  /// Width divided by height, `nil` where that is unknown.
  var ratio: Double? {
    var ratio = aspectRatio
    if ratio == nil, let width, let height, width > 0, height > 0 { ratio = width / height }
    guard let ratio, ratio.isFinite, (1 / ratio).isFinite, ratio > 0, 1 / ratio > 0 else {
      return nil
    }
    return ratio
  }

  subscript(field: ItemField) -> Double? {
    switch field {
    case .width: width
    case .height: height
    case .aspectRatio: aspectRatio
    case .x: x
    case .y: y
    case .columnSpan: columnSpan
    case .rowSpan: rowSpan
    case .column: column
    case .measured, .measuredAt: nil
    }
  }
}

extension Items {
  /// - Parameter isStored: Whether there is storage even for items without fields.
  init(_ items: [NaiveItem], isStored: Bool = true) {
    var columns: [ItemField: [Double]] = [:]
    for field in ItemField.stored where items.contains(where: { $0[field] != nil }) {
      columns[field] = items.map { $0[field] ?? .nan }
    }
    if columns.isEmpty, !isStored {
      self.init(uniform: items.count)
    } else {
      self.init(ItemStorage(count: items.count, columns: columns, ids: nil))
    }
  }
}
