/// Which items of a collection a view shows, in which order and in which sections.
///
/// It is given to a layout, as its kind, bounds and options are.
public struct Arrangement: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    /// By the items' keys. All conditions must hold.
    case keys(where: [Condition], groupBy: Order?, sortBy: [Order])
    /// These items in one section.
    case ids(IDColumn)
    /// These items in these sections.
    case sections([ListedSection], IDColumn)
  }

  /// What one of the values of an item's key must be. An item without the key meets no condition,
  /// so it meets every contrary.
  public struct Condition: Hashable, Sendable {
    public var key: ValueName
    /// The least value.
    public var from: ItemKey?
    /// Above the largest value; of the type of `from`.
    public var to: ItemKey?
    /// One of these, up to ``maxValues``.
    public var values: [ItemKey]?
    /// Each of these is among the item's.
    public var all: [ItemKey]?
    /// Conditions of which one must hold, in place of all that is above.
    public var any: [Condition]?
    /// What is found in its texts, in place of all that is above.
    public var text: TextQuestion?
    /// Whether the contrary must hold.
    public var isNot = false

    public static let maxValues = 1000

    /// How many conditions there are, without those that others stand in.
    public var count: Int { any.map { $0.reduce(0) { $0 + $1.count } } ?? 1 }
    /// How many values they name.
    public var valueCount: Int {
      (any ?? []).reduce((values?.count ?? 0) + (all?.count ?? 0)) { $0 + $1.valueCount }
    }
    var memoryBytes: Int {
      (any ?? []).reduce(
        160 + (text?.text.utf8.count ?? 0) + ((values?.count ?? 0) + (all?.count ?? 0)) * 192
      ) {
        $0 + $1.memoryBytes
      }
    }

    public init(_ key: ValueName) { self.key = key }
  }

  /// By which key items or groups are in order. Those without the key come last.
  public struct Order: Hashable, Sendable {
    public var key: ValueName
    public var isDescending: Bool

    public init(_ key: ValueName, isDescending: Bool = false) {
      self.key = key
      self.isDescending = isDescending
    }
  }

  public struct ListedSection: Hashable, Sendable {
    public var id: ItemID?
    /// Which of the ids of all sections are its own.
    public var items: Range<Int>

    public init(id: ItemID?, items: Range<Int>) {
      self.id = id
      self.items = items
    }
  }

  /// The most keys to sort by, and the most conditions.
  public static let maxOrders = 8
  public static let maxConditions = 100
  /// How many items all conditions together may be asked of.
  static let maxTests = 20_000_000

  public let content: Content
  /// That of the content, which may be as long as a body: it is found once.
  private let contentHash: Int

  /// An arrangement, or `nil` for one that leaves everything as it is.
  public init?(_ content: Content) {
    if case .keys(let conditions, nil, let orders) = content, conditions.isEmpty, orders.isEmpty {
      return nil
    }
    self.content = content
    contentHash = content.hashValue
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.contentHash == b.contentHash && a.content == b.content
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(contentHash) }

  var memoryBytes: Int {
    switch content {
    case .keys(let conditions, _, let orders):
      conditions.reduce(96 + orders.count * 64) { $0 + $1.memoryBytes }
    case .ids(let ids): 96 + ids.memoryBytes
    case .sections(let sections, let ids):
      sections.reduce(96 + ids.memoryBytes) {
        $0 + MemoryLayout<ListedSection>.stride + ($1.id?.byteCount ?? 0)
      }
    }
  }
}
