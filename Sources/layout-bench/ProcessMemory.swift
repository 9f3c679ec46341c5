import Glibc

/// This process's memory, as the allocator and the kernel count it.
enum ProcessMemory {
  /// Bytes that are allocated and not freed: those of all arenas that are on no free list, and
  /// those that are mapped each for itself.
  ///
  /// - Complexity: O(free chunks), some microseconds to milliseconds.
  static var allocated: Int {
    var text: UnsafeMutablePointer<CChar>?
    var count = 0
    guard let file = open_memstream(&text, &count) else { return 0 }
    _ = allocator.info(0, file)
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

  /// Bytes of physical memory held, after the allocator gave back what it does not need.
  static var resident: Int {
    _ = allocator.trim(0)
    return kilobytes(after: "VmRSS:") * 1024
  }

  /// The most that ``resident`` has been since ``resetPeak()``.
  static var peak: Int { kilobytes(after: "VmHWM:") * 1024 }

  static func resetPeak() {
    _ = allocator.trim(0)
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

  /// What `malloc.h` declares; that header is not part of the Glibc module.
  private struct Allocator: Sendable {
    let info: @convention(c) @Sendable (Int32, UnsafeMutablePointer<FILE>) -> Int32
    let trim: @convention(c) @Sendable (Int) -> Int32
  }

  private static let allocator: Allocator = {
    guard let info = dlsym(nil, "malloc_info"), let trim = dlsym(nil, "malloc_trim") else {
      preconditionFailure("glibc's allocator is missing")
    }
    return Allocator(
      info: unsafeBitCast(
        info, to: (@convention(c) @Sendable (Int32, UnsafeMutablePointer<FILE>) -> Int32).self),
      trim: unsafeBitCast(trim, to: (@convention(c) @Sendable (Int) -> Int32).self))
  }()
}
