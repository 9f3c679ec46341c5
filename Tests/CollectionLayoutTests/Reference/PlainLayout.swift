@testable import CollectionLayout

/// A layout as an array of all its elements: what the contract says, written down plainly.
struct PlainLayout {
  /// In the order of delivery.
  private(set) var elements: [Element]
  var contentSize: Size
  var sectionCount: Int

  init(elements: [Element], contentSize: Size, sectionCount: Int) {
    self.elements = elements.sorted(by: Element.isDeliveredBefore)
    self.contentSize = contentSize
    self.sectionCount = sectionCount
  }

  var counts: ElementCounts {
    func count(_ category: ElementCategory) -> Int {
      elements.count { $0.category == category }
    }
    return ElementCounts(
      sections: sectionCount, cells: count(.cell), supplementary: count(.supplementary),
      decorations: count(.decoration))
  }
}
