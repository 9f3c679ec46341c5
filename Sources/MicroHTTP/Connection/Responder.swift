/// Answers the requests of a `Daemon`.
///
/// It is called on libmicrohttpd's threads, where a slow call blocks all connections of the thread.
/// So answer at once, or defer the work. `response(to:request:)` is also called on other threads of
/// the daemon, some of which hold a lock. So it must not call the `Daemon`.
public protocol Responder: AnyObject, Sendable {
  /// Is called once, when the header section is complete and before any content is read. A response
  /// refuses the request, and `respond(to:)` is not called.
  func rejection(of request: borrowing Request) -> Response?

  /// Is called when the request is complete.
  func respond(to request: borrowing Request) -> Outcome

  /// The answer to a request that this module refuses.
  ///
  /// - Parameter request: The known part of the request; `nil` if there is none.
  func response(to problem: TransportProblem, request: Request?) -> Response

  /// Is called when an answer has been sent or given up, for metrics and the access log.
  func requestCompleted(_ record: borrowing RequestRecord)
}

/// How a request is answered.
public enum Outcome: Sendable {
  case respond(Response)
  /// One of the daemon's workers does the work. Meanwhile the connection waits and does not block
  /// others. It is indirect, because most outcomes are responses, and would be as large.
  indirect case deferred(DeferredWork)
  /// The answer is a stream of events, which lasts until the source or the client ends it. The
  /// response has its status and fields, and no content. To HEAD, it is the whole answer.
  case stream(Response, any EventSource)
}

/// Work that a worker does for an answer.
public struct DeferredWork: Sendable {
  /// Makes the answer.
  public var work: @Sendable () -> Response
  /// Makes the answer if the work turns out to be short; `nil` if not. It must be quick in both
  /// cases. Short work has a thread and a queue of its own, so that it never waits for long work.
  public var shortWork: (@Sendable () -> Response?)?
  /// The answer if all workers are busy and the queue is full, or if the daemon stops and cannot
  /// wait longer. If it is `nil`, the answer is that to `TransportProblem.overloaded` or
  /// `stopping`.
  public var otherwise: Response?
  /// Work on the same object is done one after another, in order of arrival.
  public var object: (any AnyObject & Sendable)?
  /// The bytes of the answer that are already in memory. They count in the budget while the work
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

/// One request and its outcome.
public struct RequestRecord: Sendable {
  /// The known part of the request. Method and fields are missing if the connection ended before
  /// the header section was complete.
  public var request: Request
  /// That of the answer.
  public var requestID: RequestID?
  /// That of the answer.
  public var operation: Int?
  /// The status of the answer; `nil` if the connection ended before there was one.
  public var status: Status?
  /// Whether the answer was handed to the network in full.
  public var isComplete: Bool
  /// The bytes of the header section and of the content that were received.
  public var bytesReceived: Int
  /// The bytes of content in the answer, without its header section.
  public var bytesSent: Int
  /// The time from the end of the request's first line to the end of the answer. A stream ends when
  /// its client leaves.
  public var nanoseconds: Int
}
