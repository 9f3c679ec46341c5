import CMicroHTTPD
import Glibc
import Synchronization

/// Work for which a suspended connection waits.
///
///     waiting ──takeWork()──▶ running ──finish──▶ finished ──response()──▶ answered
///        └─────────────giveUp────────────────────────▲
///
/// Each step releases what only earlier steps needed. So an answered job holds nothing, even if it
/// still has references.
///
/// Two threads may want to finish a job: the worker that did the work, and a daemon that stops and
/// cannot wait. The first one resumes the connection, under the lock. The second one does nothing.
/// Once the daemon has held each job's lock, no thread is inside libmicrohttpd any more.
final class DeferredJob: DeferrableJob, Sendable {
  typealias Work = @Sendable () -> Response

  private enum State {
    case waiting(SuspendedConnection, DeferredWork, Request)
    case running(SuspendedConnection, otherwise: Response?, Request)
    case finished(Response)
    case answered
  }

  /// The object of the work, if other work on it must wait.
  let object: (any AnyObject & Sendable)?
  /// Whether it may be short work.
  let isShort: Bool
  private let state: Mutex<State>

  init(_ connection: SuspendedConnection, _ deferred: DeferredWork, for request: Request) {
    object = deferred.object
    isShort = deferred.shortWork != nil
    state = Mutex(.waiting(connection, deferred, request))
  }

  /// Begins the work; `nil` if the job was given up meanwhile.
  func takeWork() -> Work? {
    state.withLock {
      guard case .waiting(let connection, let deferred, let request) = $0 else { return nil }
      $0 = .running(connection, otherwise: deferred.otherwise, request)
      return deferred.work
    }
  }

  /// Does the work if it is short.
  ///
  /// - Returns: `nil` if it is not short, or the job was given up meanwhile.
  func shortResponse() -> Response? {
    let work = state.withLock { state -> (@Sendable () -> Response?)? in
      guard case .waiting(_, let deferred, _) = state else { return nil }
      return deferred.shortWork
    }
    return work?()
  }

  /// Whether the client has ended its output, or the connection is broken, or the work was given up
  /// because the daemon stops.
  var isAbandoned: Bool {
    state.withLock {
      let connection: SuspendedConnection
      switch $0 {
      case .waiting(let suspended, _, _), .running(let suspended, _, _): connection = suspended
      case .finished, .answered: return true
      }
      // This is `POLLRDHUP`, which Glibc only declares with `_GNU_SOURCE`.
      let events: Int16 = 0x2000
      var socket = pollfd(fd: connection.descriptor, events: events, revents: 0)
      return poll(&socket, 1, 0) > 0 && socket.revents & (events | Int16(POLLERR | POLLHUP)) != 0
    }
  }

  /// Resumes the connection with an answer, unless that has already happened.
  func finish(with response: Response) {
    finish { _, _ in response }
  }

  /// Resumes the connection without doing the work. The answer is `otherwise`, if there is one, or
  /// what `response` makes for the request.
  func giveUp(with response: (Request) -> Response) {
    finish { $0 ?? response($1) }
  }

  private func finish(with response: (_ otherwise: Response?, Request) -> Response) {
    state.withLock {
      switch $0 {
      case .waiting(let connection, let deferred, let request):
        $0 = .finished(response(deferred.otherwise, request))
        MHD_resume_connection(connection.handle)
      case .running(let connection, let otherwise, let request):
        $0 = .finished(response(otherwise, request))
        MHD_resume_connection(connection.handle)
      case .finished, .answered: return
      }
    }
  }

  /// Takes the answer; `nil` while the work is not done.
  func response() -> Response? {
    state.withLock {
      guard case .finished(let response) = $0 else { return nil }
      $0 = .answered
      return response
    }
  }
}

/// A connection that libmicrohttpd was told to suspend.
///
/// `@unchecked Sendable`: libmicrohttpd allows any thread to resume it, and a suspended connection
/// is neither closed nor freed before that. `DeferredJob` makes sure that it is resumed once.
struct SuspendedConnection: @unchecked Sendable {
  let handle: OpaquePointer
  let descriptor: Int32
}
