import CGlibc
import Synchronization

/// A sum that the processors add to in different cache lines.
///
/// Threads that count every request in one line wait for it: it wanders between the processors'
/// caches, which takes longer than the addition. Every eighth processor has the same line.
struct ShardedSum: ~Copyable, Sendable {
  private let shards = InlineArray<8, Shard> { _ in Shard() }

  private struct Shard: ~Copyable, Sendable {
    let value = Atomic<Int64>(0)
    /// The rest of the cache line.
    private let padding = InlineArray<7, Int64>(repeating: 0)
  }

  func add(_ amount: Int64) {
    // A thread may be moved to another processor before it adds: hence atomically.
    shards[Int(sched_getcpu() & 7)].value.wrappingAdd(amount, ordering: .relaxed)
  }

  /// What was added by now.
  var total: Int64 {
    var total: Int64 = 0
    for shard in shards.indices { total &+= shards[shard].value.load(ordering: .relaxed) }
    return total
  }
}
