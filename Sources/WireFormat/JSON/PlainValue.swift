import CSimdJSON

/// The type of a column's values. It can read plain numbers, the kind of number that most bodies
/// have.
protocol PlainValue: BitwiseCopyable {
  /// The value of a plain number; `nil` if it is not plain, or not a number.
  ///
  /// - Parameters:
  ///   - start: The start of a token.
  ///   - length: At least the length of the token.
  static func plain(_ start: UnsafePointer<UInt8>, length: UInt32) -> Self?
}

extension Double: PlainValue {
  /// A finite number that is short enough for simdjson to read it correctly.
  @inline(__always)
  static func plain(_ start: UnsafePointer<UInt8>, length: UInt32) -> Double? {
    if let value = ShortDecimal.read(start) { return value }
    var value = 0.0
    guard length <= JSONReader.plainNumberLength, csimdjson_number(start, &value) else {
      return nil
    }
    return value
  }
}

extension Int32: PlainValue {
  /// A whole number ≥ 0.
  @inline(__always)
  static func plain(_ start: UnsafePointer<UInt8>, length: UInt32) -> Int32? {
    if let value = ShortDecimal.readInteger(start) { return Int32(value) }
    guard start[0] != UInt8(ascii: "-"), let value = Double.plain(start, length: length) else {
      return nil
    }
    return Int32(exactly: value)
  }
}

extension PlainValue {
  /// Reads values, each behind a comma, while they are plain.
  ///
  /// - Returns: How many values were read.
  ///
  /// - Parameters:
  ///   - count: The largest number of values to read. There must be one token more than commas and
  ///     numbers.
  ///   - window: The text in which the tokens are offsets.
  @inline(__always)
  static func readPlain(
    _ count: Int, at tokens: UnsafePointer<UInt32>, in window: UnsafePointer<UInt8>,
    into values: UnsafeMutablePointer<Self>
  ) -> Int {
    var token = tokens
    for index in 0..<count {
      guard window[Int(token[0])] == UInt8(ascii: ","),
        let value = plain(window + Int(token[1]), length: token[2] - token[1])
      else { return index }
      values[index] = value
      token += 2
    }
    return count
  }
}
