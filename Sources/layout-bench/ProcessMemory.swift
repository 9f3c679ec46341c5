import CGlibc
import Glibc
import Memory

/// This process's memory, as the allocator and the kernel count it.
enum ProcessMemory {
  /// Bytes that are allocated and not freed: those of all arenas that are on no free list, those
  /// that are mapped each for itself, and the pages that are taken of the pool.
  ///
  /// - Complexity: O(free chunks), some microseconds to milliseconds.
  static var allocated: Int {
    var text: UnsafeMutablePointer<CChar>?
    var count = 0
    guard let file = open_memstream(&text, &count) else { return 0 }
    malloc_info(0, file)
    fclose(file)
    defer { free(text) }
    guard let text else { return 0 }
    // The totals stand behind those of the single arenas.
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

  /// ``allocated`` when it has been the same for some milliseconds: a large layout is freed by a
  /// thread of its own, after whoever gave it up has gone on.
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

  /// Bytes of physical memory held, after malloc and the pool gave back what they keep.
  static var resident: Int {
    KeptMemory.release()
    return kilobytes(after: "VmRSS:") * 1024
  }

  /// The most that ``resident`` has been since ``resetPeak()``.
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
