public import CollectionLayout

/// The text around the elements in the answer to a query: `{"id": …, "version": …, "rect": …,
/// "elements": […], "reset": true, "next": …}`.
extension JSONWriter {
  /// Writes the beginning, up to the first element.
  public mutating func writeElementsHead(id: [UInt8], version: Int, _ rect: Rect) {
    let capacity = 64 + id.count + NumberText.maxIntegerLength + NumberText.maxRectLength
    reserve(capacity) { start in
      var end = start
      func put(_ text: StaticString) {
        end.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        end += text.utf8CodeUnitCount
      }
      put("{\"id\":\"")
      for byte in id {
        end.pointee = byte
        end += 1
      }
      put("\",\"version\":")
      end = NumberText().write(version, at: end)
      put(",\"rect\":")
      end = NumberText().write(rect, at: end)
      put(",\"elements\":[")
      return end
    }
  }

  /// Writes the end of the list, and `reset` if the client must drop the elements that it knows.
  public mutating func writeElementsEnd(isReset: Bool) {
    write(isReset ? "],\"reset\":true" : "]")
  }

  /// Writes the link to the rest of the list.
  public mutating func writeMember(next link: String) {
    write(",\"next\":")
    write(string: link)
  }

  /// Writes the closing brace of an answer.
  public mutating func writeEnd() {
    write("}")
  }
}
