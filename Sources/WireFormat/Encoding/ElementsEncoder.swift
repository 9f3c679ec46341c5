public import CollectionLayout

/// Writes elements as the objects of a list, a comma between two.
///
/// A hot path: what a query costs is mostly this. All of an element but its names and children
/// is written through one pointer after one check for room, and what elements of a series have in
/// common is written from ready bytes.
public struct ElementsEncoder {
  public private(set) var writer: JSONWriter
  private var isFirst = true
  /// Up to the index path, for the series of the element before.
  private var prefix: [UInt8] = []
  private var prefixSeries: ElementSeries?
  private var zIndexText: StaticString = ""

  /// Goes on after what `writer` has.
  public init(_ writer: consuming JSONWriter) {
    self.writer = writer
  }

  public mutating func encode(_ element: LayoutAttributes, of series: ElementSeries) {
    if isFirst {
      isFirst = false
    } else {
      writer.write(",")
    }
    encodeObject(element, of: series)
  }

  /// Writes text between elements.
  mutating func writeText(_ text: StaticString) { writer.write(text) }

  mutating func encodeObject(_ element: LayoutAttributes, of series: ElementSeries) {
    if prefixSeries != series { begin(series) }
    let frame = element.frame
    let indexPath = element.indexPath
    let capacity =
      prefix.count + 2 * NumberText.maxIntegerLength + 4 * NumberText.maxDoubleLength + 64
    writer.reserve(capacity) { start in
      var end = start
      prefix.withUnsafeBufferPointer {
        end.update(from: $0.baseAddress!, count: $0.count)
        end += $0.count
      }
      end = NumberText.write(indexPath.section, at: end)
      end = put(",", at: end)
      end = NumberText.write(indexPath.item, at: end)
      end = put("],\"frame\":[", at: end)
      end = NumberText.write(frame.origin.x, at: end)
      end = put(",", at: end)
      end = NumberText.write(frame.origin.y, at: end)
      end = put(",", at: end)
      end = NumberText.write(frame.size.width, at: end)
      end = put(",", at: end)
      end = NumberText.write(frame.size.height, at: end)
      return put(zIndexText, at: end)
    }
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

  private mutating func begin(_ series: ElementSeries) {
    prefixSeries = series
    var text = JSONWriter(capacity: 64)
    text.write("{\"category\":")
    text.write(string: series.category.rawValue)
    if let kind = series.kind {
      text.write(",\"kind\":")
      text.write(string: kind)
    }
    text.write(",\"indexPath\":[")
    prefix = text.bytes
    zIndexText =
      switch series.category {
      case .decoration: "],\"zIndex\":-1"
      case .cell: "],\"zIndex\":0"
      case .supplementary: "],\"zIndex\":1"
      }
  }
}

@inline(__always)
private func put(
  _ text: StaticString, at end: UnsafeMutablePointer<UInt8>
) -> UnsafeMutablePointer<UInt8> {
  end.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
  return end + text.utf8CodeUnitCount
}
