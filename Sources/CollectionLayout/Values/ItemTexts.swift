/// The texts, keys and data of a run of items, by their names.
public struct ItemTexts: Sendable {
  public let names: [ValueName]
  let columns: [TextColumn]

  /// Whether there is anything of a kind.
  func has(_ kind: ValueKind) -> Bool { names.contains { $0.kind == kind } }

  public func column(_ name: ValueName) -> TextColumn? {
    names.firstIndex(of: name).map { columns[$0] }
  }

  /// An item's value in bytes; empty if it has none.
  public func text(_ name: ValueName, of index: Int) -> ArraySlice<UInt8> {
    column(name)?.text(of: index) ?? []
  }

  var memoryBytes: Int { columns.reduce(64) { $0 + $1.memoryBytes + 16 } }
}

/// Collects texts, keys and data of items, which come in ascending order.
public struct ItemTextsBuilder {
  private var names: [ValueName] = []
  private var columns: [TextColumnBuilder] = []

  public init() {}

  public var isEmpty: Bool { names.isEmpty }

  /// The index of a name; `nil` if there are too many of its kind.
  public mutating func index(of name: ValueName) -> Int? {
    if let index = names.firstIndex(of: name) { return index }
    guard names.count(where: { $0.kind == name.kind }) < ValueKind.maxNames else { return nil }
    names.append(name)
    columns.append(TextColumnBuilder())
    return names.count - 1
  }

  /// The index of a name that was already added.
  public func knownIndex(of name: some Sequence<UInt8>, _ kind: ValueKind) -> Int? {
    names.firstIndex { $0.kind == kind && $0.name.utf8.elementsEqual(name) }
  }

  /// Adds the text of an item.
  ///
  /// - Parameters:
  ///   - name: An index of a name.
  ///   - item: Behind the last item with a text of this name.
  ///   - append: Writes the text in UTF-8.
  /// - Returns: False if the text is too long. Then the item has none.
  public mutating func add<E>(
    _ name: Int, of item: Int, _ append: (inout [UInt8]) throws(E) -> Void
  ) throws(E) -> Bool {
    precondition(columns[name].count <= item, "item \(item) has the text already")
    columns[name].pad(to: item)
    return try columns[name].add(append)
  }

  /// Whether an item has its place in a column.
  public func hasPlace(_ name: Int, of item: Int) -> Bool { columns[name].count > item }

  mutating func add(_ items: Range<Int>, of texts: ItemTexts?) {
    for (index, name) in names.enumerated() { columns[index].add(items, of: texts?.column(name)) }
  }

  mutating func add(_ name: Int, _ text: ArraySlice<UInt8>) { columns[name].add(text) }
  mutating func add(_ name: Int, _ items: Range<Int>, of texts: ItemTexts?) {
    columns[name].add(items, of: texts?.column(names[name]))
  }

  /// The texts of `count` items; `nil` if none has any.
  public mutating func texts(count: Int) -> ItemTexts? {
    var (kept, made): ([ValueName], [TextColumn]) = ([], [])
    for index in names.indices {
      guard let column = columns[index].column(count: count) else { continue }
      kept.append(names[index])
      made.append(column)
    }
    return kept.isEmpty ? nil : ItemTexts(names: kept, columns: made)
  }
}

/// The texts of one item. Two are equal if they have the same values of the same names.
public struct ItemTextsOfItem: Equatable, Sendable {
  private let texts: ItemTexts?
  private let index: Int

  init(_ storage: ItemStorage?, at index: Int) {
    texts = storage?.texts
    self.index = index
  }

  public static func == (a: ItemTextsOfItem, b: ItemTextsOfItem) -> Bool {
    a.isWithin(b) && b.isWithin(a)
  }

  /// The texts that are not empty, in the order of the names' bytes.
  public var all: [(name: String, text: ArraySlice<UInt8>)] {
    (texts?.names ?? []).filter { $0.kind == .text }.sorted()
      .map { ($0.name, texts?.text($0, of: index) ?? []) }.filter { !$0.text.isEmpty }
  }

  private func isWithin(_ other: ItemTextsOfItem) -> Bool {
    guard let texts else { return true }
    return zip(texts.names, texts.columns).allSatisfy { name, column in
      name.kind != .text
        || column.text(of: index) == other.texts?.text(name, of: other.index) ?? []
    }
  }
}

/// What a page shows of an item or a section: a JSON value, as it was sent.
public struct ItemData: Equatable, Sendable {
  private let column: TextColumn
  private let index: Int

  /// `nil` if the item has no data.
  /// - Parameter json: A text in UTF-8.
  public init(_ json: [UInt8]) {
    column = TextColumn(bytes: json, ends: [UInt32(json.count)])
    index = 0
  }

  init?(_ storage: ItemStorage?, at index: Int) {
    guard let column = storage?.texts?.column(.data), column.hasText(index) else {
      return nil
    }
    self.column = column
    self.index = index
  }

  /// The JSON text in UTF-8.
  public var bytes: ArraySlice<UInt8> { column.text(of: index) }

  public static func == (a: ItemData, b: ItemData) -> Bool {
    a.column === b.column && a.index == b.index || a.bytes == b.bytes
  }
}

// MARK: Texts of items

extension Items {
  /// Whether any item may have a text.
  public var hasTexts: Bool {
    blocks.contains { $0.storage?.texts?.has(.text) ?? false }
  }

  /// The names of all texts, keys and data that an item may have.
  public var valueNames: Set<ValueName> {
    Set(blocks.flatMap { $0.storage?.texts?.names ?? [] })
  }

  /// The data of an item, if it has some.
  ///
  /// - Complexity: O(log *b*) for *b* blocks.
  func data(at item: Int) -> ItemData? {
    let (storage, index) = storage(at: item)
    return ItemData(storage, at: index)
  }

  /// The names of what at least one item has.
  public var presentNames: [ValueName] {
    valueNames.sorted().filter { name in
      anyBlock { storage, range in storage.texts?.column(name)?.hasText(in: range) ?? false }
    }
  }

  /// The bytes of all texts of storage that the items use, in whole or in part.
  var textBytes: Int {
    blocks.reduce(0) { $0 + ($1.storage?.texts?.columns.reduce(0) { $0 + $1.bytes.count } ?? 0) }
  }

  /// Calls `body` with each item's value of a name, in bytes; empty if it has none.
  public func forEachText(_ name: ValueName, _ body: (ArraySlice<UInt8>) -> Void) {
    forEachRun(in: 0..<count) { storage, run in
      let column = storage?.texts?.column(name)
      for index in run { body(column?.text(of: index) ?? []) }
    }
  }

  /// Whether the items of a range have the same texts in both.
  ///
  /// - Complexity: O(*b* + bytes of the values of items that are not stored together).
  func hasSameTexts(as other: Items, in range: Range<Int>) -> Bool {
    hasSame(
      in: range, as: other, where: { $0.texts?.has(.text) ?? false },
      saying: { ItemTextsOfItem($0, at: $1) })
  }

  /// Whether the items of a range have the same data in both. Its complexity is like that of
  /// ``hasSameTexts(as:in:)``.
  func hasSameData(as other: Items, in range: Range<Int>) -> Bool {
    hasSame(in: range, as: other, where: { $0.texts != nil }, saying: { ItemData($0, at: $1) })
  }
}
