/// A kind of layout: its name on the wire, what it lays out, and its options.
public struct LayoutKind: Sendable, Hashable {
  /// The name on the wire, as in `/layouts/{kind}/prepare`.
  public let name: String
  /// What the kind lays out.
  public let form: Form

  /// What a kind lays out.
  public enum Form: Sendable {
    /// Sections of one kind.
    case sections(any SectionLayout.Type)
    /// Sections that name their kinds themselves.
    case compositional
    /// A hierarchy of nodes.
    case forest
  }

  public static func == (a: LayoutKind, b: LayoutKind) -> Bool { a.name == b.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// All kinds, in the order in which clients see them.
  public static let all: [LayoutKind] =
    SectionKinds.all.map { LayoutKind(name: $0.kind, form: .sections($0)) } + [
      LayoutKind(name: "compositional", form: .compositional)
    ] + ForestKinds.all.map { LayoutKind(name: $0.kind, form: .forest) }

  /// The rule for the name of a kind of hierarchies, as the end of a sentence.
  public static let requirementOfForests =
    "one of " + ForestKinds.all.map { "\"\($0.kind)\"" }.joined(separator: ", ")

  /// The kind with a name, if there is one.
  public static func named(_ name: String) -> LayoutKind? { all.first { $0.name == name } }

  public var isForest: Bool { if case .forest = form { true } else { false } }
  /// Whether the bounds of a layout must have a width.
  public var needsWidth: Bool { ForestKinds.named(name)?.needsWidth ?? true }
  public var isCompositional: Bool { if case .compositional = form { true } else { false } }

  /// When the frames of a section are computed by arithmetic instead of being stored.
  ///
  /// - Parameter name: The section's kind, in a layout whose sections have kinds of their own.
  public func uniformity(ofSection name: String?) -> Uniformity {
    switch form {
    case .sections(let kind): kind.uniformity
    case .compositional: name.flatMap { SectionKinds.named($0) }?.uniformity ?? .never
    case .forest: .never
    }
  }

  /// The options of a layout of this kind.
  public var optionTable: OptionTable { Self.optionTables[name]! }

  /// The options that a section may have of its own.
  ///
  /// - Parameter kind: The section's kind, in a layout whose sections have kinds of their own.
  /// - Returns: `nil` for a hierarchy, or if the kind is unknown.
  public func sectionTable(kind: String?) -> OptionTable? {
    switch form {
    case .sections: Self.sectionTables[name]
    case .compositional: kind.flatMap { Self.sectionTables[$0] }
    case .forest: nil
    }
  }

  private static let sectionTables: [String: OptionTable] = Dictionary(
    uniqueKeysWithValues: SectionKinds.all.map { ($0.kind, $0.table) })

  private static let optionTables: [String: OptionTable] = Dictionary(
    uniqueKeysWithValues: all.map { kind in
      let whole = OptionTable(StackOptions.options, .layout, of: StackOptions())
      let table =
        switch kind.form {
        case .sections(let section): whole + section.table
        case .compositional:
          whole
            + OptionTable(SectionOptions.options(backgrounds: []), .section, of: SectionOptions())
        case .forest: ForestKinds.named(kind.name)!.table
        }
      return (kind.name, table)
    })
}

/// A layout as a client asks for it: a kind, options and bounds.
public struct GivenLayout: Sendable, Hashable {
  public var kind: LayoutKind
  /// The options as they were given.
  public var options: GivenOptions
  /// The size of the collection view, if it was given.
  public var bounds: Bounds?
  /// Which items it shows, and in which order; `nil` for the collection's own sections.
  public var arrangement: Arrangement?

  public init(kind: LayoutKind, options: GivenOptions = GivenOptions(), bounds: Bounds? = nil) {
    self.kind = kind
    self.options = options
    self.bounds = bounds
  }

  /// Whether it says that the content continues to the side.
  package var isHorizontal: Bool {
    options["scrollDirection"]
      == .string(StackOptions.ScrollDirection.horizontal.rawValue)
  }

  /// About how many columns a section has, before anything is laid out; 1 if its kind has none.
  func columnCount(ofSection own: GivenOptions) -> Int {
    func number(_ name: String) -> Double? {
      guard case .number(let number)? = own[name] ?? options[name] else { return nil }
      return number
    }
    let across = max(bounds?.width ?? 0, bounds?.height ?? 0)
    let count = number("minimumColumnWidth").map { across / $0 } ?? number("columns") ?? 1
    return min(max(Int(clamping: count), 1), ItemField.maximumSpan)
  }

  /// The memory of the options and the arrangement, in bytes.
  ///
  /// - Complexity: O(*n*) for *n* options with the values inside them.
  public var memoryBytes: Int { options.memoryBytes + (arrangement?.memoryBytes ?? 0) }
}
