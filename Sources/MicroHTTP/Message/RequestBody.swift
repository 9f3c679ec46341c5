import Glibc
import System

/// The content of a request: one flat region of memory, followed by `padding` zero bytes.
///
///     ┌───────────── count ─────────────┬── padding ──┐
///     │ {"bounds": {"width": 320}, …}   │ 0 0 0 … 0 0 │
///     └─────────────────────────────────┴─────────────┘
///
/// With the padding, a parser can read whole vectors past the end (simdjson needs 64 bytes).
///
/// `@unchecked Sendable`: a connection, or code that decompresses another body into it, fills it
/// before it becomes part of a `Request`. From then on only the code that answers the request uses
/// it. The connection only releases its reference.
public final class RequestBody: @unchecked Sendable {
  /// The number of zero bytes behind the content.
  public static let padding = 64

  public private(set) var count = 0
  /// The largest number of bytes: the declared length, or the limit for a chunked body.
  private let limit: Int
  /// The memory, as large as the limit. The system provides a page when it is first written. If the
  /// length is not declared, the region is larger than what the pool keeps, so all its pages are
  /// new.
  private var region: UnsafeMutableRawPointer?
  private let budget: MemoryBudget?
  /// The bytes that were taken from the budget.
  private var charge = 0

  /// - Parameters:
  ///   - limit: The declared length, or the largest allowed length.
  ///   - budget: The budget that pays for more than 64 KiB, as the content arrives.
  init(limit: Int, budget: MemoryBudget? = nil) {
    self.limit = limit
    self.budget = budget
    region = PagePool.shared.take(limit + Self.padding)
  }

  deinit {
    discard()
  }

  /// A body with these bytes.
  public static func copying(_ bytes: [UInt8]) -> RequestBody {
    let body = RequestBody(limit: bytes.count)
    let stored = bytes.withUnsafeBytes { body.append($0) }
    precondition(stored, "no memory for a body of \(bytes.count) bytes")
    body.finish()
    return body
  }

  /// An empty body for the decoded content of this one. It uses the same budget.
  ///
  /// - Parameter limit: The largest number of bytes that it may hold.
  public func successor(limit: Int) -> RequestBody { RequestBody(limit: limit, budget: budget) }

  /// Calls `body` with exactly the content; `padding` zero bytes follow it in memory.
  ///
  /// `body` may overwrite the padding, so two threads must not call this at the same time. It must
  /// not change what the content says, which may be read again.
  public func withBytes<R, E>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeMutableRawBufferPointer(start: region, count: count))
  }

  /// Frees the memory before the request ends. Then the content is empty.
  ///
  /// Call this after reading the content, before long work. No other code may use the body then.
  public func discard() {
    if let region { PagePool.shared.giveBack(region, limit + Self.padding) }
    region = nil
    count = 0
    budget?.giveBack(charge)
    charge = 0
  }

  /// Adds bytes at the end.
  ///
  /// - Returns: False if the bytes exceed the limit, or if there is no memory for them, in the
  ///   budget or in the system.
  /// - Complexity: O(*bytes*).
  public func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return region != nil }
    let needed = count + bytes.count
    guard needed <= limit else { return false }
    guard let region, isPaid(upTo: needed) else { return false }
    memcpy(region + count, source, bytes.count)
    count = needed
    return true
  }

  /// Fills a body that is empty, and finishes it.
  ///
  /// - Parameter write: Gets uninitialized memory of the size of the limit. It writes bytes at the
  ///   start and returns their number.
  /// - Returns: False if there is no memory, in the budget or in the system. Then nothing is
  ///   written.
  public func fill<E>(
    _ write: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) -> Bool {
    guard let region, isPaid(upTo: limit) else { return false }
    count = try write(UnsafeMutableRawBufferPointer(start: region, count: limit))
    finish()
    return true
  }

  /// Takes more from the budget if the bytes that are paid for are not enough. It doubles what is
  /// paid each time, up to the limit.
  private func isPaid(upTo needed: Int) -> Bool {
    let paid = min(limit, DaemonConfiguration.uncountedBytes) + charge
    guard let budget, needed > paid else { return true }
    let more = min(max(paid * 2, needed), limit) - paid
    guard budget.take(more) else { return false }
    charge += more
    return true
  }

  /// Zeroes the padding. It is called once, when all bytes are there.
  func finish() {
    if let region { memset(region + count, 0, Self.padding) }
  }
}
