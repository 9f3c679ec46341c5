import CMicroHTTPD
import System

extension Connection {
  /// The request is complete.
  func respond(_ handle: OpaquePointer) -> MHD_Result {
    if let headerEnd = exchange.headerEnd {
      let trailerBytes = HeaderSectionReader.trailerBytes(of: handle, from: headerEnd)
      if exchange.headerBytes + trailerBytes > core.configuration.maxHeaderBytes {
        return refuseHeader(Request(storage), handle)
      }
    }
    guard deadline.moveOn(to: nil) else { return .NO }
    if let body = exchange.body.take() {
      body.finish()
      // If somebody kept the request of `rejection(of:)`, it must not change.
      if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
      storage.body = body
    }
    let request = Request(storage)
    switch core.responder.respond(to: request) {
    case .respond(let response):
      return send(response, on: handle)
    case .deferred(let deferred):
      guard charge(forAnswer: deferred.heldBytes, isOwed: false) else {
        return send(answer(to: .buffersFull, request), on: handle)
      }
      guard core.pool.reserve(isShort: deferred.shortWork != nil) else {
        return send(deferred.otherwise ?? answer(to: core.workerShortage, request), on: handle)
      }
      MHD_suspend_connection(handle)
      let job = DeferredJob(
        SuspendedConnection(handle: handle, descriptor: descriptor), deferred, for: request)
      phase = .waiting(job)
      if !core.pool.submit(job) {
        job.giveUp { answer(to: core.workerShortage, $0) }
      }
      return .YES
    case .stream(let head, let source):
      return stream(head, source, handle)
    }
  }

  /// Takes the memory of an answer from the budget, and returns what was taken before.
  private func charge(forAnswer count: Int, isOwed: Bool) -> Bool {
    if answerCharge > 0 { core.budget.giveBack(answerCharge) }
    answerCharge = 0
    guard count > DaemonConfiguration.uncountedBytes else { return true }
    guard core.budget.take(forAnswer: count, isOwed: isOwed) else { return false }
    answerCharge = count
    return true
  }

  func answer(to problem: TransportProblem, _ request: borrowing Request) -> Response {
    core.responder.response(to: problem, request: copy request)
  }

  func send(
    _ response: consuming Response, on handle: OpaquePointer, closing: Bool = false,
    isStreamHead: Bool = false
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
        sendingFrom: &answerBody, isHead: exchange.isHead, isStreamHead: isStreamHead)
    else { return .NO }
    for name in refusedFields { core.log.warn("a header field can't be sent: \(name)") }
    exchange.requestID = response.requestID.take()
    if closing || core.isDraining.load(ordering: .relaxed) {
      MHD_add_response_header(answer, "Connection", "close")
    }
    let result = MHD_queue_response(handle, UInt32(answerStatus.rawValue), answer)
    // This releases our reference. libmicrohttpd holds its own while it sends.
    MHD_destroy_response(answer)
    guard result == .YES else { return .NO }
    phase = .answered
    exchange.status = answerStatus
    exchange.bytesSent = answerStatus.forbidsContent || exchange.isHead ? 0 : count
    return .YES
  }

  /// Sends an answer past libmicrohttpd, which has sent nothing for this request, and drops the
  /// connection. Over TLS there is no answer.
  func sendPastLibrary(_ response: Response) -> MHD_Result {
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

  /// Refuses a request whose header section, with trailers, needs too much of the connection's
  /// memory.
  func refuseHeader(_ request: borrowing Request, _ handle: OpaquePointer) -> MHD_Result {
    let limit = core.configuration.maxHeaderBytes
    let response = answer(to: .headerFieldsTooLarge(limit: limit), request)
    // An answer through the library would need memory of the connection, and there may be too
    // little.
    guard core.isEncrypted else { return sendPastLibrary(response) }
    lingers = true
    return send(response, on: handle, closing: true)
  }
}
