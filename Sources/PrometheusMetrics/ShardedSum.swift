import Synchronization
import System

/// A sum to which processors add in different cache lines.
///
/// If all threads counted in one cache line, they would wait for it: the line would move between
/// the caches of the processors. Every eighth processor uses the same line here.
struct ShardedSum: ~Copyable, Sendable {
  private let shards = InlineArray<8, Shard> { _ in Shard() }

  private struct Shard: ~Copyable, Sendable {
    let value = Atomic<Int64>(0)
    /// The rest of the cache line.
    private let padding = InlineArray<7, Int64>(repeating: 0)
  }

  func add(_ amount: Int64) {
    // The addition is atomic, because the thread may be moved to another processor before it adds.
    shards[SystemThread.processor & 7].value.wrappingAdd(amount, ordering: .relaxed)
  }

  /// The sum of everything added so far.
  var total: Int64 {
    var total: Int64 = 0
    for shard in shards.indices { total &+= shards[shard].value.load(ordering: .relaxed) }
    return total
  }
}
