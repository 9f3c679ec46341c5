/// What answers the requests of a `Daemon`.
///
/// It is called on libmicrohttpd's threads, where one slow call holds up every connection of its
/// thread: answer at once, or defer. `response(to:request:)` is called on other threads of the
/// daemon as well, some of which hold a lock of it: it must not ask the `Daemon` anything.
public protocol Responder: Sendable {
  /// Asked once when the header section is complete and before any content is read; a response here
  /// refuses the request, and `respond(to:)` is not called.
  func rejection(of request: borrowing Request) -> Response?

  /// Called when the request is complete.
  func respond(to request: borrowing Request) -> Outcome

  /// The answer to a request that this module refuses.
  ///
  /// - Parameter request: The request as far as it is known; `nil` where there is none to speak of.
  func response(to problem: TransportProblem, request: Request?) -> Response

  /// Called when an answer has been sent or given up; for metrics and the access log.
  func requestCompleted(_ record: borrowing RequestRecord)
}

extension Responder {
  public func rejection(of request: borrowing Request) -> Response? { nil }
  public func requestCompleted(_ record: borrowing RequestRecord) {}

  public func response(to problem: TransportProblem, request: Request?) -> Response {
    var response = Response(status: problem.status)
    if case .overloaded(let seconds) = problem {
      response.headers.append(("Retry-After", "\(seconds)"))
    }
    return response
  }
}

/// How a request is answered.
public enum Outcome: Sendable {
  case respond(Response)
  /// The work is done on one of the daemon's workers; until then the connection waits without
  /// holding up others.
  case deferred(DeferredWork)

  /// Leaves the answer to a worker.
  public static func deferred(
    _ work: @escaping @Sendable () -> Response, otherwise: Response? = nil,
    on object: (any AnyObject & Sendable)? = nil
  ) -> Outcome {
    .deferred(DeferredWork(otherwise: otherwise, object: object, work))
  }
}

/// What a worker is to do for an answer.
public struct DeferredWork: Sendable {
  /// Makes the answer.
  public var work: @Sendable () -> Response
  /// Makes the answer if that is short work; `nil` if it turns out not to be, which must not take
  /// long either. Short work need not wait behind long work: a worker does nothing else.
  public var shortWork: (@Sendable () -> Response?)?
  /// The answer when all workers are busy and the queue is full, or when the daemon stops and has
  /// waited as long as it may; without one it is that to `TransportProblem.overloaded` or
  /// `stopping`.
  public var otherwise: Response?
  /// Work on one and the same object is done one piece after another, in the order in which it
  /// came.
  public var object: (any AnyObject & Sendable)?
  /// What of the answer is there already, in bytes: it takes memory of the contents' while it
  /// waits.
  public var heldBytes: Int

  public init(
    otherwise: Response? = nil, object: (any AnyObject & Sendable)? = nil, heldBytes: Int = 0,
    shortWork: (@Sendable () -> Response?)? = nil, _ work: @escaping @Sendable () -> Response
  ) {
    self.work = work
    self.shortWork = shortWork
    self.otherwise = otherwise
    self.object = object
    self.heldBytes = heldBytes
  }
}

/// One request and what became of it.
public struct RequestRecord: Sendable {
  /// As far as it is known: without method and fields where the connection ended before its header
  /// section was complete.
  public var request: Request
  /// That of the answer.
  public var requestID: RequestID?
  /// That of the answer.
  public var operation: Int?
  /// The status of the answer; `nil` when the connection ended before there was one.
  public var status: Status?
  /// Whether the answer was handed to the network in full.
  public var isComplete: Bool
  /// The bytes of the header section and of the content that were received.
  public var bytesReceived: Int
  /// The bytes of content in the answer, without its header section.
  public var bytesSent: Int
  /// From the end of the request's first line to the end of the answer.
  public var nanoseconds: Int

  public init(
    _ request: Request, requestID: RequestID? = nil, operation: Int? = nil, status: Status?,
    isComplete: Bool, bytesReceived: Int, bytesSent: Int, nanoseconds: Int
  ) {
    self.request = request
    self.requestID = requestID
    self.operation = operation
    self.status = status
    self.isComplete = isComplete
    self.bytesReceived = bytesReceived
    self.bytesSent = bytesSent
    self.nanoseconds = nanoseconds
  }
}
