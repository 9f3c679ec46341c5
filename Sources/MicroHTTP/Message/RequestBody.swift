import Glibc
import Memory

/// The content of a request: one flat region of memory, followed by `padding` zero bytes.
///
///     ┌───────────── count ─────────────┬── padding ──┐
///     │ {"bounds": {"width": 320}, …}   │ 0 0 0 … 0 0 │
///     └─────────────────────────────────┴─────────────┘
///
/// The padding lets a parser read whole vectors past the end (simdjson asks for 64 bytes).
///
/// `@unchecked Sendable`: a connection, or who unpacks another body into it, fills it before it
/// becomes part of a `Request` or is handed on. From then on it belongs to whoever answers the
/// request, alone: the connection does no more with it than to give up its reference.
public final class RequestBody: @unchecked Sendable {
  /// How many zero bytes follow the content.
  public static let padding = 64

  public private(set) var count = 0
  /// The most bytes that it may come to hold: the declared length, or the limit for a chunked body.
  private let limit: Int
  /// As large as the limit: the system gives a page that is new when something is written to it.
  /// Where the length is not declared that is more than the pool keeps, so all pages are new.
  private var region: UnsafeMutableRawPointer?
  private let budget: MemoryBudget?
  /// What has been taken of the budget.
  private var charge = 0

  /// - Parameters:
  ///   - limit: The declared length, or the greatest permitted one.
  ///   - budget: What is taken for more than 64 KiB, as it arrives.
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

  /// A body for what this one's content becomes, empty as yet: its memory is taken of the same
  /// budget.
  ///
  /// - Parameter limit: The most bytes that it may come to hold.
  public func successor(limit: Int) -> RequestBody { RequestBody(limit: limit, budget: budget) }

  /// Calls `body` with exactly the content; `padding` zero bytes follow it in memory.
  ///
  /// The padding may be overwritten, so two threads must not be in here at the same time. The
  /// content must stay as it is: it may be read once more.
  public func withBytes<R, E>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeMutableRawBufferPointer(start: region, count: count))
  }

  /// Gives the memory back before the request ends; the content is empty from now on.
  ///
  /// For whoever has read it and goes on to something that takes long. It must be alone with it.
  public func discard() {
    if let region { PagePool.shared.giveBack(region, limit + Self.padding) }
    region = nil
    count = 0
    budget?.giveBack(charge)
    charge = 0
  }

  /// Adds bytes at the end.
  ///
  /// - Returns: False if there is no memory for them, in the budget or at all, or they exceed the
  ///   limit.
  /// - Complexity: O(bytes).
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
  /// - Parameter write: Gets room for as many bytes as the limit, with anything in it, and returns
  ///   how many it has written, at the beginning.
  /// - Returns: False if there is no memory, in the budget or at all; then nothing is written.
  public func fill<E>(
    _ write: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) -> Bool {
    guard let region, isPaid(upTo: limit) else { return false }
    count = try write(UnsafeMutableRawBufferPointer(start: region, count: limit))
    finish()
    return true
  }

  /// Takes more of the budget where so many bytes are more than what was taken is for; each time
  /// twice as much, up to the limit.
  private func isPaid(upTo needed: Int) -> Bool {
    let paid = min(limit, DaemonConfiguration.uncountedBytes) + charge
    guard let budget, needed > paid else { return true }
    let more = min(max(paid * 2, needed), limit) - paid
    guard budget.take(more) else { return false }
    charge += more
    return true
  }

  /// Zeroes the padding; called once, when all bytes are there.
  func finish() {
    if let region { memset(region + count, 0, Self.padding) }
  }
}
