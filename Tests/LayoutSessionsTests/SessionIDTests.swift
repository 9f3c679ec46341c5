import Foundation
import TestSupport
import Testing

@testable import LayoutSessions

@Suite("Session ids")
struct SessionIDTests {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Sixteen bytes in base64url without padding, by Foundation.
  private func base64url(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  private func read(_ text: some Collection<UInt8>) -> SessionID? { SessionID(Array(text).span) }

  @Test("an id reads back from its text", arguments: 0..<100)
  func roundTrip(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let id = SessionID.random(using: &generator)
    same(id.text.count, 22)
    #expect(id.text.allSatisfy(Self.alphabet.contains))
    same(read(id.text), id)
    same(read(id.description.utf8), id)
    same(id.description, String(decoding: id.text, as: UTF8.self))
  }

  @Test("a random id's text is base64url of 128 bits", arguments: 0..<100)
  func base64(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    var copy = generator
    let id = SessionID.random(using: &generator)
    let numbers = [copy.next(), copy.next()]
    let bytes = numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian, [UInt8].init) }
    same(id.description, base64url(bytes))
  }

  @Test("a text that names no session is equal to no other", arguments: 0..<22)
  func wrongCharacters(place: Int) {
    let text = Array(repeating: UInt8(ascii: "A"), count: 22)
    var others = Set([read(text)])
    for character in 0...255 as ClosedRange<UInt8> where character != UInt8(ascii: "A") {
      var other = text
      other[place] = character
      others.insert(read(other))
      same(read(other)?.text, other)
    }
    same(others.count, 256)
  }

  @Test("nothing of another length is read", arguments: [0, 1, 20, 21, 23, 24, 44, 1000])
  func wrongLengths(length: Int) {
    same(read(Array(repeating: UInt8(ascii: "A"), count: length)), nil)
    same(read("AAAAAAAAAAAAAAAAAAAAAA==".utf8), nil)
  }

  @Test("random ids are all different, and their bits even")
  func uniqueness() {
    let ids = (0..<20_000).map { _ in SessionID.random() }
    same(Set(ids).count, ids.count)
    var counts = [Int](repeating: 0, count: 21)
    for id in ids {
      for (place, character) in id.text.prefix(21).enumerated() where character < UInt8(ascii: "a")
      {
        counts[place] += 1
      }
    }
    // Upper case letters, digits and the hyphen: 37 of 64 characters; the bound is 9 standard
    // deviations.
    for count in counts { #expect(abs(Double(count) / 20_000 - 37.0 / 64) < 0.0315) }
  }
}
