/// Rows of cells with random widths. The last cell of a row fills the rest of it.
///
/// Source: the tutorial "Creating custom layouts for UICollectionView".
///
/// Limitations: all cells have one height, and no size can be measured. The last cell of a row has
/// no width of its own. A change lays out all rows behind it.
public struct GalleryLayout: SectionLayout {
  /// The distance between cells, and from cells to both sides, in points, ≥ 0.
  public var horizontalInset = 15.0
  /// The distance between rows, and below the last row, in points, ≥ 0.
  public var verticalInset = 15.0
  /// The smallest random width, in points, > 0.
  public var minimumItemWidth = 150.0
  /// The largest random width, in points, ≥ `minimumItemWidth`. A row continues while more than 1.5
  /// times this width is left.
  public var maximumItemWidth = 300.0
  /// The height of every cell, in points, > 0.
  public var itemHeight = 250.0
  /// The seed of the random widths, 0 to 2⁵³ − 1. A width depends on the seed and the item's index
  /// only.
  public var seed = 0

  public init() {}

  public static let kind = "gallery"
  public static let keptBytesPerItem = 16
  public static let uniformity = Uniformity.never
  public static let options: [LayoutOption<GalleryLayout>] = [
    .number("horizontalInset", \.horizontalInset, .nonNegative),
    .number("verticalInset", \.verticalInset, .nonNegative),
    .number("minimumItemWidth", \.minimumItemWidth, .positive),
    .number("maximumItemWidth", \.maximumItemWidth, .positive),
    .number("itemHeight", \.itemHeight, .positive),
    .integer("seed", \.seed, from: 0),
  ]

  public static let lengths: [any WritableKeyPath<GalleryLayout, Double> & Sendable] = [
    \.verticalInset, \.itemHeight,
  ]

  public var traits: SectionTraits { .integral }

  /// - Complexity: O(*n*) for *n* items.
  public func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    try check(in: container)
    let pitch = itemHeight + verticalInset
    var cells = PiecesBuilder(after: earlier)
    var y = cells.count > 0 ? cells.bottom + verticalInset : 0
    var x = horizontalInset
    items.forEachValue(of: container.field(.width), from: cells.count) { item, given in
      let rest = container.width - x
      let isLast = !(rest > 1.5 * maximumItemWidth)
      let width: Double
      if isLast {
        width = max(0, rest - horizontalInset)
      } else {
        width = given > 0 ? min(given, maximumItemWidth) : randomWidth(of: item)
      }
      cells.add(x: x, width: width, top: y, height: itemHeight)
      if isLast {
        cells.endRow()
        y += pitch
        x = horizontalInset
      } else {
        x += width + horizontalInset
      }
    }
    if cells.isRowOpen { y += pitch }
    return cells.body(height: y)
  }

  private func check(in container: Container) throws(LayoutError) {
    guard maximumItemWidth >= minimumItemWidth else {
      throw container.invalidOption(
        "maximumItemWidth",
        "at least minimumItemWidth, \(minimumItemWidth.messageText), was "
          + maximumItemWidth.messageText)
    }
    guard horizontalInset <= maximumItemWidth / 4 else {
      throw container.invalidOption(
        "horizontalInset",
        "at most a quarter of maximumItemWidth, \((maximumItemWidth / 4).messageText), was "
          + horizontalInset.messageText)
    }
    guard 2 * horizontalInset < container.width else {
      throw container.invalidOption(
        "horizontalInset",
        "less than half of the section's \(container.width.messageText), was "
          + horizontalInset.messageText)
    }
  }

  /// The random width of an item without a width. It depends on the seed and the item's index only.
  private func randomWidth(of item: Int) -> Double {
    let range = (maximumItemWidth - minimumItemWidth).rounded(.down)
    // 64 random bits can choose among all integers only if there are fewer than 2⁶⁴ of them. Beyond
    // that, they choose among every second integer, every fourth, and so on.
    let step = max(1, range.ulp * 0x1p-11)
    let choices = UInt64(range / step) + 1
    let random = SplitMix64.firstOutput(
      of: UInt64(seed) ^ (UInt64(item) &* 0xBF58_476D_1CE4_E5B9))
    let choice = random.multipliedFullWidth(by: choices).high
    return minimumItemWidth.rounded(.down) + Double(choice) * step
  }
}

/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
enum SplitMix64 {
  static func firstOutput(of seed: UInt64) -> UInt64 {
    var z = seed &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
