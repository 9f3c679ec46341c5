/// A responder in a class, for calls that count no references. A call to an `any Responder` copies
/// it first, and the threads would contend for its count.
///
/// This class is abstract. All instances are `Box`es, made by `make`, which override every method.
///
/// `@unchecked Sendable`: it has no state. Each `Box` has its own reason.
class ResponderBox: @unchecked Sendable {
  static func make(_ responder: some Responder) -> ResponderBox { Box(responder) }

  func rejection(of request: borrowing Request) -> Response? { fatalError() }
  func respond(to request: borrowing Request) -> Outcome { fatalError() }
  func response(to problem: TransportProblem, request: Request?) -> Response { fatalError() }
  func requestCompleted(_ record: borrowing RequestRecord) { fatalError() }

  /// `@unchecked Sendable`: its only property is a constant that is `Sendable`.
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
