import TestSupport
import Testing

@testable import WireFormat

@Suite("JSON texts in CBOR")
struct CBORTextTests {
  @Test(
    "are the examples of RFC 8949, appendix A",
    arguments: cases("CBORText.examples", String.self, String.self))
  func examples(json: String, cbor: String) {
    same(hex(CBORText.encoded(json: Array(json.utf8))), cbor)
  }

  // By the definition of the formats: the exponent of 2^54 in 32 bits is 127 + 54.
  @Test(
    "have integers up to 2^53, then floats of the fewest bytes",
    arguments: cases("CBORText.numbers", String.self, String.self))
  func numbers(json: String, cbor: String) {
    same(hex(CBORText.encoded(json: Array(json.utf8))), cbor)
  }

  @Test("have their members by the bytes of the names, the shorter first")
  func order() {
    let text = #"{"bb":1,"b":{"d":0,"c":0},"aa":2,"a":3}"#
    same(
      hex(CBORText.encoded(json: Array(text.utf8))),
      "a4" + "616103" + "6162a2616300616400" + "62616102" + "62626201")
  }

  @Test("may be long")
  func long() {
    let text = "[" + (0..<100_000).map { "\($0 % 24)" }.joined(separator: ",") + "]"
    let bytes = CBORText.encoded(json: Array(text.utf8))
    same(bytes.prefix(5), [0x9A, 0x00, 0x01, 0x86, 0xA0])
    #expect(bytes.dropFirst(5).elementsEqual((0..<100_000).map { UInt8($0 % 24) }))
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
