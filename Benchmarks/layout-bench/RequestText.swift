import CSimdJSON

/// The text of a request's body, in memory as in the server: padding follows it.
final class RequestText {
  private let memory: UnsafeMutableRawBufferPointer
  let count: Int

  init(_ text: [UInt8]) {
    count = text.count
    memory = .allocate(byteCount: text.count + Int(CSIMDJSON_PADDING), alignment: 64)
    memory.copyBytes(from: text)
    memory[text.count...].initializeMemory(as: UInt8.self, repeating: UInt8(ascii: " "))
  }

  convenience init(_ text: String) {
    self.init(Array(text.utf8))
  }

  deinit {
    memory.deallocate()
  }

  /// The text without the padding. The padding may be overwritten.
  var bytes: UnsafeMutableRawBufferPointer { .init(rebasing: memory[..<count]) }

  /// Does the work that every reader of the text must do: it finds all tokens and converts all
  /// numbers.
  ///
  /// - Returns: The sum of the numbers.
  func scanWithSimdJSON() -> Double {
    guard let index = csimdjson_index_create() else { preconditionFailure("no memory") }
    defer { csimdjson_index_destroy(index) }
    let text = UnsafePointer(memory.baseAddress!.assumingMemoryBound(to: UInt8.self))
    var positions: UnsafePointer<UInt32>?
    var positionCount = 0
    guard csimdjson_index_build(index, text, count, &positions, &positionCount), let positions
    else { preconditionFailure("the text is no JSON") }
    var sum = 0.0
    for position in UnsafeBufferPointer(start: positions, count: positionCount)
    where text[Int(position)] &- UInt8(ascii: "0") < 10 {
      var value = 0.0
      if csimdjson_number(text + Int(position), &value) { sum += value }
    }
    return sum
  }
}

/// Writes request bodies.
struct RequestTextWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ text: String) { bytes += text.utf8 }

  /// Writes a whole number.
  mutating func write(_ value: Int) {
    if value >= 10 { write(value / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(value % 10))
  }

  /// Writes a number of hundredths with two decimals.
  mutating func write(hundredths value: Int) {
    write(value / 100)
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(ascii: "0") + UInt8(value / 10 % 10))
    bytes.append(UInt8(ascii: "0") + UInt8(value % 10))
  }

  /// Writes a list in brackets, one `element` after another.
  mutating func writeList(_ count: Int, _ element: (Int, inout RequestTextWriter) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      element(index, &self)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
