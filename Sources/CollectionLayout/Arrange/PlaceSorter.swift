/// Sorts places by one key after another, from the least to the most significant.
///
/// Each is a radix sort from the lowest byte on, which keeps the order of equals. For numbers of
/// few digits most bytes are the same in all, and are passed over.
struct PlaceSorter {
  private typealias Pair = (code: UInt64, place: UInt32)

  private var pairs: [Pair]
  private var sorted: [Pair] = []

  init(_ places: [UInt32]) {
    pairs = places.map { (0, $0) }
  }

  var places: [UInt32] { pairs.map(\.place) }

  /// - Complexity: O(*n*) for each byte in which codes differ.
  mutating func sort(by codes: [UInt64]) throws(LayoutError) {
    try LayoutError.check()
    if sorted.isEmpty { sorted = pairs }
    var counts = [Int](repeating: 0, count: 8 * 256)
    counts.withUnsafeMutableBufferPointer { counts in
      pairs.withUnsafeMutableBufferPointer { pairs in
        for index in pairs.indices {
          let code = codes[Int(pairs[index].place)]
          pairs[index].code = code
          for byte in 0..<8 { counts[byte * 256 + Self.digit(byte, of: code)] += 1 }
        }
      }
      for byte in 0..<8 {
        let buckets = UnsafeMutableBufferPointer(rebasing: counts[byte * 256..<(byte + 1) * 256])
        if !buckets.contains(pairs.count) { sort(by: byte, into: buckets) }
      }
    }
  }

  /// - Parameter buckets: How many codes have each value of the byte.
  private mutating func sort(by byte: Int, into buckets: UnsafeMutableBufferPointer<Int>) {
    var start = 0
    for bucket in buckets.indices {
      (buckets[bucket], start) = (start, start + buckets[bucket])
    }
    sorted.withUnsafeMutableBufferPointer { sorted in
      pairs.withUnsafeBufferPointer { pairs in
        for pair in pairs {
          let bucket = Self.digit(byte, of: pair.code)
          sorted[buckets[bucket]] = pair
          buckets[bucket] += 1
        }
      }
    }
    swap(&pairs, &sorted)
  }

  @inline(__always)
  private static func digit(_ byte: Int, of code: UInt64) -> Int {
    Int(truncatingIfNeeded: code >> UInt64(8 * byte)) & 255
  }
}
