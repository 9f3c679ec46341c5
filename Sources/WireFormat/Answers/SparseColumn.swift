/// A column in CBOR of what only some elements have: null for the others.
struct SparseColumn: Sendable {
  /// The items up to the last element that has one.
  private var bytes: [UInt8] = []
  /// How many elements have their place in `bytes`.
  private var count = 0

  /// Whether no element has an item.
  var isEmpty: Bool { count == 0 }
  /// About how many bytes the column has.
  var byteCount: Int { bytes.count }
  /// The bytes of memory.
  var memoryBytes: Int { bytes.capacity }

  /// Empties the column and keeps its memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Adds a text, or a string of bytes, or an item that is encoded.
  ///
  /// - Parameter element: The element that has it, behind the last that has one.
  @inline(__always)
  mutating func append(
    _ text: UnsafeBufferPointer<UInt8>, as major: CBORItem.Major? = .text, of element: Int
  ) {
    bytes.append(contentsOf: repeatElement(CBORItem.null, count: element - count))
    count = element + 1
    bytes.appendItems(CBORItem.maxHeadLength + text.count) {
      guard let major else {
        $0.update(from: text.baseAddress!, count: text.count)
        return $0 + text.count
      }
      return CBORItem.write(text, as: major, at: $0)
    }
  }

  /// The room that the items need for a number of elements, in bytes.
  func room(for elements: Int) -> Int { bytes.count + elements - count }

  /// Writes the name and the items.
  ///
  /// - Precondition: An element has one.
  func write(
    _ name: StaticString, for elements: Int, at start: CBORItem.Place
  ) -> CBORItem.Place {
    var end = CBORItem.write(name, at: start)
    end = CBORItem.write(.array, elements, at: end)
    bytes.withUnsafeBufferPointer { end.update(from: $0.baseAddress!, count: $0.count) }
    end += bytes.count
    end.update(repeating: CBORItem.null, count: elements - count)
    return end + (elements - count)
  }
}
