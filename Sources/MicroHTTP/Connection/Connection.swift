import CMicroHTTPD
import Glibc
import Synchronization

/// One connection and the request that is under way on it.
///
///              URI callback           header complete             request complete
///     idle ───────────────▶ begun ──┬───────────────▶ receiving ──┬──────────────▶ answered
///      ▲                            │                     │       ├──▶ waiting ──▶ answered
///      │                            ├──▶ refusing ────────┴───────┴──────────────▶ answered
///      │                            └── (large body, or broken framing) ─────────▶ answered
///      └──────────────────────────── completed, any time ────────────────────────────┘
///
/// Its buffers are used again for the next request, so that one without content costs no allocation
/// here.
///
/// `@unchecked Sendable`: libmicrohttpd calls all methods on the one thread that owns the
/// connection; other threads see only `descriptor`, which is constant, `deadline` and `isBusy`,
/// which are atomic, and `timeoutAnswer`, which is locked.
final class Connection: @unchecked Sendable {
  private enum Phase {
    case idle
    case begun
    /// The content is being stored.
    case receiving
    /// The content is being thrown away, after which this is the answer. Indirect, so that phases
    /// are small: each request looks at several.
    indirect case refusing(Response)
    /// Suspended.
    case waiting(DeferredJob)
    case answered
  }

  /// What is known of the request that is under way, and of its answer; made anew for each.
  private struct Exchange {
    var startedAt: Nanoseconds = 0
    /// Whether the connection was cut off for its silence just when the request began.
    var isTooLate = false
    var hasHeader = false
    var isHead = false
    /// What the header section takes of the connection's memory.
    var headerBytes = 0
    /// Where the header section of chunked content ends in libmicrohttpd's memory; trailers lie
    /// behind.
    var headerEnd: UnsafeRawPointer?
    var body: RequestBody?
    /// Content that was thrown away, and how much of it may be.
    var swallowed = 0
    var swallowLimit = 0
    var bytesReceived = 0
    var bytesSent = 0
    var status: Status?
    var requestID: RequestID?
    var operation: Int?
  }

  /// Content of a refused request that is read to its end, so that the client sees the answer and
  /// can use the connection again.
  private static let patience = 8 << 20

  /// After so many bytes of a body its thread gives way to others: it would receive a large one in
  /// one go, and threads that want to answer queries would wait. Oftener would not do: each time it
  /// forfeits its turn, and its other connections wait.
  private static let turnBytes = 256 << 10

  let descriptor: Int32
  let deadline: Deadline
  /// Whether a request has begun whose answer is not out.
  let isBusy = Atomic(false)
  private let core: DaemonCore
  /// The core's, which lives longer than any connection.
  private let responder: Unmanaged<ResponderBox>
  private let requestAllowance: Nanoseconds
  private let idleAllowance: Nanoseconds
  private let remoteAddress: SocketAddress

  /// What there is to tell of the answer that the reaper sent when time was up, if it sent one.
  let timeoutAnswer = Mutex<(requestID: RequestID?, bytes: Int)?>(nil)

  // The thread that libmicrohttpd calls on is the only one in here, and no method calls into
  // another while it changes one of these: the check for overlapping access at run time has nothing
  // to find, here and in the stores of requests and answers.
  @exclusivity(unchecked) private var phase = Phase.idle
  @exclusivity(unchecked) private var exchange = Exchange()
  /// Where the target stood in libmicrohttpd's memory; compared, never followed.
  @exclusivity(unchecked) private var targetOrigin = UnsafeRawPointer(bitPattern: 1)!
  /// Of the request that is under way; `method` and `headers` only from its complete header on.
  @exclusivity(unchecked) private var storage = RequestStorage()
  /// Whether input may be unread when the connection closes.
  @exclusivity(unchecked) private var lingers = false
  /// What the answer takes of the budget.
  @exclusivity(unchecked) private var answerCharge = 0
  /// What libmicrohttpd sends from, until the request is completed.
  @exclusivity(unchecked) private var answerBody: [UInt8] = []

  init(_ descriptor: Int32, from remoteAddress: SocketAddress, core: DaemonCore) {
    self.descriptor = descriptor
    self.remoteAddress = remoteAddress
    self.core = core
    responder = .passUnretained(core.responder)
    requestAllowance = core.requestAllowance
    idleAllowance = core.idleAllowance
    deadline = Deadline(core.now() + core.idleAllowance)
  }

  // MARK: Called by libmicrohttpd

  /// The request line has been read.
  ///
  /// - Parameter target: As it was sent, in libmicrohttpd's own memory.
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
    // The library would now take the query apart, into its own memory; end it before it begins.
    question?.storeBytes(of: 0, toByteOffset: 1, as: UInt8.self)
  }

  /// The header section is complete, content has come, or the request is complete.
  ///
  /// - Returns: `NO` to drop the connection.
  func handle(
    _ handle: OpaquePointer, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
    content: UnsafePointer<CChar>?, count: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    // Content of no bytes is not the request's end, which comes without any: it is what the library
    // finds before the next request where 100 Continue was asked for and there is nothing to send.
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
      guard let response = job.response() else { return .YES }
      return send(response, on: handle)
    case .idle, .answered:
      return .NO
    }
  }

  /// The answer is out, or the connection broke.
  func complete(_ reason: MHD_RequestTerminationCode) {
    let now = core.now()
    ThreadSchedule.ofThisThread { $0.noteRequest(at: now, workersAreBusy: core.pool.isBusy) }
    let wasInTime = deadline.moveOn(to: now + idleAllowance, isSilent: true)
    if exchange.status == nil && !wasInTime && !exchange.isTooLate,
      let answer = timeoutAnswer.withLock({ $0 })
    {
      exchange.status = .requestTimeout
      exchange.requestID = answer.requestID
      exchange.bytesSent = answer.bytes
    }
    if answerCharge > 0 {
      core.budget.giveBack(answerCharge)
      answerCharge = 0
    }
    // Before the storage is looked at, since deferred work may hold the request.
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
    responder._withUnsafeGuaranteedRef {
      $0.requestCompleted(
        RequestRecord(
          Request(storage), requestID: exchange.requestID, operation: exchange.operation,
          status: exchange.status, isComplete: isComplete, bytesReceived: exchange.bytesReceived,
          bytesSent: exchange.bytesSent, nanoseconds: Int(now - exchange.startedAt)))
    }
  }

  /// Forgets the method and the fields of the request before, where this one has none yet.
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
    // Counted once rather than at each use.
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
    return admit(Request(storage), reader, isHTTP10: isHTTP10, handle)
  }

  /// Decides whether the content of a request is wanted.
  private func admit(
    _ request: borrowing Request, _ reader: borrowing HeaderSectionReader, isHTTP10: Bool,
    _ handle: OpaquePointer
  ) -> MHD_Result {
    exchange.headerBytes = exchange.bytesReceived + reader.recordBytes
    if exchange.headerBytes > core.configuration.maxHeaderBytes {
      return refuseHeader(request, handle)
    }
    if let defect = reader.defect ?? storage.target.defect(for: storage.method) {
      lingers = true
      let response = answer(to: .malformedRequest(reason: defect), request)
      return send(response, on: handle, closing: true)
    }
    let expectsContinue = reader.expectsContinue && !isHTTP10
    let contentLength = reader.contentLength
    func refuse(_ response: Response, patience: Int = Connection.patience) -> MHD_Result {
      refuseRequest(
        with: response, contentLength: contentLength, expectsContinue: expectsContinue,
        patience: patience, handle)
    }
    if storage.target.bytes.count > core.configuration.maxTargetBytes {
      let limit = core.configuration.maxTargetBytes
      return refuse(answer(to: .targetTooLong(limit: limit), request))
    }
    if let response = responder._withUnsafeGuaranteedRef({ $0.rejection(of: request) }) {
      return refuse(response)
    }

    switch contentLength {
    case .none:
      if storage.method.expectsContent && !reader.hasDeclaredLength {
        return refuse(answer(to: .lengthRequired, request))
      }
    case .known(let length):
      if length > core.bodyLimit {
        return refuse(
          answer(to: .contentTooLarge(limit: core.bodyLimit), request),
          patience: core.bodyLimit + Self.patience)
      }
      expectContent(upTo: length)
    case .chunked:
      expectContent(upTo: core.bodyLimit)
    }
    phase = .receiving
    return .YES
  }

  /// Makes room for the content of a method that has a use for it; that of others is dropped.
  private func expectContent(upTo limit: Int) {
    if storage.method.expectsContent {
      exchange.body = RequestBody(limit: limit, budget: core.budget)
    }
  }

  /// Refuses a request whose header section, trailers included, takes too much of the connection's
  /// memory.
  private func refuseHeader(_ request: borrowing Request, _ handle: OpaquePointer) -> MHD_Result {
    let limit = core.configuration.maxHeaderBytes
    let response = answer(to: .headerFieldsTooLarge(limit: limit), request)
    // Through the library it takes memory of the connection, of which there may be too little left.
    guard core.isEncrypted else { return sendPastLibrary(response) }
    lingers = true
    return send(response, on: handle, closing: true)
  }

  /// Answers at the request's end where that is near, so that the connection remains usable; else
  /// at once, upon which libmicrohttpd closes it.
  private func refuseRequest(
    with response: Response, contentLength: HeaderSectionReader.ContentLength,
    expectsContinue: Bool, patience: Int, _ handle: OpaquePointer
  ) -> MHD_Result {
    switch contentLength {
    case .none:
      phase = .refusing(response)
      return .YES
    case .known(let length) where length <= patience && !expectsContinue:
      swallow(then: response, upTo: length)
      return .YES
    case .known, .chunked:
      lingers = true
      return send(response, on: handle, closing: true)
    }
  }

  private func swallow(then response: Response, upTo limit: Int) {
    phase = .refusing(response)
    exchange.body = nil
    exchange.swallowLimit = limit
  }

  private func take(_ content: UnsafeRawBufferPointer) -> MHD_Result {
    exchange.bytesReceived += content.count
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
        if body.count / Self.turnBytes > before / Self.turnBytes { PlatformThread.giveWay() }
        return .YES
      }
      let isTooLarge = body.count + content.count > core.bodyLimit
      // Nothing can be queued here: the answer has to wait for the end of the content.
      swallow(
        then: answer(
          to: isTooLarge ? .contentTooLarge(limit: core.bodyLimit) : .buffersFull,
          Request(storage)),
        upTo: Self.patience)
      return .YES
    case .refusing(let response):
      exchange.swallowed += content.count
      guard exchange.swallowed > exchange.swallowLimit else { return .YES }
      // No end in sight, and nothing can be queued before it.
      return sendPastLibrary(response)
    default:
      return .YES
    }
  }

  // MARK: Answering

  private func respond(_ handle: OpaquePointer) -> MHD_Result {
    if let headerEnd = exchange.headerEnd {
      let trailerBytes = HeaderSectionReader.trailerBytes(of: handle, from: headerEnd)
      if exchange.headerBytes + trailerBytes > core.configuration.maxHeaderBytes {
        return refuseHeader(Request(storage), handle)
      }
    }
    guard deadline.moveOn(to: nil) else { return .NO }
    if let body = exchange.body.take() {
      body.finish()
      // Whoever kept the request of `rejection(of:)` must not see it change.
      if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
      storage.body = body
    }
    let request = Request(storage)
    switch responder._withUnsafeGuaranteedRef({ $0.respond(to: request) }) {
    case .respond(let response):
      return send(response, on: handle)
    case .deferred(let deferred):
      guard charge(forAnswer: deferred.heldBytes, isOwed: false) else {
        return send(answer(to: .buffersFull, request), on: handle)
      }
      guard core.pool.reserve() else {
        return send(deferred.otherwise ?? answer(to: core.workerShortage, request), on: handle)
      }
      MHD_suspend_connection(handle)
      let job = DeferredJob(SuspendedConnection(handle: handle, descriptor: descriptor), deferred)
      phase = .waiting(job)
      if !core.pool.submit(job) {
        job.giveUp { answer(to: core.workerShortage, request) }
      }
      return .YES
    }
  }

  /// Takes of the budget what an answer needs, in the place of what was taken for it before.
  private func charge(forAnswer count: Int, isOwed: Bool) -> Bool {
    if answerCharge > 0 { core.budget.giveBack(answerCharge) }
    answerCharge = 0
    guard count > DaemonConfiguration.uncountedBytes else { return true }
    guard core.budget.take(forAnswer: count, isOwed: isOwed) else { return false }
    answerCharge = count
    return true
  }

  private func answer(to problem: TransportProblem, _ request: borrowing Request) -> Response {
    let request = copy request
    return responder._withUnsafeGuaranteedRef { $0.response(to: problem, request: request) }
  }

  private func send(
    _ response: consuming Response, on handle: OpaquePointer, closing: Bool = false
  ) -> MHD_Result {
    let count = response.body.count
    let isOwed = storage.method.expectsContent && response.status.isSuccessful
    guard charge(forAnswer: count, isOwed: isOwed) else {
      return send(answer(to: .buffersFull, Request(storage)), on: handle, closing: closing)
    }
    let time = core.now() + requestAllowance + Nanoseconds(count >> 16) * 1_000_000_000
    guard deadline.moveOn(to: time, isSilent: true) else { return .NO }
    let answerStatus = response.status
    exchange.operation = response.operation
    guard
      let (answer, refusedFields) = response.libraryResponse(
        sendingFrom: &answerBody, isHead: exchange.isHead)
    else { return .NO }
    for name in refusedFields { core.log.warn("a header field can't be sent: \(name)") }
    exchange.requestID = response.requestID.take()
    if closing || core.isDraining.load(ordering: .relaxed) {
      MHD_add_response_header(answer, "Connection", "close")
    }
    let result = MHD_queue_response(handle, UInt32(answerStatus.rawValue), answer)
    // Ours; libmicrohttpd holds one of its own while it sends.
    MHD_destroy_response(answer)
    guard result == .YES else { return .NO }
    phase = .answered
    exchange.status = answerStatus
    exchange.bytesSent = answerStatus.forbidsContent || exchange.isHead ? 0 : count
    return .YES
  }

  /// Answers where libmicrohttpd can't, which has sent nothing for this request, and has it drop
  /// the connection. Over TLS there is no answer.
  private func sendPastLibrary(_ response: Response) -> MHD_Result {
    guard deadline.moveOn(to: nil) else { return .NO }
    if !core.isEncrypted {
      sendOnce(response.closingMessage(isHead: exchange.isHead), to: descriptor)
      exchange.bytesSent = exchange.isHead ? 0 : response.body.count
      exchange.status = response.status
    }
    exchange.requestID = response.requestID
    exchange.operation = response.operation
    lingers = true
    return .NO
  }
}
