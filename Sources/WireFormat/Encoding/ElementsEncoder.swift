public import CollectionLayout

/// Writes elements as the objects of a list, a comma between two.
///
/// A hot path: what a query costs is mostly this. All of an element but its names and children
/// is written through one pointer after one check for room, and what elements of a series have in
/// common is written from ready bytes.
public struct ElementsEncoder {
  public private(set) var writer: JSONWriter
  private var isFirst = true
  /// An element's text up to its item: `{"category":"cell","indexPath":[0,`.
  private var prefix: [UInt8] = []
  /// The same up to its section, and the section that `prefix` is for.
  private var seriesPrefix: [UInt8] = []
  private var prefixSection = -1
  private var zIndexText = ShortText("")
  private let frameText = ShortText("],\"frame\":[")
  private var numbers = NumberTextCache()

  /// Goes on after what `writer` has.
  public init(_ writer: consuming JSONWriter) {
    self.writer = writer
  }

  /// Says which series the next elements are of.
  public mutating func begin(_ series: ElementSeries) {
    var text = JSONWriter(capacity: 64)
    text.write("{\"category\":")
    text.write(string: series.category.rawValue)
    if let kind = series.kind {
      text.write(",\"kind\":")
      text.write(string: kind)
    }
    text.write(",\"indexPath\":[")
    seriesPrefix = text.bytes
    prefixSection = -1
    zIndexText =
      switch series.category {
      case .decoration: ShortText("],\"zIndex\":-1")
      case .cell: ShortText("],\"zIndex\":0")
      case .supplementary: ShortText("],\"zIndex\":1")
      }
  }

  private mutating func beginSection(_ section: Int) {
    var text = JSONWriter(capacity: seriesPrefix.count + 24)
    text.write(raw: seriesPrefix)
    text.write(section)
    text.write(",")
    prefix = text.bytes
    prefixSection = section
  }

  /// Adds an element of the series that was begun last to the list.
  public mutating func encode(_ element: borrowing LayoutAttributes) {
    encodeObject(element, isFirst: isFirst)
    isFirst = false
  }

  /// The bytes written so far.
  public var count: Int { writer.bytes.count }

  /// Writes text between elements.
  mutating func writeText(_ text: StaticString) { writer.write(text) }

  mutating func encodeObject(_ element: borrowing LayoutAttributes, isFirst: Bool = true) {
    if element.indexPath.section != prefixSection { beginSection(element.indexPath.section) }
    // The closure takes only numbers along: capturing the element would copy and retain it.
    let item = element.indexPath.item
    let frame = element.frame
    let hasMore = element.id != nil || element.children != nil
    let capacity =
      prefix.count + NumberText.maxIntegerLength + 4 * NumberText.maxDoubleLength
      + 3 * ShortText.capacity
    writer.reserve(capacity) { start in
      var end = start
      if !isFirst { end = put(UInt8(ascii: ","), at: end) }
      prefix.withUnsafeBufferPointer {
        end.update(from: $0.baseAddress!, count: $0.count)
        end += $0.count
      }
      end = NumberText.write(item, at: end)
      end = frameText.write(at: end)
      end = numbers.write(frame.origin.x, at: end)
      end = put(UInt8(ascii: ","), at: end)
      end = NumberText.write(frame.origin.y, at: end)
      end = put(UInt8(ascii: ","), at: end)
      end = numbers.write(frame.size.width, at: end)
      end = put(UInt8(ascii: ","), at: end)
      end = NumberText.write(frame.size.height, at: end)
      end = zIndexText.write(at: end)
      return hasMore ? end : put(UInt8(ascii: "}"), at: end)
    }
    guard hasMore else { return }
    if let id = element.id {
      writer.write(",\"id\":")
      id.withBytes { writer.write(string: $0) }
    }
    if let children = element.children {
      writer.write(",\"children\":[")
      for item in children.items {
        if item > children.items.lowerBound { writer.write(",") }
        writer.write("[")
        writer.write(children.section)
        writer.write(",")
        writer.write(item)
        writer.write("]")
      }
      writer.write("]")
    }
    writer.write("}")
  }
}

@inline(__always)
private func put(
  _ byte: UInt8, at end: UnsafeMutablePointer<UInt8>
) -> UnsafeMutablePointer<UInt8> {
  end.pointee = byte
  return end + 1
}

/// Up to sixteen bytes that are written with one store.
private struct ShortText {
  static let capacity = 16

  private let bytes: SIMD16<UInt8>
  private let count: Int

  init(_ text: StaticString) {
    precondition(text.utf8CodeUnitCount <= Self.capacity, "\(text) is too long")
    var bytes = SIMD16<UInt8>.zero
    for index in 0..<text.utf8CodeUnitCount { bytes[index] = text.utf8Start[index] }
    self.bytes = bytes
    count = text.utf8CodeUnitCount
  }

  /// - Precondition: There is room for `capacity` bytes.
  @inline(__always)
  func write(at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(start).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
    return start + count
  }
}
