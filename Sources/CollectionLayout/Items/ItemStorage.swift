/// The fields of a run of items, in columns. They are immutable, and versions of a layout share
/// them.
public final class ItemStorage: Sendable {
  /// How many items there are.
  public let count: Int
  /// One column for each field of ``ItemField/stored``. It is `nil` if no item has the field.
  private let columns: [ItemColumn?]
  /// `nil` if no item has an id.
  public let ids: IDColumn?
  /// `nil` if no item has a text.
  public let texts: ItemTexts?
  /// Whether changed fields were merged into older ones. Then an item may have fields that exclude
  /// each other, which must be checked.
  let isMerged: Bool
  /// What was given as measured of the items. ``Items`` keep it beside the storage.
  let measured: [MeasuredSizes.Entry]

  /// - Parameters:
  ///   - columns: The columns that exist, with a value or NaN for every item.
  ///   - ids: An id or none for every item.
  ///   - texts: Of every item.
  /// - Precondition: All values are in the ``ItemField/range`` of their fields. Layouts do not
  ///   check them again. ``NumberRange/containsAll(_:)`` checks values from elsewhere.
  public convenience init(
    count: Int, columns: [ItemField: [Double]], ids: IDColumn?, texts: ItemTexts? = nil
  ) {
    self.init(count: count, columns: columns, ids: ids, texts: texts, isMerged: false)
  }

  init(
    count: Int, columns: [ItemField: [Double]], ids: IDColumn?, texts: ItemTexts?, isMerged: Bool
  ) {
    precondition(columns.values.allSatisfy { $0.count == count }, "columns of unequal length")
    precondition(ids.map { $0.ends.count == count } ?? true, "as many names as items")
    self.count = count
    self.columns = ItemField.stored.map { field in
      columns[field].map { ItemColumn($0, of: field) }
    }
    measured = Self.measured(columns[.measured], columns[.measuredAt])
    self.ids = ids
    self.texts = texts
    self.isMerged = isMerged
  }

  private init(
    count: Int, columns: [ItemColumn?], ids: IDColumn?, texts: ItemTexts?, isMerged: Bool
  ) {
    self.count = count
    self.columns = columns
    self.ids = ids
    self.texts = texts
    self.isMerged = isMerged
    measured = []
  }

  private static func measured(_ sizes: [Double]?, _ widths: [Double]?) -> [MeasuredSizes.Entry] {
    guard let sizes else { return [] }
    var entries: [MeasuredSizes.Entry] = []
    entries.reserveCapacity(sizes.reduce(0) { $0 + ($1.isNaN ? 0 : 1) })
    for (index, size) in sizes.enumerated() where !size.isNaN {
      entries.append(MeasuredSizes.Entry(item: index, size: size, width: widths?[index] ?? .nan))
    }
    return entries
  }

  /// The same without what was measured of the items.
  var withoutMeasured: ItemStorage {
    measured.isEmpty
      ? self
      : ItemStorage(count: count, columns: columns, ids: ids, texts: texts, isMerged: isMerged)
  }

  /// The column of a field, if there is one.
  @inline(__always)
  func column(_ field: ItemField) -> ItemColumn? {
    field.rawValue < columns.count ? columns[field.rawValue] : nil
  }

  /// The column of a field that holds lengths, positions or ratios, if there is one. NaN means that
  /// an item does not have the field.
  @inline(__always)
  subscript(field: ItemField) -> [Double]? {
    if case .numbers(let values) = column(field) { values } else { nil }
  }

  /// An item's value of a field, if it has one.
  func value(of field: ItemField, at index: Int) -> Double? {
    guard let value = column(field)?[index], !value.isNaN else { return nil }
    return value
  }

  /// Whether there is anything to store.
  public var hasContent: Bool {
    ids != nil || texts != nil || !measured.isEmpty || columns.contains { $0 != nil }
  }

  var memoryBytes: Int {
    columns.reduce(96 + columns.count * 9) { $0 + ($1?.memoryBytes ?? 0) }
      + (ids?.memoryBytes ?? 0) + (texts?.memoryBytes ?? 0)
  }
}

extension ItemStorage {
  /// Whether any item may have an aspect ratio, a width and a height.
  public var mayHaveConflicts: Bool {
    self[.aspectRatio] != nil && self[.width] != nil && self[.height] != nil
  }

  /// Whether an item has an aspect ratio, a width and a height.
  public func hasConflict(at index: Int) -> Bool {
    guard let ratios = self[.aspectRatio], let widths = self[.width], let heights = self[.height]
    else { return false }
    return !ratios[index].isNaN && !widths[index].isNaN && !heights[index].isNaN
  }

  /// The rule for an aspect ratio that conflicts with width and height, as the end of a sentence.
  public static let conflictRequirement = "left out if width and height are given"
}
