import CollectionLayout
import MicroHTTP

/// One operation: where it is, what it takes and gives, and what it does.
final class Route: Sendable {
  let method: Method
  let path: PathPattern
  /// The media types of the bodies that it takes; empty for none.
  let bodyTypes: [String]
  /// The media type of its answers.
  let answerType: String
  /// In a few words, for the index.
  let summary: String
  /// Refuses a request by what stands in its path and header fields, before its body is read.
  let check: Check?
  let operation: Operation

  typealias Check =
    @Sendable (LayoutService) -> (PathParameters, borrowing Request) throws(ServiceError) -> Void
  typealias Operation =
    @Sendable (LayoutService) -> (PathParameters, borrowing Request) throws(ServiceError) -> Outcome

  init(
    _ method: Method, _ path: String, _ summary: String, takes bodyTypes: [String] = [],
    gives answerType: String = MediaType.json, check: Check? = nil,
    _ operation: @escaping Operation
  ) {
    self.method = method
    self.path = PathPattern(path)
    self.bodyTypes = bodyTypes
    self.answerType = answerType
    self.summary = summary
    self.check = check
    self.operation = operation
  }

  /// Every operation that there is. A new one is a line here.
  static let all: [Route] = [
    Route(.get, "/", "this list", LayoutService.index),
    Route(.get, "/healthz", "whether the process answers", LayoutService.health),
    Route(.get, "/readyz", "whether new work is welcome", LayoutService.readiness),
    Route(
      .get, "/metrics", "numbers for Prometheus", gives: MediaType.plainText,
      LayoutService.metrics),
    Route(
      .get, "/openapi.yaml", "the contract", gives: MediaType.yaml, LayoutService.contract),
    Route(
      .post, "/layouts/{kind}/prepare", "compute a layout and keep it", takes: [MediaType.json],
      check: LayoutService.checkKind, LayoutService.prepare),
    Route(.get, "/layouts/{id}", "the summary of a layout", LayoutService.summary),
    Route(
      .patch, "/layouts/{id}", "change bounds and options",
      takes: [MediaType.mergePatch, MediaType.json], check: LayoutService.checkChange,
      LayoutService.patch),
    Route(
      .post, "/layouts/{id}/updates", "change what the collection holds",
      takes: [MediaType.json], check: LayoutService.checkChange, LayoutService.update),
    Route(.delete, "/layouts/{id}", "forget a layout", LayoutService.delete),
    Route(
      .get, "/layouts/{id}/elements", "the elements that a rect shows", LayoutService.elements),
    Route(.get, "/layouts/{id}/items", "one cell, by its item's id", LayoutService.findItem),
    Route(.get, "/layouts/{id}/items/{section}/{item}", "one cell", LayoutService.item),
    Route(
      .get, "/layouts/{id}/supplementary/{elementKind}/{section}/{item}",
      "one supplementary element", LayoutService.supplementaryElement),
    Route(
      .get, "/layouts/{id}/decorations/{elementKind}/{section}/{item}", "one decoration",
      LayoutService.decoration),
  ]

  /// The route of a request, and the parameters in its path.
  static func find(
    _ method: Method, _ target: RequestTarget
  ) throws(ServiceError) -> (Route, PathParameters) {
    let path = PathSegments(target.path)
    let wanted = method == .head ? .get : method
    for route in all where route.method == wanted {
      if let parameters = route.path.match(path) { return (route, parameters) }
    }
    let allowed = all.filter { $0.path.match(path) != nil }.flatMap {
      $0.method == .get ? [$0.method, .head] : [$0.method]
    }
    guard !allowed.isEmpty else {
      throw .noSuchPath(String(decoding: target.path, as: UTF8.self))
    }
    throw .methodNotAllowed(allowed + [.options])
  }
}
