import CollectionLayout
import LayoutSessions
import MicroHTTP
import System
import TextMeasure
import WireFormat

/// The parameters of `GET /layouts/{id}/find`.
struct FindParameters {
  private(set) var text: String?
  private(set) var name: String?
  private(set) var isExact = false
  private(set) var from: Anchor?
  private(set) var isBackwards = false
  private(set) var limit = 20
  private(set) var marks: Int?
  private(set) var version: AskedVersion?
  private(set) var cursor: Cursor?

  static let all: QueryParameters<Self> = [
    QueryParameter("text", .text, requiredAs: "text=harbour") { $0.text = $1 },
    QueryParameter("name", .textName) { $0.name = $1 },
    QueryParameter("exact", .boolean) { $0.isExact = $1 },
    QueryParameter("from", .anchor) { $0.from = $1 },
    QueryParameter("back", .boolean) { $0.isBackwards = $1 },
    QueryParameter("limit", .integer(in: 0...1000)) { $0.limit = $1 },
    QueryParameter("marks", .integer(in: 1...1000)) { $0.marks = $1 },
    QueryParameter("version", .version) { $0.version = $1 },
    QueryParameter("cursor", .cursor) { $0.cursor = $1 },
  ]

  init(_ target: RequestTarget) throws(Problem) {
    try QueryString.read(target, Self.all, into: &self)
    guard text != nil else {
      throw .invalidParameter("text", "must be given: text=harbour")
    }
  }

  /// What is looked for.
  var question: FoundTexts.Question {
    FoundTexts.Question(
      pattern: TextPattern(text ?? " ", isExact: isExact),
      name: name.flatMap { ValueName(.text, $0) })
  }
}

extension LayoutService {
  /// Answers where a text is in the texts of the cells.
  func find(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let query = try FindParameters(request.target)
    let (target, terms) = (request.target, AnswerTerms(request, .json))
    let answer = { @Sendable (version: LayoutVersion) throws(Problem) in
      try self.found(query, in: version, target, terms)
    }
    let id = version.id
    var shortWork: (@Sendable () throws(Problem) -> Response?)?
    if version.collection.placeCount <= Self.shortLayoutCost {
      shortWork = { () throws(Problem) in
        guard case .current(let version)? = self.sessions.find(id),
          query.question.isShort(in: version.collection, upTo: Self.shortBodyBytes)
        else { return nil }
        return try answer(version)
      }
    }
    return deferring(shortly: shortWork) { () throws(Problem) in
      try self.withCurrentVersion(parameters, answer)
    }
  }

  private func found(
    _ query: FindParameters, in version: LayoutVersion, _ target: RequestTarget,
    _ terms: AnswerTerms
  ) throws(Problem) -> Response {
    try version.check(asked: query.version)
    let collection = version.collection
    var from: Int?
    if let anchor = query.from {
      let path = try indexPath(of: anchor, in: version)
      guard collection.isThere(path) else {
        throw .noSuchElement("item at [\(path.section), \(path.item)]")
      }
      from = collection.place(ofItemAt: path)
    }
    let end = sessions.now + limits.maxFindTime
    let stop = { () -> FoundTexts.Stop? in
      CurrentWork.isAbandoned ? .isAbandoned : self.sessions.now > end ? .isLate : nil
    }
    let texts = try finds.texts(query.question, in: version, stop)
    var first = texts.first(from: from, backwards: query.isBackwards)
    if let cursor = query.cursor {
      try version.check(cursor)
      first = texts.count == 0 ? 0 : cursor.position.indexPath.item % texts.count
    }
    var told = min(query.limit, texts.count)
    let step = query.isBackwards ? texts.count - 1 : 1
    var list = JSONArray(capacity: 160 * told + 64, precision: terms.representation.precision)
    var number = first
    var cell: (place: Int, matches: [TextMatch])?
    for count in 0..<told {
      let place = texts.place(ofMatch: number)
      if cell?.place != place.cell {
        // What is left of the time is for the matches themselves; `next` goes on with the others.
        if count > 0, stop() != nil {
          told = count
          break
        }
        cell = (place.cell, texts.question.matches(inCell: place.cell, of: collection))
      }
      if let match = cell?.matches[place.index] {
        let path = collection.indexPath(ofPlace: place.cell)
        list.append { Self.write(match, number: number, at: path, of: collection, to: &$0) }
      }
      number = (number + step) % texts.count
    }
    let text = JSONWriter.text(
      capacity: list.byteCount + 512, precision: terms.representation.precision
    ) {
      $0["id"] = version.id.description
      $0.write(version: version.number, hash: version.tag.hash)
      $0["count"] = texts.count
      $0["complete"] = texts.isComplete
      $0["matches"] = list
      if texts.count > told, query.limit > 0 {
        let before = (first + texts.count - step) % texts.count
        $0["previous"] = findLink(
          to: before, isBackwards: !query.isBackwards, of: version, after: target)
        $0["next"] = findLink(
          to: number, isBackwards: query.isBackwards, of: version, after: target)
      }
      if let count = query.marks { $0.write(marks: texts.marks(count, in: collection)) }
    }
    guard texts.isComplete else {
      return Response(
        status: .ok, commonHeaders: LayoutHeaders.unstored[.ok, terms.representation], body: text)
    }
    return try response(
      json: text, of: version, terms, query.version == nil ? .current : caching.headers)
  }

  private static func write(
    _ match: TextMatch, number: Int, at path: IndexPath, of collection: PreparedCollection,
    to writer: inout JSONWriter
  ) {
    writer.object {
      $0["number"] = number + 1
      $0["id"] = collection.prepared.id(ofItemAt: path)
      $0["indexPath"] = [path.section, path.item]
      let cover = collection.cover(ofItemAt: path)
      $0["frame"] = cover.map { collection.frame(of: $0) } ?? collection.frame(ofCellAt: path)
      $0["name"] = match.name
      $0["range"] = [match.range.lowerBound, match.range.count]
      if let cover {
        $0["hidden"] = true
        $0.write(foldedIn: cover)
      }
    }
  }

  private func findLink(
    to number: Int, isBackwards: Bool, of version: LayoutVersion, after target: RequestTarget
  ) -> String {
    let position = ElementPosition(series: 0, indexPath: IndexPath(section: 0, item: number))
    return nextLink(to: position, of: version, after: target, without: ["from", "back"])
      + (isBackwards ? "&back=true" : "")
  }
}

extension JSONObject {
  fileprivate mutating func write(marks: [(start: Double, count: Int)]) {
    array("marks", marks) { writer, mark in
      writer.array([0, 1]) {
        if $1 == 0 { $0.write(coordinate: mark.start) } else { $0.write(mark.count) }
      }
    }
  }
}

extension ParameterForm<String> {
  fileprivate static var text: Self {
    ParameterForm(requirement: "must be 1 to 256 characters of UTF-8") { text in
      text.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
        .flatMap { 1...256 ~= $0.unicodeScalars.count ? $0 : nil }
    }
  }

  fileprivate static var textName: Self {
    ParameterForm(requirement: "must be the name of a text, 1 to 64 bytes of UTF-8") { text in
      text.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
        .flatMap { ValueName(.text, $0) == nil ? nil : $0 }
    }
  }
}
