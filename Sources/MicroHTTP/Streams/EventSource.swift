import Synchronization

/// What a stream of server-sent events sends.
///
/// Only the newest state of something matters, so there is no queue: the stream asks for what there
/// is to send when its client has taken what was sent before. What was superseded meanwhile is
/// never sent.
///
///     source ──wake()──▶ EventStream ──▶ StreamLoop ──next()──▶ source
public protocol EventSource: AnyObject, Sendable {
  /// Is called once, before anything is sent. From now on `stream.wake()` leads to `next()`.
  ///
  /// It is called on the thread that answers requests, so it must be quick.
  func begin(_ stream: EventStream)

  /// What is to be sent now; `nil` if there is nothing new.
  ///
  /// It is called on the one thread of all streams, so it must be quick, too.
  func next() -> EventBatch?

  /// Is called once, when nothing more is asked for.
  func end()
}

/// What a stream sends at once.
public struct EventBatch: Sendable {
  /// Whole events in the format of an event stream.
  public var bytes: [UInt8]
  /// The number of events, for statistics.
  public var count: Int
  /// Whether the stream ends with them.
  public var isLast: Bool

  public init(_ bytes: [UInt8], count: Int = 1, isLast: Bool = false) {
    self.bytes = bytes
    self.count = count
    self.isLast = isLast
  }
}

/// One client that receives events, as the source of its events knows it.
public final class EventStream: Sendable {
  let serial: UInt64
  /// Whether it was woken and the loop has not looked yet.
  let isAwake = Atomic(false)
  private let loop: StreamLoop

  init(serial: UInt64, loop: StreamLoop) {
    self.serial = serial
    self.loop = loop
  }

  /// Says that there may be something to send. Any thread may call it, at any time.
  public func wake() { loop.wake([self]) }

  /// Wakes many streams at once, which is quicker than one after another.
  public static func wake(_ streams: [EventStream]) { streams.first?.loop.wake(streams) }
}

/// Counts of all streams of a daemon.
public struct StreamStatistics: Equatable, Sendable {
  /// The number of open streams.
  public var streams = 0
  /// The number of events that were handed to streams, since the start. Heartbeats do not count.
  public var events = 0
  /// The number of streams that were cut because their clients did not take what was sent.
  public var slowReaders = 0

  public static let none = Self()
}
