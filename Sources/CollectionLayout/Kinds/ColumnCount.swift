/// How many columns a section has, by its options.
struct ColumnCount {
  let count: Int

  /// - Throws: If there are too many columns for items that cover or name some.
  init(
    columns: Int, minimumWidth: Double?, maximum: Int?, spacing: Double,
    for spans: ItemSpans.Fields, in container: Container
  ) throws(LayoutError) {
    var count = columns
    if let minimumWidth {
      let fitting = (container.width + spacing) / (minimumWidth + spacing)
      count = min(max(1, Int(clamping: fitting.rounded(.down))), maximum ?? .max)
    }
    self.count = count
    let limit = ItemField.maximumSpan
    guard !spans.isEmpty else { return }
    let requirement = "at most \(limit) if items span or name columns"
    if let maximum, maximum > limit { throw container.invalidOption("maximumColumns", requirement) }
    guard count <= limit else {
      throw minimumWidth == nil
        ? container.invalidOption("columns", requirement)
        : container.invalidOption(
          "minimumColumnWidth",
          "large enough for at most \(limit) columns if items span or name some")
    }
  }
}
