/// A responder behind a class, for calls that count no references: the threads would contend for
/// the count. A call to an `any Responder` copies it first.
///
/// Abstract: there are only `Box`es, from `make`, which override every method.
///
/// `@unchecked Sendable`: it has no state of its own; each `Box` says it for its own.
class ResponderBox: @unchecked Sendable {
  static func make(_ responder: some Responder) -> ResponderBox { Box(responder) }

  func rejection(of request: borrowing Request) -> Response? { fatalError() }
  func respond(to request: borrowing Request) -> Outcome { fatalError() }
  func response(to problem: TransportProblem, request: Request?) -> Response { fatalError() }
  func requestCompleted(_ record: borrowing RequestRecord) { fatalError() }

  /// `@unchecked Sendable`: it has nothing but a constant that is `Sendable`.
  private final class Box<R: Responder>: ResponderBox, @unchecked Sendable {
    private let responder: R

    init(_ responder: R) {
      self.responder = responder
    }

    override func rejection(of request: borrowing Request) -> Response? {
      responder.rejection(of: request)
    }
    override func respond(to request: borrowing Request) -> Outcome {
      responder.respond(to: request)
    }
    override func response(to problem: TransportProblem, request: Request?) -> Response {
      responder.response(to: problem, request: request)
    }
    override func requestCompleted(_ record: borrowing RequestRecord) {
      responder.requestCompleted(record)
    }
  }
}
