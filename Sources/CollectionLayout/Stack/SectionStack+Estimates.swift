extension SectionStack {
  /// Whether the height of an item's cell is a guess: the default of its kind, that of an estimated
  /// card, or a size that was measured at another width.
  func isEstimated(itemAt path: IndexPath) -> Bool {
    let section = sections[path.section]
    guard section.style.layout.traits.contains(.ownHeights) else { return false }
    let items = data[path.section].items
    if let measured = items.measured[path.item] {
      return measured.width != section.body.frame(of: path.item).size.width
    }
    let (storage, index) = items.storage(at: path.item)
    guard let storage else { return true }
    let container = section.style.container
    if let card = container.card {
      let width = section.body.frame(of: path.item).size.width
      if let isEstimated = card.isEstimated(of: index, in: storage, width: width) {
        return isEstimated
      }
    }
    let height = storage[container.field(.height)]?[index] ?? .nan
    return height.isNaN && storage.ratio(at: index) == nil
  }
}
