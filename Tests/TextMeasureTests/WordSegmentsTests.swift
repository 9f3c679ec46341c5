import TestSupport
import Testing

@testable import TextMeasure

@Suite("kept words")
struct WordSegmentsTests {
  private struct Key: Hashable {
    var word: [UInt8]
    var style: UInt32
    var place: UInt8
  }

  private func find(_ key: Key, in words: WordSegments) -> [UInt64]? {
    key.word.withUnsafeBufferPointer {
      words.find(key.style, .init(rawValue: key.place), $0, WordSegments.hash($0))
        .map { Array($0.segments) }
    }
  }

  @Test("a word is what was kept of it last, in its style and place", arguments: 0..<8)
  func random(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let words = WordSegments()
    var expected: [Key: [UInt64]] = [:]
    for _ in 0..<4_000 {
      let word = (0..<random.integer(1...(random.chance(5) ? 255 : 6))).map { _ in
        random.element(of: Array("abcé".utf8))
      }
      let key = Key(
        word: word, style: UInt32(random.integer(1...3)), place: UInt8(random.integer(0...3)))
      same(find(key, in: words), expected[key], "seed \(seed): \(key)")
      guard expected[key] == nil else { continue }
      // More than 255 are not kept.
      let count = random.integer(0...(random.chance(5) ? 300 : 4))
      let segments = (0..<count).map { _ in random.next() as UInt64 }
      expected[key] = count <= 255 ? segments : []
      let looks: WordSegments.Looks = random.chance(50) ? .back : [.back, .ahead]
      word.withUnsafeBufferPointer {
        let kept = words.insert(
          key.style, .init(rawValue: key.place), $0, WordSegments.hash($0), segments,
          last: max(count - 1, 0), looks: looks)
        #expect(kept.looks == looks && Array(kept.segments) == expected[key])
        #expect(count > 255 || kept.last == max(count - 1, 0))
      }
    }
    for (key, segments) in expected { same(find(key, in: words), segments) }
  }

  @Test("when it is full it is emptied")
  func full() {
    let words = WordSegments()
    var (added, most) = (0, 0)
    while words.count >= most {
      most = words.count
      let word = Array(String(added).utf8)
      _ = word.withUnsafeBufferPointer {
        words.insert(1, [], $0, WordSegments.hash($0), [UInt64(added)], last: 0, looks: [])
      }
      added += 1
    }
    #expect(most > 100_000 && words.count == 1)
    same(find(Key(word: Array("7".utf8), style: 1, place: 0), in: words), nil)
    same(
      find(Key(word: Array(String(added - 1).utf8), style: 1, place: 0), in: words),
      [UInt64(added - 1)])
  }
}
