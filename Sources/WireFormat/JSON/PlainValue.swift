import CSimdJSON

/// A value that a column has for a number of the plain kind that bodies are full of.
protocol PlainValue: BitwiseCopyable {
  /// The value of a number; `nil` where it is not plain, or no number.
  ///
  /// - Parameters:
  ///   - start: Where a token begins.
  ///   - length: No less than the token's own.
  static func plain(_ start: UnsafePointer<UInt8>, length: UInt32) -> Self?
}

extension Double: PlainValue {
  /// A finite number of a length that simdjson reads right.
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
  /// A natural number of at most nine digits.
  @inline(__always)
  static func plain(_ start: UnsafePointer<UInt8>, length: UInt32) -> Int32? {
    if let value = ShortDecimal.readInteger(start) { return Int32(value) }
    var value: Int32 = 0
    var count = 0
    while count < 10 {
      let digit = start[count] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ Int32(digit)
      count += 1
    }
    let isPlain = count > 0 && count < 10 && (count == 1 || start[0] != UInt8(ascii: "0"))
    return isPlain && JSONGrammar.endsScalar(start[count]) ? value : nil
  }
}

extension PlainValue {
  /// Reads values, each behind a comma, as long as they are plain; how many.
  ///
  /// - Parameters:
  ///   - count: The most to read; there is one token more than their commas and numbers.
  ///   - window: What the tokens are offsets in.
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
