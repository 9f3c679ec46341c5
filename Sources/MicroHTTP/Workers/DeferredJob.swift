import CMicroHTTPD
import Synchronization

/// Work that a suspended connection waits for.
///
///     waiting ──finish──▶ finished ──response()──▶ (the connection sends it)
///
/// Two may want to finish it: the worker that did the work, and a daemon that stops and can't wait.
/// The first one resumes the connection, under the lock, so that the daemon can know that nobody is
/// inside libmicrohttpd any more once it has held each job's lock; the second one does nothing.
final class DeferredJob: Sendable {
  private enum State {
    case waiting(SuspendedConnection)
    case finished(Response)
  }

  /// What the work is on, if no other work must be done on it meanwhile.
  let object: (any AnyObject & Sendable)?
  let work: @Sendable () -> Response
  private let otherwise: Response?
  private let state: Mutex<State>

  /// - Parameter otherwise: The answer if the work is not done.
  init(
    _ connection: SuspendedConnection, on object: (any AnyObject & Sendable)?,
    otherwise: Response?, work: @escaping @Sendable () -> Response
  ) {
    self.object = object
    self.otherwise = otherwise
    self.work = work
    state = Mutex(.waiting(connection))
  }

  /// Resumes the connection with this answer, unless that has happened already.
  func finish(with response: Response) {
    state.withLock {
      guard case .waiting(let connection) = $0 else { return }
      $0 = .finished(response)
      MHD_resume_connection(connection.handle)
    }
  }

  /// Resumes the connection without the work: with the answer for that case, if there is one.
  func giveUp(with response: @autoclosure () -> Response) {
    finish(with: otherwise ?? response())
  }

  /// The answer; `nil` while the work is not done.
  func response() -> Response? {
    state.withLock {
      if case .finished(let response) = $0 { response } else { nil }
    }
  }
}

/// A connection that libmicrohttpd has been told to suspend.
///
/// `@unchecked Sendable`: libmicrohttpd permits resuming from any thread, and a suspended
/// connection is neither closed nor freed before that; `DeferredJob` sees to it that it happens
/// once.
struct SuspendedConnection: @unchecked Sendable {
  let handle: OpaquePointer
}
