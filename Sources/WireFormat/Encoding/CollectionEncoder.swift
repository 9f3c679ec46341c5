public import CollectionLayout

/// Writes the body of a prepare that makes the same layout again. It has only what was given, and
/// items as columns.
public struct CollectionEncoder {
  public private(set) var writer: JSONWriter

  public init(_ writer: consuming JSONWriter = JSONWriter(capacity: 64 << 10)) {
    self.writer = writer
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
    var writer = JSONWriter(capacity: 64 << 10)
    PartedEncoder(partLength: partLength, take).write(collection, to: &writer)
    take(writer.bytes)
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
        + items.presentNames.count
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

  /// Writes bounds, options and the arrangement alone.
  public mutating func encode(_ layout: GivenLayout) {
    writer.object {
      $0["bounds"] = layout.bounds
      $0["options"] = layout.options.isEmpty ? nil : layout.options
      $0["arrange"] = layout.arrangement
    }
  }

  /// - Complexity: O(bytes).
  public mutating func encode(_ collection: PreparedCollection) {
    PartedEncoder(partLength: .max) { _ in }.write(collection, to: &writer)
  }
}

/// Writes a collection, and passes on a part of its text whenever one is long enough: between two
/// elements of a list.
private struct PartedEncoder {
  /// From what length on the text so far is passed on.
  let partLength: Int
  let take: ([UInt8]) -> Void

  init(partLength: Int, _ take: @escaping ([UInt8]) -> Void) {
    self.partLength = partLength
    self.take = take
  }

  func write(_ collection: PreparedCollection, to writer: inout JSONWriter) {
    let options = collection.layout.options
    writer.object { object in
      object["bounds"] = collection.bounds
      object["options"] = options.isEmpty ? nil : options
      if !collection.folds.isEmpty { write(foldsOf: collection, to: &object) }
      switch collection.data {
      case .sections(let sections):
        object.array("sections") { list in
          for (index, section) in sections.enumerated() {
            let measured = MeasuredColumns(collection, section: index)
            list.append { writer in writer.object { write(section, measured, to: &$0) } }
            list.passOn(from: partLength, take)
          }
        }
      case .forest(let forest):
        object.object("nodes") { write(forest, to: &$0) }
      }
    }
  }

  private func write(foldsOf collection: PreparedCollection, to object: inout JSONObject) {
    object.object("folded") { object in
      object["from"] = collection.folds.from
      for (name, isFolded) in [("fold", true), ("unfold", false)] {
        object.array(name) { list in
          collection.forEachFold(isFolded: isFolded) { path, section in
            list.append { writer in
              writer.object {
                if let path {
                  $0["at"] = [path.section, path.item]
                } else {
                  $0["section"] = section
                }
              }
            }
          }
        }
      }
    }
  }

  private func append(_ value: (some JSONWritable)?, to list: inout JSONArray) {
    list.append(value)
    list.passOn(from: partLength, take)
  }

  // MARK: Sections

  private func write(
    _ section: CollectionSection, _ measured: MeasuredColumns, to object: inout JSONObject
  ) {
    if let settings = section.settings {
      object["id"] = settings.id
      object["kind"] = settings.kind
      if let height = settings.orthogonalHeight {
        object.object("orthogonal") { $0["height"] = height }
      }
      object["options"] = settings.options.isEmpty ? nil : settings.options
      object["data"] = settings.data.map { JSONText(bytes: Array($0.bytes)) }
    }
    write(section.items, measured.columns, to: &object)
  }

  /// Writes the member `items`: columns, or a count if there are none.
  private func write(
    _ items: Items, _ measured: [MeasuredColumns.Column], to object: inout JSONObject
  ) {
    let hasIDs = items.hasAnyID
    let names = items.presentNames
    let fields = ItemField.stored.filter { items.has($0) }
    guard hasIDs || !names.isEmpty || !fields.isEmpty || !measured.isEmpty else {
      object["items"] = items.count
      return
    }
    object.object("items") { writeColumns(of: items, measured, to: &$0) }
  }

  private func writeColumns(
    of items: Items, _ measured: [MeasuredColumns.Column], to object: inout JSONObject
  ) {
    let names = items.presentNames
    if items.hasAnyID {
      object.array("id") { list in
        items.forEachID { append($0, to: &list) }
      }
    }
    for kind in [ValueKind.text, .key] where names.contains(where: { $0.kind == kind }) {
      object.object(kind == .key ? "keys" : "text") { object in
        for name in names where name.kind == kind {
          object.array(name.name) { write(items, name, to: &$0) }
        }
      }
    }
    if names.contains(.data) {
      object.array(ValueKind.data.field) { write(items, .data, to: &$0) }
    }
    for field in ItemField.stored where items.has(field) {
      object.array(field.name) { list in
        items.forEachValue(of: field, from: 0) { append(StoredNumber(value: $1), to: &list) }
      }
    }
    for column in measured {
      object.array(column.field.name) { list in
        var values = column.values[...]
        for item in 0..<items.count {
          let value = values.first?.item == item ? values.removeFirst().value : .nan
          append(StoredNumber(value: value), to: &list)
        }
      }
    }
  }

  private func write(_ items: Items, _ name: ValueName, to list: inout JSONArray) {
    items.forEachText(name) { bytes in
      list.append { writer in
        guard !bytes.isEmpty else { return writer.write("null") }
        switch name.kind {
        case .text: bytes.withUnsafeBufferPointer { writer.write(string: $0) }
        case .data: bytes.withUnsafeBufferPointer { writer.write(raw: $0) }
        case .key:
          let values = ItemKey.values(of: bytes)
          if values.count == 1 { values[0].write(to: &writer) } else { values.write(to: &writer) }
        }
      }
      list.passOn(from: partLength, take)
    }
  }

  // MARK: Hierarchies

  private func write(_ forest: Forest, to object: inout JSONObject) {
    object.array("parent") { list in
      for node in 0..<forest.count { append(forest.parent(of: node), to: &list) }
    }
    writeColumns(of: forest.nodes, [], to: &object)
  }
}

/// What was measured of the items of a section, as columns.
private struct MeasuredColumns {
  typealias Column = (field: ItemField, values: [(item: Int, value: Double)])

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
  var columns: [Column] {
    [(field: .measured, values: sizes), (field: .measuredAt, values: widths)]
      .filter { !$0.values.isEmpty }
  }
}

/// A number of a column: NaN if there is none, infinity for "all".
private struct StoredNumber: JSONWritable {
  let value: Double

  func write(to writer: inout JSONWriter) {
    if value.isNaN {
      writer.write("null")
    } else if value == .infinity {
      writer.write(string: ItemField.wordForAll)
    } else {
      writer.write(value)
    }
  }
}
