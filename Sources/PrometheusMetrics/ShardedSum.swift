import Glibc
import Synchronization

/// A sum that threads add to in different cache lines.
///
/// Threads that count every request in one line wait for it: it wanders between the processors'
/// caches, which takes longer than the addition. Two threads may still get the same line.
struct ShardedSum: ~Copyable, Sendable {
  private let shards = InlineArray<8, Shard> { _ in Shard() }

  private struct Shard: ~Copyable, Sendable {
    let value = Atomic<Int64>(0)
    /// The rest of the cache line.
    private let padding = InlineArray<7, Int64>(repeating: 0)
  }

  func add(_ amount: Int64) {
    // Threads' addresses differ by the size of their stacks: mixed, and the highest bits taken.
    let mixed = UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15
    shards[Int(mixed >> 61)].value.wrappingAdd(amount, ordering: .relaxed)
  }

  /// What was added by now.
  var total: Int64 {
    var total: Int64 = 0
    for shard in shards.indices { total &+= shards[shard].value.load(ordering: .relaxed) }
    return total
  }
}
