import TestSupport

@testable import CollectionLayout

/// An item as a row: what the contract calls an item's fields.
struct PlainItem: Equatable {
  var id: String?
  var height: Double?
  var aspectRatio: Double?
  var width: Double?
  var x: Double?
  var y: Double?
  var columnSpan: Double?
  var rowSpan: Double?
  var column: Double?

  /// Whether it has a ratio beside both of what it is the ratio of.
  var hasConflict: Bool { aspectRatio != nil && width != nil && height != nil }

  subscript(field: ItemField) -> Double? {
    get {
      switch field {
      case .width: width
      case .height: height
      case .aspectRatio: aspectRatio
      case .x: x
      case .y: y
      case .columnSpan: columnSpan
      case .rowSpan: rowSpan
      case .column: column
      case .measured, .measuredAt: nil
      }
    }
    set {
      switch field {
      case .width: width = newValue
      case .height: height = newValue
      case .aspectRatio: aspectRatio = newValue
      case .x: x = newValue
      case .y: y = newValue
      case .columnSpan: columnSpan = newValue
      case .rowSpan: rowSpan = newValue
      case .column: column = newValue
      case .measured, .measuredAt: preconditionFailure("no field of the collection")
      }
    }
  }
}

extension IDColumn {
  convenience init(_ names: [String?]) {
    var bytes: [UInt8] = []
    var ends: [UInt32] = []
    for name in names {
      bytes += Array((name ?? "").utf8)
      ends.append(UInt32(bytes.count))
    }
    self.init(bytes: bytes, ends: ends)
  }
}

extension ItemStorage {
  /// The items as columns, those that no item fills left out.
  convenience init(_ items: [PlainItem]) {
    var columns: [ItemField: [Double]] = [:]
    for field in ItemField.stored where items.contains(where: { $0[field] != nil }) {
      columns[field] = items.map { $0[field] ?? .nan }
    }
    self.init(
      count: items.count, columns: columns,
      ids: items.contains { $0.id != nil } ? IDColumn(items.map(\.id)) : nil)
  }
}

extension Items {
  init(_ items: [PlainItem]) {
    self.init(ItemStorage(items))
  }

  /// The same items, appended in runs of random length and form.
  init(_ items: [PlainItem], using random: inout SeededGenerator) {
    self.init()
    var rest = items[...]
    while !rest.isEmpty {
      let run = Array(rest.prefix(random.integer(1...max(1, rest.count))))
      rest = rest.dropFirst(run.count)
      append(ItemStorage(run))
    }
  }

  /// Items that have nothing but heights.
  init(heights: [Double]) {
    self.init(heights.map { PlainItem(height: $0) })
  }
}
