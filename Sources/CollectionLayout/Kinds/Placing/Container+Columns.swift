extension Container {
  /// The most places that are looked at in a section: items that cover or name columns, times
  /// columns.
  private static let placeLimit = 100_000_000

  /// How many columns a section has, by its options.
  ///
  /// - Throws: If there are too many columns for items that cover or name some.
  func columnCount(
    _ columns: Int, minimumWidth: Double?, maximum: Int?, spacing: Double,
    for spans: ItemSpans.Fields, of items: Items
  ) throws(LayoutError) -> Int {
    var count = columns
    if let minimumWidth {
      // Columns of a third of the width are three, whatever the last bit says.
      let fitting = (width + spacing) / (minimumWidth + spacing) * (1 + 1e-9)
      count = min(max(1, Int(clamping: fitting.rounded(.down))), maximum ?? .max)
    }
    guard !spans.isEmpty else { return count }
    let most = ItemField.maximumSpan
    let limit = min(most, max(64, Self.placeLimit / max(items.count, 1)))
    let requirement =
      "at most \(limit) if\(limit < most ? " \(items.count)" : "") items span or name columns"
    if let maximum, maximum > most { throw invalidOption("maximumColumns", requirement) }
    guard count <= limit else {
      throw minimumWidth == nil
        ? invalidOption("columns", requirement)
        : invalidOption(
          "minimumColumnWidth",
          "large enough for at most \(limit) columns if items span or name some")
    }
    return count
  }
}
