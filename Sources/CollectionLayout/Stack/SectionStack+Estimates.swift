extension SectionStack {
  func marks(ofItemAt path: IndexPath) -> CellMarks {
    var marks: CellMarks = []
    if metrics.marksEstimates, isEstimated(itemAt: path) { marks.insert(.estimated) }
    if hasCuts, isCut(itemAt: path) { marks.insert(.cut) }
    return marks
  }

  /// Whether a card is higher than its cell may be. A height that was measured is that of a cell.
  private func isCut(itemAt path: IndexPath) -> Bool {
    let (section, items) = (sections[path.section], data[path.section].items)
    guard let card = section.style.container.card, let most = card.card.maximumHeight,
      items.measured[path.item] == nil
    else { return false }
    let size = section.body.frame(of: path.item).size
    let (storage, index) = items.storage(at: path.item)
    guard size.height >= most, let storage else { return false }
    return card.isCut(index, in: storage, section.texts, width: size.width)
  }

  /// Whether the height of an item's cell is a guess: the default of its kind, that of an estimated
  /// card, or a size that was measured at another width.
  private func isEstimated(itemAt path: IndexPath) -> Bool {
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
      if let isEstimated = card.isEstimated(of: index, in: storage, section.texts, width: width) {
        return isEstimated
      }
    }
    let height = storage[container.field(.height)]?[index] ?? .nan
    return height.isNaN && storage.ratio(at: index) == nil
  }
}
