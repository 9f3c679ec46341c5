public import CollectionLayout

/// The body of a prepare request, read and checked as far as its kind's declarations say.
public struct PrepareRequest: Sendable {
  public var layout: any CollectionViewLayout
  public var bounds: Bounds?
  public var data: CollectionData
  /// The form in which the items came, which decides how a pointer to one reads.
  private var form: ItemForms

  /// How many bytes must follow a body in memory.
  public static let padding = JSONReader.padding

  /// Reads a body.
  ///
  /// - Parameters:
  ///   - body: The text, followed by ``padding`` bytes that are overwritten.
  ///   - kind: The layout to read it for.
  ///   - maxItems: How many items may be stored; those of a kind without item fields count only
  ///     when they have names, or stand near one that has.
  /// - Throws: ``BodyError`` when it is no JSON, nothing of this kind, or has too many items.
  /// - Complexity: O(bytes); numbers go straight into columns.
  public init(
    _ body: UnsafeMutableRawBufferPointer, kind: any CollectionViewLayout.Type, maxItems: Int
  ) throws(BodyError) {
    self = try PrepareDecoder.decode(body, as: kind, maxItems: maxItems)
  }

  init(
    layout: any CollectionViewLayout, bounds: Bounds?, data: CollectionData, form: ItemForms
  ) {
    self.layout = layout
    self.bounds = bounds
    self.data = data
    self.form = form
  }

  /// How many sections there may be where so many items may be stored: a section without any item
  /// takes as much memory as some ten items.
  public static func maxSections(forItems maxItems: Int) -> Int { max(1000, maxItems / 10) }

  /// Lays the data out.
  ///
  /// - Throws: ``BodyError``, pointing into the body, when the layout cannot be had.
  public func prepared() throws(BodyError) -> PreparedCollection {
    do {
      return try PreparedCollection(layout: layout, bounds: bounds, data: data)
    } catch {
      throw BodyError(
        error,
        items: { form.pointer(to: $0, field: $1) },
        parent: { form.pointer(toParentOf: $0) })
    }
  }
}

/// In which of their forms the lists of items came; pointers to items depend on it.
struct ItemForms: Sendable {
  enum Form: Sendable { case rows, columns }

  /// The sections (0 for nodes) whose items came as columns.
  var columns: Set<Int> = []

  func pointer(to indexPath: IndexPath, field: String) -> String {
    Self.pointer(
      list: "/sections/\(indexPath.section)/items", item: indexPath.item, field: field,
      form: columns.contains(indexPath.section) ? .columns : .rows)
  }

  func pointer(toParentOf node: Int) -> String {
    Self.pointer(
      list: "/nodes", item: node, field: "parent", form: columns.contains(0) ? .columns : .rows)
  }

  private static func pointer(list: String, item: Int, field: String, form: Form) -> String {
    switch form {
    case .rows: "\(list)/\(item)/\(field)"
    case .columns: "\(list)/\(field)/\(item)"
    }
  }
}

/// Reads prepare bodies member by member.
enum PrepareDecoder {
  static func decode<Layout: CollectionViewLayout>(
    _ body: UnsafeMutableRawBufferPointer, as kind: Layout.Type, maxItems: Int
  ) throws(BodyError) -> PrepareRequest {
    try BodyError.reading(body) { reader in
      try decode(&reader, as: kind, maxItems: maxItems)
    }
  }

  private static func decode<Layout: CollectionViewLayout>(
    _ reader: inout JSONReader, as kind: Layout.Type, maxItems: Int
  ) throws -> PrepareRequest {
    var faults = InvalidMembers()
    var layout = Layout()
    var bounds: Bounds?
    var items = ItemsDecoder(form: Layout.dataForm, maxItems: maxItems)
    let dataMembers =
      switch Layout.dataForm {
      case .sections: ["sections"]
      case .forest: ["nodes", "root"]
      }
    let known = ["bounds", "options"] + dataMembers
    var given: Set<String> = []
    var sections: [Items]?
    var forest: Forest?
    let isObject = try reader.readObject(at: "", known: known, faults: &faults) {
      name, reader, faults in
      given.insert(name)
      switch name {
      case "bounds":
        try BoundsDecoder.decode(
          &reader, over: &bounds, of: Layout.dataForm, isMergePatch: false, faults: &faults)
      case "options": try OptionsDecoder.decode(&reader, into: &layout, faults: &faults)
      case "sections": sections = try items.decodeSections(&reader, faults: &faults)
      case "nodes", "root":
        let other = name == "root" ? "nodes" : "root"
        if given.contains(other) {
          faults.add("/\(name)", "must not be given together with \(other)")
        }
        forest =
          name == "nodes"
          ? try items.decodeNodes(&reader, faults: &faults)
          : try items.decodeRoot(&reader, faults: &faults)
      default: preconditionFailure("\(name) is known but not read")
      }
    }
    try reader.finish()
    let data = sections.map(CollectionData.sections) ?? forest.map(CollectionData.forest)
    if isObject && !given.contains("bounds") && Layout.dataForm.needsBounds {
      faults.add("/bounds", "must be given: {\"width\": …}")
    }
    if isObject && given.isDisjoint(with: dataMembers) {
      faults.add(
        "/\(dataMembers[0])",
        "must be given" + (dataMembers.count > 1 ? ", or root instead" : ""))
    }
    guard let data, faults.isEmpty else { throw BodyError.invalid(faults.members) }
    return PrepareRequest(layout: layout, bounds: bounds, data: data, form: items.forms)
  }
}
