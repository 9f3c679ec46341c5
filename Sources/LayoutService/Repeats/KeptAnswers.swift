import DequeModule
import LayoutSessions
import Synchronization
import System

/// The answers to requests with a key, of this server alone.
///
/// They go when their time is over, and the oldest go when there are too many bytes. What is under
/// way stays: there is no more of it than jobs.
final class KeptAnswers: AnsweredRequests {
  private enum Progress {
    case isUnderWay(attempt: UInt64)
    /// `nil` if the answer was too long.
    case answered(KeptAnswer?, bytes: Int, at: Duration)
  }

  private struct Entry {
    var content: [UInt8]
    var progress: Progress
  }

  private struct State {
    var entries: [[UInt8]: Entry] = [:]
    /// The keys of those that are answered, the oldest first.
    var order = Deque<[UInt8]>()
    var bytes = 0
  }

  /// What an entry takes beside the answer's body, about.
  static let entryBytes = 512

  private let state = Mutex(State())
  private let lifetime: Duration
  private let maxBytes: Int
  private let now: @Sendable () -> Duration

  /// - Parameters:
  ///   - lifetime: For how long answers are kept.
  ///   - maxBytes: How much all of them may take.
  init(lifetime: Duration, maxBytes: Int, now: @escaping @Sendable () -> Duration) {
    self.lifetime = lifetime
    self.maxBytes = maxBytes
    self.now = now
  }

  /// What all answers take, and how many requests are known.
  var statistics: (bytes: Int, requests: Int) { state.withLock { ($0.bytes, $0.entries.count) } }

  func begin(_ request: KeyedRequest) -> KeyedRequest.Beginning {
    let now = now()
    return state.withLock { state in
      removeOldest(&state, at: now)
      guard let entry = state.entries[request.key] else {
        state.entries[request.key] = Entry(
          content: request.content, progress: .isUnderWay(attempt: request.attempt))
        return .begun
      }
      guard entry.content == request.content else { return .isAnother }
      return switch entry.progress {
      case .isUnderWay(let attempt): attempt == request.attempt ? .begun : .isUnderWay
      case .answered(let answer, _, _): .answered(answer)
      }
    }
  }

  func end(_ request: KeyedRequest, with answer: KeptAnswer?) {
    let now = now()
    state.withLock { state in
      guard isUnderWay(request, state) else { return }
      // One that takes most of the memory would drive all others out.
      let kept = answer.flatMap { $0.body.count <= maxBytes / 4 ? $0 : nil }
      let bytes = Self.entryBytes + (kept?.body.count ?? 0)
      state.entries[request.key]?.progress = .answered(kept, bytes: bytes, at: now)
      state.order.append(request.key)
      state.bytes += bytes
      removeOldest(&state, at: now)
    }
  }

  func abandon(_ request: KeyedRequest) {
    state.withLock { state in
      if isUnderWay(request, state) { state.entries[request.key] = nil }
    }
  }

  private func isUnderWay(_ request: KeyedRequest, _ state: State) -> Bool {
    guard case .isUnderWay(request.attempt)? = state.entries[request.key]?.progress else {
      return false
    }
    return true
  }

  /// - Complexity: O(1) for each that goes.
  private func removeOldest(_ state: inout State, at now: Duration) {
    while let key = state.order.first {
      guard case .answered(_, let bytes, let time)? = state.entries[key]?.progress else {
        preconditionFailure("an answer is in the list and not in the table")
      }
      guard state.bytes > maxBytes || now - time >= lifetime else { return }
      state.entries[key] = nil
      state.bytes -= bytes
      _ = state.order.popFirst()
    }
  }
}
