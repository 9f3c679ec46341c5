import CollectionLayout
import LayoutSessions
import WireFormat

/// A version of a layout, as followers are told of it.
struct FollowedVersion: Sendable {
  let tag: VersionTag
  /// Up to which number versions may have been told that are lost.
  private let doubtfulNumber: Int
  /// `nil` for a view that cannot be laid out like this.
  let contentSize: Size?
  private let history: ChangeHistory?

  init(_ version: LayoutVersion) {
    tag = version.tag
    doubtfulNumber = version.doubtfulNumber
    contentSize = version.collection.prepared.contentSize
    history = version.history
  }

  /// The version of a view that cannot be laid out.
  init(impossible tag: VersionTag) {
    self.tag = tag
    doubtfulNumber = 0
    contentSize = nil
    history = nil
  }

  /// Whether this is newer than another one: a later version, or one of another history, which a
  /// store has gone on with after it had lost changes.
  func isNewer(than other: FollowedVersion) -> Bool {
    tag.number > other.tag.number || doubtfulNumber > other.doubtfulNumber
  }

  /// Writes the members of an event.
  ///
  /// - Parameters:
  ///   - position: The version that the follower knows; `nil` if it knows none.
  ///   - isFirst: Whether it is the first event of a stream.
  func write(to object: inout JSONObject, after position: AskedVersion?, isFirst: Bool) {
    object.write(version: tag.number, hash: tag.hash)
    let isKnown = position.map(knowsChanges) ?? false
    object["recovered"] = isFirst || !isKnown ? isKnown : nil
    guard let contentSize else { return }
    object["contentSize"] = contentSize
    if isKnown, let position, let history {
      object.write(invalidated: history.area(ofLast: tag.number - position.number))
    }
  }

  /// Whether it is known what has changed since a version.
  private func knowsChanges(since position: AskedVersion) -> Bool {
    guard let history, position.number <= tag.number else { return false }
    guard position.hash != nil || position.number > doubtfulNumber else { return false }
    if position.names(tag) { return true }
    let count = tag.number - position.number
    guard count > 0, history.knows(last: count) else { return false }
    return position.hash == nil || position.hash == history.hash(beforeLast: count)
  }
}
