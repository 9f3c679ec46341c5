import CollectionLayout
import Foundation
import TestSupport
import Testing

@testable import WireFormat

@Suite("Summary")
struct SummaryTests {
  private func summary(_ body: String, kind: String, createdAt: Int = 0, expiresAt: Int = 900)
    throws -> String
  {
    var summary = Summary(
      id: "0123456789abcdefghij-_", version: 7, hash: 1,
      collection: try prepare(body, as: kind).prepared(), createdAt: createdAt)
    summary.memoryBytes = 4096
    summary.expiresAt = expiresAt
    return String(decoding: summary.encoded(), as: UTF8.self)
  }

  @Test("the contract's example is written as it stands there")
  func contractExample() throws {
    let text = try summary(
      """
      {"bounds": {"width": 320, "height": 480}, "options": {"columns": 3},
       "sections": [{"items": 1000}, {"items": [{"id": "a"}]}, {"items": {"id": ["b", "c"]}}]}
      """, kind: "grid", createdAt: 1_795_226_400, expiresAt: 1_795_227_300)
    let expected = """
      {"id":"0123456789abcdefghij-_","kind":"grid","version":7,"versionTag":"7-000001",\
      "bounds":{"width":320,"height":480},"scrollDirection":"vertical",\
      "contentSize":{"width":320,"height":16785},\
      "counts":{"sections":3,"cells":1003,"supplementary":0,"decorations":0},\
      "memoryBytes":4096,"createdAt":"2026-11-21T02:00:00Z","expiresAt":"2026-11-21T02:15:00Z"}
      """
    same(text, expected)
  }

  @Test("a tree without bounds has none in its summary")
  func tree() throws {
    let text = try summary(#"{"nodes":{"parent":[null,0,0]}}"#, kind: "tree")
    guard case .object(let members) = try FoundationJSON.read(Array(text.utf8)) else {
      Issue.record("not an object")
      return
    }
    same(members[Array("bounds".utf8)], nil)
    same(members[Array("scrollDirection".utf8)], nil)
    same(members[Array("kind".utf8)], .string(Array("tree".utf8)))
    // Two depths of 220, two rows of 88.
    #expect(text.contains(#""contentSize":{"width":440,"height":176}"#))
    #expect(text.contains(#""counts":{"sections":2,"cells":3,"supplementary":1,"decorations":0}"#))
  }

  @Test("the summary says in which direction the layout scrolls")
  func scrollDirection() throws {
    let text = try summary(
      #"{"bounds":{"width":9,"height":9},"options":{"scrollDirection":"horizontal"},"sections":[]}"#,
      kind: "compositional")
    #expect(text.contains(#""bounds":{"width":9,"height":9},"scrollDirection":"horizontal","#))
  }

  @Test("bounds without a height are written without one")
  func boundsWithoutHeight() throws {
    let text = try summary(#"{"bounds":{"width":99.5},"sections":[]}"#, kind: "gallery")
    #expect(text.contains(#""bounds":{"width":99.5},"#))
  }
}

@Suite("Timestamps")
struct TimestampTests {
  @Test("known moments", arguments: cases("Summary.knownMoments", Int.self, String.self))
  func knownMoments(unixTime: Int, text: String) {
    same(Timestamp.text(unixTime: unixTime), text)
  }

  @Test("random moments are as Foundation has them", arguments: 0..<40)
  func randomMoments(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      let time = Int.random(in: -2_000_000_000...100_000_000_000, using: &generator)
      let date = Date(timeIntervalSince1970: Double(time))
      same(Timestamp.text(unixTime: time), date.formatted(.iso8601))
    }
  }
}
