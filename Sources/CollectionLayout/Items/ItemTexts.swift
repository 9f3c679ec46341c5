/// The texts of a run of items, by their names, and their data beside them.
public struct ItemTexts: Sendable {
  /// The most names in a layout.
  public static let maxNames = 8
  /// The lengths of names, in bytes of UTF-8.
  public static let nameLengths = 1...64
  /// The name of the field on the wire.
  public static let field = "text"
  /// The column of the items' data, which no text can have as its name.
  public static let data = ""
  /// The name of data on the wire.
  public static let dataField = "data"
  /// The rule for a name, as the end of a sentence.
  public static let nameRequirement = "a name of 1 to 64 bytes, one of at most 8 in a layout"
  /// The rule for a text, as the end of a sentence.
  public static let textRequirement = "a string of at most 65536 bytes of UTF-8"

  public let names: [String]
  let columns: [TextColumn]

  /// The names of the texts, without the data.
  public var textNames: [String] { names.filter { $0 != Self.data } }

  func column(_ name: String) -> TextColumn? {
    names.firstIndex(of: name).map { columns[$0] }
  }

  /// An item's text in UTF-8; empty if it has none.
  public func text(_ name: String, of index: Int) -> ArraySlice<UInt8> {
    column(name)?.text(of: index) ?? []
  }

  var memoryBytes: Int { columns.reduce(64) { $0 + $1.memoryBytes + 16 } }
}

/// Collects texts of items, which come in ascending order.
public struct ItemTextsBuilder {
  private var names: [String] = []
  private var columns: [TextColumnBuilder] = []

  public init() {}

  public var isEmpty: Bool { names.isEmpty }

  /// The index of a name; `nil` if there are too many.
  public mutating func index(of name: String) -> Int? {
    if let index = names.firstIndex(of: name) { return index }
    let count = names.count { $0 != ItemTexts.data }
    guard name == ItemTexts.data || count < ItemTexts.maxNames else { return nil }
    names.append(name)
    columns.append(TextColumnBuilder())
    return names.count - 1
  }

  /// The index of a name that was already added.
  public func knownIndex(of name: some Sequence<UInt8>) -> Int? {
    names.firstIndex { $0.utf8.elementsEqual(name) }
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
    let start = columns[name].bytes.count
    try columns[name].add(append)
    if columns[name].bytes.count - start <= TextColumn.maxBytes { return true }
    columns[name].dropLastText()
    return false
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
    var (kept, made): ([String], [TextColumn]) = ([], [])
    for index in names.indices {
      guard let column = columns[index].column(count: count) else { continue }
      kept.append(names[index])
      made.append(column)
    }
    return kept.isEmpty ? nil : ItemTexts(names: kept, columns: made)
  }
}

/// The texts of one item, without its data. Two are equal if they have the same texts of the same
/// names.
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

  private func isWithin(_ other: ItemTextsOfItem) -> Bool {
    guard let texts else { return true }
    return zip(texts.names, texts.columns).allSatisfy { name, column in
      name == ItemTexts.data
        || column.text(of: index) == other.texts?.text(name, of: other.index) ?? []
    }
  }
}

/// What a page shows of an item: a JSON value, as it was sent.
public struct ItemData: Equatable, Sendable {
  private let column: TextColumn
  private let index: Int

  /// `nil` if the item has no data.
  init?(_ storage: ItemStorage?, at index: Int) {
    guard let column = storage?.texts?.column(ItemTexts.data), column.hasText(index) else {
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
    blocks.contains { $0.storage?.texts?.names.contains { $0 != ItemTexts.data } ?? false }
  }

  /// The names of all texts, in the order of the alphabet.
  public var textNames: [String] {
    Set(blocks.flatMap { $0.storage?.texts?.textNames ?? [] }).sorted()
  }

  /// Whether any item may have data.
  public var hasData: Bool {
    blocks.contains { $0.storage?.texts?.column(ItemTexts.data) != nil }
  }

  /// The data of an item, if it has some.
  ///
  /// - Complexity: O(log *b*) for *b* blocks.
  func data(at item: Int) -> ItemData? {
    let (storage, index) = storage(at: item)
    return ItemData(storage, at: index)
  }

  /// The bytes of all texts of storage that the items use, in whole or in part.
  var textBytes: Int {
    blocks.reduce(0) { $0 + ($1.storage?.texts?.columns.reduce(0) { $0 + $1.bytes.count } ?? 0) }
  }

  /// Calls `body` with each item's text of a name, or data, in UTF-8; empty if it has none.
  public func forEachText(_ name: String, _ body: (ArraySlice<UInt8>) -> Void) {
    forEachRun(in: 0..<count) { storage, run in
      let column = storage?.texts?.column(name)
      for index in run { body(column?.text(of: index) ?? []) }
    }
  }

  /// Whether the items of a range have the same texts in both.
  ///
  /// - Complexity: O(*b* + bytes of the texts of items that are not stored together).
  func hasSameTexts(as other: Items, in range: Range<Int>) -> Bool {
    hasSame(
      in: range, as: other, where: { $0.texts != nil }, saying: { ItemTextsOfItem($0, at: $1) })
  }

  /// Whether the items of a range have the same data in both. Its complexity is like that of
  /// ``hasSameTexts(as:in:)``.
  func hasSameData(as other: Items, in range: Range<Int>) -> Bool {
    hasSame(in: range, as: other, where: { $0.texts != nil }, saying: { ItemData($0, at: $1) })
  }
}
