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

  /// The room that a child needs, in bytes.
  let maxChildLength = 2 * NumberText.maxIntegerLength + 64

  /// Writes the member `children` with all index paths.
  @inline(__always)
  mutating func write(
    _ children: LayoutAttributes.Children, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let end = childrenText.write(at: start)
    return put(UInt8(ascii: "]"), at: writeIndexPaths(of: children, isFirst: true, at: end))
  }

  mutating func writeIndexPaths(
    of children: LayoutAttributes.Children, isFirst: Bool, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    beginChildren(inSection: children.section)
    var end = start
    var isFirst = isFirst
    for item in children.items {
      if !isFirst { end = put(UInt8(ascii: ","), at: end) }
      end = childPrefix.write(at: end)
      end = numbers.write(item, at: end)
      end = put(UInt8(ascii: "]"), at: end)
      isFirst = false
    }
    return end
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
