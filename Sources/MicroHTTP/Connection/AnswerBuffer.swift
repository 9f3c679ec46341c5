/// Memory for the content of answers, used again and again.
///
/// A thread keeps the memory of the answer that it sent last for the one that it makes next: a
/// block of this size costs the allocator more than all small ones of a request together.
public enum AnswerBuffer {
  /// What is kept: less is as easily allocated, and more is too much to keep.
  private static let kept = 4 << 10...64 << 10

  /// An empty array with room for so many bytes.
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
    // Only its own thread changes it, in one step; see `Connection`.
    @exclusivity(unchecked) var bytes: [UInt8] = []
  }

  private static let slot = PerThread { Slot() }
}
