public import CollectionLayout

/// Answers to queries in JSON: `{"summary": …, "id": …, "version": …, "versionTag": …, "rect": …,
/// "elements": […], "reset": true, "transitions": …, "next": …, "missing": […]}`.
public struct JSONAnswer: AnswerWriter {
  private var elements = ElementsEncoder(JSONWriter(capacity: 0))

  public init() {}

  public var byteCount: Int { elements.count }
  public var memoryBytes: Int { elements.count }

  public mutating func begin(
    _ head: borrowing AnswerHead, of layout: any PreparedLayout, into buffer: consuming [UInt8]
  ) {
    var writer = JSONWriter(into: buffer)
    writer.write(head)
    elements.restart(consume writer)
    elements.details = head.details
  }

  public mutating func begin(_ series: ElementSeries) { elements.begin(series) }

  public mutating func write(
    _ batch: Span<PlacedElement>, of layout: any PreparedLayout, upTo byteCount: Int
  ) -> Int {
    elements.encode(batch, of: layout, upTo: byteCount)
  }

  public mutating func write(
    _ element: LayoutAttributes, ordinal: Int?, card: CardOfItem?, of layout: any PreparedLayout
  ) {
    elements.encode(element, ordinal: ordinal, card: card)
  }

  public mutating func finish(_ end: borrowing AnswerEnd) -> [UInt8] {
    elements.writer.write(end)
    return elements.finish()
  }
}

extension JSONWriter {
  /// Writes what stands before the elements. Each query has it, so it is written through one
  /// pointer.
  fileprivate mutating func write(_ head: borrowing AnswerHead) {
    let capacity =
      128 + (head.summary?.count ?? 0) + head.id.count + 2 * NumberText.maxIntegerLength
      + NumberText.maxRectLength
    reserve(capacity) { start in
      var end = start
      func put(_ text: StaticString) {
        end.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        end += text.utf8CodeUnitCount
      }
      put("{")
      if let summary = head.summary {
        put("\"summary\":")
        end.update(from: summary, count: summary.count)
        end += summary.count
        put(",")
      }
      put("\"id\":\"")
      for byte in head.id {
        end.pointee = byte
        end += 1
      }
      put("\",\"version\":")
      let number = end
      end = NumberText().write(head.version, at: end)
      let length = end - number
      put(",\"versionTag\":\"")
      end.update(from: number, count: length)
      end = VersionTagText.writeHash(head.hash, at: end + length)
      put("\"")
      if let rect = head.rect {
        put(",\"rect\":")
        end = NumberText().write(rect, head.isAnchored ? .readable : .exact, at: end)
      }
      put(",\"elements\":[")
      return end
    }
  }

  /// Writes what follows the elements.
  fileprivate mutating func write(_ end: borrowing AnswerEnd) {
    let (isReset, transitions) = (end.isReset, end.transitions)
    let (next, missing) = (end.next, end.missing)
    write("]")
    endObject {
      $0["reset"] = isReset ? true : nil
      $0["transitions"] = transitions.map { JSONText(bytes: $0) }
      $0["next"] = next
      $0["missing"] = missing
    }
  }
}
