import CollectionLayout

/// The texts of elements of one series, without ids, children and closing braces.
struct ElementText {
  var precision = CoordinatePrecision.readable
  /// The current series; `nil` before the first.
  private(set) var series: ElementSeries?
  /// The text of an element up to its section: `{"category":"cell","indexPath":[`.
  private var prefix = LongText("")
  private var section = -1
  private var sectionText = NumberedText("")
  private var childSection = -1
  private var childSectionText = NumberedText("")
  private var zIndexText = ShortText("")
  private let firstChildText = ShortText(",\"firstChild\":")
  private let childCountText = ShortText(",\"childCount\":")
  private let childrenText = ShortText(",\"children\":[")
  private let numbers = NumberText()
  private var xs = RepeatedNumber()
  private var widths = RepeatedNumber()
  private let frameText = ShortText("],\"frame\":[")

  mutating func begin(_ series: ElementSeries) {
    if series == self.series { return }
    self.series = series
    section = -1
    var text = JSONWriter(capacity: 192)
    text.write("{\"category\":")
    text.write(string: series.category.rawValue)
    if let kind = series.kind {
      text.write(",\"kind\":")
      text.write(string: kind)
    }
    text.write(",\"indexPath\":[")
    prefix = LongText(text.bytes)
    zIndexText = ShortText(Array("],\"zIndex\":\(series.category.zIndex)".utf8))
  }

  mutating func begin(section: Int) {
    if section == self.section { return }
    precondition(series != nil, "an element of section \(section), of no series")
    self.section = section
    sectionText = NumberedText(section)
  }

  private mutating func beginChildren(inSection section: Int) {
    if section == childSection { return }
    childSection = section
    childSectionText = NumberedText(section)
  }

  /// The room that an element needs, without its children, in bytes: its texts and numbers, a comma
  /// before them, and the brackets that end the children and the element.
  var maxLength: Int {
    LongText.capacity + NumberText.maxIntegerLength + 4 * NumberText.maxDoubleLength
      + NumberedText.capacity + 3 * ShortText.capacity + 6
  }

  /// An element with more children than this says only how many they are and which is the first.
  private static let mostChildren = 100
  /// The room that an index path, or a number with its name, needs, in bytes.
  private static let maxPartLength = 2 * NumberText.maxIntegerLength + 64

  /// The room that the members about children need, in bytes.
  @inline(__always)
  func maxLength(of children: LayoutAttributes.Children?) -> Int {
    guard let count = children?.items.count else { return 0 }
    return (3 + (count <= Self.mostChildren ? count : 0)) * Self.maxPartLength
  }

  /// Writes the members `firstChild`, `childCount`, and `children` if they are not too many.
  @inline(__always)
  mutating func write(
    _ children: LayoutAttributes.Children, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    beginChildren(inSection: children.section)
    let items = children.items
    var end = writeChild(items.lowerBound, at: firstChildText.write(at: start))
    end = numbers.write(items.count, at: childCountText.write(at: end))
    guard items.count <= Self.mostChildren else { return end }
    end = childrenText.write(at: end)
    for item in items {
      if item > items.lowerBound { end = put(UInt8(ascii: ","), at: end) }
      end = writeChild(item, at: end)
    }
    return put(UInt8(ascii: "]"), at: end)
  }

  @inline(__always)
  private func writeChild(
    _ item: Int, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let end = childSectionText.write(at: put(UInt8(ascii: "["), at: start))
    return put(UInt8(ascii: "]"), at: numbers.write(item, at: end))
  }

  /// - Precondition: The element is in the section that was begun last.
  @inline(__always)
  mutating func write(
    _ element: PlacedElement, isFirst: Bool, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let frame = element.frame
    var end = isFirst ? start : put(UInt8(ascii: ","), at: start)
    end = sectionText.write(at: prefix.write(at: end))
    end = numbers.write(element.indexPath.item, at: end)
    end = frameText.write(at: end)
    end = xs.write(frame.origin.x, precision, with: numbers, at: end)
    end = put(UInt8(ascii: ","), at: numbers.write(frame.origin.y, precision, at: end))
    end = widths.write(frame.size.width, precision, with: numbers, at: end)
    end = numbers.write(frame.size.height, precision, at: end)
    return zIndexText.write(at: end)
  }
}

extension NumberedText {
  /// A number and a comma.
  fileprivate init(_ number: Int) {
    self.init { put(UInt8(ascii: ","), at: NumberText().write(number, at: $0)) }
  }
}

/// Numbers that are often the same as the one before: widths, and the x of a list. Such a number is
/// copied, with the comma behind it.
private struct RepeatedNumber {
  private var last = Double.nan
  private var text: ShortText?

  @inline(__always)
  mutating func write(
    _ number: Double, _ precision: CoordinatePrecision, with numbers: NumberText,
    at start: NumberText.Place
  ) -> NumberText.Place {
    if number == last, let text { return text.write(at: start) }
    let end = put(UInt8(ascii: ","), at: numbers.write(number, precision, at: start))
    // The first time a number comes again, its text is kept.
    text = number == last && end - start <= ShortText.capacity ? keep(start, end) : nil
    last = number
    return end
  }

  @inline(never)
  private func keep(_ start: NumberText.Place, _ end: NumberText.Place) -> ShortText {
    ShortText {
      $0.update(from: start, count: end - start)
      return $0 + (end - start)
    }
  }
}

/// Writes a byte.
///
/// - Returns: The place behind it.
@inline(__always)
func put(
  _ byte: UInt8, at end: UnsafeMutablePointer<UInt8>
) -> UnsafeMutablePointer<UInt8> {
  end.pointee = byte
  return end + 1
}
