import TestSupport
import Testing

@testable import WireFormat

/// Cases in the manner of the public JSONTestSuite (Nicolas Seriot, "Parsing JSON is a
/// Minefield"), with its names.
@Suite("JSON corpus")
struct JSONCorpusTests {
  @Test(
    "texts that every reader must accept are accepted",
    arguments: cases("JSONCorpus.accepted", String.self, String.self))
  func accepts(name: String, text: String) throws {
    let bytes = Array(text.utf8)
    #expect(JSONGrammarReference.accepts(bytes), "the case itself")
    _ = try read(bytes)
    try skip(bytes)
  }

  @Test(
    "texts that every reader must refuse are refused",
    arguments: cases("JSONCorpus.refused", String.self, String.self))
  func refuses(name: String, text: String) throws {
    try expectRefusal(Array(text.utf8))
  }

  @Test(
    "bytes that are no text are refused",
    arguments: cases("JSONCorpus.refusedBytes", String.self, [UInt8].self))
  func refuses(name: String, bytes: [UInt8]) throws {
    try expectRefusal(bytes)
  }

  @Test(
    "where RFC 8259 leaves it to the reader, numbers of any size and any depth are taken",
    arguments: cases("JSONCorpus.takes", String.self, String.self) + [
      (
        "i_structure_500_nested_arrays",
        String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
      )
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
}
