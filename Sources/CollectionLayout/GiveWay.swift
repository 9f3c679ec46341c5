import Glibc

/// Lets threads that wait for this one's processor have it, at one of so many steps of something
/// long.
///
/// Else the system lets a thread keep its processor for a time slice, 4 ms often, and whoever wants
/// to answer a query waits. Once in 0.1 ms is enough; it takes 1 to 3 µs where nobody waits.
///
/// - Parameters:
///   - step: The number of the step, from 0.
///   - count: A power of two.
/// - Complexity: O(1).
@inline(__always)
package func giveWay(atStep step: Int, of count: Int) {
  if step & (count - 1) == count - 1 { sched_yield() }
}
