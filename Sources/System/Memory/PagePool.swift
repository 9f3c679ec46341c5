import Glibc
import Synchronization

/// Memory for large things that come and go: bodies, and the columns of layouts.
///
///     address ▶   │ taken │  kept  │   taken   │ kept │ …
///
/// A new page is expensive, because the system must clear and map it. So freed pages are kept, up
/// to a limit, for the next user on any thread: the pages of a body become pages of the layout that
/// is made from it. malloc keeps memory for the thread that had it. That would not help here,
/// because one thread receives a body and another computes the layout.
public final class PagePool: Sendable {
  /// The pool of the process. It keeps up to 64 MiB.
  ///
  /// Under AddressSanitizer it uses malloc, so that errors at the ends of blocks are found.
  public static let shared = PagePool(
    keeping: 64 << 20, usingMalloc: dlsym(nil, "__asan_init") != nil)

  /// Smaller blocks come from malloc. Rounding them up to whole pages would waste too much.
  static let smallest = 32 << 10
  static let pageBytes = Int(getpagesize())

  private struct Pages {
    var kept = PageRuns()
    var takenBytes = 0
    var takeCount = 0
  }

  private let limit: Int
  private let usesMalloc: Bool
  private let pages = Mutex(Pages())

  /// - Parameters:
  ///   - limit: The largest number of bytes that are kept, ≥ 0.
  ///   - usesMalloc: Whether everything comes from malloc.
  init(keeping limit: Int, usingMalloc usesMalloc: Bool = false) {
    self.limit = limit
    self.usesMalloc = usesMalloc
  }

  deinit {
    releaseKept()
  }

  /// The bytes of all pages in use.
  public var takenBytes: Int { pages.withLock { $0.takenBytes } }

  /// The bytes of all kept pages.
  var keptBytes: Int { pages.withLock { $0.kept.bytes } }

  /// How often pages have been taken.
  public var takeCount: Int { pages.withLock { $0.takeCount } }

  /// Uninitialized memory; `nil` if the system has none.
  ///
  /// - Parameter count: The number of bytes, ≥ 0.
  /// - Complexity: O(*n*) for *n* runs of pages that are kept.
  public func take(_ count: Int) -> UnsafeMutableRawPointer? {
    guard hasPages(for: count) else { return malloc(count) }
    let count = Self.roundedUp(count)
    let start = pages.withLock { pages in
      pages.takenBytes += count
      pages.takeCount += 1
      return pages.kept.take(count)
    }
    if let start { return UnsafeMutableRawPointer(bitPattern: start) }
    let region = mmap(
      nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard region == MAP_FAILED else { return region }
    pages.withLock { $0.takenBytes -= count }
    return nil
  }

  /// Uninitialized memory for what cannot be given up half-way. If the system has none, the
  /// process ends, as it does where an array cannot grow.
  ///
  /// - Parameter count: The number of bytes, ≥ 0.
  public func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    guard let memory = take(count) else { fatalError("no memory for \(count) bytes") }
    return memory
  }

  /// Whether the system can provide this much more memory now.
  ///
  /// This is not certain: the system may have promised more memory than it has, and other threads
  /// may take it. But it detects a limit of the address space and a system that does not
  /// overcommit. Without this check an array that does not fit would end the process.
  public static func hasRoom(for count: Int) -> Bool {
    let region = mmap(
      nil, max(count, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard region != MAP_FAILED, let region else { return false }
    munmap(region, max(count, 1))
    return true
  }

  /// Returns memory that ``take(_:)`` gave.
  ///
  /// - Parameter count: The number of bytes that was taken.
  /// - Complexity: O(*n*) for *n* runs of pages that are kept.
  public func giveBack(_ start: UnsafeMutableRawPointer, _ count: Int) {
    guard hasPages(for: count) else { return free(start) }
    let run = PageRuns.Run(start: UInt(bitPattern: start), count: Self.roundedUp(count))
    let isKept = pages.withLock { pages in
      pages.takenBytes -= run.count
      guard pages.kept.bytes + run.count <= limit else { return false }
      pages.kept.add(run)
      return true
    }
    if !isKept { unmap(run) }
  }

  /// Returns all kept pages to the system.
  func releaseKept() {
    let runs = pages.withLock { $0.kept.removeAll() }
    for run in runs { unmap(run) }
  }

  private func hasPages(for count: Int) -> Bool { !usesMalloc && count >= Self.smallest }

  private static func roundedUp(_ count: Int) -> Int {
    (count + pageBytes - 1) / pageBytes * pageBytes
  }

  /// Returns pages to the system. The system refuses if they are in the middle of a mapping and the
  /// process already has the largest number of mappings. Then the pages are kept.
  private func unmap(_ run: PageRuns.Run) {
    if munmap(UnsafeMutableRawPointer(bitPattern: run.start), run.count) != 0 {
      pages.withLock { $0.kept.add(run) }
    }
  }
}
