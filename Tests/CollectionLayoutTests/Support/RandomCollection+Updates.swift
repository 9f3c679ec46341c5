import TestSupport

@testable import CollectionLayout

extension RandomCollection {
  /// A place in a list: anywhere, at its ends, or where a chunk ends.
  private mutating func place(upTo last: Int) -> Int {
    switch random.integer(0...5) {
    case 0: return 0
    case 1: return last
    case 2 where last > 4096:
      return min(last, random.integer(1...(last / 4096)) * 4096 + random.integer(-1...1))
    default: return random.integer(0...last)
    }
  }

  private mutating func newCount(upTo limit: Int) -> Int {
    let count = isLarge && random.chance(15) ? random.integer(500...5000) : random.integer(1...5)
    return min(count, limit)
  }

  /// A possible update, made to the model too.
  mutating func nextUpdate() -> CollectionUpdate {
    if layout.kind.isForest { return nextNodeUpdate() }
    if let move = lastMove.take(), random.chance(40) {
      if random.chance(50) { return moveItem(from: move.to, to: move.from) }
      lastMove = move
      return replaceItems(in: move.to.section, at: move.to.item)
    }
    let filled = model.sections.indices.filter { !model.sections[$0].items.isEmpty }
    switch random.integer(0...(isLarge ? 18 : 16)) {
    case 1 where !model.sections.isEmpty: return moveSection()
    case 2 where !model.sections.isEmpty: return deleteSections()
    case 3, 4: return insertSections()
    case 5...6 where !filled.isEmpty: return deleteItems(in: random.element(of: filled))
    case 7...9 where !filled.isEmpty: return moveItem(from: random.element(of: filled))
    case 10...11 where !filled.isEmpty: return replaceItems(in: random.element(of: filled))
    case 15 where !model.sections.isEmpty: return setSection()
    case 12...14 where !filled.isEmpty: return setItems(in: random.element(of: filled))
    default: return model.sections.isEmpty ? insertSections() : insertItems()
    }
  }

  private mutating func insertItems() -> CollectionUpdate {
    let section = isLarge && random.chance(60) ? 0 : place(upTo: model.sections.count - 1)
    let item = place(upTo: model.sections[section].items.count)
    let fields = newFields(random.chance(5) ? 0 : newCount(upTo: 5000))
    model.sections[section].items.insert(contentsOf: model.newItems(fields), at: item)
    let isEnd = item == model.sections[section].items.count - fields.count && random.chance(50)
    return .insertItems(
      items(fields), at: IndexPath(section, isEnd ? CollectionUpdate.end : item))
  }

  private mutating func deleteItems(in section: Int) -> CollectionUpdate {
    let count = model.sections[section].items.count
    let item = place(upTo: count - 1)
    let deleted = newCount(upTo: count - item)
    model.sections[section].items.removeSubrange(item..<item + deleted)
    return .deleteItems(at: IndexPath(section, item), count: deleted)
  }

  private mutating func moveItem(from section: Int) -> CollectionUpdate {
    let item = place(upTo: model.sections[section].items.count - 1)
    let moved = model.sections[section].items.remove(at: item)
    let target = random.chance(50) ? section : place(upTo: model.sections.count - 1)
    let to =
      random.chance(5) && target == section
      ? item : place(upTo: model.sections[target].items.count)
    model.sections[section].items.insert(moved, at: item)
    return moveItem(
      from: IndexPath(section, item), to: IndexPath(target, to))
  }

  private mutating func moveItem(from: IndexPath, to: IndexPath) -> CollectionUpdate {
    let moved = model.sections[from.section].items.remove(at: from.item)
    model.sections[to.section].items.insert(moved, at: to.item)
    lastMove = (from, to)
    return .moveItem(from: from, to: to)
  }

  private mutating func replaceItems(in section: Int) -> CollectionUpdate {
    replaceItems(in: section, at: place(upTo: model.sections[section].items.count - 1))
  }

  private mutating func replaceItems(in section: Int, at item: Int) -> CollectionUpdate {
    let count = model.sections[section].items.count
    var fields = newFields(newCount(upTo: count - item))
    if random.chance(10) {
      fields = fields.indices.map { model.sections[section].items[item + $0].fields }
    }
    for (index, fields) in fields.enumerated() {
      model.sections[section].items[item + index].fields = fields
    }
    return .replaceItems(items(fields), at: IndexPath(section, item))
  }

  private mutating func setItems(in section: Int) -> CollectionUpdate {
    let items = model.sections[section].items
    let first = place(upTo: items.count - 1)
    let count = newCount(upTo: items.count - first)
    var patch = ItemsPatch(count: count)
    let isEqual = random.chance(15)
    for index in 0..<count {
      var fields = items[first + index].fields
      for field in ItemField.stored where random.chance(25) {
        let value = isEqual ? fields[field] : random.chance(30) ? nil : newValue(of: field)
        patch.set(field, of: index, to: value)
        fields[field] = value
      }
      if random.chance(10) {
        let id = isEqual ? fields.id : random.chance(30) ? nil : "set \(random.integer(0...20))"
        patch.setID(of: index, to: id.map { ItemID($0) })
        fields.id = id
      }
      model.sections[section].items[first + index].fields = fields
    }
    return .setItems(patch, at: IndexPath(section, first))
  }

  private mutating func newValue(of field: ItemField) -> Double {
    switch field {
    case .width, .height: number(0...200)
    case .aspectRatio: ratio()
    case .x, .y: number(-50...900)
    case .columnSpan: random.columnSpan()
    case .rowSpan: random.rowSpan()
    case .column: Double(random.integer(0...5))
    case .measured, .measuredAt: preconditionFailure("no field of the collection")
    }
  }

  private mutating func setSection() -> CollectionUpdate {
    let index = random.integer(0...model.sections.count - 1)
    var section = model.sections[index]
    var patch = SectionPatch()
    if random.chance(20) {
      section.id = random.chance(30) ? nil : "section \(random.integer(0...9))"
      patch.id = section.id.map { .set(ItemID($0)) } ?? .remove
    }
    if layout.kind.isCompositional, random.chance(30) {
      let name = random.element(of: SectionKinds.all.map { $0.kind })
      patch.kind = .set(name)
      if name != section.kind {
        section.options = section.options.kept(by: layout.kind.sectionTable(kind: name)!)
      }
      section.kind = name
    }
    if layout.kind.isCompositional, random.chance(20) {
      section.orthogonalHeight = random.chance(40) ? nil : number(60...300)
      patch.orthogonalHeight = section.orthogonalHeight.map { .set($0) } ?? .remove
    }
    if random.chance(10) {
      patch.options = .remove
      section.options = [:]
    } else if random.chance(80) {
      let new = sectionOptions(of: section.kind ?? kind, share: 20)
      var change = OptionPatch(new)
      for name in section.options.names where new[name] == nil && random.chance(25) {
        change.add(name, .set(.null))
        section.options[name] = nil
      }
      for name in new.names {
        if let rival = GivenOptions.rival(of: name) { section.options[rival] = nil }
      }
      section.options = section.options.patched(by: new)
      patch.options = .set(change)
    }
    model.sections[index] = section
    return .setSection(patch, at: index)
  }

  private mutating func insertSections() -> CollectionUpdate {
    let at = place(upTo: model.sections.count)
    var inserted: [CollectionSection] = []
    for index in 0..<random.integer(1...3) {
      let section = newSection(random.chance(20) ? 0 : newCount(upTo: 2000))
      model.sections.insert(section, at: at + index)
      var given = section.given
      given.items = items(section.items.map(\.fields))
      inserted.append(given)
    }
    return .insertSections(inserted, at: at)
  }

  private mutating func deleteSections() -> CollectionUpdate {
    let at =
      isLarge
      ? random.integer(2...model.sections.count - 1)
      : place(upTo: model.sections.count - 1)
    let count = random.integer(1...min(2, model.sections.count - at))
    model.sections.removeSubrange(at..<at + count)
    return .deleteSections(at: at, count: count)
  }

  private mutating func moveSection() -> CollectionUpdate {
    let from = place(upTo: model.sections.count - 1)
    let to = place(upTo: model.sections.count - 1)
    model.sections.insert(model.sections.remove(at: from), at: to)
    return .moveSection(from: from, to: to)
  }

  private mutating func nextNodeUpdate() -> CollectionUpdate {
    let depths = model.depths
    let paths = depths.indices.flatMap { depth in
      depths[depth].indices.map { IndexPath(depth, $0) }
    }
    func node(_ path: IndexPath) -> PlainCollection.Node { depths[path.section][path.item] }
    let choice = paths.count > 150 ? 0 : random.integer(0...3)
    if paths.isEmpty || choice == 1 || choice == 2 && paths.count < 5 {
      let parent = paths.isEmpty || random.chance(15) ? nil : random.element(of: paths)
      let index = place(upTo: parent.map { node($0).children.count } ?? model.roots.count)
      let subtree = newSubtree(reach: random.element(of: [0, 2, 6]))
      model.insert(subtree, under: parent.map { node($0).token }, at: index)
      guard let forest = try? PlainCollection.forest([subtree]) else {
        preconditionFailure("a nested node is a tree")
      }
      return .insertNode(forest, parent: parent, index: index)
    }
    let from = random.element(of: paths)
    guard choice != 0 else {
      _ = model.remove(node(from).token)
      return .deleteNode(at: from)
    }
    if random.chance(25), layout.options.text("spacing") == "compact" {
      return setNode(node(from), at: from)
    }
    let own = Set(node(from).tokens)
    let parents = paths.filter { !own.contains(node($0).token) }
    let parent = parents.isEmpty || random.chance(15) ? nil : random.element(of: parents)
    let moved = model.remove(node(from).token)
    let siblings =
      parent.map { path in
        model.depths.joined().first { $0.token == node(path).token }!.children.count
      } ?? model.roots.count
    let index = place(upTo: siblings)
    model.insert(moved, under: parent.map { node($0).token }, at: index)
    return .moveNode(from: from, parent: parent, index: index)
  }

  private mutating func setNode(
    _ node: PlainCollection.Node, at path: IndexPath
  ) -> CollectionUpdate {
    var patch = ItemsPatch(count: 1)
    var (width, height) = (node.width, node.height)
    if random.chance(60) {
      width = random.chance(30) ? nil : number(1...200)
      patch.set(.width, of: 0, to: width)
    }
    if random.chance(60) {
      height = random.chance(30) ? nil : number(1...120)
      patch.set(.height, of: 0, to: height)
    }
    model.setSize(of: node.token, width: width, height: height)
    return .setNode(patch, at: path)
  }
}
