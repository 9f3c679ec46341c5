import Synchronization
import System

@testable import MicroHTTP

/// A number that grows, and the streams that tell it.
final class TestFeed: Sendable {
  private struct State {
    var number = 0
    var isOver = false
    /// The bytes that each event has in addition.
    var padding = 0
    /// Whether each number is told by itself.
    var isStepwise = false
    /// The streams that were told something, in this order.
    var told: [UInt64] = []
    var streams: [UInt64: EventStream] = [:]
    /// The sources that have ended, with their streams or before them.
    var ended = 0
  }

  private let state = Monitor(State())

  /// How many streams are told.
  var watchers: Int { state.withLock { $0.streams.count } }
  var endedCount: Int { state.withLock { $0.ended } }
  var told: [UInt64] { state.withLock { $0.told } }

  /// Whether so many streams are told within ten seconds.
  func waitForWatchers(_ count: Int) -> Bool {
    state.wait(until: inAMinute()) { $0.streams.count == count ? true : nil } ?? false
  }

  /// Makes the number larger by one, without telling anybody.
  func advanceSilently() {
    state.withLock { $0.number += 1 }
  }

  /// - Parameter count: How many numbers; several are told one by one.
  @discardableResult
  func publish(_ count: Int = 1, padding: Int = 0) -> Int {
    let (number, streams) = state.withLock { state in
      state.number += count
      state.isStepwise = count > 1
      state.padding = padding
      return (state.number, Array(state.streams.values))
    }
    EventStream.wake(streams)
    return number
  }

  /// Ends all streams, each after the last number.
  func finish() {
    let streams = state.withLock { state in
      state.isOver = true
      return Array(state.streams.values)
    }
    for stream in streams { stream.wake() }
  }

  fileprivate func add(_ stream: EventStream) {
    state.update { $0.streams[stream.serial] = stream }
  }

  fileprivate func remove(_ stream: EventStream?) {
    state.update {
      if let stream { $0.streams[stream.serial] = nil }
      $0.ended += 1
    }
  }

  fileprivate func batch(after sent: Int, of stream: EventStream?) -> (Int, EventBatch)? {
    state.withLock { state in
      guard state.number > sent || state.isOver else { return nil }
      let number = state.isStepwise ? sent + 1 : state.number
      let event = "data: \(number)\(String(repeating: "x", count: state.padding))\n\n"
      state.told += stream.map { [$0.serial] } ?? []
      return (number, EventBatch(Array(event.utf8), isLast: state.isOver))
    }
  }
}

final class TestEventSource: EventSource {
  private let feed: TestFeed
  private let state = Mutex<(stream: EventStream?, sent: Int)>((nil, -1))

  init(_ feed: TestFeed) {
    self.feed = feed
  }

  func begin(_ stream: EventStream) {
    state.withLock { $0.stream = stream }
    feed.add(stream)
  }

  func next() -> EventBatch? {
    state.withLock { state in
      guard let (number, batch) = feed.batch(after: state.sent, of: state.stream) else {
        return nil
      }
      state.sent = number
      return batch
    }
  }

  func end() {
    feed.remove(state.withLock { $0.stream.take() })
  }
}
