public import Logging
public import MicroHTTP
import WireFormat

/// The layer between the daemon and the layouts. It checks keys and CORS, compresses answers, and
/// adds header fields, logs and metrics.
///
///     request ─▶ id ─▶ preflight? ─▶ key ─▶ Router ─▶ coding ─▶ CORS ─▶ answer
public final class Gateway: Responder {
  private let service: LayoutService
  private let router: Router
  let configuration: Configuration
  private let logger: Logger
  private let metrics: Metrics?

  /// Below this number of bytes, compression costs more than it saves.
  static let smallestCompressed = 1024
  /// What is compressed already.
  static let packedTypes = [MediaType.gzip, MediaType.woff2]
  /// The workers compress larger answers.
  private static let largestCompressedAtOnce = 64 << 10

  public init(
    _ service: LayoutService, configuration: Configuration = .standard,
    metrics: Metrics? = nil, logger: Logger
  ) {
    self.service = service
    router = Router(service)
    self.configuration = configuration
    self.metrics = metrics
    self.logger = logger
  }

  // MARK: Responder

  public func rejection(of request: borrowing Request) -> Response? {
    // Most requests have no content to wait for. They are refused when they are answered.
    guard request.method.expectsContent || configuration.checksEveryRequest,
      request.method != .options
    else { return nil }
    guard let basePath = configuration.basePath else {
      return rejection(of: request, below: nil)
    }
    return rejection(of: basePath.mounting(request), below: basePath)
  }

  private func rejection(of request: borrowing Request, below basePath: BasePath?) -> Response? {
    guard var response = refusal(of: request) ?? router.rejection(of: request) else { return nil }
    finish(&response, Context(request, configuration, below: basePath))
    return response
  }

  public func respond(to request: borrowing Request) -> Outcome {
    guard let basePath = configuration.basePath else {
      return respond(to: request, below: nil)
    }
    return respond(to: basePath.mounting(request), below: basePath)
  }

  private func respond(to request: borrowing Request, below basePath: BasePath?) -> Outcome {
    var context = Context(request, configuration, below: basePath)
    context.hearing = service.hearing
    if var response = preflight(for: request) ?? basePath?.redirect(of: request.target)
      ?? refusal(of: request)
    {
      finish(&response, context)
      return .respond(response)
    }
    let outcome = router.respond(to: request, operation: &context.operation)
    switch consume outcome {
    case .respond(var response):
      if response.body.count > Self.largestCompressedAtOnce, isToCompress(response, context) {
        return compressing(response, context)
      }
      if response.status == .serviceUnavailable {
        EventSourceRefusal.soften(&response, to: request)
      }
      finish(&response, context)
      return .respond(consume response)
    case .deferred(let deferred):
      return finishing(deferred, context)
    case .stream(var head, let source):
      finish(&head, context)
      return .stream(head, source)
    }
  }

  /// Defers the compression of an answer to a worker. If no worker has time, the answer is sent
  /// uncompressed.
  private func compressing(_ response: Response, _ context: Context) -> Outcome {
    var plain = response
    finish(&plain, context, compresses: false)
    return finishing(
      DeferredWork(otherwise: plain, heldBytes: response.body.count) { response }, context)
  }

  private func finishing(_ deferred: DeferredWork, _ context: Context) -> Outcome {
    var finished = deferred
    finished.work = { [work = deferred.work] in
      var response = work()
      self.finish(&response, context)
      return response
    }
    if let shortWork = deferred.shortWork {
      finished.shortWork = {
        guard var response = shortWork() else { return nil }
        self.finish(&response, context)
        return response
      }
    }
    return .deferred(finished)
  }

  public func response(to problem: TransportProblem, request: Request?) -> Response {
    metrics?.count(problem)
    var response = service.response(to: Problem(problem))
    guard let request else {
      finish(&response, Context(unknownWith: configuration))
      return response
    }
    let basePath = configuration.basePath
    EventSourceRefusal.soften(&response, to: basePath?.mounting(request) ?? request)
    finish(&response, Context(request, configuration, below: basePath))
    return response
  }

  public func requestCompleted(_ record: borrowing RequestRecord) {
    metrics?.count(record)
    guard configuration.logsAccess || record.status?.rawValue ?? 0 >= 500 else { return }
    log(record)
  }

  // MARK: Before

  /// The parts of a request that are needed when its answer is ready.
  private struct Context: Sendable {
    let requestID: RequestID
    /// The fields that CORS adds to the answer.
    let corsHeaders: [Response.Field]
    let acceptsGzip: Bool
    /// Where the client reaches the service; `nil` for the root.
    let basePath: BasePath?
    /// The number of the request's route, if it has one.
    var operation: Int?
    /// What news of the store were when the request came.
    var hearing: Int?

    init(
      _ request: borrowing Request, _ configuration: Configuration, below basePath: BasePath?
    ) {
      requestID = RequestIDs.id(given: request[.xRequestID])
      corsHeaders = configuration.cors.headers(for: request)
      acceptsGzip = ContentCoding.acceptsGzip(request)
      self.basePath = basePath
    }

    /// Of a request of which nothing is known.
    init(unknownWith configuration: Configuration) {
      requestID = RequestIDs.id(given: nil)
      corsHeaders = configuration.cors.headersForUnknownRequest
      acceptsGzip = false
      basePath = configuration.basePath
    }
  }

  private func preflight(for request: borrowing Request) -> Response? {
    guard request.contains(.origin), request.contains(.accessControlRequestMethod),
      request.method == .options, configuration.cors != .off
    else { return nil }
    return Response(
      status: .noContent, headers: configuration.cors.preflightHeaders(for: request))
  }

  /// Refuses a request for a host that is not served, or without a key if keys are needed.
  private func refusal(of request: borrowing Request) -> Response? {
    guard configuration.checksEveryRequest, !Route.isOpen(request.target) else { return nil }
    if let hosts = configuration.allowedHosts {
      let host = request.target.authorityText ?? request[.host]
      if !hosts.admit(host) {
        let name = host.map { "the host \"\($0.shortened(to: Problem.EchoLimit.name))\"" }
        return service.response(
          to: Problem(
            .unknownHost,
            "The server does not answer for \(name ?? "a request without Host"). Its operator allows "
              + "hosts with --allowed-hosts."))
      }
    }
    guard let keys = configuration.apiKeys,
      !configuration.needsIDsAlone || !Route.needsIDAlone(request.target),
      !keys.admits(request[.authorization])
    else { return nil }
    // Only clients that have sent a key are told what is wrong with it (RFC 6750, section 3.1).
    let isWrong = APIKeys.token(in: request[.authorization]) != nil
    return service.response(
      to: Problem(
        .unauthorized,
        isWrong
          ? "The server does not know this key." : "Send a key: Authorization: Bearer <key>.",
        headers: [
          (
            "WWW-Authenticate",
            "Bearer realm=\"layoutd\"" + (isWrong ? ", error=\"invalid_token\"" : "")
          )
        ]))
  }

  // MARK: After

  private func finish(
    _ response: inout Response, _ context: borrowing Context, compresses: Bool = true
  ) {
    response.requestID = context.requestID
    response.operation = context.operation
    // News that stopped and came again may have been missed by the version of the answer. Some
    // answers about a version have no tag.
    if context.hearing == nil || context.hearing != service.hearing,
      response.entityTag != nil
        || response.commonHeaders["Cache-Control"] == LayoutHeaders.mayChange
    {
      // A cache would say it when it is true no more.
      response.setCacheControl("no-store")
      response.headers.append(("Layoutd-Store", "unreachable"))
    }
    context.basePath?.add(to: &response)
    if response.status.rawValue >= 400 {
      Problem.add(requestID: context.requestID.description, to: &response.body)
    }
    if compresses, isToCompress(response, context),
      let compressed = Gzip.compress(response.body)
    {
      response.body = compressed
      if response.status != .notModified {
        response.headers.append(("Content-Encoding", "gzip"))
      }
      if response.entityTag?.isOfContent == true { response.entityTag?.isGzip = true }
    }
    if response.status == .notModified, !response.body.isEmpty {
      response.declaredContentLength = response.body.count
      response.body = []
    }
    if !context.corsHeaders.isEmpty { response.headers += context.corsHeaders }
  }

  private func isToCompress(_ response: borrowing Response, _ context: borrowing Context) -> Bool {
    service.isCompressing && context.acceptsGzip
      && response.body.count >= Self.smallestCompressed
      && response["Content-Encoding"] == nil
      && !Self.packedTypes.contains(response["Content-Type"] ?? "")
  }

  private func log(_ record: borrowing RequestRecord) {
    let status = record.status?.rawValue ?? 0
    var metadata: Logger.Metadata = [
      // The client may send anything here. Invisible characters are encoded, because they could
      // forge a line.
      "method": "\(PercentCoding.encodeInvisible(record.request.method.rawValue.utf8))",
      "target": "\(PercentCoding.encodeInvisible(record.request.target.bytes))",
      "status": .stringConvertible(status), "peer": "\(record.request.remoteAddress)",
      "received": .stringConvertible(record.bytesReceived),
      "sent": .stringConvertible(record.bytesSent),
      "microseconds": .stringConvertible(record.nanoseconds / 1000),
    ]
    // If there was no answer, this is the client's own id.
    let id = record.requestID ?? RequestIDs.usable(record.request[.xRequestID])
    if let id { metadata["request_id"] = "\(id)" }
    if let trace = record.request[.traceparent].flatMap({ TraceParent.known(in: $0) }) {
      metadata["traceparent"] = "\(trace)"
    }
    let client = ForwardedClient.address(
      of: record.request, trusting: configuration.trustedProxies)
    if let client { metadata["client"] = "\(client)" }
    if !record.isComplete { metadata["complete"] = .stringConvertible(false) }
    logger.log(level: status >= 500 ? .error : .info, "request", metadata: metadata)
  }
}
