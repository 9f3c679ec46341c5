import CGlibc

/// Freed memory that the process keeps for reuse.
public enum KeptMemory {
  /// Makes malloc keep up to 64 MiB in each of its arenas. Each thread uses one arena.
  ///
  /// malloc does so by itself once a block of 32 MiB was freed. Until then it returns the memory of
  /// a deleted layout to the system, and the next layout must take new pages.
  public static func keepWhatMallocFrees() {
    mallopt(M_MMAP_THRESHOLD, 32 << 20)
    mallopt(M_TRIM_THRESHOLD, 64 << 20)
  }

  /// Returns to the system what the shared ``PagePool`` and malloc keep.
  public static func release() {
    PagePool.shared.releaseKept()
    malloc_trim(0)
  }
}
