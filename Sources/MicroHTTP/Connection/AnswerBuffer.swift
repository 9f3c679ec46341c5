import System

/// Memory for the content of answers, which is reused.
///
/// A thread keeps the memory of its last answer for the next one, because allocating such a large
/// block is expensive.
public enum AnswerBuffer {
  /// The sizes that are kept, in bytes. Smaller blocks are cheap to allocate, and larger ones take
  /// too much memory.
  private static let kept = 4 << 10...64 << 10

  /// An empty array with room for `capacity` bytes.
  public static func take(capacity: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    slot { swap(&$0.bytes, &bytes) }
    if bytes.capacity < capacity { bytes.reserveCapacity(capacity) }
    return bytes
  }

  /// Empties an array and keeps its memory.
  static func giveBack(_ bytes: inout [UInt8]) {
    defer { bytes = [] }
    guard kept.contains(bytes.capacity) else { return }
    bytes.removeAll(keepingCapacity: true)
    slot { swap(&$0.bytes, &bytes) }
  }

  private final class Slot {
    // Only its own thread changes this, in one step; see `Connection`.
    @exclusivity(unchecked) var bytes: [UInt8] = []
  }

  private static let slot = PerThread { Slot() }
}
