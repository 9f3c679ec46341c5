/// A kind of section with its options: lays out one section, from (0, 0).
///
/// A kind knows no header, no inset and no direction; the ``SectionStack`` places what it lays out.
public protocol SectionLayout: Equatable, Sendable {
  /// The kind's name on the wire.
  static var kind: String { get }
  /// Every option of the kind, beside those that all sections have.
  static var options: [LayoutOption<Self>] { get }
  /// The values of the option `background` that the kind knows beside `none` and `section`.
  static var backgrounds: [String] { get }
  /// Whether frames are made integral unless the option says otherwise.
  static var isIntegralByDefault: Bool { get }

  /// All options at their defaults.
  init()

  /// The options with both axes exchanged, as a horizontal layout takes them.
  func transposed() -> Self

  /// Whether the collection view's height along the scroll direction has a say.
  var usesBoundsHeight: Bool { get }

  /// When frames are arithmetic: nothing is stored for an item then, and it is not counted.
  static var uniformity: Uniformity { get }

  /// Whether no item has a field that decides anything; asked where that decides ``uniformity``.
  ///
  /// - Parameter container: Decides which field of an item is its height.
  func hasPlainItems(_ items: Items, in container: Container) -> Bool

  /// Lays out the section.
  ///
  /// - Parameter earlier: What was laid out for the same options and container, to go on from.
  /// - Throws: ``LayoutError`` when options and container don't fit each other; the section's index
  ///   is the container's. All of that is thrown for a section without items, too.
  func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody

  /// The frames of the decorations of a background that only this kind knows.
  ///
  /// - Parameter body: Of this kind, with the same options.
  func backgroundBody(
    _ background: String, behind body: any SectionBody, in container: Container
  ) -> any SectionBody
}

/// When the frames of a section are arithmetic.
public enum Uniformity: Sendable {
  case always
  /// Where no item has a field that decides anything.
  case ofPlainItems
  case never
}

extension SectionLayout {
  public static var uniformity: Uniformity { .ofPlainItems }
  public func hasPlainItems(_ items: Items, in container: Container) -> Bool { true }

  /// Whether the frames of a section are arithmetic.
  func isUniform(_ items: Items, in container: Container) -> Bool {
    switch Self.uniformity {
    case .always: true
    case .ofPlainItems: hasPlainItems(items, in: container)
    case .never: false
    }
  }

  public static var backgrounds: [String] { [] }
  public static var isIntegralByDefault: Bool { false }
  public var usesBoundsHeight: Bool { false }
  public func transposed() -> Self { self }

  public func backgroundBody(
    _ background: String, behind body: any SectionBody, in container: Container
  ) -> any SectionBody {
    preconditionFailure("\(Self.kind) knows no background \"\(background)\"")
  }

  /// A section's frame at its defaults.
  static var defaultFrame: SectionFrame {
    var frame = SectionFrame()
    frame.integral = isIntegralByDefault
    return frame
  }

  /// All options of a section of this kind.
  static var table: OptionTable {
    OptionTable(SectionFrame.options(backgrounds: backgrounds)) { SectionFrame() }
      + OptionTable(options) { Self() }
  }
}

/// Where a section's body is laid out.
public struct Container: Equatable, Sendable {
  /// The body's width, in points, > 0.
  public let width: Double
  /// The collection view's height, where the kind takes a fraction of it.
  public let boundsHeight: Double?
  /// Whether items' fields are to be read with their axes exchanged.
  public let isTransposed: Bool
  /// The section's index, for what is wrong with it; `nil` for the layout's options themselves.
  public let section: Int?

  public init(
    width: Double, boundsHeight: Double? = nil, isTransposed: Bool = false, section: Int? = nil
  ) {
    self.width = width
    self.boundsHeight = boundsHeight
    self.isTransposed = isTransposed
    self.section = section
  }

  /// Where the section lies does not matter to its body.
  public static func == (a: Container, b: Container) -> Bool {
    a.width == b.width && a.boundsHeight == b.boundsHeight && a.isTransposed == b.isTransposed
  }

  /// The field of the collection's items that is this one of the body's.
  func field(_ field: ItemField) -> ItemField { isTransposed ? field.transposed : field }

  /// What is so wide and has a ratio of width to height, as the collection knows it, is so high.
  @inline(__always)
  func height(ofWidth width: Double, ratio: Double) -> Double {
    isTransposed ? width * ratio : width / ratio
  }

  /// What is so high and has a ratio of width to height, as the collection knows it, is so wide.
  @inline(__always)
  func width(ofHeight height: Double, ratio: Double) -> Double {
    isTransposed ? height / ratio : height * ratio
  }

  func invalidOption(_ name: String, _ requirement: String) -> LayoutError {
    .invalidOption(name, section: section, requirement: requirement)
  }
}

/// A body of the same section that was laid out before, with the same options and container.
public struct EarlierBody {
  public let body: any SectionBody
  /// The first item that may differ, or that one of the two does not have. What lies before may be
  /// shared.
  public let firstChanged: Int
  /// How many items at the end are those that were at the end.
  public let unchangedTail: Int

  public init(body: any SectionBody, firstChanged: Int, unchangedTail: Int = 0) {
    self.body = body
    self.firstChanged = firstChanged
    self.unchangedTail = unchangedTail
  }
}

/// A section's cells in coordinates of its own: x from 0 to the container's width, y from 0 down.
public protocol SectionBody: AnyObject, Sendable {
  /// How many frames there are.
  var count: Int { get }
  /// In points, ≥ 0.
  var height: Double { get }
  /// Holds every frame; it may reach beyond the body.
  var reach: Rect { get }
  /// Bytes that the body holds.
  var memoryBytes: Int { get }

  /// - Precondition: There is such an item.
  func frame(of item: Int) -> Rect

  /// No frame from an item on begins above; the item may be one behind the last.
  func top(ofItemsFrom item: Int) -> Double

  /// Offers to a sink, by ascending item, at least every frame from an item on that meets a rect,
  /// touching edges included. It may offer too many.
  ///
  /// - Returns: Whether the sink wanted all of them.
  func offerFrames(in rect: Rect, from item: Int, to sink: inout FrameSink) -> Bool
}

extension SectionBody {
  public func top(ofItemsFrom item: Int) -> Double { reach.origin.y }
}
