/// Where sections that lie one below the other begin and end.
struct SectionOffsets: Sendable {
  /// The y at which each section begins, ascending, and the end of the last.
  private(set) var tops: [Double] = [0]

  init() {}

  init(startingAt top: Double) {
    tops = [top]
  }

  var count: Int { tops.count - 1 }
  var end: Double { tops[tops.count - 1] }

  mutating func append(endingAt bottom: Double) {
    tops.append(bottom)
  }

  mutating func reserveCapacity(_ count: Int) {
    tops.reserveCapacity(count + 1)
  }

  /// Holds every section with an element that meets the interval, and at most a few more.
  ///
  /// A frame may end a rounding error beyond its section's end, so sections that end just before
  /// the interval are in as well.
  ///
  /// - Complexity: O(log *n*).
  func sections(meeting interval: Interval) -> Range<Int> {
    let start = interval.start.roundedDownForSearch
    let end = interval.end
    let first = partitionPoint(in: 0..<count) { tops[$0 + 1] < start }
    let last = partitionPoint(in: first..<count) { tops[$0] <= end }
    return first..<last
  }

  var memoryBytes: Int { 32 + tops.count * 8 }
}
