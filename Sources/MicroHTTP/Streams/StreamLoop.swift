import CMicroHTTPD
import Glibc
import Synchronization

/// The thread that has all streams of events.
///
/// libmicrohttpd could have them as suspended connections. But each would cost the memory for its
/// header section, each event would resume and suspend the connection again, each resumed
/// connection makes libmicrohttpd look at all suspended ones of its thread, and a client's leaving
/// would only be noticed at the next event. So a stream's socket comes here. An idle stream costs
/// what it holds here, and a heartbeat.
///
/// Heartbeats are spread: time goes round a wheel of ``slots``, a slot at each tick, and each
/// stream has a slot. So all have one heartbeat in a round, and they never come together.
final class StreamLoop: Sendable {
  /// The time between two heartbeats of a stream. Proxies end connections that are silent for a
  /// minute or so.
  static let heartbeat: Nanoseconds = 15_000_000_000
  private static let slots = 150
  /// The number of slots from one new stream to the next: prime to ``slots``.
  private static let stride = 67
  private static let tick = heartbeat / Nanoseconds(slots)
  /// A comment, which clients ignore.
  private static let comment = Array(":\n\n".utf8)
  /// The `data` of the event that ends the thread's wait. No stream has this serial number.
  private static let wakeUpSerial: UInt64 = 0

  private struct State {
    var arrivals: [Arrival] = []
    var awake: [EventStream] = []
    /// Whether the thread has been woken and has not looked yet.
    var isWoken = false
    var lastSerial = StreamLoop.wakeUpSerial
    var isDraining = false
    var isStopping = false
    var hasEnded = true
    /// The number of streams, with reserved places.
    var count = 0
  }

  /// A stream that the thread does not have yet.
  private struct Arrival: Sendable {
    let stream: EventStream
    let socket: StreamSocket
    let source: any EventSource
    let isChunked: Bool
    let head: [UInt8]
    let ended: @Sendable (_ bytes: Int, _ isComplete: Bool) -> Void
  }

  private let limit: Int
  /// The time for a client to take an event.
  private let patience: Nanoseconds
  private let now: @Sendable () -> Nanoseconds
  private let monitor = Monitor(State())
  private let wakeUp: Int32
  private let epoll: Int32
  /// Why one of the two is missing; 0 if none is.
  private let failure: Int32
  private let events = Atomic(0)
  private let slowReaders = Atomic(0)

  /// - Parameters:
  ///   - limit: The largest number of streams.
  ///   - patience: The time for a client to take an event.
  init(
    limit: Int, patience: Nanoseconds, now: @escaping @Sendable () -> Nanoseconds
  ) {
    self.limit = limit
    self.patience = patience
    self.now = now
    wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    epoll = micro_epoll()
    failure = wakeUp < 0 || epoll < 0 ? errno : 0
  }

  deinit {
    if epoll >= 0 { close(epoll) }
    if wakeUp >= 0 { close(wakeUp) }
  }

  func start() throws(DaemonError) {
    guard failure == 0 else { throw .system(call: "epoll_create1", errno: failure) }
    guard micro_watch(epoll, wakeUp, Self.wakeUpSerial, true, micro_when_readable) == 0 else {
      throw .system(call: "epoll_ctl", errno: errno)
    }
    monitor.update { $0.hasEnded = false }
    do {
      try PlatformThread.start("http-streams") { [self] in run() }
    } catch {
      monitor.update { $0.hasEnded = true }
      throw error
    }
  }

  var statistics: StreamStatistics {
    StreamStatistics(
      streams: count, events: events.load(ordering: .relaxed),
      slowReaders: slowReaders.load(ordering: .relaxed))
  }

  /// The number of streams.
  var count: Int { monitor.withLock { $0.count } }

  // MARK: Called by other threads

  /// Reserves a place for one stream.
  ///
  /// - Returns: False if there is none.
  func reserve() -> Bool {
    monitor.withLock {
      guard !$0.isDraining, $0.count < limit else { return false }
      $0.count += 1
      return true
    }
  }

  /// Gives back a place that was reserved.
  func cancelReservation() {
    monitor.update { $0.count -= 1 }
  }

  /// Adds a stream, for which a place was reserved.
  ///
  /// - Parameters:
  ///   - head: The header section of the answer.
  ///   - ended: Is called on the thread of the streams, before the socket is closed.
  func add(
    _ socket: StreamSocket, from source: any EventSource, isChunked: Bool, head: [UInt8],
    ended: @escaping @Sendable (_ bytes: Int, _ isComplete: Bool) -> Void
  ) {
    socket.prepare(patience: patience)
    let stream = monitor.withLock { state in
      state.lastSerial += 1
      return EventStream(serial: state.lastSerial, loop: self)
    }
    source.begin(stream)
    let arrival = Arrival(
      stream: stream, socket: socket, source: source, isChunked: isChunked, head: head, ended: ended
    )
    wakeThread { $0.arrivals.append(arrival) }
  }

  func wake(_ streams: [EventStream]) {
    let asleep = streams.filter { !$0.isAwake.exchange(true, ordering: .acquiringAndReleasing) }
    if !asleep.isEmpty { wakeThread { $0.awake += asleep } }
  }

  private func wakeThread(_ change: (inout State) -> Void) {
    let isWoken = monitor.withLock { state in
      change(&state)
      defer { state.isWoken = true }
      return state.isWoken
    }
    if !isWoken { eventfd_write(wakeUp, 1) }
  }

  /// Ends all streams, each after what there is to send, and accepts no more.
  func drain() {
    wakeThread { $0.isDraining = true }
  }

  /// Cuts all streams and ends the thread.
  func stop() {
    wakeThread {
      $0.isDraining = true
      $0.isStopping = true
    }
    _ = monitor.wait { $0.hasEnded ? true : nil }
  }

  // MARK: The thread

  /// What only the thread knows of a stream.
  private final class Open {
    let arrival: Arrival
    /// What was not sent yet begins at `start`.
    var unsent: [UInt8]
    var start = 0
    /// Since when the client has not taken all that was sent; `nil` if it has.
    var blockedSince: Nanoseconds?
    /// Whether the stream ends when there is nothing more to send.
    var isDraining = false
    /// Whether the stream ends when all is sent.
    var isEnding = false
    var bytesSent = 0

    init(_ arrival: Arrival) {
      self.arrival = arrival
      unsent = arrival.head
    }

    var serial: UInt64 { arrival.stream.serial }
  }

  private func run() {
    var streams: [UInt64: Open] = [:]
    var wheel = [[UInt64]](repeating: [], count: Self.slots)
    var turn = now() / Self.tick
    var isDraining = false
    var ready = [micro_event](repeating: micro_event(), count: micro_max_events)
    while true {
      let count = micro_wait(
        epoll, &ready, streams.isEmpty ? -1 : Int32(Self.tick / 1_000_000))
      // What did not need a heartbeat meanwhile does not need it now.
      if streams.isEmpty { turn = now() / Self.tick }
      var state = State()
      monitor.withLock {
        swap(&state.arrivals, &$0.arrivals)
        swap(&state.awake, &$0.awake)
        $0.isWoken = false
        (state.isDraining, state.isStopping) = ($0.isDraining, $0.isStopping)
      }
      for index in 0..<Int(max(count, 0)) {
        let event = ready[index]
        guard event.serial != Self.wakeUpSerial else {
          var number: eventfd_t = 0
          eventfd_read(wakeUp, &number)
          continue
        }
        guard let stream = streams[event.serial] else { continue }
        if event.is_gone {
          end(stream, in: &streams, isComplete: false)
        } else {
          pump(stream, in: &streams)
        }
      }
      for arrival in state.arrivals {
        let stream = Open(arrival)
        streams[stream.serial] = stream
        wheel[Int(stream.serial % UInt64(Self.slots)) * Self.stride % Self.slots]
          .append(stream.serial)
        guard
          micro_watch(epoll, arrival.socket.descriptor, stream.serial, true, micro_when_gone) == 0
        else {
          end(stream, in: &streams, isComplete: false)
          continue
        }
        pump(stream, in: &streams)
      }
      for awake in state.awake {
        awake.isAwake.store(false, ordering: .sequentiallyConsistent)
        if let stream = streams[awake.serial] { pump(stream, in: &streams) }
      }
      if state.isDraining, !isDraining || !state.arrivals.isEmpty {
        isDraining = true
        for stream in Array(streams.values) {
          stream.isDraining = true
          pump(stream, in: &streams)
        }
      }
      if state.isStopping {
        for stream in Array(streams.values) { end(stream, in: &streams, isComplete: false) }
        // Those whose places are reserved are still to come.
        if self.count == 0 { break }
      }
      let present = now() / Self.tick
      // If the clock has gone far, one round is enough.
      turn = max(turn, present - Nanoseconds(Self.slots))
      while turn < present {
        turn += 1
        beat(&wheel[Int(turn % Nanoseconds(Self.slots))], &streams)
      }
    }
    monitor.update { $0.hasEnded = true }
  }

  /// Sends heartbeats to the streams of a slot, and cuts those that take nothing.
  private func beat(_ slot: inout [UInt64], _ streams: inout [UInt64: Open]) {
    guard !slot.isEmpty else { return }
    let now = now()
    slot.removeAll { streams[$0] == nil }
    for serial in slot {
      guard let stream = streams[serial] else { continue }
      if let since = stream.blockedSince {
        guard now - since >= patience else { continue }
        slowReaders.add(1, ordering: .relaxed)
        end(stream, in: &streams, isComplete: false)
      } else {
        put(Self.comment, on: stream)
        pump(stream, in: &streams)
      }
    }
  }

  /// Sends what there is until the client takes no more.
  private func pump(_ stream: Open, in streams: inout [UInt64: Open]) {
    while true {
      guard flush(stream, in: &streams) else { return }
      if stream.isEnding { return end(stream, in: &streams, isComplete: true) }
      if let batch = stream.arrival.source.next() {
        events.add(batch.count, ordering: .relaxed)
        put(batch.bytes, on: stream)
        if batch.isLast { putEnd(on: stream) }
      } else if stream.isDraining {
        putEnd(on: stream)
      } else {
        return
      }
    }
  }

  private func put(_ bytes: [UInt8], on stream: Open) {
    // An empty chunk would be the end.
    guard !bytes.isEmpty else { return }
    guard stream.arrival.isChunked else {
      stream.unsent += bytes
      return
    }
    stream.unsent += "\(String(bytes.count, radix: 16))\r\n".utf8
    stream.unsent += bytes
    stream.unsent += "\r\n".utf8
  }

  private func putEnd(on stream: Open) {
    stream.isEnding = true
    if stream.arrival.isChunked { stream.unsent += "0\r\n\r\n".utf8 }
  }

  /// - Returns: Whether all is sent.
  private func flush(_ stream: Open, in streams: inout [UInt64: Open]) -> Bool {
    while stream.start < stream.unsent.count {
      switch stream.arrival.socket.send(stream.unsent[stream.start...]) {
      case .bytes(let count):
        stream.start += count
        stream.bytesSent += count
      case .wouldBlock:
        guard stream.blockedSince == nil else { return false }
        stream.blockedSince = now()
        watch(stream, forRoom: true)
        return false
      case .broken:
        end(stream, in: &streams, isComplete: false)
        return false
      }
    }
    // The memory of a large batch is given back.
    if stream.unsent.capacity > 1024 {
      stream.unsent = []
    } else {
      stream.unsent.removeAll(keepingCapacity: true)
    }
    stream.start = 0
    if stream.blockedSince != nil {
      stream.blockedSince = nil
      watch(stream, forRoom: false)
    }
    return true
  }

  private func watch(_ stream: Open, forRoom: Bool) {
    _ = micro_watch(
      epoll, stream.arrival.socket.descriptor, stream.serial, false,
      forRoom ? micro_when_gone_or_writable : micro_when_gone)
  }

  private func end(_ stream: Open, in streams: inout [UInt64: Open], isComplete: Bool) {
    streams[stream.serial] = nil
    let arrival = stream.arrival
    micro_unwatch(epoll, arrival.socket.descriptor)
    arrival.source.end()
    arrival.ended(max(0, stream.bytesSent - arrival.head.count), isComplete)
    arrival.socket.close(isComplete: isComplete)
    monitor.update { $0.count -= 1 }
  }
}
