/// What is said of a cell's height.
public struct CellMarks: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It is a guess, in a layout that says so.
  public static let estimated = CellMarks(rawValue: 1)
  /// The cell is lower than its card.
  public static let cut = CellMarks(rawValue: 2)
}

/// The layout attributes of an element, without its series.
public struct LayoutAttributes: Equatable, Sendable {
  public let indexPath: IndexPath
  /// In points, in the content's coordinates.
  public let frame: Rect
  /// The id of the item; only cells have one.
  public let id: ItemID?
  /// The children of the node; only a tree's cells and connectors have any.
  public let children: Children?
  /// The range in which the element may slide; only pinned headers, footers and rows have one.
  public let pinRange: PinRange?
  /// How many nodes or items it hides; `nil` if it is not folded.
  public let hidden: Int?
  /// What the cell's card shows: the cell differs when it does.
  let card: CardContent?
  /// What a page shows in the cell or header, if its item or section says so.
  public var data: ItemData?
  /// The texts of the cell's item.
  public var texts: ItemTextsOfItem?
  /// What is said of the cell's height.
  public let marks: CellMarks

  public init(
    indexPath: IndexPath, frame: Rect, id: ItemID? = nil, children: Children? = nil,
    pinRange: PinRange? = nil, hidden: Int? = nil, card: CardContent? = nil,
    data: ItemData? = nil, texts: ItemTextsOfItem? = nil, marks: CellMarks = []
  ) {
    self.hidden = hidden
    self.data = data
    self.texts = texts
    self.indexPath = indexPath
    self.frame = frame
    self.id = id
    self.children = children
    self.pinRange = pinRange
    self.card = card
    self.marks = marks
  }

  /// The children of a node. They are consecutive items of the next section.
  public struct Children: Hashable, BitwiseCopyable, Sendable {
    public let section: Int
    // Two numbers, because a range is not bitwise copyable.
    private let firstItem: Int
    private let endItem: Int

    public var items: Range<Int> { Range(uncheckedBounds: (firstItem, endItem)) }

    public init(section: Int, items: Range<Int>) {
      self.section = section
      firstItem = items.lowerBound
      endItem = items.upperBound
    }
  }
}
