import TestSupport
import Testing

@testable import CollectionLayout

/// Maps of runs against the origins of all elements, one by one.
@Suite("maps of runs")
struct RunMapTests {
  /// The origins of a list that is changed at random.
  private struct Plain {
    var origins: [Int?]

    var random: SeededGenerator

    /// A map in which every run is as long as it can be.
    var map: RunMap<Int> {
      var map = RunMap<Int>()
      for origin in origins { map.append(1, from: origin) }
      return map
    }

    init(count: Int, seed: Int) {
      origins = Array(0..<count)
      random = SeededGenerator(seed: seed)
    }

    /// Deletes, inserts or moves some elements, in a map, too.
    mutating func change(_ map: inout RunMap<Int>) {
      let first = random.integer(0...origins.count)
      let range = first..<first + random.integer(0...min(5, origins.count - first))
      let moved = Array(origins[range])
      let slice = map.slice(range)
      same(slice, Plain(moved, random).map)
      switch random.integer(0...3) {
      case 0:
        origins.removeSubrange(range)
        map.replaceSubrange(range, with: RunMap())
      case 1:
        let count = random.integer(0...4)
        origins.replaceSubrange(range, with: Array(repeating: nil, count: count))
        map.replaceSubrange(range, with: RunMap(count: count, from: nil))
      default:
        origins.removeSubrange(range)
        map.replaceSubrange(range, with: RunMap())
        let place = random.integer(0...origins.count)
        origins.insert(contentsOf: moved, at: place)
        map.replaceSubrange(place..<place, with: slice)
      }
    }

    private init(_ origins: [Int?], _ random: SeededGenerator) {
      (self.origins, self.random) = (origins, random)
    }

    func following(_ earlier: Plain) -> Plain {
      Plain(origins.map { $0.flatMap { earlier.origins[$0] } }, random)
    }

    func inverse(count: Int) -> Plain {
      var places = [Int?](repeating: nil, count: count)
      for (place, origin) in origins.enumerated() {
        if let origin { places[origin] = place }
      }
      return Plain(places, random)
    }
  }

  /// A list after random changes, and its map.
  private static func changed(count: Int, seed: Int, steps: Int) -> (Plain, RunMap<Int>) {
    var plain = Plain(count: count, seed: seed)
    var map = RunMap(count: count, from: 0)
    for _ in 0..<steps { plain.change(&map) }
    return (plain, map)
  }

  @Test("edits, look-ups, inverses and maps that follow each other", arguments: 0..<200)
  func random(seed: Int) {
    let count = [0, 1, 7, 40, 200][seed % 5]
    let (earlier, earlierMap) = Self.changed(count: count, seed: seed, steps: seed % 30)
    same(earlierMap, earlier.map)
    same(earlierMap.count, earlier.origins.count)
    for element in 0..<earlier.origins.count + 3 {
      let isThere = element < earlier.origins.count
      same(earlierMap.origin(of: element), (isThere ? earlier.origins[element] : nil))
    }

    let inverse = earlierMap.inverse(count: count)
    same(inverse, earlier.inverse(count: count).map)
    for (element, origin) in earlier.origins.enumerated() {
      if let origin { same(inverse.origin(of: origin), element) }
    }

    let (later, laterMap) = Self.changed(
      count: earlier.origins.count, seed: seed + 1000, steps: seed % 17)
    let both = laterMap.following(earlierMap)
    same(both, later.following(earlier).map)
    // What was, seen from afterwards, and back again.
    let back = inverse.following(earlierMap)
    for element in 0..<count {
      same(back.origin(of: element), (inverse.origin(of: element) == nil ? nil : element))
    }
  }
}
