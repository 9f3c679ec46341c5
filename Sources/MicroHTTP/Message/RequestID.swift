/// The `X-Request-Id` of a request's answer.
///
/// An id that this service made is stored as two numbers until it is written. A string would need
/// an allocation and reference counts.
public enum RequestID: Hashable, Sendable {
  /// The id that the client sent.
  case given(String)
  /// The name of a series, and the request's number in it: `f5c582221b0f7693-12345`.
  case made(series: UInt64, number: UInt64)

  /// Calls `body` with the text as a C string.
  func withCString(_ body: (UnsafePointer<CChar>) -> Void) {
    switch self {
    case .given(let text): text.withCString(body)
    case .made(let series, let number):
      var text = InlineArray<34, UInt8>(repeating: 0)
      for place in 0..<16 { text[place] = Self.digit(series >> (60 - 4 * place)) }
      text[16] = UInt8(ascii: "-")
      let digits = max(1, (67 - number.leadingZeroBitCount) / 4)
      for place in 0..<digits {
        text[17 + place] = Self.digit(number >> (4 * (digits - 1 - place)))
      }
      text.span.withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
    }
  }

  /// The hexadecimal digit of a number's lowest four bits.
  private static func digit(_ number: UInt64) -> UInt8 {
    UInt8.hexDigit(UInt8(truncatingIfNeeded: number & 15))
  }
}

extension RequestID: CustomStringConvertible {
  public var description: String {
    var text = ""
    withCString { text = String(cString: $0) }
    return text
  }
}

extension RequestID: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self = .given(text) }
}
