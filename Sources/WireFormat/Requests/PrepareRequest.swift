public import CollectionLayout

/// The body of a prepare request. It is read and checked with the tables of its kind.
public struct PrepareRequest: Sendable {
  /// Kind, options and bounds.
  public let layout: GivenLayout
  /// The sections or the nodes.
  public let data: CollectionData
  private let maxItems: Int
  /// What is folded; `nil` if nothing is said of it.
  private let folded: FoldsChange?
  /// The form of the lists of items. It decides how a pointer to an item looks.
  private let forms: ItemForms

  /// The number of bytes that must follow a body in memory.
  public static let padding = JSONReader.padding

  /// Reads a body.
  ///
  /// - Parameters:
  ///   - body: The text, followed by ``padding`` bytes that may be overwritten.
  ///   - kind: The kind of the layout.
  ///   - maxItems: The largest number of items that may be stored. An item counts if its block of
  ///     the body has fields or ids, or if its section is laid out item by item.
  ///   - maxItemData: The longest data of an item, in bytes.
  /// - Throws: ``BodyError`` if the text is no JSON, does not fit this kind, or has too many items.
  /// - Complexity: O(*bytes*). Numbers are read directly into columns.
  public init(
    _ body: UnsafeMutableRawBufferPointer, kind: LayoutKind, maxItems: Int,
    maxItemData: Int = TextColumn.maxBytes
  ) throws(BodyError) {
    self = try BodyError.reading(body) { (reader) throws(BodyError) in
      reader.maxItemData = maxItemData
      return try Self.decode(&reader, as: kind, maxItems: maxItems)
    }
  }

  private init(
    _ layout: GivenLayout, _ data: CollectionData, _ folded: FoldsChange?, maxItems: Int,
    forms: ItemForms
  ) {
    self.folded = folded
    self.layout = layout
    self.data = data
    self.maxItems = maxItems
    self.forms = forms
  }

  /// The largest number of sections for a largest number of items. A section without items needs
  /// about as much memory as ten items.
  public static func maxSections(forItems maxItems: Int) -> Int {
    CollectionData.maxSections(forItems: maxItems)
  }

  /// Lays out the data.
  ///
  /// - Parameter typesetter: What knows fonts, for cards.
  /// - Throws: ``BodyError``, with pointers into the body, if the data cannot be laid out.
  public func prepared(
    typesetter: (any TextTypesetter)? = nil
  ) throws(BodyError) -> PreparedCollection {
    do {
      let collection = try PreparedCollection(
        layout, data, itemLimit: maxItems, typesetter: typesetter)
      guard let folded else { return collection }
      return try collection.folding(folded, itemLimit: maxItems).collection
    } catch {
      throw BodyError(error, pointers: PreparePointers(kind: layout.kind, data: data, forms: forms))
    }
  }

  private enum Member: String, BodyMember {
    case bounds, options, folded, sections, nodes, orphans, root
  }

  private static func decode(
    _ reader: inout JSONReader, as kind: LayoutKind, maxItems: Int
  ) throws(BodyError) -> PrepareRequest? {
    var layout = GivenLayout(kind: kind)
    var items = ItemsDecoder(maxItems: maxItems)
    let dataMembers: [Member] = kind.isForest ? [.nodes, .root] : [.sections]
    let members = [.bounds, .options, .folded] + dataMembers + (kind.isForest ? [.orphans] : [])
    var given: Set<Member> = []
    var sections: [CollectionSection]?
    var forest: Forest?
    var nodes: ItemsDecoder.NodeList?
    var orphansAreRoots = false
    var folded: FoldsChange?
    let isObject = try reader.readObject(known: members) {
      (member: Member, reader) throws(BodyError) in
      if try reader.readNullIfPresent() { return }
      given.insert(member)
      switch member {
      case .bounds:
        try BoundsDecoder.decode(&reader, over: &layout.bounds, needsWidth: kind.needsWidth)
      case .options:
        if let patch = try OptionsDecoder.decode(&reader, by: kind.optionTable) {
          layout.options = patch.applied(to: layout.options)
        }
      case .sections: sections = try items.decodeSections(&reader, of: kind)
      case .nodes:
        if given.contains(.root) { reader.refuse("must not be given together with root") }
        nodes = try items.decodeNodes(&reader)
      case .orphans:
        orphansAreRoots =
          try reader.readWord("\"roots\"") { $0 == "roots" ? true : nil } ?? false
      case .folded: folded = try FoldsRequest.decodeState(&reader)
      case .root:
        if given.contains(.nodes) { reader.refuse("must not be given together with nodes") }
        forest = try items.decodeRoot(&reader)
      }
    }
    if given.contains(.orphans), !given.contains(.nodes) {
      reader.refuse(at: [Member.orphans.name], "must be left out without nodes")
    }
    if let nodes {
      forest = try items.forest(of: nodes, orphansAreRoots: orphansAreRoots, &reader)
    }
    let data = sections.map(CollectionData.sections) ?? forest.map(CollectionData.forest)
    if isObject && !given.contains(.bounds) && kind.needsWidth {
      reader.refuse(at: ["bounds"], "must be given: {\"width\": …}")
    }
    if isObject && given.isDisjoint(with: dataMembers) {
      reader.refuse(
        at: [dataMembers[0].name],
        "must be given" + (dataMembers.count > 1 ? ", or root instead" : ""))
    }
    return data.map {
      PrepareRequest(layout, $0, folded, maxItems: maxItems, forms: items.forms)
    }
  }
}

/// The places of the parts of a prepare body.
struct PreparePointers {
  let kind: LayoutKind
  let data: CollectionData
  let forms: ItemForms

  /// - Parameter name: The name of the option; it is dotted for an option inside an object.
  func option(_ name: String, section: Int?) -> String {
    let member = String(name.prefix { $0 != "." })
    guard let section, case .sections(let sections) = data,
      sections[section].options[member] != nil || !kind.optionTable.members().contains(member)
    else { return JSONPointer.option(name) }
    return JSONPointer.option(name, in: "/sections/\(section)/options")
  }

  func item(_ indexPath: IndexPath, field: String) -> String {
    forms.pointer(to: indexPath, field: field)
  }

  func parent(ofNode node: Int) -> String { forms.pointer(toNode: node, "parent") }
}

/// The forms of the lists of items. Pointers to items depend on them.
struct ItemForms: Sendable {
  /// The sections whose items are in columns; 0 stands for nodes.
  var columns: Set<Int> = []

  func pointer(to path: IndexPath, field: String) -> String {
    "/sections/\(path.section)/items/" + place(of: path.item, field, inSection: path.section)
  }

  func pointer(toNode node: Int, _ field: String) -> String {
    "/nodes/" + place(of: node, field, inSection: 0)
  }

  private func place(of item: Int, _ field: String, inSection section: Int) -> String {
    columns.contains(section) ? "\(field)/\(item)" : "\(item)/\(field)"
  }
}
