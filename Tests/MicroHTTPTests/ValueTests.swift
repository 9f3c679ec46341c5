import MicroHTTP
import TestSupport
import Testing

@Suite("Values")
struct ValueTests {
  @Test(
    "a target is split at the first question mark",
    arguments: cases("Value.targets", String.self, String.self, String?.self))
  func targets(text: String, path: String, query: String?) {
    let target = RequestTarget(text)
    same(String(decoding: target.path, as: UTF8.self), path)
    same(target.query.map { String(decoding: $0, as: UTF8.self) }, query)
    same(target.description, text)
  }

  @Test("field names compare without regard to case")
  func fieldNames() {
    same(FieldName("content-TYPE"), .contentType)
    same(FieldName("x-Foo"), "X-foo")
    #expect(FieldName("x-foo") != "x-fop")
    #expect(FieldName("accept") != "A")
    same(FieldName("x-Foo").rawName, "x-Foo")
  }

  @Test("header fields are found by name, and repeated ones are joined")
  func headerFields() {
    let fields = HeaderFields([("Accept", "a"), ("x-y", "1"), ("ACCEPT", "b")])
    same(fields[.accept], "a, b")
    same(fields["X-Y"], "1")
    same(fields[.host], nil)
    #expect(fields.contains("x-Y"))
    same(fields.value(of: .accept).map { Array($0) }, Array("a, b".utf8))
  }

  @Test("a byte of a field's value that is no ASCII becomes U+FFFD")
  func fieldsBeyondASCII() {
    same(HeaderFields([(.accept, "a\u{301}b")])[.accept], "a\u{FFFD}\u{FFFD}b")
  }

  @Test("addresses are written as people write them")
  func addresses() {
    same(SocketAddress(192, 0, 2, 7, port: 80).description, "192.0.2.7:80")
    same(SocketAddress(192, 0, 2, 7).host, "192.0.2.7")
  }

  @Test("a response tells its fields wherever they stand")
  func responseFields() {
    let common: HeaderSet = ["Content-Type": "text/plain"]
    let response = Response(
      status: .ok, commonHeaders: common.adding([("Vary", "Accept")]),
      headers: [("Location", "/x")], entityTag: EntityTag("1"))
    same(response[.contentType], "text/plain")
    same(response["vary"], "Accept")
    same(response["location"], "/x")
    same(response["etag"], "\"1\"")
    same(response["x"], nil)
  }

  @Test("an id that was made is sixteen digits, a hyphen, and a number without leading zeros")
  func requestIDs() {
    let numbers: [UInt64] =
      (0..<64).map { 1 << $0 } + [0, .max, 0xfedc_ba98_7654_3210, 9, 10, 159, 160]
    for series in numbers {
      let digits = String(series, radix: 16)
      let padded = String(repeating: "0", count: 16 - digits.count) + digits
      for number in numbers {
        let id = RequestID.made(series: series, number: number)
        same(id.description, "\(padded)-\(String(number, radix: 16))")
      }
    }
  }
}
