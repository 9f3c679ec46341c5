import CMicroHTTPD
import Glibc
import Synchronization
import System

/// One connection, and the request that is in progress on it.
///
///              URI callback           header complete             request complete
///     idle ───────────────▶ begun ──┬───────────────▶ receiving ──┬──────────────▶ answered
///      ▲                            │                     │       ├──▶ waiting ──▶ answered
///      │                            │                     │       ├──▶ streaming
///      │                            ├──▶ refusing ────────┴───────┴──────────────▶ answered
///      │                            └── (large body, or broken framing) ─────────▶ answered
///      └──────────────────────────── completed, any time ────────────────────────────┘
///
/// The next request reuses its buffers. So a request without content allocates nothing here.
///
/// `@unchecked Sendable`: libmicrohttpd calls all methods on the one thread that owns the
/// connection. Other threads only use `descriptor`, which is constant, `deadline` and `isBusy`,
/// which are atomic, and `timeout`, which is locked.
final class Connection: @unchecked Sendable {
  enum Phase {
    case idle
    case begun
    /// The content is being stored.
    case receiving
    /// The content is being dropped. Then this answer is sent. It is indirect, so that phases are
    /// small, because each request reads them several times.
    indirect case refusing(Response)
    /// The connection is suspended until the job is done.
    case waiting(DeferredJob)
    /// The `StreamLoop` has the socket, or over TLS has it until the connection is resumed. In both
    /// cases this connection ends when it is resumed.
    case streaming
    case answered
  }

  /// After this many bytes of a body the thread yields its processor. Otherwise it would receive a
  /// large body in one go, while threads with queries wait. It must not yield more often, because
  /// each time its other connections wait.
  private static let turnBytes = 256 << 10

  let descriptor: Int32
  let deadline: Deadline
  /// Whether a request has begun whose answer is not sent yet.
  let isBusy = Atomic(false)
  let core: DaemonCore
  let requestAllowance: Nanoseconds
  private let idleAllowance: Nanoseconds
  private let remoteAddress: SocketAddress

  /// What the reaper needs to answer a request that does not arrive in time, and what it sent.
  struct Timeout: Sendable {
    /// The request, while its content arrives. Before that, nothing of it is known.
    var request: Request?
    /// The request id and the size of the answer, if one was sent.
    var answer: (requestID: RequestID?, bytes: Int)?
  }

  let timeout = Mutex(Timeout())

  // Only the thread on which libmicrohttpd calls uses these properties, and no method calls another
  // while it changes one of them. So checks for overlapping access at run time find nothing, here
  // and in the stores of requests and answers.
  @exclusivity(unchecked) var phase = Phase.idle
  @exclusivity(unchecked) var exchange = Exchange()
  /// The address of the target in libmicrohttpd's memory. It is compared but never read.
  @exclusivity(unchecked) private var targetOrigin = UnsafeRawPointer(bitPattern: 1)!
  /// The request in progress. `method` and `headers` are valid once its header section is complete.
  @exclusivity(unchecked) var storage = RequestStorage()
  /// Whether input may be unread when the connection closes.
  @exclusivity(unchecked) var lingers = false
  /// The memory that the answer has taken from the budget, in bytes.
  @exclusivity(unchecked) var answerCharge = 0
  /// The bytes that libmicrohttpd sends, until the request is completed.
  @exclusivity(unchecked) var answerBody: [UInt8] = []

  init(_ descriptor: Int32, from remoteAddress: SocketAddress, core: DaemonCore) {
    self.descriptor = descriptor
    self.remoteAddress = remoteAddress
    self.core = core
    requestAllowance = core.requestAllowance
    idleAllowance = core.idleAllowance
    deadline = Deadline(core.now() + core.idleAllowance)
  }

  // MARK: Called by libmicrohttpd

  /// The request line has been read.
  ///
  /// - Parameter target: The target as it was sent, in libmicrohttpd's memory.
  func begin(target: UnsafePointer<CChar>?) {
    defer { isBusy.store(true, ordering: .releasing) }
    exchange.startedAt = core.now()
    exchange.isTooLate = !deadline.moveOn(to: exchange.startedAt + requestAllowance)
    phase = .begun
    guard let target else {
      return storage.target.replace(
        with: UnsafeBufferPointer(start: nil, count: 0), question: nil)
    }
    targetOrigin = UnsafeRawPointer(target)
    let bytes = UnsafeBufferPointer(
      start: targetOrigin.assumingMemoryBound(to: UInt8.self), count: strlen(target))
    let question = memchr(target, Int32(UInt8(ascii: "?")), bytes.count)
    storage.target.replace(
      with: bytes, question: question.map { UnsafeRawPointer($0) - targetOrigin })
    // The library would now read the query, with a record in the connection's memory for each
    // parameter. A query of a thousand would leave none for the rest of the request. This ends the
    // query before it starts.
    question?.storeBytes(of: 0, toByteOffset: 1, as: UInt8.self)
  }

  /// The header section is complete, content has come, or the request is complete.
  ///
  /// - Returns: `NO` to drop the connection.
  func handle(
    _ handle: OpaquePointer, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
    content: UnsafePointer<CChar>?, count: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    // Content of 0 bytes is not the end of the request. The end has no content pointer. The library
    // calls with 0 bytes before the next request if the client asked for 100 Continue and there is
    // nothing to send.
    if let content {
      defer { count.pointee = 0 }
      return take(UnsafeRawBufferPointer(start: content, count: count.pointee))
    }
    switch phase {
    case .begun:
      return receiveHeader(handle, method: method, version: version)
    case .receiving:
      return respond(handle)
    case .refusing(let response):
      return send(response, on: handle)
    case .waiting(let job):
      guard var response = job.response() else { return .YES }
      if let source = response.events.take() { return stream(response, source, handle) }
      return send(response, on: handle)
    case .idle, .answered, .streaming:
      return .NO
    }
  }

  /// The answer is out, or the connection broke.
  func complete(_ reason: MHD_RequestTerminationCode) {
    // The stream reports its end itself.
    if case .streaming = phase { return }
    let now = core.now()
    let wasInTime = deadline.moveOn(to: now + idleAllowance, isSilent: true)
    if exchange.status == nil && !wasInTime && !exchange.isTooLate,
      let answer = timeout.withLock({ $0.answer })
    {
      exchange.status = .requestTimeout
      exchange.requestID = answer.requestID
      exchange.bytesSent = answer.bytes
    }
    if answerCharge > 0 {
      core.budget.giveBack(answerCharge)
      answerCharge = 0
    }
    if exchange.contentStartedAt != nil { timeout.withLock { $0.request = nil } }
    // This comes before the check of the storage, because deferred work may hold the request.
    phase = .idle
    AnswerBuffer.giveBack(&answerBody)
    if !exchange.hasHeader { forgetHeader() }
    if isKnownUniquelyReferenced(&storage) { storage.body = nil }
    report(isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK, at: now)
    if !isKnownUniquelyReferenced(&storage) { storage = RequestStorage() }
    exchange = Exchange()
    isBusy.store(false, ordering: .releasing)
  }

  private func report(isComplete: Bool, at now: Nanoseconds) {
    core.responder.requestCompleted(
      RequestRecord(
        request: Request(storage), requestID: exchange.requestID, operation: exchange.operation,
        status: exchange.status, isComplete: isComplete, bytesReceived: exchange.bytesReceived,
        bytesSent: exchange.bytesSent, nanoseconds: Int(now - exchange.startedAt)))
  }

  /// Removes the method and the fields of the request before. This request has none yet.
  private func forgetHeader() {
    storage.method = Method(rawValue: "")
    storage.headers.removeAll()
    storage.remoteAddress = remoteAddress
  }

  /// The connection is about to be closed.
  func close() {
    core.table.remove(descriptor)
    guard lingers else { return }
    let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if duplicate >= 0 { core.closeSoon(duplicate, lingers: true) }
  }

  // MARK: Receiving

  private func receiveHeader(
    _ handle: OpaquePointer, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>
  ) -> MHD_Result {
    if exchange.isTooLate { return .NO }
    // This local reference is counted once instead of at each use.
    let storage = storage
    exchange.bytesReceived = micro_header_size(handle)
    let methodStart = UnsafeRawPointer(method)
    let methodBytes = UnsafeBufferPointer(
      start: methodStart.assumingMemoryBound(to: UInt8.self), count: strlen(method))
    let isHTTP10 = version[7] == CChar(UInt8(ascii: "0"))
    var reader = HeaderSectionReader(
      .init(
        method: methodBytes, target: targetOrigin, targetCount: storage.target.bytes.count,
        version: UnsafeRawPointer(version)), into: storage)
    let end = methodStart + exchange.bytesReceived
    reader.read(handle, until: end, isHTTP10: isHTTP10)
    exchange.headerEnd = reader.contentLength == .chunked ? end : nil

    storage.method = Method(methodBytes)
    storage.remoteAddress = remoteAddress
    exchange.hasHeader = true
    exchange.isHead = storage.method == .head
    exchange.isHTTP10 = isHTTP10
    exchange.headerBytes = exchange.bytesReceived + reader.recordBytes
    let request = Request(storage)
    let admission = Admission.of(request, reader, headerBytes: exchange.headerBytes, core)
    switch admission {
    case .receive(let limit):
      if let limit { exchange.body = RequestBody(limit: limit, budget: core.budget) }
      phase = .receiving
      return reader.contentLength == .none || expectContent() ? .YES : .NO
    case .refuse(let response, let drainLimit):
      return refuseRequest(
        with: response, contentLength: reader.contentLength,
        expectsContinue: reader.expectsContinue && !isHTTP10, drainLimit: drainLimit, handle)
    case .malformed(let reason):
      lingers = true
      return send(answer(to: .malformedRequest(reason: reason), request), on: handle, closing: true)
    case .headerFieldsTooLarge:
      return refuseHeader(request, handle)
    }
  }

  /// Refuses a request. If its end is near, the answer is sent there, and the connection stays
  /// usable. Otherwise the answer is sent at once, and libmicrohttpd closes the connection.
  private func refuseRequest(
    with response: Response, contentLength: HeaderSectionReader.ContentLength,
    expectsContinue: Bool, drainLimit: Int, _ handle: OpaquePointer
  ) -> MHD_Result {
    switch contentLength {
    case .none:
      phase = .refusing(response)
      return .YES
    case .known(let length) where length <= drainLimit && !expectsContinue:
      swallow(then: response, upTo: length)
      return expectContent() ? .YES : .NO
    case .known, .chunked:
      lingers = true
      return send(response, on: handle, closing: true)
    }
  }

  /// Begins to receive content. The answer to a timeout needs a copy of the request, because
  /// another thread makes it.
  ///
  /// - Returns: False if the connection has expired.
  private func expectContent() -> Bool {
    let request = Request(storage.copy())
    timeout.withLock { $0.request = request }
    let now = core.now()
    exchange.contentStartedAt = now
    return deadline.moveOn(to: now + requestAllowance)
  }

  /// Gives the content more time, because some of it has come. No pause in it may be longer than
  /// the header section may take. On the whole it must not be slower than a slow line.
  ///
  /// - Returns: False if the connection has expired.
  private func extendTime() -> Bool {
    guard let startedAt = exchange.contentStartedAt else { return true }
    let onSlowLine =
      Nanoseconds(exchange.contentReceived) * 1_000_000_000
      / Nanoseconds(DaemonConfiguration.slowestBytesPerSecond)
    return deadline.moveOn(to: min(core.now(), startedAt + onSlowLine) + requestAllowance)
  }

  private func swallow(then response: Response, upTo limit: Int) {
    phase = .refusing(response)
    exchange.body = nil
    exchange.swallowLimit = limit
  }

  private func take(_ content: UnsafeRawBufferPointer) -> MHD_Result {
    exchange.bytesReceived += content.count
    exchange.contentReceived += content.count
    guard extendTime() else { return .NO }
    switch phase {
    case .receiving:
      guard let body = exchange.body else {
        exchange.swallowed += content.count
        guard exchange.swallowed > core.bodyLimit else { return .YES }
        return sendPastLibrary(
          answer(to: .contentTooLarge(limit: core.bodyLimit), Request(storage)))
      }
      let before = body.count
      guard !body.append(content) else {
        if body.count / Self.turnBytes > before / Self.turnBytes { SystemThread.giveWay() }
        return .YES
      }
      let isTooLarge = body.count + content.count > core.bodyLimit
      // No answer can be queued here. It must wait for the end of the content.
      swallow(
        then: answer(
          to: isTooLarge ? .contentTooLarge(limit: core.bodyLimit) : .buffersFull,
          Request(storage)),
        upTo: Admission.drainLimit)
      return .YES
    case .refusing(let response):
      exchange.swallowed += content.count
      guard exchange.swallowed > exchange.swallowLimit else { return .YES }
      // The end is too far away, and no answer can be queued before it.
      return sendPastLibrary(response)
    default:
      return .YES
    }
  }
}
