/// Rows of cells of random widths; the last cell of a row fills what is left of it.
///
/// Source: the tutorial "Creating custom layouts for UICollectionView".
public struct GalleryLayout: CollectionViewLayout {
  /// The distance to both sides and between cells, in points, ≥ 0.
  public var horizontalInset = 15.0
  /// The distance between rows and below the last, in points, ≥ 0.
  public var verticalInset = 15.0
  /// The least random width, in points, > 0.
  public var minimumItemWidth = 150.0
  /// The greatest random width, in points, ≥ `minimumItemWidth`; a row goes on while more than 1.5
  /// of it are left.
  public var maximumItemWidth = 300.0
  /// The height of every cell, in points, > 0.
  public var itemHeight = 250.0
  /// The height of the one header, in points, ≥ 0; a quarter of `itemHeight` if `nil`, 0 for none.
  public var headerHeight: Double?
  /// Decides the random widths, together with an item's index path; 0 to 2⁵³ − 1.
  public var seed = 0

  public init() {}

  public static let kind = "gallery"
  public static let dataForm = DataForm.sections([ItemField("width", .positive)])
  static let widthField = 0

  public static let options: [LayoutOption<GalleryLayout>] = [
    .number("horizontalInset", \.horizontalInset, .nonNegative),
    .number("verticalInset", \.verticalInset, .nonNegative),
    .number("minimumItemWidth", \.minimumItemWidth, .positive),
    .number("maximumItemWidth", \.maximumItemWidth, .positive),
    .number("itemHeight", \.itemHeight, .positive),
    .number("headerHeight", \.headerHeight, .nonNegative),
    .integer("seed", \.seed, from: 0),
  ]

  /// - Complexity: O(*n*) for *n* items.
  public func prepared(
    for data: CollectionData, bounds: Bounds?, after previous: PreviousLayout?
  ) throws(LayoutError) -> any PreparedLayout {
    let sections = try data.requiredSections()
    let metrics = try metrics(in: bounds)
    let earlier = previous?.prepared as? PreparedGallery
    return try PreparedGallery(sections: sections, metrics: metrics) { section in
      // The widths depend on the section's index as well.
      guard let earlier, let origin = previous?.origin(of: section), origin.base == section else {
        return nil
      }
      return earlier.reusableStack(
        ofSection: section, firstChanged: origin.firstChanged, for: metrics)
    }
  }

  public func shouldInvalidate(
    _ prepared: any PreparedLayout, for bounds: Bounds?
  ) throws(LayoutError) -> Bool {
    try (prepared as? PreparedGallery)?.metrics != metrics(in: bounds)
  }

  func metrics(in bounds: Bounds?) throws(LayoutError) -> GalleryMetrics {
    let boundsWidth = try bounds.requiredWidth()
    guard maximumItemWidth >= minimumItemWidth else {
      throw .invalidOption(
        "maximumItemWidth",
        requirement: "at least minimumItemWidth (\(minimumItemWidth.messageText)), was "
          + maximumItemWidth.messageText)
    }
    return GalleryMetrics(
      boundsWidth: boundsWidth, horizontalInset: horizontalInset,
      verticalInset: verticalInset, minimumItemWidth: minimumItemWidth,
      maximumItemWidth: maximumItemWidth, itemHeight: itemHeight,
      headerHeight: headerHeight ?? itemHeight / 4, seed: UInt64(seed))
  }
}

/// The numbers that place a gallery's cells.
struct GalleryMetrics: Equatable, Sendable {
  var boundsWidth: Double
  var horizontalInset: Double
  var verticalInset: Double
  var minimumItemWidth: Double
  var maximumItemWidth: Double
  var itemHeight: Double
  var headerHeight: Double
  var seed: UInt64

  var rowPitch: Double { itemHeight + verticalInset }

  /// Whether rows with these metrics are filled and spaced like those with others.
  func placesItems(like other: GalleryMetrics) -> Bool {
    var other = other
    other.headerHeight = headerHeight
    return self == other
  }

  /// The width of an item that has none of its own, a function of seed and index path alone.
  func randomWidth(section: Int, item: Int) -> Double {
    let range = (maximumItemWidth - minimumItemWidth).rounded(.down)
    // 64 random bits choose among all integers only if there are fewer than 2⁶⁴: otherwise among
    // every second, fourth and so on.
    let step = max(1, range.ulp * 0x1p-11)
    let choices = UInt64(range / step) + 1
    let random = SplitMix64.firstOutput(
      of: seed ^ (UInt64(section) &* 0x9E37_79B9_7F4A_7C15)
        ^ (UInt64(item) &* 0xBF58_476D_1CE4_E5B9))
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
