/// The first index in `range` for which `isBefore` is false, when it holds for a prefix only.
///
/// - Complexity: O(log *n*).
func partitionPoint(in range: Range<Int>, where isBefore: (Int) -> Bool) -> Int {
  var low = range.lowerBound
  var high = range.upperBound
  while low < high {
    let middle = low + (high - low) / 2
    if isBefore(middle) {
      low = middle + 1
    } else {
      high = middle
    }
  }
  return low
}

/// The same, looking outwards from a guess in steps that double.
///
/// - Complexity: O(log *d*) when the guess is off by *d*: where frames are almost evenly spaced, a
///   guess by proportion saves most of the cache misses of a plain binary search.
func partitionPoint(
  in range: Range<Int>, near guess: Int, where isBefore: (Int) -> Bool
) -> Int {
  guard !range.isEmpty else { return range.lowerBound }
  let start = min(max(guess, range.lowerBound), range.upperBound - 1)
  var step = 1
  if isBefore(start) {
    var low = start + 1
    while low < range.upperBound {
      let next = min(low + step, range.upperBound)
      if !isBefore(next - 1) {
        return partitionPoint(in: low..<next - 1, where: isBefore)
      }
      low = next
      step *= 2
    }
    return range.upperBound
  }
  var high = start
  while high > range.lowerBound {
    let next = max(high - step, range.lowerBound)
    if isBefore(next) {
      return partitionPoint(in: next + 1..<high, where: isBefore)
    }
    high = next
    step *= 2
  }
  return range.lowerBound
}
