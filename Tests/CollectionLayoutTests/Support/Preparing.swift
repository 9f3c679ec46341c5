@testable import CollectionLayout

extension CollectionSection {
  /// A section of so many items without fields.
  init(_ count: Int, _ options: GivenOptions = [:]) {
    self.init(Items(uniform: count), options)
  }

  init(_ items: [PlainItem], _ options: GivenOptions = [:]) {
    self.init(Items(items), options)
  }

  init(
    _ items: Items, _ options: GivenOptions = [:], id: String? = nil, kind: String? = nil,
    orthogonalHeight: Double? = nil
  ) {
    self.init(
      items: items,
      settings: SectionSettings(
        id: id.map { ItemID($0) }, kind: kind, orthogonalHeight: orthogonalHeight,
        options: options))
  }
}

extension GivenLayout {
  /// - Parameter width: `nil` where there are no bounds.
  init(_ kind: String, _ options: GivenOptions = [:], width: Double? = 100, height: Double? = nil) {
    guard let kind = LayoutKind.named(kind) else { preconditionFailure("no kind \(kind)") }
    self.init(
      kind: kind, options: options, bounds: width.map { Bounds(width: $0, height: height) })
  }
}

extension PreparedCollection {
  init(
    _ kind: String, _ options: GivenOptions = [:], width: Double? = 100, height: Double? = nil,
    _ sections: [CollectionSection]
  ) throws(LayoutError) {
    try self.init(
      GivenLayout(kind, options, width: width, height: height), .sections(sections))
  }

  init(tree options: GivenOptions = [:], _ forest: Forest) throws(LayoutError) {
    try self.init(GivenLayout("tree", options, width: nil), .forest(forest))
  }

  /// The same with options merged in.
  func changing(
    options: GivenOptions
  ) throws(LayoutError) -> (collection: PreparedCollection, change: CollectionChange?) {
    var layout = layout
    layout.options = layout.options.patched(by: options)
    return try changing(layout)
  }
}

extension IndexPath {
  init(_ section: Int, _ item: Int) {
    self.init(section: section, item: item)
  }
}

/// The kinds with sections.
let sectionedKinds = LayoutKind.all.filter { !$0.isForest }.map(\.name)
