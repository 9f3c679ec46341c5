import CollectionLayout
import Contract
import MicroHTTP
import WireFormat

extension LayoutService {
  func health(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    try QueryString.checkEmpty(request.target)
    let body = JSONWriter.text(capacity: 64) { $0["status"] = "ok" }
    return .respond(Response(status: .ok, commonHeaders: Self.uncachedHeaders, body: body))
  }

  static let uncachedHeaders = jsonHeaders.adding([("Cache-Control", "no-store")])

  func contract(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    try QueryString.checkEmpty(request.target)
    return .respond(Self.contractContent.response(to: request, isCompressing: isCompressing))
  }

  private static let contractContent = FixedContent(APIContract.bytes, type: MediaType.yaml)

  func kinds(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    try QueryString.checkEmpty(request.target)
    return .respond(Self.kindsContent.response(to: request, isCompressing: isCompressing))
  }

  private static let kindsContent = FixedContent(
    KindList.encoded(LayoutKind.all), type: MediaType.json)

  func problemType(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let code = parameters.name(0)
    guard let type = ProblemType.all.first(where: { $0.code == code }) else {
      throw .noSuchPath("/problems/\(code)")
    }
    try QueryString.checkEmpty(request.target)
    return .respond(
      Response(status: .ok, commonHeaders: Self.jsonHeaders, body: type.encoded()))
  }

  func readiness(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    var needsChanges = false
    try QueryString.read(request.target, Self.readinessParameters, into: &needsChanges)
    guard probes.isReady() else { throw Problem(.notReady) }
    if !sessions.isHeard, needsChanges { throw Problem(.unavailable(.away)) }
    let store = sessions.isLogReachable.map { $0 ? "reachable" : "unreachable" }
    let body = JSONWriter.text(capacity: 64) {
      $0["status"] = "ready"
      $0["store"] = store
    }
    return .respond(Response(status: .ok, commonHeaders: Self.uncachedHeaders, body: body))
  }

  /// Whether a server is asked for that takes changes, too. Reads go on while the store is away.
  static let readinessParameters: QueryParameters<Bool> = [
    QueryParameter("changes", .boolean) { $0 = $1 }
  ]

  func metrics(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    try QueryString.checkEmpty(request.target)
    return .respond(
      Response(
        status: .ok, commonHeaders: Self.metricsHeaders, body: Array(probes.metricsText().utf8)))
  }

  private static let metricsHeaders: HeaderSet = [
    "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store",
  ]
}
