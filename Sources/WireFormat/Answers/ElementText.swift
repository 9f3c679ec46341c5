import CollectionLayout

/// The texts of elements of one series, without ids, children and closing braces.
struct ElementText {
  /// The current series; `nil` before the first.
  private(set) var series: ElementSeries?
  /// The text of an element up to its item, with the comma before it:
  /// `,{"category":"cell","indexPath":[0,`.
  private var prefix = PaddedText()
  /// The section in `prefix`.
  private var section = -1
  /// The text of a child up to its item, with the comma before it: `,[1,`.
  private var childPrefix = PaddedText()
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
    text.write(",{\"category\":")
    text.write(string: series.category.rawValue)
    if let kind = series.kind {
      text.write(",\"kind\":")
      text.write(string: kind)
    }
    text.write(",\"indexPath\":[")
    prefix = PaddedText(text)
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
    if childSection < 0 {
      var text = JSONWriter(capacity: 128)
      text.write(",[")
      childPrefix = PaddedText(text)
    }
    childSection = section
    childPrefix.end(with: section)
  }

  /// The room that an element needs, without its children, in bytes.
  var maxLength: Int {
    prefix.capacity + NumberText.maxIntegerLength + 2 * NumberText.maxDoubleLength
      + 2 * NumberTextCache.capacity + 2 * ShortText.capacity
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
      end = childPrefix.write(droppingFirst: isFirst ? 1 : 0, at: end)
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
    var end = prefix.write(droppingFirst: isFirst ? 1 : 0, at: start)
    end = numbers.write(element.indexPath.item, at: end)
    end = frameText.write(frame.origin.x, at: end)
    end = numbers.write(sum: frame.origin.y, at: end)
    end = widthText.write(again: frame.size.width, at: end)
    end = numbers.write(frame.size.height, at: end)
    return zIndexText.write(at: end)
  }
}
