/// Changes to the fields and names of some items: of each item only what is given changes.
public struct ItemsPatch: Sendable {
  /// How many items there are.
  public let count: Int
  private var columns: [ItemField: [Double]] = [:]
  private var ids: [Int: ItemID?] = [:]

  /// NaN with a mark: the field is taken away.
  private static let taken = Double(nan: 1, signaling: false)

  private static func isTaken(_ value: Double) -> Bool {
    value.bitPattern == taken.bitPattern
  }

  /// Changes nothing.
  public init(count: Int) {
    self.count = count
  }

  /// Gives an item another value of a field; `nil` takes the field away.
  public mutating func set(_ field: ItemField, of item: Int, to value: Double?) {
    columns[field, default: Array(repeating: .nan, count: count)][item] = value ?? Self.taken
  }

  /// Gives an item another name; `nil` takes its name away.
  public mutating func setID(of item: Int, to id: ItemID?) {
    ids.updateValue(id, forKey: item)
  }

  /// Merges the changes into items.
  ///
  /// - Parameter items: As many as there are here.
  /// - Complexity: O(*n*).
  func applied(to items: Items) -> Items {
    precondition(items.count == count, "\(items.count) items, changes for \(count)")
    var merged: [ItemField: [Double]] = [:]
    for field in ItemField.allCases {
      var values: [Double] = []
      values.reserveCapacity(count)
      items.forEachRun(in: 0..<count) { storage, run in
        if let column = storage?[field] {
          values += column[run]
        } else {
          values += repeatElement(.nan, count: run.count)
        }
      }
      if let changes = columns[field] {
        for (item, value) in changes.enumerated() {
          if Self.isTaken(value) { values[item] = .nan } else if !value.isNaN { values[item] = value }
        }
      }
      if values.contains(where: { !$0.isNaN }) { merged[field] = values }
    }
    return Items(
      ItemStorage(count: count, columns: merged, ids: mergedIDs(of: items), isMerged: true))
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
