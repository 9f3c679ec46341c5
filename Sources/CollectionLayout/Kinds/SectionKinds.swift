/// All kinds of sections. A new kind needs a file in `Kinds` and a line here.
public enum SectionKinds {
  /// All kinds, in the order in which clients see them.
  public static let all: [any SectionLayout.Type] = [
    GridLayout.self, ListLayout.self, WaterfallLayout.self, GalleryLayout.self, FlowLayout.self,
    JustifiedLayout.self, GroupLayout.self, FramesLayout.self,
  ]

  /// The kind with the fewest options. With it, the options that all sections share are checked.
  static let plainest: any SectionLayout.Type = ListLayout.self

  /// The options that are replaced as a whole although they are objects.
  static let atomicOptions = Set(
    all.flatMap { $0.table.entries.filter(\.form.isAtomic).map(\.name) })

  /// The rule for the name of a kind, as the end of a sentence.
  public static let requirement = "one of " + all.map { "\"\($0.kind)\"" }.joined(separator: ", ")

  /// The kind with a name on the wire, if there is one.
  public static func named(_ name: String) -> (any SectionLayout.Type)? {
    all.first { $0.kind == name }
  }

  /// For each kind, the options that sections of all kinds have.
  static let sectionOptions: [String: [LayoutOption<SectionOptions>]] = Dictionary(
    uniqueKeysWithValues: all.map { ($0.kind, SectionOptions.options(backgrounds: $0.backgrounds)) }
  )
}
