import CMicroHTTPD

/// What the allocator of the whole process does with memory that is freed.
public enum HeapPolicy {
  /// Has each thread's heap keep up to so many free bytes at its end, and hold arrays of up to half
  /// of that rather than map each anew.
  ///
  /// To take a page from the system takes 1 to 2 µs, so a large thing that comes where one has gone
  /// is made much faster. glibc comes to the same by itself, with 64 MiB, once an array of 32 MiB
  /// was freed; before, it gives back a few megabytes at once.
  ///
  /// - Parameter byteCount: At most 64 MiB, the largest heap of a thread.
  public static func keepFreedMemory(upTo byteCount: Int) {
    micro_keep_freed_memory(Int32(clamping: byteCount))
  }
}
