import TestSupport
import Testing

@testable import MicroHTTP

@Suite struct TraceParentTests {
  private static let trace = "0af7651916cd43dd8448eb211c80319c"
  private static let parent = "b7ad6b7169203331"

  @Test(
    "a traceparent of this version or a later one is valid",
    arguments: [
      "00-\(trace)-\(parent)-00", "00-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-ff",
      "00-00000000000000000000000000000001-0000000000000001-00", "fe-\(trace)-\(parent)-01",
      // What a later version puts behind the flags is its own affair.
      "01-\(trace)-\(parent)-01-", "cc-\(trace)-\(parent)-01-what-the-future-will-be-like",
    ])
  func valid(text: String) {
    same(TraceParent.known(in: text), text.prefix(55))
  }

  @Test(
    "what is no traceparent is not valid",
    arguments: [
      "", "-", "---", "00", "00-\(trace)", "00-\(trace)-\(parent)", "\(trace)-\(parent)-01",
      // Nobody's trace, and no span.
      "00-00000000000000000000000000000000-\(parent)-01", "00-\(trace)-0000000000000000-01",
      // The version that there will never be.
      "ff-\(trace)-\(parent)-01",
      // In upper case, or no hexadecimal digits at all.
      "00-\(trace.uppercased())-\(parent)-01", "00-\(trace)-\(parent.uppercased())-01",
      "FE-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-0A", "0x-\(trace)-\(parent)-01",
      "00-\(trace.dropLast())g-\(parent)-01", "00-\(trace.dropLast())é-\(parent)-01",
      "00-\(trace.dropLast())\u{FF11}-\(parent)-01", "00-\(trace)-\(parent.dropLast()) -01",
      // Too short and too long.
      "0-\(trace)-\(parent)-01", "000-\(trace)-\(parent)-01", "00-\(trace.dropLast())-\(parent)-01",
      "00-\(trace)0-\(parent)-01", "00-\(trace)-\(parent.dropLast())-01",
      "00-\(trace)-\(parent)0-01", "00-\(trace)-\(parent)-1", "00-\(trace)-\(parent)-011",
      // Something around it.
      " 00-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-01 ", "00-\(trace)-\(parent)-01-",
      "00-\(trace)-\(parent)-01-00", "cc-\(trace)-\(parent)-01.what", "00_\(trace)_\(parent)_01",
    ])
  func invalid(text: String) {
    same(TraceParent.known(in: text), nil)
  }
}
