import CollectionLayout
import MicroHTTP

/// The parameters of `GET /layouts/{id}/elements`.
struct ElementsParameters {
  var rect: Rect
  var known: Rect?
  var since: Int?
  var version: Int?
  var categories = ElementCategories.all
  var limit = Self.defaultLimit
  var cursor: Cursor?

  static let defaultLimit = 10_000
  static let limits = 1...100_000
  static let names = ["rect", "known", "since", "version", "category", "limit", "cursor"]

  init(_ target: RequestTarget) throws(ServiceError) {
    var rect: Rect?
    var known: Rect?
    var since: Int?
    var version: Int?
    var categories: ElementCategories = []
    var limit: Int?
    var cursor: Cursor?
    func once(_ isFirst: Bool, _ name: String) throws(ServiceError) {
      guard isFirst else {
        throw .invalidParameter(name: name, requirement: "must be given once only")
      }
    }
    try QueryString.forEachParameter(of: target) { (name, value) throws(ServiceError) in
      if name.spells("rect") {
        try once(rect == nil, "rect")
        rect = try Self.rect(value, name: "rect")
      } else if name.spells("known") {
        try once(known == nil, "known")
        known = try Self.rect(value, name: "known")
      } else if name.spells("since") {
        try once(since == nil, "since")
        since = try Self.integer(value, name: "since", in: 1...JSONInteger.maximum)
      } else if name.spells("version") {
        try once(version == nil, "version")
        version = try Self.integer(
          value, name: "version", in: 1...JSONInteger.maximum)
      } else if name.spells("category") {
        categories.formUnion(try Self.categories(value))
      } else if name.spells("limit") {
        try once(limit == nil, "limit")
        limit = try Self.integer(value, name: "limit", in: Self.limits)
      } else if name.spells("cursor") {
        try once(cursor == nil, "cursor")
        guard let parsed = Cursor(value) else { throw .foreignCursor }
        cursor = parsed
      } else {
        throw ServiceError.unknownParameter(name: name.text, known: Self.names)
      }
    }
    guard let rect else {
      throw .invalidParameter(name: "rect", requirement: "must be given: rect=x,y,width,height")
    }
    guard since == nil || known != nil else {
      throw .invalidParameter(
        name: "since", requirement: "says at which version known was fetched, and needs known")
    }
    self.rect = rect
    self.known = known
    self.since = since
    self.version = version
    if !categories.isEmpty { self.categories = categories }
    if let limit { self.limit = limit }
    self.cursor = cursor
  }

  static func rect(_ text: Span<UInt8>, name: String) throws(ServiceError) -> Rect {
    var index = 0
    /// The number at the index, if a comma follows it, behind which the index is moved.
    func next() -> Double? {
      let number = Decimal.number(text, from: &index)
      guard index < text.count, text[index] == UInt8(ascii: ",") else { return nil }
      index += 1
      return number
    }
    guard let x = next(), let y = next(), let width = next(),
      let height = Decimal.number(text, from: &index), index == text.count,
      width >= 0, height >= 0, (x + width).isFinite, (y + height).isFinite
    else {
      throw .invalidParameter(
        name: name,
        requirement: "must be four finite numbers x,y,width,height with width and height ≥ 0 and "
          + "finite far edges")
    }
    return Rect(x: x, y: y, width: width, height: height)
  }

  private static func integer(
    _ text: Span<UInt8>, name: String, in range: ClosedRange<Int>
  ) throws(ServiceError) -> Int {
    guard let value = Decimal.integer(text), range.contains(value) else {
      throw .invalidParameter(
        name: name,
        requirement: "must be an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  private static func categories(
    _ text: Span<UInt8>
  ) throws(ServiceError) -> ElementCategories {
    guard let category = text.word.flatMap(ElementCategory.init(rawValue:)) else {
      let names = ElementCategory.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidParameter(name: "category", requirement: "must be one of \(names)")
    }
    return ElementCategories(category)
  }
}

extension ServiceError {
  /// No query of this kind ends with such a cursor.
  static let foreignCursor = invalidParameter(
    name: "cursor", requirement: "must be one that came in a next link")
}

/// Where a list of elements goes on, as it stands in a link: `version-series-section-item`.
struct Cursor: Equatable {
  var version: Int
  var position: ElementPosition

  init(version: Int, position: ElementPosition) {
    self.version = version
    self.position = position
  }

  init?(_ text: Span<UInt8>) {
    let parts = text.withUnsafeBufferPointer { Array($0) }
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      .map { Decimal.integer($0.span) }
    guard parts.count == 4, let version = parts[0], version > 0, let series = parts[1],
      let section = parts[2], let item = parts[3]
    else { return nil }
    self.init(
      version: version,
      position: ElementPosition(
        series: series, indexPath: IndexPath(section: section, item: item)))
  }

  var text: String {
    let path = position.indexPath
    return "\(version)-\(position.series)-\(path.section)-\(path.item)"
  }
}
