extension SectionStack {
  /// The texts that an item's cell shows; `nil` if the item has none, or cells have no cards.
  func texts(ofItemAt path: IndexPath) -> ItemTextsOfItem? {
    guard !sections[path.section].texts.isEmpty else { return nil }
    return data[path.section].items.texts(at: path.item)
  }

  /// The card of an item; `nil` if it has none.
  func card(ofItemAt path: IndexPath) -> CardOfItem? {
    guard let card = sections[path.section].style.container.card else { return nil }
    let section = sections[path.section]
    let width = section.body.frame(of: path.item).size.width
    var found: CardOfItem?
    data[path.section].items.forEachRun(in: path.item..<path.item + 1) { storage, run in
      found = storage.flatMap {
        card.layout(
          of: run.lowerBound, in: $0, width: width, isRightToLeft: metrics.isRightToLeft)
      }
    }
    return found
  }

  /// The shaped texts that the stack holds.
  var heldTexts: Set<ObjectIdentifier> {
    Set(sections.lazy.flatMap { $0.texts.lazy.map { ObjectIdentifier($0) } })
  }
}

extension Sequence<SectionStack.Section> {
  /// The bytes of shaped texts that these sections hold, but for some.
  func textBytes(besides counted: Set<ObjectIdentifier>) -> Int {
    var counted = counted
    return reduce(0) { bytes, section in
      section.texts.reduce(bytes) {
        counted.insert(ObjectIdentifier($1)).inserted ? $0 + $1.memoryBytes : $0
      }
    }
  }
}
