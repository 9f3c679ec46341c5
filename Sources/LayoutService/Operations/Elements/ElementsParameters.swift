import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

/// The parameters of `GET /layouts/{id}/elements`.
struct ElementsParameters {
  /// The rect as it was given. The table below sets it, and requires it. It is relative to the
  /// anchor until the query is moved.
  private(set) var givenRect = Rect(x: 0, y: 0, width: 0, height: 0)
  private(set) var anchor: Anchor?
  private(set) var known: Rect?
  private(set) var since: AskedVersion?
  /// Whether the answer has what has changed since that version.
  private(set) var wantsTransitions = false
  private(set) var version: AskedVersion?
  /// Those that are named; none for all.
  private var namedCategories: ElementCategories = []
  private(set) var limit = Self.defaultLimit
  private(set) var cursor: Cursor?
  /// What cells have beside frame and id.
  private(set) var details: CellDetails = []
  /// Whether the answer begins with the summary of the layout.
  private(set) var wantsSummary = false
  private(set) var format: AnswerFormat?

  /// Whether a version has one answer: not if it tells what has changed, which is known while the
  /// history is kept, or has the summary, which says more than the elements.
  var isSettled: Bool { since == nil && !wantsSummary }

  var categories: ElementCategories { namedCategories.isEmpty ? .all : namedCategories }

  /// The rect that is searched.
  var rect: Rect { givenRect.inSteps }

  var start: ElementPosition { cursor?.position ?? .first }

  static let defaultLimit = 10_000
  static let limits = 1...100_000

  static let all: QueryParameters<Self> = [
    QueryParameter("rect", .rect, requiredAs: "x,y,width,height") { $0.givenRect = $1 },
    QueryParameter("known", .rect) { $0.known = $1.inSteps },
    QueryParameter("anchor", .anchor) { $0.anchor = $1 },
    QueryParameter("since", .version) { $0.since = $1 },
    QueryParameter("transitions", .boolean) { $0.wantsTransitions = $1 },
    QueryParameter("version", .version) { $0.version = $1 },
    QueryParameter("category", .category, isRepeatable: true) {
      $0.namedCategories.insert(ElementCategories($1))
    },
    QueryParameter("limit", .integer(in: limits)) { $0.limit = $1 },
    QueryParameter("cursor", .cursor) { $0.cursor = $1 },
    .detail("parts", .parts) { $0.details.formUnion($1) },
    .detail("data", .data) { $0.details.formUnion($1) },
    .detail("text", .text) { $0.details.formUnion($1) },
    QueryParameter("summary", .boolean) { $0.wantsSummary = $1 },
    .format(among: AnswerFormat.ofLayout) { $0.format = $1 },
  ]

  init(_ target: RequestTarget) throws(Problem) {
    try QueryString.read(target, Self.all, into: &self)
    guard since == nil || known != nil || wantsTransitions else {
      throw .invalidParameter(
        "since", "needs known, the rect that was fetched at that version, or transitions=true")
    }
    guard wantsTransitions else { return }
    guard since != nil else {
      throw .invalidParameter("transitions", "needs since, the version that the client has")
    }
    guard cursor == nil else {
      throw .invalidParameter("transitions", "must not be given together with cursor. Follow next")
    }
  }

  /// Refuses a query for another version than the current one.
  func check(against version: LayoutVersion) throws(Problem) {
    try version.check(asked: self.version)
    if let cursor {
      try version.check(cursor)
      let series = version.collection.prepared.series
      guard series.indices.contains(cursor.position.series),
        categories.contains(ElementCategories(series[cursor.position.series].category))
      else { throw .foreignCursor }
    }
    if let since, since.hash == nil,
      since.number > max(version.number, version.doubtfulNumber)
    {
      throw .invalidParameter("since", "must be at most the current version, \(version.number)")
    }
  }

  /// Moves the rect so far.
  mutating func moveRect(by distance: Point) throws(Problem) {
    givenRect.origin.x += distance.x
    givenRect.origin.y += distance.y
    guard givenRect.maxX.isFinite, givenRect.maxY.isFinite else {
      throw .invalidParameter("rect", "must have finite far edges where its anchor is")
    }
  }

  /// Whether the elements that the client knows may have changed since it fetched them.
  func mustReset(to version: LayoutVersion) -> Bool {
    guard let since, let known else { return false }
    guard version.knows(since) else { return true }
    return version.history.touches(
      known, with: details.values, inLast: version.number - since.number)
  }
}

extension QueryParameter {
  /// Whether cells have something beside frame and id.
  static func detail(
    _ name: StaticString, _ detail: CellDetails,
    store: @escaping @Sendable (inout Values, CellDetails) -> Void
  ) -> Self {
    QueryParameter(name, .boolean) { store(&$0, $1 ? detail : []) }
  }
}

extension ParameterForm<Bool> {
  static var boolean: Self {
    ParameterForm(requirement: "must be true or false") { text in
      text.spells("true") ? true : text.spells("false") ? false : nil
    }
  }
}

extension LayoutVersion {
  /// Refuses the cursor of another version than this one, which is current.
  func check(_ cursor: Cursor) throws(Problem) {
    guard cursor.version == tag else {
      throw .versionGone(asked: AskedVersion(cursor.version), current: tag)
    }
  }

  /// Refuses a query for another version than this one, which is current.
  func check(asked: AskedVersion?) throws(Problem) {
    guard let asked, !asked.names(tag) || !knows(asked) else { return }
    // A tag that nobody knows may be of a history that is lost, and so may a doubtful number.
    throw asked.hash == nil && asked.number > max(number, doubtfulNumber)
      ? .invalidParameter("version", "must be from 1 to \(number), the current version")
      : .versionGone(asked: asked, current: tag)
  }
}

extension ParameterForm<Rect> {
  static var rect: Self {
    ParameterForm(
      requirement: "must be four finite numbers x,y,width,height with width and height ≥ 0 and "
        + "finite far edges"
    ) { text in
      var index = 0
      /// The number at the index, if a comma follows it. The index moves behind the comma.
      func next() -> Double? {
        let number = Decimal.number(text, from: &index)
        guard index < text.count, text[index] == UInt8(ascii: ",") else { return nil }
        index += 1
        return number
      }
      guard let x = next(), let y = next(), let width = next(),
        let height = Decimal.number(text, from: &index), index == text.count,
        width >= 0, height >= 0, (x + width).isFinite, (y + height).isFinite
      else { return nil }
      return Rect(x: x, y: y, width: width, height: height)
    }
  }
}

extension ParameterForm<ElementCategory> {
  fileprivate static var category: Self {
    let names = ElementCategory.allCases.map(\.rawValue).joined(separator: ", ")
    return ParameterForm(requirement: "must be one of \(names)") {
      $0.word.flatMap(ElementCategory.init(rawValue:))
    }
  }
}
