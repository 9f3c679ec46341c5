/// The tracks that meet an interval, among those of one width whose starts never decrease: columns
/// side by side, or the depths of a tree.
///
/// - Complexity: O(log *n*) for *n* tracks.
@inline(__always)
func tracks(
  among count: Int, of width: Double, meeting interval: Interval, startingAt start: (Int) -> Double
) -> Range<Int> {
  let first = partitionPoint(in: 0..<count) {
    Interval(start: start($0), length: width).lies(before: interval)
  }
  let last = partitionPoint(in: first..<count) { !interval.ends(before: start($0)) }
  return first..<last
}
