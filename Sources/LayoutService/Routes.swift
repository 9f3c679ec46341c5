import CollectionLayout
import MicroHTTP

/// One operation: where it is, what it takes and gives.
struct Route: Sendable {
  let operation: Operation
  let method: Method
  let path: PathPattern
  /// The media types of the bodies that it takes; empty for none.
  let bodyTypes: [String]
  /// The media type of its answers.
  let answerType: String
  /// In a few words, for the index.
  let summary: String

  init(
    _ operation: Operation, _ method: Method, _ path: StaticString, _ summary: String,
    takes bodyTypes: [String] = [], gives answerType: String = MediaType.json
  ) {
    self.operation = operation
    self.method = method
    self.path = PathPattern(path)
    self.bodyTypes = bodyTypes
    self.answerType = answerType
    self.summary = summary
  }

  /// Every operation that there is. A new one is a line here, and one in `LayoutService.perform`.
  static let all: [Route] = [
    Route(.index, .get, "/", "this list"),
    Route(.health, .get, "/healthz", "whether the process answers"),
    Route(.readiness, .get, "/readyz", "whether new work is welcome"),
    Route(.metrics, .get, "/metrics", "numbers for Prometheus", gives: MediaType.plainText),
    Route(.contract, .get, "/openapi.yaml", "the contract", gives: MediaType.yaml),
    Route(
      .prepare, .post, "/layouts/{kind}/prepare", "compute a layout and keep it",
      takes: [MediaType.json]),
    Route(.summary, .get, "/layouts/{id}", "the summary of a layout"),
    Route(
      .patch, .patch, "/layouts/{id}", "change bounds and options",
      takes: [MediaType.mergePatch, MediaType.json]),
    Route(
      .update, .post, "/layouts/{id}/updates", "change what the collection holds",
      takes: [MediaType.json]),
    Route(.delete, .delete, "/layouts/{id}", "forget a layout"),
    Route(.elements, .get, "/layouts/{id}/elements", "the elements that a rect shows"),
    Route(.findItem, .get, "/layouts/{id}/items", "one cell, by its item's id"),
    Route(.item, .get, "/layouts/{id}/items/{section}/{item}", "one cell"),
    Route(
      .supplementaryElement, .get,
      "/layouts/{id}/supplementary/{elementKind}/{section}/{item}", "one supplementary element"),
    Route(
      .decoration, .get, "/layouts/{id}/decorations/{elementKind}/{section}/{item}",
      "one decoration"),
  ]

  enum Operation: Sendable {
    case index, health, readiness, metrics, contract
    case prepare, summary, patch, update, delete
    case elements, findItem, item, supplementaryElement, decoration
  }
}

extension Route {
  /// A request's route.
  struct Match {
    /// The route's place in `all`.
    let number: Int
    let operation: Operation
    let parameters: PathParameters

    var route: Route { all[number] }
  }

  /// What it takes to find a route: plain data, for the hot path.
  private struct Entry: Sendable {
    let number: Int
    let operation: Operation
    let path: PathPattern
  }

  private static let methods: [Method] = [.get, .post, .patch, .delete]
  private static let maxSegments = 6

  /// The routes of each method and number of segments.
  private static let table: [[Entry]] = methods.flatMap { method in
    (0...maxSegments).map { count in
      all.enumerated().filter { $1.method == method && $1.path.segmentCount == count }
        .map { Entry(number: $0, operation: $1.operation, path: $1.path) }
    }
  }

  /// The route of a request, and the parameters in its path.
  static func find(
    _ method: Method, _ target: RequestTarget
  ) throws(ServiceError) -> Match {
    let bytes = target.bytes.span.extracting(target.pathRange)
    let path = PathSegments(bytes)
    if path.count <= maxSegments, let row = methods.firstIndex(of: method == .head ? .get : method)
    {
      let entries = table[row * (maxSegments + 1) + path.count]
      for index in entries.indices {
        guard let places = entries[index].path.match(path, in: bytes) else { continue }
        return Match(
          number: entries[index].number, operation: entries[index].operation,
          parameters: PathParameters(places, in: target))
      }
    }
    var allowed: [Method] = []
    for route in all where route.path.segmentCount == path.count {
      guard route.path.match(path, in: bytes) != nil else { continue }
      allowed += route.method == .get ? [.get, .head] : [route.method]
    }
    guard !allowed.isEmpty else { throw .noSuchPath(bytes.text) }
    throw .methodNotAllowed(allowed + [.options])
  }
}
