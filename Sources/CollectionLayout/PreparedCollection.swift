/// A collection and its layout as they are together: one version of what a client sees.
public struct PreparedCollection: Sendable {
  /// The kind and its options.
  public let layout: any CollectionViewLayout
  /// The collection view's, if they were given.
  public let bounds: Bounds?
  /// What the collection holds.
  public let data: CollectionData
  /// Where everything is.
  public let prepared: any PreparedLayout
  /// Bytes held by the data and the layout.
  public let memoryBytes: Int
  /// How many items count as stored; see ``CollectionData/storedItemCount(form:)``.
  public let storedItemCount: Int

  /// Lays the data out.
  ///
  /// - Precondition: Options and items are in their documented ranges, and items have the columns
  ///   of the layout's kind.
  /// - Throws: ``LayoutError`` when the layout cannot be had for this data and these bounds.
  public init(
    layout: any CollectionViewLayout, bounds: Bounds?, data: CollectionData
  ) throws(LayoutError) {
    try Self.check(bounds)
    data.requireColumns(of: type(of: layout).dataForm)
    self.init(
      layout: layout, bounds: bounds, data: data,
      prepared: try layout.prepared(for: data, bounds: bounds))
  }

  init(
    layout: any CollectionViewLayout, bounds: Bounds?, data: CollectionData,
    prepared: any PreparedLayout
  ) {
    self.layout = layout
    self.bounds = bounds
    self.data = data
    self.prepared = prepared
    memoryBytes = data.memoryBytes + prepared.memoryBytes
    storedItemCount = data.storedItemCount(form: type(of: layout).dataForm)
  }

  static func check(_ bounds: Bounds?) throws(LayoutError) {
    if let width = bounds?.width, !NumberRange.positive.contains(width) {
      throw .invalidBounds("width", requirement: NumberRange.positive.requirement)
    }
    if let height = bounds?.height, !NumberRange.nonNegative.contains(height) {
      throw .invalidBounds("height", requirement: NumberRange.nonNegative.requirement)
    }
  }

  public var kind: String { type(of: layout).kind }
}
