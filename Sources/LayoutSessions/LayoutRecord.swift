import CollectionLayout

/// What a log has of a layout that is not the first of its document.
///
/// The text is `document birth kind`, a line feed, and bounds and options. If sizes were measured,
/// a line feed and these follow, see ``ViewSizes``.
struct LayoutRecord {
  /// The kind of its snapshot.
  static let kind = "view"

  let documentID: SessionID
  /// The revision of the document's data at which the first version was.
  let birth: Int
  var given: GivenLayout
  /// What was measured in it, in the order in which that was said.
  private(set) var measured: [ViewSizes] = []

  init(documentID: SessionID, birth: Int, given: GivenLayout, measured: ViewSizes? = nil) {
    self.documentID = documentID
    self.birth = birth
    self.given = given
    self.measured = measured.map { [$0] } ?? []
  }

  /// - Returns: `nil` if it is none.
  init?(_ snapshot: SessionSnapshot, _ bodies: any LoggedBodies) {
    guard let line = Self.firstLine(of: snapshot.body), line.words.count == 3,
      let id = SessionID(Array(line.words[0].utf8).span), let birth = Int(line.words[1]),
      (0...HistoryPosition.maxCount).contains(birth),
      case let end = line.rest.firstIndex(of: UInt8(ascii: "\n")) ?? line.rest.endIndex,
      let given = Self.given(line.words[2], line.rest[..<end], bodies)
    else { return nil }
    self.init(documentID: id, birth: birth, given: given)
    guard end < line.rest.endIndex else { return }
    guard let sizes = ViewSizes(line.rest[(end + 1)...]) else { return nil }
    measured = [sizes]
  }

  func body(_ bodies: any LoggedBodies) -> [UInt8] {
    documentID.text + Array(" \(birth) \(given.kind.name)\n".utf8) + bodies.body(of: given)
      + measured.flatMap { Array("\n".utf8) + $0.body }
  }

  /// Takes over a change of the layout.
  ///
  /// - Returns: False if it is none.
  mutating func take(_ change: LoggedChange, _ bodies: any LoggedBodies) -> Bool {
    if change.operation == LoggedChange.measurements {
      guard let sizes = ViewSizes(change.body[...]) else { return false }
      // Whatever was said before that counts no longer.
      if sizes.replacesAll { measured = [] }
      measured.append(sizes)
      return true
    }
    guard change.operation == LoggedChange.patch,
      let given = try? bodies.layout(change.body, changing: given)
    else { return false }
    self.given = given
    return true
  }

  private static func given(
    _ name: String, _ text: ArraySlice<UInt8>, _ bodies: any LoggedBodies
  ) -> GivenLayout? {
    LayoutKind.named(name).flatMap {
      try? bodies.layout(Array(text), changing: GivenLayout(kind: $0))
    }
  }

  private static func firstLine(
    of body: [UInt8]
  ) -> (words: [String], rest: ArraySlice<UInt8>)? {
    body.firstIndex(of: UInt8(ascii: "\n")).map { end in
      let words = body[..<end].split(separator: UInt8(ascii: " "))
      return (words.map { String(decoding: $0, as: UTF8.self) }, body[(end + 1)...])
    }
  }
}
