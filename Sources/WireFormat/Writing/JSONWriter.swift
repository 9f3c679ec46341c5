/// Writes JSON text into one growing array of bytes.
///
/// Each call writes a whole token. The caller must write commas and colons.
public struct JSONWriter: Sendable {
  /// The bytes written so far, in UTF-8.
  public private(set) var bytes: [UInt8] = []
  /// How exactly coordinates are written.
  public internal(set) var precision = CoordinatePrecision.readable

  public init(capacity: Int = 512, precision: CoordinatePrecision = .readable) {
    bytes.reserveCapacity(capacity)
    self.precision = precision
  }

  /// Appends to existing bytes.
  public init(into bytes: consuming [UInt8]) {
    self.bytes = bytes
  }

  /// Writes text unchanged: punctuation, and names that need no escaping.
  public mutating func write(_ text: StaticString) {
    write(raw: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes bytes that are already JSON text.
  public mutating func write(raw text: [UInt8]) {
    text.withUnsafeBufferPointer { write(raw: $0) }
  }

  mutating func write(raw text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return }
    reserve(text.count) { end in
      end.update(from: start, count: text.count)
      return end + text.count
    }
  }

  /// Writes a whole number.
  public mutating func write(_ value: Int) {
    reserve(NumberText.maxIntegerLength) { NumberText().write(value, at: $0) }
  }

  /// Writes the shortest text that reads back to the same double.
  public mutating func write(_ value: Double) {
    reserve(NumberText.maxDoubleLength) { NumberText().write(value, at: $0) }
  }

  /// Writes a coordinate or length that the layout computed.
  public mutating func write(coordinate: Double) {
    reserve(NumberText.maxDoubleLength) { [precision] in
      NumberText().write(coordinate, precision, at: $0)
    }
  }

  /// Writes `true` or `false`.
  public mutating func write(_ value: Bool) {
    if value { write("true") } else { write("false") }
  }

  /// Writes a string with its quotes.
  public mutating func write(string: String) {
    var string = string
    string.withUTF8 { write(string: $0) }
  }

  /// Writes a string with its quotes.
  ///
  /// - Parameter string: UTF-8.
  public mutating func write(string: UnsafeBufferPointer<UInt8>) {
    reserve(StringText.maxLength(of: string.count)) { StringText.write(string, at: $0) }
  }

  /// Lets `body` write up to `capacity` bytes at the end. `body` returns the place where it
  /// stopped.
  ///
  /// Hot paths write through a bare pointer, with room for the longest possible text, instead of
  /// checking the room for each byte.
  @inline(__always)
  mutating func reserve(
    _ capacity: Int, _ body: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
  ) {
    bytes.append(addingCapacity: capacity) { (output: inout OutputSpan<UInt8>) in
      output.withUnsafeMutableBufferPointer { buffer, count in
        guard let base = buffer.baseAddress else { return }
        count = body(base + count) - base
        precondition(count <= buffer.count, "wrote \(count - buffer.count) bytes too many")
      }
    }
  }
}
