import CollectionLayout

/// What a log has of a layout that is not the first of its document.
///
/// The text is `document birth kind`, for a read-only view and what is made of it `r` or `-` and
/// the ids of ``LayoutAccess/bases``, a line feed, and bounds and options. If something is folded,
/// a line before says so, see ``ViewFolds``. If sizes were measured, a line feed and these follow,
/// see ``ViewSizes``.
struct LayoutRecord {
  /// The kind of its snapshot.
  static let kind = "view"

  let documentID: SessionID
  /// The revision of the document's data at which the first version was.
  let birth: Int
  var given: GivenLayout
  var access = LayoutAccess()
  /// What is measured and folded in it, of data of a revision.
  var own = OwnState()
  var revision = 0
  /// Whether nobody here knows what became of what was measured or folded.
  private(set) var isLost = false
}

extension LayoutRecord {
  /// - Returns: `nil` if it is none.
  init?(_ snapshot: SessionSnapshot, _ bodies: any LoggedBodies) {
    let (folds, body) = ViewFolds.split(snapshot.body)
    let parts = body.split(
      separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
    let words = parts[0].split(separator: UInt8(ascii: " ")).map {
      String(decoding: $0, as: UTF8.self)
    }
    let bases = words.dropFirst(4).compactMap { SessionID(Array($0.utf8).span) }
    guard parts.count > 1, words.count >= 3, bases.count == max(0, words.count - 4),
      bases.count <= 16, let id = SessionID(Array(words[0].utf8).span),
      let birth = Int(words[1]), (0...HistoryPosition.maxCount).contains(birth),
      let kind = LayoutKind.named(words[2]),
      let given = try? bodies.layout(Array(parts[1]), changing: GivenLayout(kind: kind))
    else { return nil }
    self.init(
      documentID: id, birth: birth, given: given,
      access: LayoutAccess(isReadOnly: words.count > 3 && words[3] == "r", bases: bases),
      own: OwnState(folds?.folds ?? Folds()), revision: folds?.revision ?? 0)
    guard parts.count == 3 else { return }
    guard let sizes = ViewSizes(parts[2]) else { return nil }
    own.apply(sizes.sizes)
    revision = max(revision, sizes.revision)
  }

  func body(_ bodies: any LoggedBodies) -> [UInt8] {
    let words =
      access.isBound ? [access.isReadOnly ? "r" : "-"] + access.bases.map(\.description) : []
    let folds = own.folds.isEmpty ? [] : ViewFolds(own.folds, revision: revision).text + [10]
    let sizes = ViewSizes(revision: revision, replacesAll: true, sizes: own.sizes)
    return folds + documentID.text + Array(" \(birth) \(given.kind.name)".utf8)
      + words.flatMap { Array(" \($0)".utf8) } + Array("\n".utf8) + bodies.body(of: given)
      + (own.hasMeasured ? Array("\n".utf8) + sizes.body : [])
  }

  /// Takes over a change of the layout.
  ///
  /// - Parameter way: How the data came from one revision to another; `nil` if it is not known.
  /// - Returns: False if it is none.
  mutating func take(
    _ change: LoggedChange, _ bodies: any LoggedBodies, _ way: (Int, Int) -> DataLineage?
  ) -> Bool {
    if change.operation == LoggedChange.measurements {
      guard let sizes = ViewSizes(change.body[...]) else { return false }
      // Whatever was said before that counts no longer.
      if sizes.replacesAll { (own, isLost) = (OwnState(own.folds.ofGroups), false) }
      lead(to: sizes.revision, way)
      own.apply(sizes.sizes)
      return true
    }
    let (folds, body) = ViewFolds.split(change.body)
    guard change.operation == LoggedChange.patch,
      let given = try? bodies.layout(body, changing: given)
    else { return false }
    if let folds {
      own.folds = Folds()
      lead(to: folds.revision, way)
      own.folds = folds.folds
    }
    self.given = given
    return true
  }

  /// Says of data of another revision what is measured and folded.
  mutating func lead(to next: Int, _ way: (Int, Int) -> DataLineage?) {
    let groups = own.folds.ofGroups
    if next == revision || !own.hasMeasured && groups == own.folds {
      revision = next
      return
    }
    let way = way(revision, next)
    own = way.map { own.following($0) } ?? OwnState(groups)
    isLost = isLost || way == nil
    revision = next
  }
}
