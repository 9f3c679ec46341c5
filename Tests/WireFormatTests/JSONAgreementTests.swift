import CollectionLayout
import Foundation
import TestSupport
import Testing

@testable import WireFormat

@Suite("JSON reader: agreement with other readers")
struct JSONAgreementTests {
  @Test("random documents say what they were made of, to Foundation too", arguments: 0..<200)
  func randomDocuments(seed: Int) throws {
    var random = RandomJSON(generator: SeededGenerator(seed: seed))
    for _ in 0..<5 {
      let (value, text) = random.document()
      let bytes = Array(text.utf8)
      try same(read(bytes), value, "\(text)")
      try skip(bytes)
      try same(FoundationJSON.read(bytes), value, "\(text)")
    }
  }

  @Test("a cut document is an error at its end", arguments: 0..<60)
  func cutDocuments(seed: Int) throws {
    var random = RandomJSON(generator: SeededGenerator(seed: seed))
    var text = Array("[\(random.document(depth: 3).text)]".utf8)
    while text.count > 1 {
      text.removeLast()
      #expect(throws: BodyError.self) { try read(text) }
      #expect(throws: BodyError.self) { try skip(text) }
    }
  }

  @Test("changed documents are JSON to all readers or none", arguments: 0..<100)
  func changedDocuments(seed: Int) throws {
    var random = RandomJSON(generator: SeededGenerator(seed: seed))
    let original = Array(random.document(depth: 4).text.utf8)
    for _ in 0..<30 {
      let bytes = random.mutate(original)
      let offset = try faultOffset(bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      same((offset == nil), JSONGrammarReference.accepts(bytes), "\(text)")
      if let offset { #expect(0...bytes.count ~= offset, "\(text)") }
      same((offset == nil), ((try? skip(bytes)) != nil), "\(text)")
      expectAgreementWithFoundation(bytes, isAccepted: offset == nil)
    }
  }

  private static let bodies = cases("JSONAgreement.bodies", String.self, String.self)

  @Test("changed bodies end in syntax errors exactly when they are no JSON", arguments: 0..<120)
  func changedBodies(seed: Int) throws {
    var random = RandomJSON(generator: SeededGenerator(seed: seed))
    let (kind, body) = Self.bodies[seed % Self.bodies.count]
    let original = Array(body.utf8)
    _ = try prepare(original, as: kind).prepared()
    for _ in 0..<40 {
      let bytes = random.mutate(original)
      let text = String(decoding: bytes, as: UTF8.self)
      let isJSON = JSONGrammarReference.accepts(bytes)
      do {
        // No more items than the body itself could spell out; a wild count is refused unread.
        let request = try prepare(bytes, as: kind, maxItems: 10_000)
        #expect(isJSON, "\(text)")
        _ = try request.faultsOfLayout()
      } catch BodyError.syntax(let offset) {
        #expect(!isJSON, "\(text)")
        #expect(0...bytes.count ~= offset)
      } catch BodyError.invalid(let members) {
        #expect(isJSON, "\(text): \(members)")
        #expect(1...20 ~= members.count)
        for member in members {
          #expect(member.pointer.isEmpty || member.pointer.hasPrefix("/"), "\(text)")
          #expect(!member.detail.isEmpty)
        }
      } catch BodyError.tooManyItems {
      }
      expectAgreementWithFoundation(bytes, isAccepted: isJSON)
    }
  }

  /// Foundation's reader differs from RFC 8259, and from ours, in these ways only:
  /// - it takes a comma before a closing bracket;
  /// - it passes over a byte order mark, and takes a text with zero bytes for UTF-16 or UTF-32;
  /// - it refuses numbers beyond the range of a double, and more than 512 levels.
  private func expectAgreementWithFoundation(_ bytes: [UInt8], isAccepted: Bool) {
    let text = String(decoding: bytes, as: UTF8.self)
    let isAcceptedByFoundation = (try? FoundationJSON.read(bytes)) != nil
    guard isAccepted != isAcceptedByFoundation else { return }
    if isAccepted {
      #expect(text.contains(/[eE]\+?\d{3,}|\d{300,}/), "Foundation refuses \(text)")
    } else {
      #expect(
        bytes.contains(0) || bytes.starts(with: [0xEF, 0xBB, 0xBF])
          || text.contains(/,[ \t\r\n]*[\]}]/), "Foundation takes \(text)")
    }
  }
}

/// Foundation as a reader.
enum FoundationJSON {
  /// Reads a text with JSONSerialization.
  static func read(_ bytes: [UInt8]) throws -> JSON {
    JSON(
      foundation: try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
  }
}

extension JSON {
  init(foundation value: Any) {
    switch value {
    case let array as [Any]: self = .array(array.map { JSON(foundation: $0) })
    case let object as [String: Any]:
      self = .object(
        Dictionary(
          uniqueKeysWithValues: object.map { (Array($0.key.utf8), JSON(foundation: $0.value)) }))
    case let string as String: self = .string(Array(string.utf8))
    case let number as NSNumber where String(cString: number.objCType) == "c":
      self = .boolean(number.boolValue)
    // Numbers of many digits come as decimals, whose own conversion to doubles is not exact.
    case let number as NSDecimalNumber: self = .number(Double(number.description) ?? .nan)
    case let number as NSNumber: self = .number(number.doubleValue)
    default: self = .null
    }
  }
}
