/// The fields of a run of items, in columns. They are immutable, and versions of a layout share
/// them.
public final class ItemStorage: Sendable {
  /// How many items there are.
  public let count: Int
  /// One column for each ``ItemField``. It is `nil` if no item has the field. In a column, NaN
  /// means that the item does not have the field.
  private let columns: [[Double]?]
  /// `nil` if no item has an id.
  public let ids: IDColumn?
  /// Whether changed fields were merged into older ones. Then an item may have fields that exclude
  /// each other, which must be checked.
  let isMerged: Bool

  /// - Parameters:
  ///   - columns: The columns that exist, with a value or NaN for every item.
  ///   - ids: An id or none for every item.
  /// - Precondition: All values are in the ``ItemField/range`` of their fields. Layouts do not
  ///   check them again. ``NumberRange/containsAll(_:)`` checks values from elsewhere.
  public convenience init(count: Int, columns: [ItemField: [Double]], ids: IDColumn?) {
    self.init(count: count, columns: columns, ids: ids, isMerged: false)
  }

  init(count: Int, columns: [ItemField: [Double]], ids: IDColumn?, isMerged: Bool) {
    precondition(columns.values.allSatisfy { $0.count == count }, "columns of unequal length")
    precondition(ids.map { $0.ends.count == count } ?? true, "as many names as items")
    self.count = count
    self.columns = ItemField.allCases.map { columns[$0] }
    self.ids = ids
    self.isMerged = isMerged
  }

  /// The column of a field, if there is one.
  @inline(__always)
  public subscript(field: ItemField) -> [Double]? { columns[field.rawValue] }

  /// Whether there is anything to store.
  public var hasContent: Bool { ids != nil || columns.contains { $0 != nil } }

  var memoryBytes: Int {
    columns.reduce(96 + columns.count * 8) { $0 + ($1.map { $0.count * 8 + 32 } ?? 0) }
      + (ids?.memoryBytes ?? 0)
  }
}

extension ItemStorage {
  /// Whether an item has an aspect ratio, a width and a height.
  public func hasConflict(at index: Int) -> Bool {
    guard let ratios = self[.aspectRatio], let widths = self[.width], let heights = self[.height]
    else { return false }
    return !ratios[index].isNaN && !widths[index].isNaN && !heights[index].isNaN
  }

  /// The rule for an aspect ratio that conflicts with width and height, as the end of a sentence.
  public static let conflictRequirement = "left out if width and height are given"
}
