/// A kind of layout with its options, as UICollectionViewLayout is: values in, attributes out.
public protocol CollectionViewLayout: Equatable, Sendable {
  /// The kind's name on the wire.
  static var kind: String { get }
  /// Every option of the kind.
  static var options: [LayoutOption<Self>] { get }
  /// The form of data that the kind lays out.
  static var dataForm: DataForm { get }

  /// All options at their defaults.
  init()

  /// Computes the attributes of every element.
  ///
  /// - Parameters:
  ///   - data: In the kind's ``dataForm``.
  ///   - bounds: The collection view's size; every kind but `tree` needs one.
  ///   - previous: What was prepared for earlier data, options or bounds, to be gone on from.
  /// - Throws: ``LayoutError`` when the input is impossible for this kind.
  func prepared(
    for data: CollectionData, bounds: Bounds?, after previous: PreviousLayout?
  ) throws(LayoutError) -> any PreparedLayout

  /// Whether any attribute could be another with these options and bounds than it is in a layout
  /// prepared from the same data; what `shouldInvalidateLayout(forBoundsChange:)` is asked for.
  ///
  /// - Throws: ``LayoutError`` when the options or bounds are impossible for this kind.
  func shouldInvalidate(
    _ prepared: any PreparedLayout, for bounds: Bounds?
  ) throws(LayoutError) -> Bool
}

/// The form of data that a kind takes.
public enum DataForm: Sendable {
  /// Sections of items with these fields, at most 7, of which an item may have all or, if
  /// exclusive, one. Without fields the kind has to compute its frames from plain counts, which are
  /// then not limited and are laid out at once.
  case sections([ItemField], isExclusive: Bool = false)
  /// A hierarchy of nodes.
  case forest

  public var isForest: Bool {
    switch self {
    case .forest: true
    case .sections: false
    }
  }
}

extension CollectionViewLayout {
  /// Computes the attributes of every element.
  public func prepared(
    for data: CollectionData, bounds: Bounds?
  ) throws(LayoutError) -> any PreparedLayout {
    try prepared(for: data, bounds: bounds, after: nil)
  }

  /// The option of a name on the wire (`insets.top`), if there is one.
  public static func option(named name: String) -> LayoutOption<Self>? {
    options.first { $0.name == name }
  }

  /// Whether options with dotted names begin with this one: whether it is an object.
  public static func hasOptions(inside name: String) -> Bool {
    options.contains { $0.name.hasPrefix(name + ".") }
  }

  /// Puts every option inside an object back to its default.
  public mutating func resetOptions(inside name: String) {
    for option in Self.options where option.name.hasPrefix(name + ".") { option.reset(&self) }
  }

  /// The names of all options on the wire.
  public static var optionNames: [String] { options.map(\.name) }
}

/// Every kind that there is. A new kind is a folder beside this file and a line here.
public enum LayoutKinds {
  /// In the order in which they are told to clients.
  public static let all: [any CollectionViewLayout.Type] = [
    GridLayout.self, WaterfallLayout.self, GalleryLayout.self, TreeLayout.self,
  ]

  /// The kind of a name on the wire, if there is one.
  public static func named(_ name: String) -> (any CollectionViewLayout.Type)? {
    all.first { $0.kind == name }
  }
}
