/// Sorts places by one key after another, from the least to the most significant.
final class PlaceSorter {
  private let pairs: UnsafeMutableBufferPointer<RadixSort.Pair>
  private let spare: UnsafeMutableBufferPointer<RadixSort.Pair>

  init(_ places: [UInt32]) {
    pairs = .allocate(capacity: places.count)
    spare = .allocate(capacity: places.count)
    _ = pairs.initialize(from: places.lazy.map { (0, $0) })
    spare.initialize(repeating: (0, 0))
  }

  deinit {
    pairs.deallocate()
    spare.deallocate()
  }

  var places: [UInt32] { pairs.map(\.place) }

  /// Keeps the order of places with equal codes.
  ///
  /// - Complexity: O(*n*) for each byte in which codes differ.
  func sort(by codes: [UInt64]) throws(LayoutError) {
    try LayoutError.check()
    for index in pairs.indices { pairs[index].code = codes[Int(pairs[index].place)] }
    RadixSort.sort(pairs, spare)
  }
}

/// A radix sort from the lowest byte on, which keeps the order of equals. For numbers of few digits
/// most bytes are the same in all, and are passed over.
enum RadixSort {
  typealias Pair = (code: UInt64, place: UInt32)

  /// - Parameter spare: As many, of any value.
  static func sort(
    _ pairs: UnsafeMutableBufferPointer<Pair>, _ spare: UnsafeMutableBufferPointer<Pair>
  ) {
    var counts = [Int](repeating: 0, count: 8 * 256)
    counts.withUnsafeMutableBufferPointer { counts in
      for pair in pairs {
        for byte in 0..<8 { counts[byte * 256 + digit(byte, of: pair.code)] += 1 }
      }
      var (from, to) = (pairs, spare)
      for byte in 0..<8 {
        let buckets = UnsafeMutableBufferPointer(rebasing: counts[byte * 256..<(byte + 1) * 256])
        if buckets.contains(pairs.count) { continue }
        var start = 0
        for bucket in buckets.indices {
          (buckets[bucket], start) = (start, start + buckets[bucket])
        }
        for pair in from {
          let bucket = digit(byte, of: pair.code)
          to[buckets[bucket]] = pair
          buckets[bucket] += 1
        }
        swap(&from, &to)
      }
      if from.baseAddress != pairs.baseAddress { _ = pairs.update(fromContentsOf: spare) }
    }
  }

  @inline(__always)
  private static func digit(_ byte: Int, of code: UInt64) -> Int {
    Int(truncatingIfNeeded: code >> UInt64(8 * byte)) & 255
  }
}
