/// The content of a collection.
public enum CollectionData: Sendable {
  /// Sections of items in display order.
  case sections([CollectionSection])
  /// A hierarchy: each depth is a section.
  case forest(Forest)

  /// The memory of the collection, in bytes. Storage that several sections share counts once.
  ///
  /// - Complexity: O(*s* + *b*) for *s* sections with *b* blocks of items; O(1) for a forest.
  public var memoryBytes: Int {
    switch self {
    case .sections(let sections):
      var counted = Set<ObjectIdentifier>()
      return sections.reduce(sections.count * MemoryLayout<CollectionSection>.stride) {
        $0 + $1.items.memoryBytes(besides: &counted) + ($1.settings?.memoryBytes ?? 0)
      }
    case .forest(let forest): return forest.memoryBytes
    }
  }
}

extension CollectionData {
  /// The sections; `nil` for a hierarchy.
  var sections: [CollectionSection]? {
    if case .sections(let sections) = self { sections } else { nil }
  }

  /// Whether any item may have a text.
  ///
  /// - Complexity: O(*s* + *b*) for *s* sections with *b* blocks of items.
  public var hasTexts: Bool {
    switch self {
    case .sections(let sections): sections.contains { $0.items.hasTexts }
    case .forest(let forest): forest.items.hasTexts
    }
  }

  /// The work of a prepare: about how many sections and items it lays out one by one.
  ///
  /// - Complexity: O(*s* + *b*) for *s* sections with *b* blocks of items.
  public func layoutCost(as layout: GivenLayout) -> Int {
    let kind = layout.kind
    switch self {
    case .forest(let forest):
      return forest.count + (forest.items.hasTexts ? 1001 + forest.items.textBytes / 256 : 0)
    case .sections(let sections):
      let arranging = layout.arrangement == nil ? 0 : 1
      return sections.reduce(sections.count) { cost, section in
        let items = section.items
        let cost = cost + arranging * min(items.count, 1 << 40)
        let isCounted =
          switch kind.uniformity(ofSection: section.settings?.kind) {
          case .always: false
          case .ofPlainItems: items.storedCount > 0 || items.hasMeasured
          case .never: true
          }
        // To shape texts is the work of many items, and is done by the workers.
        let texts = items.hasTexts ? 1001 + items.textBytes / 256 : 0
        guard isCounted else { return cost + texts }
        let places =
          ItemSpans.Fields(items, usesRowSpans: true).isEmpty
          ? 0 : layout.columnCount(ofSection: section.options) / Self.placesPerItem
        return cost + texts + min(items.count, 1 << 40) * (1 + places)
      }
    }
  }

  /// The most sections of a collection.
  public static func maxSections(forItems maxItems: Int) -> Int { max(1000, maxItems / 10) }

  /// How many places are looked at in the time that another item takes.
  private static let placesPerItem = 16
}

/// A section as a client gave it.
public struct CollectionSection: Sendable {
  /// The items in display order; may be empty.
  public var items: Items
  /// The section's own settings; `nil` if it has none.
  public internal(set) var settings: SectionSettings?

  /// A section of these items. Settings that say nothing count as none.
  public init(items: Items = Items(), settings: SectionSettings? = nil) {
    self.items = items
    self.settings = settings.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The section's own options; empty if it has none.
  public var options: GivenOptions { settings?.options ?? GivenOptions() }

  /// Whether the section scrolls sideways by itself.
  var isOrthogonal: Bool { settings?.orthogonalHeight != nil }
}

/// The settings of one section. Versions of a layout share them.
public final class SectionSettings: Sendable, Equatable {
  /// The section's id, by which clients look it up; `nil` if it has none.
  public let id: ItemID?
  /// The name of the section's kind, in a layout whose sections have kinds of their own.
  public let kind: String?
  /// The height of the body, in points, > 0, if the section scrolls sideways by itself.
  public let orthogonalHeight: Double?
  /// The options that differ from those of the layout.
  public let options: GivenOptions
  /// What a page shows in its header.
  public let data: ItemData?

  /// Settings with these members. They are checked when the layout is prepared.
  public init(
    id: ItemID? = nil, kind: String? = nil, orthogonalHeight: Double? = nil,
    options: GivenOptions = GivenOptions(), data: ItemData? = nil
  ) {
    self.data = data
    self.id = id
    self.kind = kind
    self.orthogonalHeight = orthogonalHeight
    self.options = options
  }

  public static func == (a: SectionSettings, b: SectionSettings) -> Bool {
    a === b
      || a.id == b.id && a.kind == b.kind && a.orthogonalHeight == b.orthogonalHeight
        && a.options == b.options && a.data == b.data
  }

  var isEmpty: Bool {
    id == nil && kind == nil && orthogonalHeight == nil && options.isEmpty && data == nil
  }

  var memoryBytes: Int {
    112 + options.memoryBytes + (id == nil ? 0 : 224) + (kind == nil ? 0 : 16)
      + (data.map { $0.bytes.count + 256 } ?? 0)
  }
}

/// A change of a section's settings.
public struct SectionPatch: Sendable {
  /// A change of one member: keep it, remove it, or set it.
  public enum Change<Value: Sendable>: Sendable {
    case none
    case remove
    case set(Value)

    fileprivate func applied(to value: Value?) -> Value? {
      switch self {
      case .none: value
      case .remove: nil
      case .set(let value): value
      }
    }
  }

  public var id = Change<ItemID>.none
  public var kind = Change<String>.none
  /// In points, > 0.
  public var orthogonalHeight = Change<Double>.none
  /// `set` merges the patch into the section's own options.
  public var options = Change<OptionPatch>.none
  public var data = Change<ItemData>.none

  /// A patch that changes nothing.
  public init() {}

  /// The settings after the change.
  ///
  /// If the section gets another kind, it keeps those of its own options that the new kind knows
  /// and whose values the new kind accepts.
  func applied(to settings: SectionSettings?) -> SectionSettings {
    var own = settings?.options ?? GivenOptions()
    if case .set(let name) = kind, name != settings?.kind, let kind = SectionKinds.named(name) {
      own = own.kept(by: kind.table)
    }
    switch options {
    case .none: break
    case .remove: own = GivenOptions()
    case .set(let patch): own = patch.applied(to: own)
    }
    return SectionSettings(
      id: id.applied(to: settings?.id), kind: kind.applied(to: settings?.kind),
      orthogonalHeight: orthogonalHeight.applied(to: settings?.orthogonalHeight), options: own,
      data: data.applied(to: settings?.data))
  }
}

extension GivenOptions {
  /// The options that a table knows and whose values it accepts.
  public func kept(by table: OptionTable) -> GivenOptions {
    filter { table.takes($0, $1) }
  }
}
