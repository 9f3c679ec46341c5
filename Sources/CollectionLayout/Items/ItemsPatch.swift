/// Changes of the fields and ids of some items. Fields that are not named stay as they are.
public struct ItemsPatch: Sendable {
  /// The number of items to which the patch applies.
  public var count: Int
  private var changes: [Change] = []
  private var ids: [Int: ItemID?] = [:]
  private var values: [ValueName: [Int: [UInt8]]] = [:]
  /// Items whose texts or keys are taken away first.
  private var without: [ValueKind: Set<Int>] = [:]

  private struct Change: Sendable {
    let item: Int
    let field: ItemField
    /// NaN removes the field.
    let value: Double
  }

  /// Changes nothing.
  public init(count: Int = 0) {
    self.count = count
  }

  /// Sets a field of an item; `nil` removes it.
  public mutating func set(_ field: ItemField, of item: Int, to value: Double?) {
    changes.append(Change(item: item, field: field, value: value ?? .nan))
  }

  /// Sets the id of an item; `nil` removes it.
  public mutating func setID(of item: Int, to id: ItemID?) {
    ids.updateValue(id, forKey: item)
  }

  /// Sets a text, a key or the data of an item; an empty value takes it away.
  ///
  /// - Parameter bytes: At most ``TextColumn/maxBytes``.
  public mutating func set(_ name: ValueName, of item: Int, to bytes: [UInt8]) {
    values[name, default: [:]][item] = bytes
  }

  /// Takes all texts or keys of an item away.
  public mutating func removeAll(_ kind: ValueKind, of item: Int) {
    without[kind, default: []].insert(item)
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { changes.isEmpty && ids.isEmpty && values.isEmpty && without.isEmpty }

  /// Both changes; none of the second is of a field of the first.
  public func merging(_ other: ItemsPatch) -> ItemsPatch {
    var merged = self
    merged.changes += other.changes
    merged.ids.merge(other.ids) { $1 }
    merged.values.merge(other.values) { $1 }
    merged.without.merge(other.without) { $1 }
    return merged
  }

  /// The names of texts, keys and data that are set.
  public var valueNames: Set<ValueName> { Set(values.keys) }

  /// Whether any text may be another afterwards.
  var changesTexts: Bool { without[.text] != nil || values.keys.contains { $0.kind == .text } }

  /// Whether a size, the ratio or a text of any item may be another afterwards.
  var mayChangeSizes: Bool { changesTexts || changes.contains { $0.field.isSize } }

  /// Whether any name may be another afterwards.
  var changesIDs: Bool { !ids.isEmpty }

  /// Merges the changes into items.
  ///
  /// - Parameter items: Exactly ``count`` items.
  /// - Complexity: O(*n*).
  public func applied(to items: Items) -> Items {
    precondition(items.count == count, "\(items.count) items, changes for \(count)")
    var merged: [ItemField: [Double]] = [:]
    for field in ItemField.stored
    where items.has(field) || changes.contains(where: { $0.field == field }) {
      var values: [Double] = []
      values.reserveCapacity(count)
      items.forEachRun(in: 0..<count) { storage, run in
        if let column = storage?.column(field) {
          column.append(run, to: &values)
        } else {
          values += repeatElement(.nan, count: run.count)
        }
      }
      for change in changes where change.field == field { values[change.item] = change.value }
      if values.contains(where: { !$0.isNaN }) { merged[field] = values }
    }
    return Items(
      ItemStorage(
        count: count, columns: merged, ids: mergedIDs(of: items), texts: mergedTexts(of: items),
        isMerged: true))
  }

  private func mergedTexts(of items: Items) -> ItemTexts? {
    var merged = ItemTextsBuilder()
    for name in items.valueNames.union(values.keys).sorted() {
      // There are at most as many names as a layout may have, which is checked at the end.
      guard let index = merged.index(of: name) else { continue }
      var item = 0
      items.forEachRun(in: 0..<count) { storage, run in
        for place in run {
          if let bytes = values[name]?[item] {
            merged.add(index, bytes[...])
          } else if without[name.kind]?.contains(item) ?? false {
            merged.add(index, [])
          } else {
            merged.add(index, place..<place + 1, of: storage?.texts)
          }
          item += 1
        }
      }
    }
    return merged.texts(count: count)
  }

  private func mergedIDs(of items: Items) -> IDColumn? {
    guard items.hasIDs || !ids.isEmpty else { return nil }
    var names = IDColumnBuilder(capacity: count, bytes: 0)
    var isAnyGiven = false
    for item in 0..<count {
      let id = ids[item] ?? items.id(at: item)
      if id != nil { isAnyGiven = true }
      names.append(id)
    }
    return isAnyGiven ? names.column : nil
  }
}
