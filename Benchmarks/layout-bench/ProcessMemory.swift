import CGlibc
import Glibc
import System

/// The memory of this process, as the allocator and the kernel count it.
enum ProcessMemory {
  /// The bytes that are allocated and not freed: those of all arenas without the free lists, those
  /// of single mappings, and the pages taken from the pool.
  ///
  /// - Complexity: O(*n*) for *n* free chunks.
  static var allocated: Int {
    var text: UnsafeMutablePointer<CChar>?
    var count = 0
    guard let file = open_memstream(&text, &count) else { return 0 }
    malloc_info(0, file)
    fclose(file)
    defer { free(text) }
    guard let text else { return 0 }
    // The totals come after those of the single arenas.
    func total(_ element: String) -> Int {
      guard let start = lastOccurrence(of: element, in: text),
        let size = strstr(start, " size=\"")
      else { return 0 }
      return Int(strtol(size + 7, nil, 10))
    }
    return total("<system type=\"current\"") + total("<total type=\"mmap\"")
      - total("<total type=\"fast\"") - total("<total type=\"rest\"")
      + PagePool.shared.takenBytes
  }

  /// ``allocated``, once it no longer changes. A separate thread frees large layouts, a moment
  /// after their last reference is gone.
  static var settledAllocated: Int {
    var last = allocated
    while true {
      usleep(3000)
      let next = allocated
      if next == last { return next }
      last = next
    }
  }

  private static func lastOccurrence(
    of element: String, in text: UnsafeMutablePointer<CChar>
  ) -> UnsafeMutablePointer<CChar>? {
    var last: UnsafeMutablePointer<CChar>?
    var next = strstr(text, element)
    while let found = next {
      last = found
      next = strstr(found + 1, element)
    }
    return last
  }

  /// The bytes of physical memory in use, after malloc and the pool returned what they keep.
  static var resident: Int {
    KeptMemory.release()
    return kilobytes(after: "VmRSS:") * 1024
  }

  /// The largest value of ``resident`` since ``resetPeak()``.
  static var peak: Int { kilobytes(after: "VmHWM:") * 1024 }

  static func resetPeak() {
    KeptMemory.release()
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  private static func kilobytes(after label: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      if strncmp(line, label, label.utf8.count) == 0 {
        return Int(strtol(Array(line.dropFirst(label.utf8.count)), nil, 10))
      }
    }
    return 0
  }
}
