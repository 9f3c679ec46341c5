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
  /// What was measured in it, in the order in which that was said.
  private(set) var measured: [ViewSizes] = []
  /// What is folded, as was said last.
  private(set) var folds: ViewFolds?

  init(
    documentID: SessionID, birth: Int, given: GivenLayout, access: LayoutAccess = LayoutAccess(),
    folds: ViewFolds? = nil, measured: ViewSizes? = nil
  ) {
    self.access = access
    self.folds = folds
    self.documentID = documentID
    self.birth = birth
    self.given = given
    self.measured = measured.map { [$0] } ?? []
  }

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
      folds: folds)
    guard parts.count == 3 else { return }
    guard let sizes = ViewSizes(parts[2]) else { return nil }
    measured = [sizes]
  }

  /// Of the data of which was said last what belongs to the layout.
  var ownRevision: Int { max(folds?.revision ?? 0, measured.last?.revision ?? 0) }

  func body(_ bodies: any LoggedBodies) -> [UInt8] {
    let words =
      access.isBound ? [access.isReadOnly ? "r" : "-"] + access.bases.map(\.description) : []
    return (folds.map { $0.text + [10] } ?? []) + documentID.text
      + Array(" \(birth) \(given.kind.name)".utf8)
      + words.flatMap { Array(" \($0)".utf8) } + Array("\n".utf8) + bodies.body(of: given)
      + measured.flatMap { Array("\n".utf8) + $0.body }
  }

  /// Takes over a change of the layout.
  ///
  /// - Returns: False if it is none.
  mutating func take(_ change: LoggedChange, _ bodies: any LoggedBodies) -> Bool {
    if change.operation == LoggedChange.measurements {
      guard let sizes = ViewSizes(change.body[...]) else { return false }
      // Whatever was said before that counts no longer.
      if sizes.replacesAll {
        measured = []
        folds = folds.map { ViewFolds($0.folds.ofGroups, revision: sizes.revision) }
      }
      measured.append(sizes)
      return true
    }
    let (folds, body) = ViewFolds.split(change.body)
    guard change.operation == LoggedChange.patch,
      let given = try? bodies.layout(body, changing: given)
    else { return false }
    if let folds { self.folds = folds }
    self.given = given
    return true
  }
}
