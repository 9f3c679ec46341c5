import TestSupport

@testable import CollectionLayout

/// An item as a row: what the contract calls an item's fields.
struct PlainItem: Equatable {
  var id: String?
  var height: Double?
  var aspectRatio: Double?
  var width: Double?

  /// The numbers of the fields that a kind has, in the kind's order.
  func values(of kind: Kind) -> [Double?] {
    switch kind {
    case .grid, .tree: []
    case .waterfall: [height, aspectRatio]
    case .gallery: [width]
    }
  }
}

/// The kinds of layout, for tests that treat all alike.
enum Kind: String, CaseIterable {
  case grid, waterfall, gallery, tree
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
  convenience init(_ items: [PlainItem], of kind: Kind) {
    let rows = items.map { $0.values(of: kind) }
    let fieldCount = PlainItem().values(of: kind).count
    self.init(
      count: items.count,
      columns: (0..<fieldCount).map { field in
        rows.contains { $0[field] != nil } ? rows.map { $0[field] ?? .nan } : nil
      },
      ids: items.contains { $0.id != nil } ? IDColumn(items.map(\.id)) : nil)
  }
}

extension Items {
  init(_ items: [PlainItem], of kind: Kind) {
    self.init(ItemStorage(items, of: kind))
  }

  /// The same items, appended in runs of random length and form.
  init(_ items: [PlainItem], of kind: Kind, using random: inout SeededGenerator) {
    self.init()
    var rest = items[...]
    while !rest.isEmpty {
      let run = Array(rest.prefix(random.integer(1...max(1, rest.count))))
      rest = rest.dropFirst(run.count)
      append(ItemStorage(run, of: kind))
    }
  }
}
