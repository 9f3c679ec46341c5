import Glibc
import System
import TestSupport

@testable import MicroHTTP

/// Answers by path; what each does stands in the switch.
final class TestResponder: Responder {
  /// How many `/gate` jobs have begun, and whether they may end.
  let gate = Gate()
  /// The same for `/second-gate`.
  let secondGate = Gate()
  /// How many `/witness` jobs hold something.
  let witnesses = Witness.Count()
  /// Whether `/left` saw that its client has left: for the client, and for everybody.
  let looks = Monitor<[Bool]>([])
  /// What `/events` sends.
  let feed = TestFeed()
  private let completed = Monitor<[RequestRecord]>([])
  private let asked = Monitor<[String]>([])

  /// What became of the requests so far.
  var records: [RequestRecord] { completed.withLock { $0 } }

  /// What became of the requests, as soon as there are so many, or of fewer after ten seconds.
  func records(atLeast count: Int) -> [RequestRecord] {
    completed.wait(until: inAMinute()) { $0.count >= count ? $0 : nil } ?? records
  }

  /// The paths for which `respond(to:)` was called.
  var askedPaths: [String] { asked.withLock { $0 } }

  func rejection(of request: borrowing Request) -> Response? {
    switch String(decoding: request.target.path, as: UTF8.self) {
    case "/nowhere": Response(status: 404, body: Array("nowhere".utf8))
    case "/read-only" where request.method != .get: Response(status: 405)
    default: nil
    }
  }

  func respond(to request: borrowing Request) -> Outcome {
    let path = String(decoding: request.target.path, as: UTF8.self)
    asked.withLock { $0.append(path) }
    switch path {
    case "/echo":
      let bytes = request.body?.withBytes { Array($0) } ?? []
      return .respond(Response(status: .ok, body: bytes))
    case "/padding":
      let isZero =
        request.body?.withBytes { bytes in
          (0..<RequestBody.padding).allSatisfy { bytes.baseAddress![bytes.count + $0] as Int == 0 }
        } ?? false
      return .respond(Response(status: .ok, body: Array("\(isZero)".utf8)))
    case "/target":
      let query = request.target.query.map { String(decoding: $0, as: UTF8.self) } ?? "-"
      return .respond(Response(status: .ok, body: Array("\(path) \(query)".utf8)))
    case "/field":
      let value = request.headers["X-Thing"] ?? "-"
      return .respond(Response(status: .ok, body: Array(value.utf8)))
    case "/policy":
      return .respond(Response(status: .ok, body: Array("\(sched_getscheduler(0))".utf8)))
    case "/worker-policy":
      return .deferred {
        Response(status: .ok, body: Array("\(sched_getscheduler(0))".utf8))
      }
    case "/worker-priority":
      return .deferred {
        let nice = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        return Response(status: .ok, body: Array("\(nice)".utf8))
      }
    case "/unchanged":
      return .respond(
        Response(status: .notModified, entityTag: EntityTag("1"), declaredContentLength: 1234))
    case "/unchanged-unknown":
      return .respond(Response(status: .notModified, entityTag: EntityTag("1")))
    case "/broken-field":
      return .respond(Response(status: .ok, headers: [("X-Broken", "a\nb")]))
    case "/gone":
      return .respond(Response(status: .noContent))
    case "/declared":
      return .respond(Response(status: .ok, declaredContentLength: 4321))
    case "/deferred":
      let copy = copy request
      return .deferred {
        let steps = copy.target.query.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        var work = SeededGenerator(seed: steps)
        let result = (0..<steps).reduce(UInt64(0)) { sum, _ in sum &+ work.next() }
        return Response(
          status: .ok, headers: [("X-Work", "\(result)")],
          body: copy.target.query.map { Array($0) } ?? [])
      }
    case "/large":
      let count = request.target.query.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
      return .respond(Response(status: .ok, body: Array(repeating: 0x78, count: count)))
    case "/large-refusal":
      return .respond(Response(status: 409, body: Array(repeating: 0x78, count: 100_000)))
    case "/either":
      return .deferred(
        { Response(status: .ok, body: Array("by a worker".utf8)) },
        otherwise: Response(status: .ok, body: Array("at once".utf8)))
    case "/left":
      return .deferred { [looks] in
        let isSeen = eventually { CurrentWork.isAbandoned }
        let isSeenForAll = CurrentWork.forEverybody { CurrentWork.isAbandoned }
        looks.update { $0 += [isSeen, isSeenForAll, CurrentWork.isAbandoned] }
        return Response(status: .ok)
      }
    case "/witness":
      let witness = Witness(countedBy: witnesses)
      return .deferred { withExtendedLifetime(witness) { Response(status: .ok) } }
    case "/short", "/not-short":
      let isShort = path == "/short"
      return .deferred(
        DeferredWork(shortWork: {
          isShort ? Response(status: .ok, body: Array("shortly".utf8)) : nil
        }) { Response(status: .ok, body: Array("by a worker".utf8)) })
    case "/short-gate":
      return .deferred(
        DeferredWork(shortWork: { [secondGate] in
          secondGate.pass()
          return Response(status: .ok, body: Array("shortly".utf8))
        }) { Response(status: .ok, body: Array("by a worker".utf8)) })
    case "/second-gate":
      return .deferred { [secondGate] in
        secondGate.pass()
        return Response(status: .ok, body: Array("through".utf8))
      }
    case "/events":
      return .stream(
        Response(status: .ok, headers: [("Content-Type", "text/event-stream")]),
        TestEventSource(feed))
    case "/gate", "/gate-on-one":
      return .deferred(
        { [gate] in
          gate.pass()
          return Response(status: .ok, body: Array("through".utf8))
        }, on: path == "/gate" ? nil : gate)
    default:
      return .respond(
        Response(
          status: .ok, commonHeaders: Self.text, headers: [("X-Method", request.method.rawValue)],
          entityTag: EntityTag("tag"), body: Array("hello".utf8)))
    }
  }

  func response(to problem: TransportProblem, request: Request?) -> Response {
    var response = Response(status: problem.status, body: Array("\(problem)".utf8))
    if let request { response.headers.append(("X-Target", "\(request.target)")) }
    if case .overloaded(let seconds) = problem {
      response.headers.append(("Retry-After", "\(seconds)"))
    }
    return response
  }

  func requestCompleted(_ record: borrowing RequestRecord) {
    let record = copy record
    completed.update { $0.append(record) }
  }

  private static let text: HeaderSet = ["Content-Type": "text/plain"]
}

extension UnsafeMutableRawPointer {
  subscript(offset: Int) -> Int { Int(load(fromByteOffset: offset, as: UInt8.self)) }
}

/// Something that is counted for as long as it lives.
final class Witness: Sendable {
  final class Count: Sendable {
    fileprivate let count = Monitor(0)
    var value: Int { count.withLock { $0 } }
  }

  private let counter: Count

  init(countedBy counter: Count) {
    self.counter = counter
    counter.count.withLock { $0 += 1 }
  }

  deinit {
    counter.count.withLock { $0 -= 1 }
  }
}

/// Holds threads until it is opened.
final class Gate: Sendable {
  private let state = Monitor((arrived: 0, isOpen: false))

  func open() {
    state.update { $0.isOpen = true }
  }

  func pass() {
    state.update { $0.arrived += 1 }
    _ = state.wait { $0.isOpen ? true : nil }
  }

  var arrivals: Int { state.withLock { $0.arrived } }

  /// Whether so many have come within ten seconds.
  func wait(for count: Int) -> Bool {
    state.wait(until: inAMinute()) { $0.arrived >= count ? true : nil } ?? false
  }
}

func inAMinute() -> Nanoseconds { SystemTime.monotonic() + 60_000_000_000 }

extension DaemonConfiguration {
  /// What the tests start from, and a change to it.
  static func changed(_ change: (inout DaemonConfiguration) -> Void) -> DaemonConfiguration {
    var configuration = DaemonConfiguration(
      port: 0, threads: 2, workers: 2, queueLength: 300, maxBodyBytes: 1 << 20)
    change(&configuration)
    return configuration
  }
}

/// Starts a daemon on a free port, and ends it after `body`.
func withDaemon(
  _ configuration: DaemonConfiguration = .changed { _ in }, clock: ManualClock? = nil,
  _ body: (Daemon, TestResponder) throws -> Void
) throws {
  let responder = TestResponder()
  let daemon = try Daemon(
    configuration: configuration, responder: responder, clock: clock?.now)
  defer {
    responder.gate.open()
    responder.secondGate.open()
    daemon.shutDown(grace: .seconds(5))
  }
  try body(daemon, responder)
}

extension Responder {
  func rejection(of request: borrowing Request) -> Response? { nil }
  func requestCompleted(_ record: borrowing RequestRecord) {}

  func response(to problem: TransportProblem, request: Request?) -> Response {
    var response = Response(status: problem.status)
    if case .overloaded(let seconds) = problem {
      response.headers.append(("Retry-After", "\(seconds)"))
    }
    return response
  }
}

extension TransportProblem {
  /// The status of the answer.
  var status: Status {
    switch self {
    case .malformedRequest: 400
    case .requestTimeout: .requestTimeout
    case .lengthRequired: 411
    case .contentTooLarge: 413
    case .targetTooLong: 414
    case .headerFieldsTooLarge: 431
    case .overloaded, .buffersFull, .stopping, .tooManyConnections, .tooManyStreams:
      .serviceUnavailable
    }
  }
}

extension Outcome {
  /// Defers the answer to a worker.
  static func deferred(
    _ work: @escaping @Sendable () -> Response, otherwise: Response? = nil,
    on object: (any AnyObject & Sendable)? = nil
  ) -> Outcome {
    .deferred(DeferredWork(otherwise: otherwise, object: object, work))
  }
}
