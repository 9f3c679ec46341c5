public import CollectionLayout

/// The text around the elements in the answer to a query: `{"id": …, "version": …, "versionTag": …,
/// "rect": …, "elements": […], "reset": true, "next": …}`.
extension JSONWriter {
  /// Writes the beginning, up to the first element.
  ///
  /// - Parameter hash: Of the version's history, 24 bits.
  public mutating func writeElementsHead(
    id: [UInt8], version: Int, hash: UInt32, _ rect: Rect
  ) {
    let capacity = 96 + id.count + 2 * NumberText.maxIntegerLength + NumberText.maxRectLength
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
      let number = end
      end = NumberText().write(version, at: end)
      let length = end - number
      put(",\"versionTag\":\"")
      end.update(from: number, count: length)
      end = VersionTagText.writeHash(hash, at: end + length)
      put("\",\"rect\":")
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

extension JSONWriter {
  /// Writes `"version": …, "versionTag": …`, without a comma before it.
  ///
  /// - Parameter hash: Of the version's history, 24 bits.
  public mutating func writeMembers(version: Int, hash: UInt32) {
    write("\"version\":")
    write(version)
    write(",\"versionTag\":\"")
    write(version)
    reserve(VersionTagText.hashLength) { VersionTagText.writeHash(hash, at: $0) }
    write("\"")
  }
}

/// The text of a version's tag: its number, a hyphen and six hexadecimal digits.
package enum VersionTagText {
  /// The whole text.
  static func text(_ number: Int, _ hash: UInt32) -> String {
    var writer = JSONWriter(capacity: 32)
    writer.write(number)
    writer.reserve(hashLength) { writeHash(hash, at: $0) }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The hyphen and the digits.
  package static let hashLength = 7

  /// Writes what follows the number.
  ///
  /// - Returns: The end.
  @inline(__always)
  package static func writeHash(
    _ hash: UInt32, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    start.pointee = UInt8(ascii: "-")
    for place in 1..<hashLength {
      let digit = UInt8(truncatingIfNeeded: hash >> (4 * UInt32(hashLength - 1 - place))) & 15
      start[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
    return start + hashLength
  }
}
