import TestSupport
import Testing

@testable import WireFormat

@Suite("JSON texts in CBOR")
struct CBORTextTests {
  @Test(
    "are the examples of RFC 8949, appendix A",
    arguments: [
      ("0", "00"), ("1", "01"), ("10", "0a"), ("23", "17"), ("24", "1818"), ("25", "1819"),
      ("100", "1864"), ("1000", "1903e8"), ("1000000", "1a000f4240"),
      ("1000000000000", "1b000000e8d4a51000"), ("-1", "20"), ("-10", "29"), ("-100", "3863"),
      ("-1000", "3903e7"), ("1.1", "fb3ff199999999999a"), ("1.5", "f93e00"),
      ("3.4028234663852886e38", "fa7f7fffff"), ("1e300", "fb7e37e43c8800759c"),
      ("5.960464477539063e-8", "f90001"), ("0.00006103515625", "f90400"),
      ("-4.1", "fbc010666666666666"), ("false", "f4"), ("true", "f5"), ("null", "f6"),
      ("\"\"", "60"), ("\"a\"", "6161"), ("\"IETF\"", "6449455446"), (#""\"\\""#, "62225c"),
      ("\"\u{fc}\"", "62c3bc"), ("\"\u{6c34}\"", "63e6b0b4"), ("\"\u{10151}\"", "64f0908591"),
      ("[]", "80"), ("[1,2,3]", "83010203"), ("[1,[2,3],[4,5]]", "8301820203820405"),
      ("{}", "a0"), (#"{"a":1,"b":[2,3]}"#, "a26161016162820203"),
      (#"["a",{"b":"c"}]"#, "826161a161626163"),
    ])
  func examples(json: String, cbor: String) {
    same(hex(CBORText.encoded(json: Array(json.utf8))), cbor)
  }

  // By the definition of the formats: the exponent of 2^54 in 32 bits is 127 + 54.
  @Test(
    "have integers up to 2^53, then floats of the fewest bytes",
    arguments: [
      ("9007199254740992", "1b0020000000000000"), ("-9007199254740992", "3b001fffffffffffff"),
      ("9007199254740994", "fb4340000000000001"), ("18014398509481984", "fa5a800000"),
      ("65504", "19ffe0"), ("44.5", "f95190"), ("2049.5", "fa45001800"), ("-0", "00"),
    ])
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
