import CMicroHTTPD
import Glibc
import Synchronization

/// Work that a suspended connection waits for.
///
///     waiting ──takeWork()──▶ running ──finish──▶ finished ──response()──▶ answered
///        └─────────────giveUp────────────────────────▲
///
/// Each step lets go of what only those before it need: a job that was answered holds nothing,
/// whoever still refers to it.
///
/// Two may want to finish it: the worker that did the work, and a daemon that stops and can't wait.
/// The first one resumes the connection, under the lock, so that the daemon can know that nobody is
/// inside libmicrohttpd any more once it has held each job's lock; the second one does nothing.
final class DeferredJob: Sendable {
  typealias Work = @Sendable () -> Response

  private enum State {
    case waiting(SuspendedConnection, DeferredWork)
    case running(SuspendedConnection, otherwise: Response?)
    case finished(Response)
    case answered
  }

  /// What the work is on, if no other work must be done on it meanwhile.
  let object: (any AnyObject & Sendable)?
  /// Whether it may turn out to be short work.
  let isShort: Bool
  private let state: Mutex<State>

  init(_ connection: SuspendedConnection, _ deferred: DeferredWork) {
    object = deferred.object
    isShort = deferred.shortWork != nil
    state = Mutex(.waiting(connection, deferred))
  }

  /// Begins the work; `nil` when the job was given up meanwhile.
  func takeWork() -> Work? {
    state.withLock {
      guard case .waiting(let connection, let deferred) = $0 else { return nil }
      $0 = .running(connection, otherwise: deferred.otherwise)
      return deferred.work
    }
  }

  /// Does the work if it is short.
  ///
  /// - Returns: Whether there is nothing more to do.
  func finishIfShort() -> Bool {
    let work = state.withLock { state -> (@Sendable () -> Response?)? in
      guard case .waiting(_, let deferred) = state else { return nil }
      return deferred.shortWork
    }
    guard let work else { return true }
    guard let response = work() else { return false }
    finish(with: response)
    return true
  }

  /// Whether the client has ended its output, or the connection is broken.
  var isAbandoned: Bool {
    state.withLock {
      guard case .waiting(let connection, _) = $0 else { return false }
      // `POLLRDHUP`, which Glibc does not show without `_GNU_SOURCE`.
      let events: Int16 = 0x2000
      var socket = pollfd(fd: connection.descriptor, events: events, revents: 0)
      return poll(&socket, 1, 0) > 0 && socket.revents & (events | Int16(POLLERR | POLLHUP)) != 0
    }
  }

  /// Resumes the connection with this answer, unless that has happened already.
  func finish(with response: Response) {
    finish { _ in response }
  }

  /// Resumes the connection without the work: with the answer for that case, if there is one.
  func giveUp(with response: () -> Response) {
    finish { $0 ?? response() }
  }

  private func finish(with response: (_ otherwise: Response?) -> Response) {
    state.withLock {
      switch $0 {
      case .waiting(let connection, let deferred):
        $0 = .finished(response(deferred.otherwise))
        MHD_resume_connection(connection.handle)
      case .running(let connection, let otherwise):
        $0 = .finished(response(otherwise))
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

/// A connection that libmicrohttpd has been told to suspend.
///
/// `@unchecked Sendable`: libmicrohttpd permits resuming from any thread, and a suspended
/// connection is neither closed nor freed before that; `DeferredJob` sees to it that it happens
/// once.
struct SuspendedConnection: @unchecked Sendable {
  let handle: OpaquePointer
  let descriptor: Int32
}
