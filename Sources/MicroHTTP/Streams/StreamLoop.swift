import CMicroHTTPD
import Glibc
import Synchronization
import System

/// The thread that has all streams of events.
///
/// libmicrohttpd could have them as suspended connections. But each would cost the memory for its
/// header section, each event would resume and suspend the connection again, each resumed
/// connection makes libmicrohttpd look at all suspended ones of its thread, and a client's leaving
/// would only be noticed at the next event. So a stream's socket comes here. An idle stream costs
/// what it holds here, and a heartbeat.
///
/// ``HeartbeatWheel`` says when which stream has its heartbeat.
final class StreamLoop: Sendable {
  /// A comment, which clients ignore.
  private static let comment = Array(":\n\n".utf8)
  /// After so many bytes of a stream, others have their turn.
  private static let turnBytes = 2048
  /// The `data` of the event that ends the thread's wait. No stream has this serial number.
  private static let wakeUpSerial: UInt64 = 0

  private struct State {
    var arrivals: [ArrivingStream] = []
    var awake: [EventStream] = []
    /// Whether the thread has been woken and has not looked yet.
    var isWoken = false
    var lastSerial = StreamLoop.wakeUpSerial
    var isDraining = false
    var isStopping = false
    /// The number of streams, with reserved places.
    var count = 0
  }

  private let limit: Int
  /// The time for a client to take an event.
  private let sendTimeout: Nanoseconds
  /// The longest life of a stream.
  private let lifetime: Nanoseconds
  private let now: @Sendable () -> Nanoseconds
  private let shared = Mutex(State())
  private let wakeUp = WakeUp()
  private let thread = DaemonThread()
  private let epoll: Int32
  /// Why it is missing; 0 if it is not.
  private let failure: Int32
  private let events = Atomic(0)
  private let slowReaders = Atomic(0)

  /// - Parameters:
  ///   - limit: The largest number of streams.
  ///   - sendTimeout: The time for a client to take an event.
  ///   - lifetime: The longest life of a stream.
  init(
    limit: Int, sendTimeout: Nanoseconds, lifetime: Nanoseconds,
    now: @escaping @Sendable () -> Nanoseconds
  ) {
    self.limit = limit
    self.sendTimeout = sendTimeout
    self.lifetime = lifetime
    self.now = now
    epoll = micro_epoll()
    failure = epoll < 0 ? errno : 0
  }

  deinit {
    if epoll >= 0 { close(epoll) }
  }

  func start() throws(DaemonError) {
    try DaemonError.of(wakeUp.check)
    guard failure == 0 else { throw .system(call: "epoll_create1", errno: failure) }
    guard micro_watch(epoll, wakeUp.descriptor, Self.wakeUpSerial, true, micro_when_readable) == 0
    else {
      throw .system(call: "epoll_ctl", errno: errno)
    }
    try thread.start("http-streams") { [self] in run() }
  }

  var statistics: StreamStatistics {
    StreamStatistics(
      streams: count, events: events.load(ordering: .relaxed),
      slowReaders: slowReaders.load(ordering: .relaxed))
  }

  /// The number of streams.
  var count: Int { shared.withLock { $0.count } }

  // MARK: Called by other threads

  /// Reserves a place for one stream.
  ///
  /// - Returns: False if there is none.
  func reserve() -> Bool {
    shared.withLock {
      guard !$0.isDraining, $0.count < limit else { return false }
      $0.count += 1
      return true
    }
  }

  /// Gives back a place that was reserved.
  func cancelReservation() {
    shared.withLock { $0.count -= 1 }
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
    socket.prepare(sendTimeout: sendTimeout)
    let stream = shared.withLock { state in
      state.lastSerial += 1
      return EventStream(serial: state.lastSerial, loop: self)
    }
    source.begin(stream)
    let arrival = ArrivingStream(
      stream: stream, socket: socket, source: source, isChunked: isChunked, head: head,
      endsAt: now() + lifetime(ofStream: stream.serial), ended: ended)
    wakeThread { $0.arrivals.append(arrival) }
  }

  /// The life of a stream, at most a tenth shorter than the longest. It is spread, so that streams
  /// that began together do not end together.
  func lifetime(ofStream serial: UInt64) -> Nanoseconds {
    lifetime - lifetime / 10 / 100 * Nanoseconds(serial &* 61 % 100)
  }

  func wake(_ streams: [EventStream]) {
    let asleep = streams.filter { !$0.isAwake.exchange(true, ordering: .acquiringAndReleasing) }
    if !asleep.isEmpty { wakeThread { $0.awake += asleep } }
  }

  private func wakeThread(_ change: (inout State) -> Void) {
    let isWoken = shared.withLock { state in
      change(&state)
      defer { state.isWoken = true }
      return state.isWoken
    }
    if !isWoken { wakeUp.wake() }
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
    thread.waitForEnd()
  }

  // MARK: The thread

  private func run() {
    var streams: [UInt64: OpenStream] = [:]
    var wheel = HeartbeatWheel(at: now())
    var isDraining = false
    var ready = [micro_event](repeating: micro_event(), count: micro_max_events)
    while true {
      let count = micro_wait(
        epoll, &ready, streams.isEmpty ? -1 : Int32(HeartbeatWheel.tick / 1_000_000))
      // What did not need a heartbeat meanwhile does not need it now.
      if streams.isEmpty { wheel.skip(to: now()) }
      let state = takeState()
      for index in 0..<Int(max(count, 0)) {
        let event = ready[index]
        guard let stream = streams[event.serial] else { continue }
        if event.is_gone {
          end(stream, in: &streams, isComplete: false)
        } else {
          pump(stream, in: &streams)
        }
      }
      for arrival in state.arrivals {
        wheel.add(arrival.stream.serial)
        begin(OpenStream(arrival), in: &streams)
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
      wheel.turn(to: now()) { serial in
        if let stream = streams[serial] { beat(stream, in: &streams) }
        return streams[serial] != nil
      }
    }
  }

  /// Takes what others have left for this thread.
  private func takeState() -> State {
    // Before the state is taken, because whoever comes after that must wake the thread again.
    wakeUp.clear()
    var state = State()
    shared.withLock {
      swap(&state.arrivals, &$0.arrivals)
      swap(&state.awake, &$0.awake)
      $0.isWoken = false
      (state.isDraining, state.isStopping) = ($0.isDraining, $0.isStopping)
    }
    return state
  }

  private func begin(_ stream: OpenStream, in streams: inout [UInt64: OpenStream]) {
    streams[stream.serial] = stream
    let descriptor = stream.arrival.socket.descriptor
    if micro_watch(epoll, descriptor, stream.serial, true, micro_when_gone) == 0 {
      pump(stream, in: &streams)
    } else {
      end(stream, in: &streams, isComplete: false)
    }
  }

  /// Sends a heartbeat to a stream, or cuts it if its client takes nothing.
  private func beat(_ stream: OpenStream, in streams: inout [UInt64: OpenStream]) {
    if let since = stream.blockedSince {
      guard now() - since >= sendTimeout else { return }
      slowReaders.add(1, ordering: .relaxed)
      end(stream, in: &streams, isComplete: false)
    } else if now() >= stream.arrival.endsAt {
      // Its client comes again, and may find another server.
      stream.isDraining = true
      pump(stream, in: &streams)
    } else {
      stream.put(Self.comment)
      pump(stream, in: &streams)
    }
  }

  /// Sends what there is until the client takes no more, or others should have their turn.
  private func pump(_ stream: OpenStream, in streams: inout [UInt64: OpenStream]) {
    var hasHadItsTurn = false
    while true {
      guard flush(stream, in: &streams) else { return }
      if stream.isEnding { return end(stream, in: &streams, isComplete: true) }
      if hasHadItsTurn { return stream.arrival.stream.wake() }
      if let batch = stream.arrival.source.next() {
        events.add(batch.count, ordering: .relaxed)
        stream.put(batch.bytes)
        if batch.isLast { stream.putEnd() }
        hasHadItsTurn = batch.bytes.count >= Self.turnBytes
      } else if stream.isDraining {
        stream.putEnd()
      } else {
        return
      }
    }
  }

  /// - Returns: Whether all is sent.
  private func flush(_ stream: OpenStream, in streams: inout [UInt64: OpenStream]) -> Bool {
    switch stream.send() {
    case .all:
      if stream.blockedSince != nil {
        stream.blockedSince = nil
        watch(stream, forRoom: false)
      }
      return true
    case .wouldBlock:
      if stream.blockedSince == nil {
        stream.blockedSince = now()
        watch(stream, forRoom: true)
      }
    case .broken: end(stream, in: &streams, isComplete: false)
    }
    return false
  }

  private func watch(_ stream: OpenStream, forRoom: Bool) {
    _ = micro_watch(
      epoll, stream.arrival.socket.descriptor, stream.serial, false,
      forRoom ? micro_when_gone_or_writable : micro_when_gone)
  }

  private func end(_ stream: OpenStream, in streams: inout [UInt64: OpenStream], isComplete: Bool) {
    streams[stream.serial] = nil
    let arrival = stream.arrival
    micro_unwatch(epoll, arrival.socket.descriptor)
    arrival.source.end()
    arrival.ended(max(0, stream.bytesSent - arrival.head.count), isComplete)
    arrival.socket.close(isComplete: isComplete)
    shared.withLock { $0.count -= 1 }
  }
}
