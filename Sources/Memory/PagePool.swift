import Glibc
import Synchronization

/// Memory for what is large and comes and goes: bodies, and the chunks of waterfalls.
///
///     address ▶   │ taken │  kept  │   taken   │ kept │ …
///
/// A new page costs more than a microsecond, and where all are new that is a third of a prepare's
/// time. So what is given back is kept, up to a bound, for whoever wants memory next, on whatever
/// thread: the pages of a body become those of the layout that is made of it. malloc keeps memory
/// for the threads that had it; the bodies that one thread received would be no use to the others.
public final class PagePool: Sendable {
  /// The process's; it keeps up to 64 MiB.
  ///
  /// Under AddressSanitizer it hands out malloc's blocks, whose ends are watched.
  public static let shared = PagePool(
    keeping: 64 << 20, usingMalloc: dlsym(nil, "__asan_init") != nil)

  /// Less than this comes from malloc: rounding it up to whole pages would waste too much.
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
  ///   - limit: The most bytes that are kept, ≥ 0.
  ///   - usesMalloc: Whether everything comes from malloc.
  init(keeping limit: Int, usingMalloc usesMalloc: Bool = false) {
    self.limit = limit
    self.usesMalloc = usesMalloc
  }

  deinit {
    releaseKept()
  }

  /// The bytes of all pages that are taken.
  public var takenBytes: Int { pages.withLock { $0.takenBytes } }

  /// The bytes of all pages that are kept.
  var keptBytes: Int { pages.withLock { $0.kept.bytes } }

  /// How many times pages have been taken.
  public var takeCount: Int { pages.withLock { $0.takeCount } }

  /// Memory with anything in it; `nil` when the system has none.
  ///
  /// - Parameter count: How many bytes, ≥ 0.
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

  /// Whether the system has so much more memory at this moment.
  ///
  /// It may have promised more than it has, and others may take it meanwhile; but a limit on the
  /// process's address space, or a system that promises nothing that it has not, is noticed before
  /// an array is made that can't be had, which would end the process.
  public static func hasRoom(for count: Int) -> Bool {
    let region = mmap(
      nil, max(count, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard region != MAP_FAILED, let region else { return false }
    munmap(region, max(count, 1))
    return true
  }

  /// Gives back what `take` gave.
  ///
  /// - Parameter count: The same as then.
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

  /// Gives the system all pages that are kept.
  func releaseKept() {
    let runs = pages.withLock { $0.kept.removeAll() }
    for run in runs { unmap(run) }
  }

  private func hasPages(for count: Int) -> Bool { !usesMalloc && count >= Self.smallest }

  private static func roundedUp(_ count: Int) -> Int {
    (count + pageBytes - 1) / pageBytes * pageBytes
  }

  /// Gives pages to the system. It does not take them from the middle of others when the process
  /// has as many mappings as it may: then they are kept.
  private func unmap(_ run: PageRuns.Run) {
    if munmap(UnsafeMutableRawPointer(bitPattern: run.start), run.count) != 0 {
      pages.withLock { $0.kept.add(run) }
    }
  }
}
