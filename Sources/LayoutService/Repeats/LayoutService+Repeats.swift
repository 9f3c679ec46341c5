import LayoutSessions
import MicroHTTP

/// Requests that are sent again.
extension LayoutService {
  /// The key of a request; `nil` if it has none, or keys are off.
  func idempotencyKey(of request: borrowing Request) throws(ServiceError) -> IdempotencyKey? {
    guard answers != nil, let value = request[IdempotencyKey.field] else { return nil }
    guard let key = IdempotencyKey(value) else { throw .problem(.invalidIdempotencyKey) }
    return key
  }

  /// Makes a request once: who sends it again gets the same answer.
  ///
  /// Only success is kept. A request that is refused has changed nothing, and is made again.
  ///
  /// - Parameters:
  ///   - object: What other requests on the same layout wait for; `nil` if it makes a layout.
  ///   - make: Makes the request.
  func once(
    _ key: IdempotencyKey, _ request: borrowing Request, on object: (any AnyObject & Sendable)?,
    _ make: @escaping @Sendable (Request) throws(ServiceError) -> Outcome
  ) -> Outcome {
    guard let answers else { preconditionFailure("keys are off") }
    let request = copy request
    var shortWork: (@Sendable () throws(ServiceError) -> Response?)?
    if object == nil, isAtOnce(RequestContent(request).isSmall(Self.shortBodyBytes)) {
      shortWork = { () throws(ServiceError) in
        try self.once(key, request, answers, isShort: true, make)
      }
    }
    return deferring(on: object, shortly: shortWork) { () throws(ServiceError) in
      let response = try self.once(key, request, answers, isShort: false, make)
      guard let response else { preconditionFailure("long work has an answer") }
      return response
    }
  }

  /// - Returns: `nil` if it is not short.
  private func once(
    _ key: IdempotencyKey, _ sent: Request, _ answers: any AnsweredRequests, isShort: Bool,
    _ make: (Request) throws(ServiceError) -> Outcome
  ) throws(ServiceError) -> Response? {
    let request = key.request(
      sent, try RequestContent(sent).unpacked(limit: limits.maxBodyBytes))
    let beginning: KeyedRequest.Beginning
    do throws(LogError) {
      beginning = try answers.begin(request)
    } catch {
      throw .storeUnavailable(error.trouble)
    }
    switch beginning {
    case .begun: break
    case .isUnderWay: throw .requestUnderWay
    case .isAnother: throw .problem(.idempotencyKeyReused)
    case .answered(nil): throw .answerNotKept
    case .answered(let answer?): return Response(answer)
    }
    let response: Response?
    do throws(ServiceError) {
      response =
        switch try make(sent) {
        case .respond(let response): response
        case .deferred(let deferred): isShort ? deferred.shortWork?() : deferred.work()
        case .stream: preconditionFailure("a stream changes nothing")
        }
    } catch {
      answers.abandon(request)
      throw error
    }
    guard let response, response.status.isSuccessful else {
      // Where a log that others have does not answer, the change may be made all the same.
      let mayBeMade = sessions.mayBlock && response?.status == .serviceUnavailable
      if !mayBeMade { answers.abandon(request) }
      return response
    }
    do throws(LogError) {
      try answers.end(request, with: KeptAnswer(response))
    } catch {
      // It is made. Who sends it again soon is told that nobody knows of its end.
    }
    return response
  }
}

extension KeptAnswer {
  /// `nil` if the answer is too long to be kept.
  fileprivate init?(_ response: Response) {
    guard response.body.count <= Self.maxBytes else { return nil }
    self.init(
      status: response.status.rawValue, entityTag: response.entityTag?.text ?? "",
      location: response.headers.first { $0.name == "Location" }?.value ?? "", body: response.body)
  }
}

extension Response {
  fileprivate init(_ answer: KeptAnswer) {
    let status = Status(rawValue: answer.status)
    self.init(
      status: status, commonHeaders: LayoutHeaders.current[status],
      entityTag: EntityTag(String(answer.entityTag.dropFirst().dropLast())),
      body: answer.body)
    if !answer.location.isEmpty { headers.append(("Location", answer.location)) }
  }
}
