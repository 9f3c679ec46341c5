/// The first index in `range` for which `isBefore` is false. It must hold for a prefix only.
///
/// - Complexity: O(log *n*).
package func partitionPoint(in range: Range<Int>, where isBefore: (Int) -> Bool) -> Int {
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

/// The same result, searched from a guess outwards in steps that double.
///
/// The first step tests four indices around the guess and counts, so no branch depends on the data.
/// If frames are almost evenly spaced, this step usually finds the point.
///
/// - Complexity: O(log *d*) if the guess is off by *d*. If frames are almost evenly spaced, a guess
///   by proportion avoids most cache misses of a plain binary search.
@inline(__always)
func partitionPoint(
  in range: Range<Int>, near guess: Int, where isBefore: (Int) -> Bool
) -> Int {
  guard range.count >= 4 else { return partitionPoint(in: range, where: isBefore) }
  let first = min(max(guess, range.lowerBound + 2), range.upperBound - 2) - 2
  var point = first
  for index in first..<first + 4 { point += isBefore(index) ? 1 : 0 }
  switch point {
  case first: return partitionPoint(in: range.lowerBound..<first, lookingDownwards: isBefore)
  case first + 4: return partitionPoint(in: point..<range.upperBound, lookingUpwards: isBefore)
  default: return point
  }
}

private func partitionPoint(
  in range: Range<Int>, lookingUpwards isBefore: (Int) -> Bool
) -> Int {
  var low = range.lowerBound
  var step = 1
  while low < range.upperBound {
    let next = min(low + step, range.upperBound)
    if !isBefore(next - 1) { return partitionPoint(in: low..<next - 1, where: isBefore) }
    low = next
    step *= 2
  }
  return range.upperBound
}

private func partitionPoint(
  in range: Range<Int>, lookingDownwards isBefore: (Int) -> Bool
) -> Int {
  var high = range.upperBound
  var step = 1
  while high > range.lowerBound {
    let next = max(high - step, range.lowerBound)
    if isBefore(next) { return partitionPoint(in: next + 1..<high, where: isBefore) }
    high = next
    step *= 2
  }
  return range.lowerBound
}
