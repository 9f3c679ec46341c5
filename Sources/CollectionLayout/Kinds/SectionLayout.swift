/// A kind of section with its options. It lays out one section, from (0, 0).
///
/// A kind knows no header, no inset and no direction. The ``SectionStack`` places what it lays out.
public protocol SectionLayout: Equatable, Sendable {
  /// The kind's name on the wire.
  static var kind: String { get }
  /// The options of the kind, without those that all sections have.
  static var options: [LayoutOption<Self>] { get }
  /// The options without which a section cannot be laid out. A layout may leave them out if every
  /// section has them.
  static var requiredOptions: Set<String> { get }
  /// The values of the option `background` that only this kind knows.
  static var backgrounds: [String] { get }
  /// The options that are lengths along the scroll direction, after a horizontal layout was
  /// transposed. They are rounded to whole steps.
  static var lengths: [any WritableKeyPath<Self, Double> & Sendable] { get }

  /// All options at their defaults.
  init()

  /// The layout with both axes exchanged. Horizontal layouts use it.
  func transposed() -> Self

  /// What not every kind does.
  var traits: SectionTraits { get }

  /// What cells are made of, if they have heights of their own; `nil` if that was not said.
  var card: Card? { get }

  /// The memory of what the options refer to, in bytes; 0 if they are all numbers and words.
  var memoryBytes: Int { get }

  /// How many bytes a body keeps for each item at least, if its frames are stored.
  static var keptBytesPerItem: Int { get }

  /// When the frames are computed by arithmetic. Then nothing is stored for an item, and plain
  /// items do not count as stored.
  static var uniformity: Uniformity { get }

  /// Whether no item has a field that influences its frame. This is asked only if ``uniformity`` is
  /// `ofPlainItems`.
  ///
  /// - Parameter container: It decides which field of an item is its height.
  func hasPlainItems(_ items: Items, in container: Container) -> Bool

  /// Lays out the section.
  ///
  /// - Parameter earlier: An earlier body of the same options and container, to continue from.
  /// - Throws: ``LayoutError`` if options and container don't fit each other. The error has the
  ///   container's section index. A section without items throws the same errors.
  func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody

  /// The end of the last cell, if the cells stand in one row that is not full; else `nil`. Such a
  /// section may share a row with others.
  ///
  /// - Parameter body: A body with cells that this kind made of the items.
  func endOfShortRow(_ body: any SectionBody, of items: Items, in container: Container) -> Double?

  /// The frames of the decorations for a background that only this kind knows.
  ///
  /// - Parameter body: A body that this kind made with the same options.
  func backgroundBody(
    _ background: String, behind body: any SectionBody, in container: Container
  ) -> any SectionBody
}

/// What not every kind does.
public struct SectionTraits: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// An item's cell has a height of its own: one that was measured, or follows from its fields or
  /// its card.
  public static let ownHeights = SectionTraits(rawValue: 1)
  /// The layout depends on the collection view's height along the scroll direction.
  public static let boundsHeight = SectionTraits(rawValue: 2)
  /// The option `integral` is true by default.
  public static let integral = SectionTraits(rawValue: 4)
  /// The content is as wide as the cells reach to the right, if they reach beyond the section.
  public static let widensContent = SectionTraits(rawValue: 8)
  /// Items may have other frames in a section that is computed by arithmetic than in one whose
  /// frames are stored.
  public static let differsWhenUniform = SectionTraits(rawValue: 16)
}

/// When the frames of a section are computed by arithmetic instead of being stored.
public enum Uniformity: Sendable {
  case always
  /// If no item has a field that influences its frame.
  case ofPlainItems
  case never
}

extension SectionLayout {
  public static var keptBytesPerItem: Int { 8 }
  public static var uniformity: Uniformity { .ofPlainItems }
  public var traits: SectionTraits { [] }
  public var card: Card? { nil }
  public var memoryBytes: Int { 0 }
  public func hasPlainItems(_ items: Items, in container: Container) -> Bool { true }

  /// Whether the frames of a section are computed by arithmetic.
  func isUniform(_ items: Items, in container: Container) -> Bool {
    switch Self.uniformity {
    case .always: true
    case .ofPlainItems: hasPlainItems(items, in: container)
    case .never: false
    }
  }

  public func endOfShortRow(
    _ body: any SectionBody, of items: Items, in container: Container
  ) -> Double? { nil }

  public static var requiredOptions: Set<String> { [] }
  public static var backgrounds: [String] { [] }
  public static var lengths: [any WritableKeyPath<Self, Double> & Sendable] { [] }
  public func transposed() -> Self { self }

  /// The layout with its lengths along the scroll direction in whole steps.
  func stepped(by step: LengthStep) -> Self {
    var layout = self
    for length in Self.lengths { layout[keyPath: length] = step.length(layout[keyPath: length]) }
    return layout
  }

  public func backgroundBody(
    _ background: String, behind body: any SectionBody, in container: Container
  ) -> any SectionBody {
    preconditionFailure("\(Self.kind) knows no background \"\(background)\"")
  }

  /// What all sections have, at the defaults of this kind.
  static var defaultOptions: SectionOptions {
    var options = SectionOptions()
    options.integral = Self().traits.contains(.integral)
    return options
  }

  /// All options of a section of this kind.
  static var table: OptionTable {
    OptionTable(SectionOptions.options(backgrounds: backgrounds), .section, of: defaultOptions)
      + OptionTable(options, .kind, of: Self())
  }
}

/// The space in which a section's body is laid out.
public struct Container: Equatable, Sendable {
  /// The body's width, in points, > 0.
  public let width: Double
  /// The collection view's height along the scroll direction, if the kind uses it.
  public let boundsHeight: Double?
  /// Whether the axes of the items' fields are exchanged when they are read.
  public let isTransposed: Bool
  /// The unit of lengths along the scroll direction. The kind rounds every height to it.
  public let step: LengthStep
  /// The section's index, for errors; `nil` if the layout's own options are checked.
  public let section: Int?
  /// What cells are made of; `nil` if that was not said.
  var card: TypesetCard?
  /// The shaped texts of the items' cards, for a body.
  var texts: CardTexts = [:]

  public init(
    width: Double, boundsHeight: Double? = nil, isTransposed: Bool = false,
    step: LengthStep = .fine, section: Int? = nil
  ) {
    self.width = width
    self.boundsHeight = boundsHeight
    self.isTransposed = isTransposed
    self.step = step
    self.section = section
  }

  /// The section's index does not matter to its body.
  public static func == (a: Container, b: Container) -> Bool {
    a.width == b.width && a.boundsHeight == b.boundsHeight && a.isTransposed == b.isTransposed
      && a.step == b.step && a.card == b.card
  }

  /// The field of the collection's items that is this field of the body.
  func field(_ field: ItemField) -> ItemField { isTransposed ? field.transposed : field }

  /// The height that follows from a width and an aspect ratio, in whole steps. The ratio is the
  /// collection's, not transposed.
  @inline(__always)
  func height(ofWidth width: Double, ratio: Double) -> Double {
    step.length(isTransposed ? width * ratio : width / ratio)
  }

  /// The width that follows from a height and an aspect ratio. The ratio is the collection's, not
  /// transposed.
  @inline(__always)
  func width(ofHeight height: Double, ratio: Double) -> Double {
    isTransposed ? height / ratio : height * ratio
  }

  func invalidOption(_ name: String, _ requirement: String) -> LayoutError {
    .invalidOption(name, section: section, requirement: requirement)
  }
}

/// An earlier body of the same section, with the same options and container.
public struct EarlierBody {
  /// Items that are the same as before, in the same order.
  public struct Kept {
    public let items: Range<Int>
    /// The first of the items in the earlier body.
    public let source: Int

    public init(_ items: Range<Int>, from source: Int) {
      self.items = items
      self.source = source
    }

    var sourceEnd: Int { source + items.count }
  }

  public let body: any SectionBody
  /// All items that are certainly the same, in their new order.
  public let kept: [Kept]

  public init(body: any SectionBody, kept: [Kept]) {
    self.body = body
    self.kept = kept
  }

  /// The first item that may differ, or that only one of the two bodies has. Everything before it
  /// may be shared.
  public var firstChanged: Int {
    kept.first.map { $0.items.lowerBound == 0 && $0.source == 0 ? $0.items.count : 0 } ?? 0
  }

  /// How many items at the end are unchanged, beyond those at the start.
  ///
  /// - Parameter count: How many items there are now.
  public func unchangedTail(of count: Int) -> Int {
    guard let last = kept.last, last.items.upperBound == count, last.sourceEnd == body.count
    else { return 0 }
    return min(last.items.count, count - firstChanged, body.count - firstChanged)
  }
}

/// The cells of a section, in the body's coordinates: x from 0 to the container's width, y from 0
/// down.
public protocol SectionBody: AnyObject, Sendable {
  /// The number of frames.
  var count: Int { get }
  /// The height of the body, in points, ≥ 0.
  var height: Double { get }
  /// A rect that holds every frame. It may be larger than the body.
  var reach: Rect { get }
  /// The largest x + width of all frames, for kinds that widen the content.
  var maxX: Double { get }
  /// The memory of the body, in bytes.
  var memoryBytes: Int { get }

  /// Bytes held that another body does not hold, too. It may be more than that, but not less.
  func unsharedBytes(besides other: Self) -> Int

  /// - Precondition: The item exists.
  func frame(of item: Int) -> Rect

  /// The first item whose frame may differ from that in another body of the same layout, where the
  /// items before `first` are the same. `first` may be ``count``.
  func firstItem(differingFrom other: any SectionBody, changedFrom first: Int) -> Int

  /// Rects that together span at least the area of the frames of a range of items.
  func outermostFrames(of items: Range<Int>) -> [Rect]

  /// Offers to a sink at least every frame from `item` on that meets a rect, in ascending order of
  /// items. Frames that only touch the rect count. It may offer too many.
  ///
  /// - Returns: False if the sink wanted no more.
  func offerFrames(in rect: Rect, from item: Int, to sink: inout FrameSink) -> Bool
}

extension SectionBody {
  public func unsharedBytes(besides other: Self) -> Int { memoryBytes }

  /// Bytes that the body holds and another one, perhaps of another type, does not.
  func memoryBytes(besides other: (any SectionBody)?) -> Int {
    guard let other = other as? Self else { return memoryBytes }
    return self === other ? 0 : unsharedBytes(besides: other)
  }

  public func firstItem(differingFrom other: any SectionBody, changedFrom first: Int) -> Int {
    first
  }

  public func outermostFrames(of items: Range<Int>) -> [Rect] {
    items.count > 1024 ? [reach.widened] : items.map { frame(of: $0) }
  }

  /// The first and the last frames of a range, where those that are `period` apart lie below each
  /// other and are of one width.
  func outermostFrames(of items: Range<Int>, period: Int) -> [Rect] {
    // As ranges, which are cut in O(1).
    let first: Range<Int> = items.prefix(period)
    let last: Range<Int> = items.suffix(min(period, items.count - first.count))
    return first.map { frame(of: $0) } + last.map { frame(of: $0) }
  }

  public var maxX: Double { reach.maxX }
}

extension Rect {
  /// The rect a little larger, so that no frame is rounded beyond it.
  var widened: Rect {
    let margin = 8 * max(abs(origin.x), abs(origin.y), abs(maxX), abs(maxY)).ulp
    return Rect(
      x: origin.x - margin, y: origin.y - margin, width: size.width + 2 * margin,
      height: size.height + 2 * margin)
  }
}
