/// The category of an element. The order of the cases is the order of delivery.
public enum ElementCategory: String, CaseIterable, Sendable {
  /// An element of the layout itself: a background.
  case decoration
  /// An element that shows an item.
  case cell
  /// An element that shows data beside an item: a header, a footer, a connector.
  case supplementary

  /// Which elements are in front: those of the larger number.
  public var zIndex: Int {
    switch self {
    case .decoration: -1
    case .cell: 0
    case .supplementary: 1
    }
  }
}

/// A set of categories. A query selects them.
public struct ElementCategories: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public init(_ category: ElementCategory) {
    switch category {
    case .decoration: self = .decorations
    case .cell: self = .cells
    case .supplementary: self = .supplementary
    }
  }

  public static let decorations = ElementCategories(rawValue: 1)
  public static let cells = ElementCategories(rawValue: 2)
  public static let supplementary = ElementCategories(rawValue: 4)
  public static let all: ElementCategories = [.decorations, .cells, .supplementary]
}
