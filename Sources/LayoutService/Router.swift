import LayoutSessions
import MicroHTTP

/// Finds the operation of a request, checks the request, and performs the operation.
final class Router: Sendable {
  private let service: LayoutService
  /// The operation of each route, bound to the service once. Binding it for each request would
  /// allocate memory and count references.
  private let operations: UncountedValues<Operation>

  private struct Operation: Sendable {
    let check: Route.BoundStep<Void>?
    let step: Step

    enum Step {
      case onService(Route.BoundStep<Outcome>)
      case onLayout(Route.BoundLayoutStep)
    }

    init(_ route: Route, _ service: LayoutService) {
      check = route.check?(service)
      step =
        switch route.operation {
        case .onService(let step): .onService(step(service))
        case .onLayout(let step): .onLayout(step(service))
        }
    }
  }

  init(_ service: LayoutService) {
    self.service = service
    operations = UncountedValues(Route.all.map { Operation($0, service) })
  }

  /// Refuses a request because of its path and header fields, before its body is read.
  ///
  /// A request without a body is not checked here, because it is checked when it is answered.
  func rejection(of request: borrowing Request) -> Response? {
    guard request.method.expectsContent else { return nil }
    do throws(Problem) {
      try check(request, Route.find(request.method, request.target))
      return nil
    } catch {
      return service.response(to: error)
    }
  }

  /// - Parameter number: Is set to the number of the request's route, if it has one.
  func respond(to request: borrowing Request, operation number: inout Int?) -> Outcome {
    do throws(Problem) {
      let method = request.method
      if method == .options { return .respond(try options(request.target)) }
      let match = try Route.find(method, request.target)
      number = match.number
      try check(request, match)
      return try operations.use(match.number) { (operation) throws(Problem) in
        switch operation.step {
        case .onService(let perform): try perform(match.parameters, request)
        case .onLayout(let perform):
          try service.withVersion(match.parameters, request, perform)
        }
      }
    } catch {
      return .respond(service.response(to: error))
    }
  }

  /// Refuses a request because of its path and header fields.
  private func check(
    _ request: borrowing Request, _ match: Route.Match
  ) throws(Problem) {
    if request.method.expectsContent || request.contains(.accept) {
      try checkMediaTypes(of: request, for: match.route)
    }
    try operations.use(match.number) { (operation) throws(Problem) in
      try operation.check?(match.parameters, request)
    }
  }

  private func checkMediaTypes(
    of request: borrowing Request, for route: Route
  ) throws(Problem) {
    if let accept = request.value(of: .accept) {
      try checkAccept(accept.span, request, for: route)
    }
    guard !route.bodyTypes.isEmpty else { return }
    guard let type = request[.contentType],
      route.bodyTypes.contains(MediaType.essence(of: type))
    else {
      let fields: [FieldName] = route.method == .patch ? ["Accept", "Accept-Patch"] : ["Accept"]
      throw Problem(
        .unsupportedMediaType,
        "Send the body with Content-Type: \(route.bodyTypes.joined(separator: " or ")).",
        headers: fields.map { ($0, route.bodyTypes.joined(separator: ", ")) })
    }
    if let coding = request[.contentEncoding], !RequestContent.accepts(coding) {
      throw Problem(
        .unsupportedContentCoding,
        "The content coding \(coding.shortened(to: Problem.EchoLimit.name)) is not supported. Send "
          + "the body with Content-Encoding: gzip, or without a coding.",
        headers: [("Accept-Encoding", "gzip")])
    }
  }

  private func checkAccept(
    _ accept: Span<UInt8>, _ request: borrowing Request, for route: Route
  ) throws(Problem) {
    for type in route.answerTypes where MediaType.accepts(accept, type) { return }
    // Where there are several formats, `f` may name one, and Accept does not count.
    if route.answerTypes.count > 1, QueryString.has("f", in: request.target) { return }
    throw .notAcceptable(offered: route.answerTypes)
  }

  private func options(_ target: RequestTarget) throws(Problem) -> Response {
    let isOfServer = target.path.elementsEqual("*".utf8)
    let allowed = isOfServer ? Route.allowedMethods : try Route.allowedMethods(at: target)
    var headers: [Response.Field] = [
      ("Allow", allowed.map(\.rawValue).joined(separator: ", "))
    ]
    if !isOfServer {
      let match = try Route.find(allowed[0], target)
      guard
        !match.route.path.text.hasPrefix("/layouts/{id}")
          || match.parameters.read(0, { SessionID($0) })?.isPossible == true
      else { throw .noSuchLayout }
    }
    if !isOfServer, allowed.contains(.patch) {
      let types = try Route.find(.patch, target).route.bodyTypes
      headers.append(("Accept-Patch", types.joined(separator: ", ")))
    }
    return Response(status: .noContent, headers: headers)
  }
}
