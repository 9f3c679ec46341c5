import CollectionLayout
import Contract
import MicroHTTP
import WireFormat

extension LayoutService {
  func index(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    try QueryString.checkEmpty(request.target)
    var writer = JSONWriter()
    writer.write("{\"name\":\"layoutd\",\"kinds\":[")
    for (index, kind) in LayoutKind.all.enumerated() {
      if index > 0 { writer.write(",") }
      writer.write(string: kind.name)
    }
    writer.write("],\"operations\":[")
    for (index, route) in Route.all.enumerated() {
      if index > 0 { writer.write(",") }
      writer.write("{\"method\":")
      writer.write(string: route.method.rawValue)
      writer.write(",\"path\":")
      writer.write(string: route.path.text)
      writer.write(",\"summary\":")
      writer.write(string: route.summary)
      writer.write("}")
    }
    writer.write("]}")
    return .respond(
      Response(status: .ok, commonHeaders: Self.jsonHeaders, body: writer.bytes))
  }

  func health(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    try QueryString.checkEmpty(request.target)
    return .respond(
      Response(
        status: .ok, commonHeaders: Self.uncachedHeaders, body: Array("{\"status\":\"ok\"}".utf8)))
  }

  static let uncachedHeaders = jsonHeaders.adding([("Cache-Control", "no-store")])

  func contract(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    try QueryString.checkEmpty(request.target)
    return .respond(
      Response(
        status: .ok, commonHeaders: Self.contractHeaders, body: APIContract.bytes))
  }

  private static let contractHeaders: HeaderSet = [
    "Content-Type": MediaType.yaml, "Vary": LayoutService.varyingFields,
  ]

  func problemType(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
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
  ) throws(ServiceError) -> Outcome {
    try QueryString.checkEmpty(request.target)
    guard probes.isReady() else { throw .notReady }
    return .respond(
      Response(
        status: .ok, commonHeaders: Self.uncachedHeaders,
        body: Array("{\"status\":\"ready\"}".utf8)))
  }

  func metrics(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    try QueryString.checkEmpty(request.target)
    return .respond(
      Response(
        status: .ok, commonHeaders: Self.metricsHeaders, body: Array(probes.metricsText().utf8)))
  }

  private static let metricsHeaders: HeaderSet = [
    "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store",
  ]
}
