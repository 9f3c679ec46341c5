import CollectionLayout
import LayoutService
import LayoutSessions
import Logging
import MicroHTTP

extension SessionStore.Limits {
  static var ofFuzzing: Self {
    var limits = standard
    limits.maxSessions = 4
    limits.maxBytes = 1 << 24
    limits.maxItems = FuzzLayout.maxItems
    return limits
  }
}

extension LayoutService.Limits {
  static var ofFuzzing: Self {
    var limits = standard
    limits.maxItems = FuzzLayout.maxItems
    limits.maxBodyBytes = 1 << 20
    return limits
  }
}

/// A service without a network, which sees to it that every answer is one that a client may get.
struct FuzzService {
  private let service = Gateway(
    LayoutService(
      sessions: SessionStore(
        limits: .ofFuzzing, clock: SystemClock(),
        makeChangeID: { HistoryPosition.ChangeID(bits: 0) }),
      limits: .ofFuzzing),
    logger: Logger(label: "fuzz", factory: { _ in SwiftLogNoOpLogHandler() }))

  private static let json: [(FieldName, String)] = [(.contentType, "application/json")]

  /// Does with a request what a daemon does; deferred work is done at once.
  @discardableResult
  func send(
    _ method: MicroHTTP.Method, _ target: RequestTarget,
    headers: [(FieldName, String)] = Self.json, body: [UInt8]? = nil
  ) -> Response {
    func request(with body: RequestBody?) -> Request {
      Request(method: method, target: target, headers: HeaderFields(headers), body: body)
    }
    let response: Response
    if let rejection = service.rejection(of: request(with: nil)) {
      response = rejection
    } else {
      switch service.respond(to: request(with: body.map { .copying($0) })) {
      case .respond(let ready): response = ready
      case .deferred(let deferred): response = deferred.work()
      case .stream(let head, _): response = head
      }
    }
    let status = response.status.rawValue
    require(status < 500, "status \(status): \(text(response))")
    if status >= 400 {
      require(response[.contentType] == "application/problem+json", "\(status)")
      require(!response.body.isEmpty, "\(status)")
    }
    return response
  }

  private func text(_ response: Response) -> String {
    String(decoding: response.body, as: UTF8.self)
  }

  /// Prepares a layout and gives its path.
  func path(_ layout: FuzzLayout) -> String {
    let response = send(
      .post, RequestTarget("/layouts/\(layout.kind.name)/prepare"), body: Array(layout.body.utf8))
    guard let path = response["Location"] else { fatalError(text(response)) }
    return path
  }

  /// Prepares a layout from any bytes, and asks for some of it.
  func prepareAndQuery(_ kind: String, _ bytes: [UInt8]) {
    let response = send(.post, RequestTarget("/layouts/\(kind)/prepare"), body: bytes)
    if let path = response["Location"] { query(kind, path) }
  }

  /// Changes a layout, and asks for some of it.
  func change(
    _ kind: String, _ method: MicroHTTP.Method, _ target: String, _ bytes: [UInt8], at path: String
  ) {
    if send(method, RequestTarget(target), body: bytes).status == .ok { query(kind, path) }
  }

  /// Inserts an item or a node.
  func insert(_ kind: String, _ path: String) {
    let isTree = LayoutKind.named(kind)?.isForest ?? false
    let update =
      isTree ? #"{"insertNode":{"at":0,"node":{}}}"# : #"{"insert":{"at":[0,0],"items":1}}"#
    send(
      .post, RequestTarget(path + "/updates?rect=0,0,1000,1000"),
      body: Array(#"{"updates":[\#(update)]}"#.utf8))
  }

  private func query(_ kind: String, _ path: String) {
    let targets = [
      "", "/elements?rect=0,0,1000,1000&limit=100",
      "/elements?rect=-1e300,-1e300,2e300,2e300&limit=3",
      "/elements?rect=100,100,0,0&known=0,0,100,100&since=1",
      "/elements?rect=0,0,1000,1000&since=1&transitions=true", "/items?id=a", "/sections/0",
      "/sections?limit=2", "/sections?rect=0,0,1000,1000", "/collection", "?f=cbor",
      "/elements?rect=-1e300,-1e300,2e300,2e300&limit=100&f=cbor", "/items?id=a&id=b&f=cbor",
      "/elements?rect=0,0,1000,1000&since=1&transitions=true&f=cbor", "/sections?f=cbor",
      "/picture", "/picture?rect=-1e300,-1e300,2e300,2e300&limit=100",
    ]
    for target in targets {
      let status = send(.get, RequestTarget(path + target)).status
      let mayBeMissing = target.hasPrefix("/items") || target.hasPrefix("/sections")
      require(status == .ok || mayBeMissing, "\(target): \(status)")
    }
    // What was made is gone on from.
    insert(kind, path)
    let status = send(.delete, RequestTarget(path)).status
    require(status == .noContent, "DELETE: \(status)")
  }
}
