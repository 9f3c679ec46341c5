import LayoutSessions
import MicroHTTP

/// One operation: its method and path, its media types, and its function.
struct Route: Sendable {
  let method: Method
  let path: PathPattern
  /// The media types of bodies; empty if it takes none.
  let bodyTypes: [String]
  /// The media types that its answers may have. The operation chooses one of several.
  let answerTypes: [String]
  /// In a few words, for the index.
  let summary: String
  /// Whether it needs no key: it says what the program is, and nothing of what it has to do.
  let isOpen: Bool
  /// Whether it is of the viewer, which may be turned off.
  let isOfViewer: Bool
  /// Refuses a request because of its path and header fields, before its body is read.
  let check: Step<Void>?
  let operation: Operation

  /// What an operation is about.
  enum Operation: Sendable {
    case onService(Step<Outcome>)
    /// On the current version of the layout that the path's first parameter names.
    case onLayout(LayoutStep)
  }

  /// A method of `LayoutService`.
  typealias Step<Result> = @Sendable (LayoutService) -> BoundStep<Result>
  /// The method of one service.
  typealias BoundStep<Result> =
    @Sendable (PathParameters, borrowing Request) throws(Problem) -> Result
  /// A method of `LayoutService` that is given the version that it is about.
  typealias LayoutStep = @Sendable (LayoutService) -> BoundLayoutStep
  /// The method of one service.
  typealias BoundLayoutStep =
    @Sendable (LayoutVersion, PathParameters, borrowing Request) throws(Problem) -> Outcome

  init(
    _ method: Method, _ path: StaticString, _ summary: String, takes bodyTypes: [String] = [],
    gives answerTypes: [String] = [MediaType.json], isOpen: Bool = false, isOfViewer: Bool = false,
    check: Step<Void>? = nil, _ operation: Operation
  ) {
    self.method = method
    self.path = PathPattern(path)
    self.bodyTypes = bodyTypes
    self.answerTypes = answerTypes
    self.summary = summary
    self.isOpen = isOpen
    self.isOfViewer = isOfViewer
    self.check = check
    self.operation = operation
  }

  /// All operations. A new one needs a line here.
  static let all: [Route] = [
    Route(
      .get, "/", "this list, or the viewer for browsers", gives: [MediaType.json, MediaType.html],
      isOpen: true, .onService(LayoutService.index)),
    Route(
      .get, "/client/{file}", "the clients for browsers, npm and Python",
      gives: [
        MediaType.javaScript, MediaType.typeScript, MediaType.json, MediaType.gzip,
        MediaType.python,
      ], isOpen: true, isOfViewer: true, .onService(LayoutService.clientFile)),
    Route(
      .get, "/examples/{name}", "whole pages to copy from", gives: [MediaType.html], isOpen: true,
      isOfViewer: true, .onService(LayoutService.exampleFile)),
    Route(
      .get, "/viewer/{file}", "the viewer's files",
      gives: [MediaType.javaScript, MediaType.css, MediaType.svg], isOpen: true, isOfViewer: true,
      .onService(LayoutService.viewerFile)),
    Route(
      .get, "/kinds", "the kinds and their options", isOpen: true, .onService(LayoutService.kinds)),
    Route(
      .get, "/healthz", "whether the process answers", isOpen: true,
      .onService(LayoutService.health)),
    Route(
      .get, "/readyz", "whether new work is welcome", isOpen: true,
      .onService(LayoutService.readiness)),
    Route(
      .get, "/metrics", "numbers for Prometheus", gives: [MediaType.plainText],
      .onService(LayoutService.metrics)),
    Route(
      .get, "/openapi.yaml", "the contract", gives: [MediaType.yaml], isOpen: true,
      .onService(LayoutService.contract)),
    Route(
      .get, "/problems/{code}", "what a type of problem means", isOpen: true,
      .onService(LayoutService.problemType)),
    Route(
      .get, "/fonts", "the fonts that texts are measured with", .onService(LayoutService.fonts)),
    Route(
      .get, "/fonts/{sha256}", "a font's file",
      gives: [
        MediaType.openType, MediaType.trueType, MediaType.fontCollection, MediaType.woff2,
      ], .onService(LayoutService.font)),
    Route(
      .post, "/text/measure", "how high texts are, and where their lines begin",
      takes: [MediaType.json], .onService(LayoutService.measureTexts)),
    Route(
      .get, "/layouts", "the layouts that are kept, where keys are on",
      .onService(LayoutService.layouts)),
    Route(
      .post, "/layouts/{kind}/prepare", "compute a layout and keep it", takes: [MediaType.json],
      check: LayoutService.checkKind, .onService(LayoutService.prepare)),
    Route(
      .get, "/layouts/{id}", "the summary of a layout", gives: AnswerFormat.typesOfLayout,
      .onLayout(LayoutService.summary)),
    Route(
      .patch, "/layouts/{id}", "change bounds, options or kind",
      takes: [MediaType.mergePatch, MediaType.json],
      check: LayoutService.checkChange,
      .onLayout(LayoutService.patch)),
    Route(
      .post, "/layouts/{id}/updates", "change what the collection holds",
      takes: [MediaType.json],
      check: LayoutService.checkUpdate, .onLayout(LayoutService.update)),
    Route(
      .post, "/layouts/{id}/measurements", "say how large cells are that were measured",
      takes: [MediaType.json],
      check: LayoutService.checkChange, .onLayout(LayoutService.measure)),
    Route(
      .post, "/layouts/{id}/folds", "fold and unfold nodes or sections", takes: [MediaType.json],
      check: LayoutService.checkChange, .onLayout(LayoutService.fold)),
    Route(.delete, "/layouts/{id}", "delete a layout", .onService(LayoutService.delete)),
    Route(
      .get, "/layouts/{id}/events", "new versions of a layout, as they come",
      gives: [MediaType.eventStream], .onService(LayoutService.followLayout)),
    Route(
      .get, "/events", "new versions of several layouts, as they come",
      gives: [MediaType.eventStream], .onService(LayoutService.followLayouts)),
    Route(
      .delete, "/layouts/{id}/views/{view}", "delete a view of a layout",
      .onService(LayoutService.deleteView)),
    Route(
      .post, "/layouts/{id}/views", "make a view of the collection", takes: [MediaType.json],
      check: LayoutService.checkView, .onLayout(LayoutService.createView)),
    Route(
      .get, "/layouts/{id}/elements", "the elements that a rect shows",
      gives: AnswerFormat.typesOfLayout, .onLayout(LayoutService.elements)),
    Route(
      .get, "/layouts/{id}/picture", "what a rect shows, as a picture", gives: [MediaType.svg],
      .onLayout(LayoutService.picture)),
    Route(
      .get, "/layouts/{id}/sections", "the sections, or one by its id",
      gives: AnswerFormat.typesOfLayout, .onLayout(LayoutService.sections)),
    Route(
      .get, "/layouts/{id}/sections/{section}", "one section", gives: AnswerFormat.typesOfLayout,
      .onLayout(LayoutService.section)),
    Route(
      .get, "/layouts/{id}/collection", "what the layout was prepared from",
      .onLayout(LayoutService.collection)),
    Route(
      .get, "/layouts/{id}/ids", "which items the cells show, without frames",
      .onLayout(LayoutService.itemIDs)),
    Route(
      .get, "/layouts/{id}/find", "where a text is in the cells' texts",
      .onLayout(LayoutService.find)),
    Route(
      .get, "/layouts/{id}/items", "cells, by their items' ids or by ordinal",
      gives: AnswerFormat.typesOfLayout, .onLayout(LayoutService.findItem)),
    Route(
      .get, "/layouts/{id}/items/{section}/{item}", "one cell", gives: AnswerFormat.typesOfLayout,
      .onLayout(LayoutService.item)),
    Route(
      .get, "/layouts/{id}/supplementary/{elementKind}/{section}/{item}",
      "one supplementary element", gives: AnswerFormat.typesOfLayout,
      .onLayout(LayoutService.supplementaryElement)),
    Route(
      .get, "/layouts/{id}/decorations/{elementKind}/{section}/{item}", "one decoration",
      gives: AnswerFormat.typesOfLayout, .onLayout(LayoutService.decoration)),
  ]
}

extension Route {
  /// A request's route.
  struct Match {
    /// The index of the route in `all`.
    let number: Int
    let parameters: PathParameters

    var route: Route { all[number] }
  }

  /// The data to find a route. It is plain data, for the hot path.
  private struct Entry: Sendable {
    let number: Int
    let path: PathPattern
  }

  /// The methods of all operations, in the order of their first occurrence in `all`.
  private static let methods: [Method] = all.reduce(into: []) { methods, route in
    if !methods.contains(route.method) { methods.append(route.method) }
  }

  /// The methods that are allowed at some path.
  static let allowedMethods: [Method] = allowed(beside: methods)

  /// The allowed methods of a path whose operations have these methods.
  private static func allowed(beside methods: [Method]) -> [Method] {
    methods.flatMap { $0 == .get ? [.get, .head] : [$0] } + [.options]
  }

  /// The routes of each method and number of segments.
  private static let rows: [[Entry]] = methods.flatMap { method in
    (0...PathSegments.capacity).map { count in
      all.enumerated().filter { $1.method == method && $1.path.segmentCount == count }
        .map { Entry(number: $0, path: $1.path) }
    }
  }

  /// All rows in one array, so that there are no references to single rows to count.
  private static let entries = rows.flatMap { $0 }

  /// The range of each row in `entries`.
  private static let rowPlaces: [Range<Int>] = rows.indices.map { row in
    let start = rows[..<row].reduce(0) { $0 + $1.count }
    return start..<start + rows[row].count
  }

  /// The route of a request, and the parameters in its path.
  static func find(
    _ method: Method, _ target: RequestTarget
  ) throws(Problem) -> Match {
    let match =
      target.hasEncodedPath ? match(method, target.withPlainPath()) : match(method, target)
    if let match { return match }
    let allowed = try allowedMethods(at: target).map(\.rawValue).joined(separator: ", ")
    throw Problem(
      .methodNotAllowed, "The methods of this path are \(allowed).", headers: [("Allow", allowed)])
  }

  /// - Parameter target: A target without unnecessary percent-encoding in its path.
  private static func match(_ method: Method, _ target: RequestTarget) -> Match? {
    let bytes = target.bytes.span.extracting(target.pathRange)
    let path = PathSegments(bytes)
    guard path.count <= PathSegments.capacity,
      let row = methods.firstIndex(of: method == .head ? .get : method)
    else { return nil }
    for index in rowPlaces[row * (PathSegments.capacity + 1) + path.count] {
      guard let places = entries[index].path.match(path, in: bytes) else { continue }
      return Match(
        number: entries[index].number, parameters: PathParameters(places, in: target))
    }
    return nil
  }

  private static let openPaths = all.filter(\.isOpen).map(\.path)

  /// Whether there is an operation at a path that needs no key.
  static func isOpen(_ target: RequestTarget) -> Bool {
    let target = target.hasEncodedPath ? target.withPlainPath() : target
    let bytes = target.bytes.span.extracting(target.pathRange)
    let path = PathSegments(bytes)
    return openPaths.contains {
      $0.segmentCount == path.count && $0.match(path, in: bytes) != nil
    }
  }

  /// Whether what is at a path is for those who have the id of a layout: the layouts themselves,
  /// whether or not there is such a path, their events, and fonts.
  static func needsIDAlone(_ target: RequestTarget) -> Bool {
    let target = target.hasEncodedPath ? target.withPlainPath() : target
    let parts = String(decoding: target.path, as: UTF8.self).split(
      separator: "/", omittingEmptySubsequences: false)
    switch parts.count > 1 ? parts[1] : "" {
    case "layouts": return parts.count > 2 && !parts[2].isEmpty && parts.dropFirst(3) != ["prepare"]
    case "events": return parts.count == 2
    case "fonts": return parts.count < 4
    default: return false
    }
  }

  /// The allowed methods of a path.
  static func allowedMethods(at target: RequestTarget) throws(Problem) -> [Method] {
    let numbers = numbers(at: target)
    guard !numbers.isEmpty else {
      throw .noSuchPath(target.bytes.span.extracting(target.pathRange).text)
    }
    return allowed(beside: numbers.map { all[$0].method })
  }

  /// The indices in `all` of the routes of a path, with any method.
  static func numbers(at target: RequestTarget) -> [Int] {
    guard target.path.first == UInt8(ascii: "/") else { return [] }
    let target = target.hasEncodedPath ? target.withPlainPath() : target
    let bytes = target.bytes.span.extracting(target.pathRange)
    let path = PathSegments(bytes)
    return all.indices.filter {
      all[$0].path.segmentCount == path.count && all[$0].path.match(path, in: bytes) != nil
    }
  }
}
