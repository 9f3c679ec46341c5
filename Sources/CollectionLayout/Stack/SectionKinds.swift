/// Every kind of section that there is. A new kind is a file in `Kinds` and a line here.
public enum SectionKinds {
  /// In the order in which they are told to clients.
  public static let all: [any SectionLayout.Type] = [
    GridLayout.self, ListLayout.self, WaterfallLayout.self, GalleryLayout.self, FlowLayout.self,
    JustifiedLayout.self, GroupLayout.self, FramesLayout.self,
  ]

  /// What the name of a kind must be, as the end of a sentence.
  public static let requirement = "one of " + all.map { "\"\($0.kind)\"" }.joined(separator: ", ")

  /// The kind of a name on the wire, if there is one.
  public static func named(_ name: String) -> (any SectionLayout.Type)? {
    all.first { $0.kind == name }
  }

  /// The options of the sections of each kind that do not depend on what the kind lays out.
  static let frameOptions: [String: [LayoutOption<SectionFrame>]] = Dictionary(
    uniqueKeysWithValues: all.map { ($0.kind, SectionFrame.options(backgrounds: $0.backgrounds)) })
}
