import CMalloc

/// What malloc does with memory that is freed.
public enum Malloc {
  /// Has it keep up to 64 MiB in each of its arenas, of which a thread has one.
  ///
  /// So it does by itself once a block of 32 MiB was freed. Until then it gives the system what a
  /// layout that is forgotten leaves behind, and the next one has new pages.
  public static func keepFreedMemory() {
    mallopt(M_MMAP_THRESHOLD, 32 << 20)
    mallopt(M_TRIM_THRESHOLD, 64 << 20)
  }

  /// Has it give the system what it keeps.
  public static func releaseKept() {
    malloc_trim(0)
  }
}
