import TestSupport
import Testing

@testable import WireFormat

/// Cases in the manner of the public JSONTestSuite (Nicolas Seriot, "Parsing JSON is a
/// Minefield"), with its names.
@Suite("JSON corpus")
struct JSONCorpusTests {
  @Test("texts that every reader must accept are accepted", arguments: accepted)
  func accepts(name: String, text: String) throws {
    let bytes = Array(text.utf8)
    #expect(JSONGrammarReference.accepts(bytes), "the case itself")
    _ = try read(bytes)
    try skip(bytes)
  }

  @Test("texts that every reader must refuse are refused", arguments: refused)
  func refuses(name: String, text: String) throws {
    try expectRefusal(Array(text.utf8))
  }

  @Test("bytes that are no text are refused", arguments: refusedBytes)
  func refuses(name: String, bytes: [UInt8]) throws {
    try expectRefusal(bytes)
  }

  @Test(
    "where RFC 8259 leaves it to the reader, numbers of any size and any depth are taken",
    arguments: [
      ("i_number_double_huge_neg_exp", "[123.456e-789]"),
      (
        "i_number_huge_exp", "[0.4e006699999999999999999999999999999999999999999999999999999999999]"
      ),
      ("i_number_neg_int_huge_exp", "[-1e+9999]"), ("i_number_pos_double_huge_exp", "[1.5e+9999]"),
      ("i_number_real_neg_overflow", "[-123123e100000]"),
      ("i_number_real_pos_overflow", "[123123e100000]"),
      ("i_number_real_underflow", "[123e-10000000]"),
      ("i_number_too_big_neg_int", "[-123123123123123123123123123123]"),
      ("i_number_too_big_pos_int", "[100000000000000000000]"),
      ("i_number_very_big_negative_int", "[-237462374673276894279832749832423479823246327846]"),
      (
        "i_structure_500_nested_arrays",
        String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
      ),
    ])
  func takes(name: String, text: String) throws {
    _ = try read(text)
  }

  private func expectRefusal(_ bytes: [UInt8]) throws {
    #expect(!JSONGrammarReference.accepts(bytes), "the case itself")
    let offset = try #require(try faultOffset(bytes))
    #expect(0...bytes.count ~= offset)
    #expect(throws: BodyError.self) { try skip(bytes) }
  }

  static let accepted = cases("JSONCorpus.accepted", String.self, String.self)

  static let refused = cases("JSONCorpus.refused", String.self, String.self)

  static let refusedBytes = cases("JSONCorpus.refusedBytes", String.self, [UInt8].self)
}
