extension SectionStack {
  /// What an item's card shows; `nil` if cells have no cards.
  func cardContent(ofItemAt path: IndexPath) -> CardContent? {
    guard let card = sections[path.section].style.container.card else { return nil }
    let (storage, index) = data[path.section].items.storage(at: path.item)
    return CardContent(
      card: card, isRightToLeft: metrics.isRightToLeft,
      texts: ItemTextsOfItem(storage, at: index),
      ratio: card.card.hasMedia ? storage?.ratio(at: index) : nil)
  }

  /// Whether equal items of a section show equal cards in both stacks.
  func showsCards(like other: SectionStack, inSection section: Int) -> Bool {
    let card = sections[section].style.container.card
    return card == other.sections[section].style.container.card
      && (card == nil || metrics.isRightToLeft == other.metrics.isRightToLeft)
  }

  /// The card of an item; `nil` if it has none.
  func card(ofItemAt path: IndexPath) -> CardOfItem? {
    guard let card = sections[path.section].style.container.card else { return nil }
    let section = sections[path.section]
    let width = section.body.frame(of: path.item).size.width
    let (storage, index) = data[path.section].items.storage(at: path.item)
    return storage.flatMap {
      card.layout(
        of: index, in: $0, section.texts, width: width, isRightToLeft: metrics.isRightToLeft)
    }
  }

  /// The shaped texts that the stack holds.
  var heldTexts: Set<ObjectIdentifier> {
    Set(sections.lazy.flatMap { $0.texts.paragraphs.map { ObjectIdentifier($0) } })
  }
}

extension Sequence<SectionStack.Section> {
  /// The bytes of shaped texts that these sections hold, but for some.
  func textBytes(besides counted: Set<ObjectIdentifier>) -> Int {
    var counted = counted
    return reduce(0) { bytes, section in
      section.texts.paragraphs.reduce(bytes) {
        counted.insert(ObjectIdentifier($1)).inserted ? $0 + $1.memoryBytes : $0
      }
    }
  }
}
