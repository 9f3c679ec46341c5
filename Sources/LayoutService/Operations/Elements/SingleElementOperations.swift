import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

/// The parameters of `GET /layouts/{id}/items/{section}/{item}`.
struct ItemParameters {
  private(set) var details: CellDetails = []
  private(set) var format: AnswerFormat?

  static let all: QueryParameters<Self> = [
    .detail("parts", .parts) { $0.details.formUnion($1) },
    .detail("data", .data) { $0.details.formUnion($1) },
    .detail("text", .text) { $0.details.formUnion($1) },
    .format(among: AnswerFormat.ofLayout) { $0.format = $1 },
  ]
}

/// The parameters of a section and of a supplementary element.
struct DataParameters {
  let details: CellDetails
  let terms: AnswerTerms

  private static let all: QueryParameters<(details: CellDetails, format: AnswerFormat?)> = [
    .detail("data", .data) { $0.details = $1 },
    .format(among: AnswerFormat.ofLayout) { $0.format = $1 },
  ]

  init(_ request: borrowing Request) throws(Problem) {
    var given: (details: CellDetails, format: AnswerFormat?) = ([], nil)
    if request.target.queryRange != nil {
      try QueryString.read(request.target, Self.all, into: &given)
    }
    details = given.details
    terms = AnswerTerms(request, format: given.format)
  }
}

/// Answers with one element.
extension LayoutService {
  func item(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    var given = ItemParameters()
    if request.target.queryRange != nil {
      try QueryString.read(request.target, ItemParameters.all, into: &given)
    }
    return try element(
      .cells, version, parameters, AnswerTerms(request, format: given.format),
      details: given.details)
  }

  func supplementaryElement(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let given = try DataParameters(request)
    return try element(
      .supplementary(parameters.name(1)), version, parameters, given.terms, details: given.details)
  }

  func decoration(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    try element(
      .decorations(parameters.name(1)), version, parameters, AnswerTerms(only: request))
  }

  /// Answers with one element. The path ends with its index path.
  private func element(
    _ series: ElementSeries, _ version: LayoutVersion, _ parameters: PathParameters,
    _ terms: AnswerTerms, details: CellDetails = []
  ) throws(Problem) -> Outcome {
    let isQuick = !(details.contains(.parts) && hasLongCards(version))
    return try answering(version, parameters, atOnce: isQuick) {
      (version) throws(Problem) in
      try self.response(
        of: try self.attributes(of: series, parameters, in: version), series, in: version, terms,
        details: details)
    }
  }

  /// The element of a series at the index path at the end of a path.
  private func attributes(
    of series: ElementSeries, _ parameters: PathParameters, in version: LayoutVersion
  ) throws(Problem) -> LayoutAttributes {
    let count = parameters.count
    let prepared = version.collection.prepared
    guard let section = parameters.integer(count - 2), let item = parameters.integer(count - 1),
      let index = prepared.series.firstIndex(of: series),
      let attributes = prepared.attributes(
        of: index, at: IndexPath(section: section, item: item))
    else {
      let path = "\(parameters.rawText(count - 2)), \(parameters.rawText(count - 1))"
      if let section = parameters.integer(count - 2), let item = parameters.integer(count - 1),
        series != .supplementary("header"),
        case let place = IndexPath(section: section, item: item), version.collection.isThere(place),
        let cover = version.collection.cover(ofItemAt: place)
      {
        throw .noSuchElement("\(series.category.rawValue) at [\(path)]", foldedIn: cover)
      }
      let kind = series.kind.map { " element \"\($0)\"" } ?? ""
      throw .noSuchElement("\(series.category.rawValue)\(kind) at [\(path)]")
    }
    return attributes
  }

  func response(
    of attributes: LayoutAttributes, _ series: ElementSeries, in version: LayoutVersion,
    _ terms: AnswerTerms, details: CellDetails
  ) throws(Problem) -> Response {
    var encoder = ElementsEncoder(
      JSONWriter(capacity: 256, precision: terms.representation.precision))
    encoder.begin(series)
    encoder.details = details
    let prepared = version.collection.prepared
    encoder.encode(
      attributes,
      ordinal: series == .cells ? prepared.ordinal(ofItemAt: attributes.indexPath) : nil,
      card: details.contains(.parts) ? prepared.card(ofItemAt: attributes.indexPath) : nil)
    return try response(json: encoder.writer.bytes, of: version, terms)
  }
}
