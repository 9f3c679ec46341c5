public import CollectionLayout

/// Writes the body of a prepare that makes the same layout again. It has only what was given, and
/// items as columns.
public struct CollectionEncoder {
  public private(set) var writer: JSONWriter
  /// From what length on the text so far is passed on.
  private let partLength: Int
  private let passOn: ([UInt8]) -> Void

  public init(_ writer: consuming JSONWriter = JSONWriter(capacity: 64 << 10)) {
    self.writer = writer
    partLength = .max
    passOn = { _ in }
  }

  private init(partLength: Int, _ passOn: @escaping ([UInt8]) -> Void) {
    writer = JSONWriter(capacity: 64 << 10)
    self.partLength = partLength
    self.passOn = passOn
  }

  /// Gives the text in parts, so that it is never in memory as a whole.
  ///
  /// - Parameters:
  ///   - partLength: About how many bytes a part has, but for the last one.
  ///   - take: Is given the parts in order.
  /// - Complexity: O(bytes).
  public static func write(
    _ collection: PreparedCollection, partLength: Int, _ take: @escaping ([UInt8]) -> Void
  ) {
    var encoder = CollectionEncoder(partLength: partLength, take)
    encoder.encode(collection)
    take(encoder.writer.bytes)
  }

  /// Writes the comma between two of many, where a part may end.
  private mutating func separate() {
    writer.write(",")
    guard writer.bytes.count >= partLength else { return }
    passOn(writer.bytes)
    writer = JSONWriter(capacity: partLength + 4096)
  }

  /// A lower bound of the bytes for the items' fields and ids. A value needs at least two bytes. An
  /// item without the value needs five for `null`.
  ///
  /// A count of plain items needs almost nothing until one of them gets a field. Then each item
  /// needs bytes.
  public static func leastBytes(of collection: PreparedCollection) -> Int {
    guard case .sections(let sections) = collection.data else { return 0 }
    return sections.reduce(0) { bytes, section in
      let items = section.items
      let columns =
        ItemField.stored.count { items.has($0) } + (items.hasAnyID ? 1 : 0)
        + items.textNames.count
      let measured = items.hasMeasured ? 2 * items.count : 0
      return bytes + columns * (5 * items.count - 3 * items.storedCount) + measured
    }
  }

  /// An upper bound of the bytes by which a change makes the body longer: what two bytes ask for,
  /// as a digit and a comma, takes 25 at most, and so does a half of CBOR. Then there are values
  /// that nobody asked for, each a `null`.
  ///
  /// - Parameters:
  ///   - change: `nil` if all attributes stay the same.
  ///   - length: Of the body with which the change was asked for.
  public static func mostGrowth(by change: CollectionChange?, askedWith length: Int) -> Int {
    13 * length + 5 * (change?.mostAddedValues ?? 0)
  }

  /// Writes bounds and options alone.
  public mutating func encode(_ layout: GivenLayout) {
    writer.object {
      $0["bounds"] = layout.bounds
      $0["options"] = layout.options.isEmpty ? nil : layout.options
    }
  }

  /// - Complexity: O(bytes).
  public mutating func encode(_ collection: PreparedCollection) {
    writer.write("{")
    if let bounds = collection.bounds {
      writer.write("\"bounds\":")
      bounds.write(to: &writer)
      writer.write(",")
    }
    if !collection.layout.options.isEmpty {
      writer.write("\"options\":")
      collection.layout.options.write(to: &writer)
      writer.write(",")
    }
    switch collection.data {
    case .sections(let sections):
      writer.write("\"sections\":[")
      for (index, section) in sections.enumerated() {
        if index > 0 { separate() }
        encode(section, MeasuredColumns(collection, section: index))
      }
      writer.write("]}")
    case .forest(let forest):
      writer.write("\"nodes\":")
      encode(forest)
      writer.write("}")
    }
  }

  // MARK: Sections

  private mutating func encode(_ section: CollectionSection, _ measured: MeasuredColumns) {
    writer.write("{")
    if let settings = section.settings {
      if let id = settings.id {
        writer.write("\"id\":")
        writer.write(id)
        writer.write(",")
      }
      if let kind = settings.kind {
        writer.write("\"kind\":")
        writer.write(string: kind)
        writer.write(",")
      }
      if let height = settings.orthogonalHeight {
        writer.write("\"orthogonal\":{\"height\":")
        writer.write(height)
        writer.write("},")
      }
      if !settings.options.isEmpty {
        writer.write("\"options\":")
        settings.options.write(to: &writer)
        writer.write(",")
      }
    }
    writer.write("\"items\":")
    encode(section.items, measured)
    writer.write("}")
  }

  /// What was measured of the items of a section, as columns.
  private struct MeasuredColumns {
    private var sizes: [(item: Int, value: Double)] = []
    /// The widths of the cells when they were measured, where they are others by now.
    private var widths: [(item: Int, value: Double)] = []

    init(_ collection: PreparedCollection, section: Int) {
      collection.forEachMeasured(inSection: section) { item, size, width in
        sizes.append((item, size))
        if let width { widths.append((item, width)) }
      }
    }

    /// The columns that there are.
    var columns: [(field: ItemField, values: [(item: Int, value: Double)])] {
      [(field: .measured, values: sizes), (field: .measuredAt, values: widths)]
        .filter { !$0.values.isEmpty }
    }
  }

  private mutating func encode(_ items: Items, _ measured: MeasuredColumns) {
    let columns = measured.columns
    let fields = ItemField.stored.filter { items.has($0) }
    let hasAnyID = items.hasAnyID
    let textNames = items.textNames
    guard hasAnyID || !fields.isEmpty || !textNames.isEmpty || !columns.isEmpty else {
      return writer.write(items.count)
    }
    let hasFields = !fields.isEmpty || !columns.isEmpty
    writer.write("{")
    if hasAnyID {
      writer.write("\"id\":[")
      var isFirst = true
      items.forEachID { id in
        if !isFirst { separate() }
        isFirst = false
        if let id { writer.write(id) } else { writer.write("null") }
      }
      writer.write(!hasFields && textNames.isEmpty ? "]" : "],")
    }
    if !textNames.isEmpty {
      encodeTexts(of: items, textNames)
      if hasFields { writer.write(",") }
    }
    for (index, field) in fields.enumerated() {
      writer.write(index > 0 ? "],\"" : "\"")
      writer.write(raw: Array(field.name.utf8))
      writer.write("\":[")
      items.forEachValue(of: field, from: 0) { item, value in
        if item > 0 { separate() }
        encode(value)
      }
    }
    for (index, column) in columns.enumerated() {
      writer.write(index + fields.count > 0 ? "],\"" : "\"")
      writer.write(raw: Array(column.field.name.utf8))
      writer.write("\":[")
      var values = column.values[...]
      for item in 0..<items.count {
        if item > 0 { separate() }
        encode(values.first?.item == item ? values.removeFirst().value : .nan)
      }
    }
    writer.write(hasFields ? "]}" : "}")
  }

  private mutating func encodeTexts(of items: Items, _ names: [String]) {
    writer.write("\"text\":{")
    for (index, name) in names.enumerated() {
      if index > 0 { writer.write(",") }
      writer.write(string: name)
      writer.write(":[")
      var isFirst = true
      items.forEachText(name) { text in
        if !isFirst { separate() }
        isFirst = false
        if text.isEmpty {
          writer.write("null")
        } else {
          text.withUnsafeBufferPointer { writer.write(string: $0) }
        }
      }
      writer.write("]")
    }
    writer.write("}")
  }

  /// - Parameter value: NaN if there is none, infinity for "all".
  private mutating func encode(_ value: Double) {
    if value.isNaN {
      writer.write("null")
    } else if value == .infinity {
      writer.write(string: ItemField.wordForAll)
    } else {
      writer.write(value)
    }
  }

  // MARK: Hierarchies

  private mutating func encode(_ forest: Forest) {
    writer.write("{\"parent\":[")
    for node in 0..<forest.count {
      if node > 0 { separate() }
      if let parent = forest.parent(of: node) { writer.write(parent) } else { writer.write("null") }
    }
    writer.write("]")
    if forest.hasIDs {
      writer.write(",\"id\":[")
      for node in 0..<forest.count {
        if node > 0 { separate() }
        if let id = forest.id(of: node) { writer.write(id) } else { writer.write("null") }
      }
      writer.write("]")
    }
    if let widths = forest.nodeWidths { encode(widths, named: ",\"width\":[") }
    if let heights = forest.nodeHeights { encode(heights, named: ",\"height\":[") }
    writer.write("}")
  }

  private mutating func encode(_ values: [Double], named name: StaticString) {
    writer.write(name)
    for (node, value) in values.enumerated() {
      if node > 0 { separate() }
      encode(value)
    }
    writer.write("]")
  }
}
