import LayoutSessions
import Synchronization

/// What was found last, for the next page and for the next letter that is typed.
final class FindCache: Sendable {
  private struct Entry {
    let layout: SessionID
    let version: VersionTag
    let texts: FoundTexts
  }

  private let maxBytes: Int
  /// The one that was used last is the last.
  private let entries = Mutex<[Entry]>([])

  /// - Parameter maxBytes: What all entries may take; what takes more is not kept.
  init(maxBytes: Int) {
    self.maxBytes = maxBytes
  }

  /// What a question finds in a version.
  ///
  /// - Parameter stop: Says whether to end early.
  /// - Throws: ``ServiceError`` if nobody waits any more.
  func texts(
    _ question: FoundTexts.Question, in version: LayoutVersion, _ stop: () -> FoundTexts.Stop?
  ) throws(ServiceError) -> FoundTexts {
    let earlier = known(question, in: version)
    if let earlier, earlier.question == question { return earlier }
    guard
      let texts = FoundTexts(question, in: version.collection, within: earlier, stop)
    else { throw .undecodable(.abandoned) }
    if texts.isComplete { keep(Entry(layout: version.id, version: version.tag, texts: texts)) }
    return texts
  }

  /// The result for a question, or the smallest one for a question that it continues.
  private func known(
    _ question: FoundTexts.Question, in version: LayoutVersion
  ) -> FoundTexts? {
    entries.withLock { entries in
      let fitting = entries.indices.filter {
        entries[$0].layout == version.id && entries[$0].version == version.tag
          && question.continues(entries[$0].texts.question)
      }
      guard let best = fitting.min(by: { entries[$0].texts.count < entries[$1].texts.count })
      else { return nil }
      let same = fitting.first { entries[$0].texts.question == question } ?? best
      let entry = entries.remove(at: same)
      entries.append(entry)
      return entry.texts
    }
  }

  private func keep(_ entry: Entry) {
    guard entry.texts.memoryBytes <= maxBytes else { return }
    entries.withLock { entries in
      entries.append(entry)
      var bytes = entries.reduce(0) { $0 + $1.texts.memoryBytes }
      while bytes > maxBytes { bytes -= entries.removeFirst().texts.memoryBytes }
    }
  }
}
