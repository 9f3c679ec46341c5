import Glibc

/// Offers the processor to waiting threads, at every `count`th step of a long computation.
///
/// Without this, a thread keeps its processor for a whole time slice, and a query waits so long.
/// Once in 0.1 ms is often enough.
///
/// - Parameters:
///   - step: The number of the step, from 0.
///   - count: How many steps lie between two offers; a power of two.
/// - Complexity: O(1).
@inline(__always)
package func giveWay(atStep step: Int, of count: Int) {
  if step & (count - 1) == count - 1 { sched_yield() }
}
