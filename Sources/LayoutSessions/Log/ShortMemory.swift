/// What the store has said of ids a moment ago, so that whoever asks for the same again, or for one
/// of many that are not there, does not make it be asked each time.
///
/// An id is random: nobody asks for one before it is made, so one that is not there does not come
/// soon.
struct ShortMemory {
  enum Answer {
    case isThere, isGone
    /// Nobody can read what is there.
    case isUnreadable
  }

  /// How long an answer counts, at least; twice that at most.
  private static let duration = Duration.seconds(1)
  /// The most answers of one duration.
  private static let capacity = 4096

  private var recent: [SessionID: Answer] = [:]
  private var older: [SessionID: Answer] = [:]
  private var start = Duration.zero

  /// What is known of an id; `nil` if nothing is.
  mutating func answer(for id: SessionID, at now: Duration) -> Answer? {
    age(at: now)
    return recent[id] ?? older[id]
  }

  mutating func note(_ answer: Answer, for id: SessionID, at now: Duration) {
    age(at: now)
    if recent.count >= Self.capacity { (older, recent) = (recent, [:]) }
    recent[id] = answer
  }

  mutating func forget(_ id: SessionID) {
    recent[id] = nil
    older[id] = nil
  }

  mutating func forgetAll() {
    recent = [:]
    older = [:]
  }

  private mutating func age(at now: Duration) {
    guard now - start >= Self.duration else { return }
    older = now - start < Self.duration * 2 ? recent : [:]
    recent = [:]
    start = now
  }
}
