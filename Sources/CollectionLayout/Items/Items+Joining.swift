extension Items.Block {
  /// Neighbours with up to this many items together are copied into one block.
  private static let smallCount = 512

  /// The two blocks as one, if they can be joined cheaply; `next` must follow directly.
  func joined(with next: Items.Block) -> Items.Block? {
    if storage == nil && next.storage == nil {
      return Items.Block(first: first, count: count + next.count, storage: nil, offset: 0)
    }
    if storage === next.storage && offset + count == next.offset {
      return Items.Block(first: first, count: count + next.count, storage: storage, offset: offset)
    }
    return count + next.count <= Self.smallCount ? Self.copying([self, next]) : nil
  }

  /// Copies adjacent blocks into one. At least one of them must have storage.
  static func copying(_ blocks: [Items.Block]) -> Items.Block {
    var columns: [ItemField: [Double]] = [:]
    for field in ItemField.stored
    where blocks.contains(where: { $0.storage?.column(field) != nil }) {
      columns[field] = blocks.reduce(into: []) { $1.appendValues(of: field, to: &$0) }
    }
    let storage = ItemStorage(
      count: blocks.reduce(0) { $0 + $1.count }, columns: columns, ids: copyingIDs(of: blocks),
      texts: copyingTexts(of: blocks),
      isMerged: blocks.contains { $0.storage?.isMerged ?? false })
    return Items.Block(
      first: blocks[0].first, count: storage.count, storage: storage, offset: 0)
  }

  private func appendValues(of field: ItemField, to values: inout [Double]) {
    if let column = storage?.column(field) {
      column.append(range, to: &values)
    } else {
      values += repeatElement(.nan, count: count)
    }
  }

  private static func copyingTexts(of blocks: [Items.Block]) -> ItemTexts? {
    var texts = ItemTextsBuilder()
    for name in Set(blocks.flatMap { $0.storage?.texts?.names ?? [] }).sorted() {
      _ = texts.index(of: name)
    }
    guard !texts.isEmpty else { return nil }
    for block in blocks { texts.add(block.range, of: block.storage?.texts) }
    return texts.texts(count: blocks.reduce(0) { $0 + $1.count })
  }

  private static func copyingIDs(of blocks: [Items.Block]) -> IDColumn? {
    guard blocks.contains(where: { $0.storage?.ids != nil }) else { return nil }
    var names = IDColumnBuilder(capacity: blocks.reduce(0) { $0 + $1.count }, bytes: 0)
    for block in blocks { names.append(block.range, of: block.storage?.ids) }
    return names.column
  }
}

extension Items {
  /// The items at these places, in this order.
  ///
  /// - Complexity: O(*n*) for *n* places; O(1) for items without fields.
  func reordered(by places: [Int32]) -> Items {
    guard storedCount > 0, !places.indices.allSatisfy({ places[$0] == $0 }),
      let storage = blocks.count == 1 ? blocks[0].storage : Block.copying(blocks).storage
    else { return self }
    var columns: [ItemField: [Double]] = [:]
    for field in ItemField.stored {
      guard let column = storage.column(field) else { continue }
      columns[field] = places.map { column[Int($0)] }
    }
    var ids = IDColumnBuilder(capacity: places.count, bytes: storage.ids?.bytes.count ?? 0)
    if let column = storage.ids { for place in places { ids.append(column.bytes(of: Int(place))) } }
    var texts = ItemTextsBuilder()
    for name in storage.texts?.names ?? [] {
      guard let column = storage.texts?.column(name), let index = texts.index(of: name) else {
        continue
      }
      for place in places { texts.add(index, column.text(of: Int(place))) }
    }
    return Items(
      ItemStorage(
        count: places.count, columns: columns, ids: storage.ids == nil ? nil : ids.column,
        texts: texts.texts(count: places.count)))
  }

  /// Adds other items at the end. They share all storage.
  mutating func append(_ items: Items) { for block in items.blocks { append(block) } }
}
