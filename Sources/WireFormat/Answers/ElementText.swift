import CollectionLayout

/// The texts of elements of one series, without ids, children and closing braces.
struct ElementText {
  /// The current series; `nil` before the first.
  private(set) var series: ElementSeries?
  /// The text of an element up to its item: `{"category":"cell","indexPath":[0,`.
  private var prefix = NumberedText()
  /// The section in `prefix`.
  private var section = -1
  /// The text of a child up to its item: `[1,`.
  private var childPrefix = NumberedText([UInt8(ascii: "[")])
  private var childSection = -1
  private var zIndexText = ShortText("")
  private let firstChildText = ShortText(",\"firstChild\":")
  private let childCountText = ShortText(",\"childCount\":")
  private let childrenText = ShortText(",\"children\":[")
  private let numbers = NumberText()
  private var frameText = NumberTextCache(prefix: "],\"frame\":[")
  private var widthText = NumberTextCache(prefix: ",")

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
    prefix = NumberedText(text.bytes)
    zIndexText =
      switch series.category {
      case .decoration: ShortText("],\"zIndex\":-1")
      case .cell: ShortText("],\"zIndex\":0")
      case .supplementary: ShortText("],\"zIndex\":1")
      }
  }

  mutating func begin(section: Int) {
    if section == self.section { return }
    precondition(series != nil, "an element of section \(section), of no series")
    self.section = section
    prefix.end(with: section)
  }

  private mutating func beginChildren(inSection section: Int) {
    if section == childSection { return }
    childSection = section
    childPrefix.end(with: section)
  }

  /// The room that an element needs, without its children, in bytes: its texts and numbers, a comma
  /// before them, and the brackets that end the children and the element.
  var maxLength: Int {
    prefix.bytes.count + NumberText.maxIntegerLength + 2 * NumberText.maxDoubleLength
      + 2 * NumberTextCache.capacity + 2 * ShortText.capacity + 3
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
    put(UInt8(ascii: "]"), at: numbers.write(item, at: childPrefix.write(at: start)))
  }

  /// - Precondition: The element is in the section that was begun last.
  @inline(__always)
  mutating func write(
    _ element: PlacedElement, isFirst: Bool, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let frame = element.frame
    var end = isFirst ? start : put(UInt8(ascii: ","), at: start)
    end = prefix.write(at: end)
    end = numbers.write(element.indexPath.item, at: end)
    end = frameText.write(frame.origin.x, at: end)
    end = numbers.write(sum: frame.origin.y, at: end)
    end = widthText.write(again: frame.size.width, at: end)
    end = numbers.write(frame.size.height, at: end)
    return zIndexText.write(at: end)
  }
}

/// A text that ends with a number and a comma.
private struct NumberedText {
  private(set) var bytes: [UInt8]
  private let countBeforeNumber: Int

  init(_ text: [UInt8] = []) {
    bytes = text
    countBeforeNumber = text.count
  }

  /// Replaces the number.
  mutating func end(with number: Int) {
    var writer = JSONWriter(into: Array(bytes[..<countBeforeNumber]))
    writer.write(number)
    writer.write(",")
    bytes = writer.bytes
  }

  @inline(__always)
  func write(at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    bytes.withUnsafeBufferPointer { bytes in
      if let text = bytes.baseAddress { start.update(from: text, count: bytes.count) }
      return start + bytes.count
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
