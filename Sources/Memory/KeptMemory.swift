import CGlibc

/// Memory that was freed and stays with the process for what comes next.
public enum KeptMemory {
  /// Has malloc keep up to 64 MiB in each of its arenas, of which a thread has one.
  ///
  /// So it does by itself once a block of 32 MiB was freed. Until then it gives the system what a
  /// layout that is forgotten leaves behind, and the next one has new pages.
  public static func keepWhatMallocFrees() {
    mallopt(M_MMAP_THRESHOLD, 32 << 20)
    mallopt(M_TRIM_THRESHOLD, 64 << 20)
  }

  /// Gives the system what the process's ``PagePool`` and malloc keep.
  public static func release() {
    PagePool.shared.releaseKept()
    malloc_trim(0)
  }
}
