import LayoutSessions
import Synchronization

/// What was found last, for the next page and for the next letter that is typed.
final class FindCache: Sendable {
  private struct Entry {
    let layout: SessionID
    let version: VersionTag
    let texts: FoundTexts
  }

  private struct State {
    /// The one that was used last is the last.
    var entries: [Entry] = []
    var bytes = 0
  }

  private let maxBytes: Int
  private let state = Mutex(State())

  /// - Parameter maxBytes: What all entries may take; what takes more is not kept.
  init(maxBytes: Int) {
    self.maxBytes = maxBytes
  }

  /// What a question finds in a version.
  ///
  /// - Parameter stop: Says whether to end early.
  /// - Throws: ``Problem`` if nobody waits any more.
  func texts(
    _ question: FoundTexts.Question, in version: LayoutVersion, _ stop: () -> FoundTexts.Stop?
  ) throws(Problem) -> FoundTexts {
    let earlier = known(question, in: version)
    if let earlier, earlier.question == question { return earlier }
    guard
      let texts = FoundTexts(question, in: version.collection, within: earlier, stop)
    else { throw Problem(.refused(.abandoned)) }
    if texts.isComplete { keep(Entry(layout: version.id, version: version.tag, texts: texts)) }
    return texts
  }

  /// The result for a question, or the smallest one for a question that it continues.
  private func known(
    _ question: FoundTexts.Question, in version: LayoutVersion
  ) -> FoundTexts? {
    state.withLock { state in
      let fitting = state.entries.indices.filter { index in
        state.entries[index].layout == version.id && state.entries[index].version == version.tag
          && question.continues(state.entries[index].texts.question)
      }
      let counts = fitting.map { state.entries[$0].texts.count }
      guard let least = counts.indices.min(by: { counts[$0] < counts[$1] }) else { return nil }
      let same = fitting.first { state.entries[$0].texts.question == question }
      let entry = state.entries.remove(at: same ?? fitting[least])
      state.entries.append(entry)
      return entry.texts
    }
  }

  private func keep(_ entry: Entry) {
    guard entry.texts.memoryBytes <= maxBytes else { return }
    state.withLock { state in
      state.entries.append(entry)
      state.bytes += entry.texts.memoryBytes
      let old = state.entries.prefix {
        guard state.bytes > maxBytes else { return false }
        state.bytes -= $0.texts.memoryBytes
        return true
      }
      state.entries.removeFirst(old.count)
    }
  }
}
