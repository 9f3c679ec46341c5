public import LayoutService
public import LayoutSessions
public import MicroHTTP

/// A service in a box: it is asked without a daemon, and deferred work is done at once.
public protocol Answering {
  var gateway: Gateway { get }
}

extension Answering {
  /// Does with a request what a daemon does.
  public func send(
    _ method: MicroHTTP.Method, _ target: String, headers: [(FieldName, String)] = [],
    body: [UInt8]? = nil
  ) -> Answer {
    func request(with body: RequestBody?) -> Request {
      Request(
        method: method, target: RequestTarget(target), headers: HeaderFields(headers), body: body)
    }
    if let rejection = gateway.rejection(of: request(with: nil)) { return Answer(rejection) }
    switch gateway.respond(to: request(with: body.map { .copying($0) })) {
    case .respond(let response): return Answer(response)
    case .deferred(let deferred):
      var answer = Answer(deferred.work())
      answer.wasDeferred = true
      return answer
    case .stream(let head, _): return Answer(head)
    }
  }

  /// Sends JSON.
  public func send(
    _ method: MicroHTTP.Method, _ target: String, json body: String,
    type: String = "application/json", ifMatch: String? = nil
  ) -> Answer {
    send(
      method, target,
      headers: [(.contentType, type)] + (ifMatch.map { [(.ifMatch, $0)] } ?? []),
      body: Array(body.utf8))
  }

  public func get(_ target: String, ifNoneMatch: String? = nil) -> Answer {
    send(.get, target, headers: ifNoneMatch.map { [(.ifNoneMatch, $0)] } ?? [])
  }

  public func prepare(_ kind: String, _ body: String) -> Answer {
    send(.post, "/layouts/\(kind)/prepare", json: body)
  }

  /// Prepares a layout and gives its path.
  public func path(_ kind: String, _ body: String) -> String {
    let answer = prepare(kind, body)
    guard let path = answer["Location"] else { preconditionFailure(answer.text) }
    return path
  }

  /// Asks for a view of a layout.
  public func view(of path: String, _ body: String) -> Answer {
    send(.post, "\(path)/views", json: body)
  }

  /// Makes a view of a layout and gives its path.
  public func viewPath(of path: String, _ body: String) -> String {
    let answer = view(of: path, body)
    guard let path = answer["Location"] else { preconditionFailure(answer.text) }
    return path
  }

  public func patch(
    _ path: String, _ body: String, type: String = "application/merge-patch+json",
    ifMatch: String? = nil
  ) -> Answer {
    send(.patch, path, json: body, type: type, ifMatch: ifMatch)
  }

  /// Sends updates to a layout.
  ///
  /// - Parameters:
  ///   - updates: A list.
  ///   - rect: Of the transitions that are asked for.
  public func update(
    _ path: String, _ updates: String, rect: String? = nil, ifMatch: String? = nil
  ) -> Answer {
    send(
      .post, "\(path)/updates" + (rect.map { "?rect=\($0)" } ?? ""),
      json: #"{"updates": \#(updates)}"#, ifMatch: ifMatch)
  }

  /// Makes another version in which nothing differs, with a section that comes and goes.
  public func touch(_ path: String, ifMatch: String? = nil) -> Answer {
    update(
      path,
      #"[{"insertSections": {"at": 0, "sections": [{"items": 0}]}}, {"deleteSections": {"at": 0}}]"#,
      ifMatch: ifMatch)
  }

  /// Says how large cells are.
  public func measure(_ path: String, _ body: String, rect: String? = nil) -> Answer {
    send(.post, "\(path)/measurements" + (rect.map { "?rect=\($0)" } ?? ""), json: body)
  }
}

extension SessionID {
  /// The id in the path of a layout.
  public init(path: String) {
    self.init(Array(path.utf8.dropFirst("/layouts/".utf8.count)).span)!
  }
}

extension DaemonConfiguration {
  /// Any free port, and bodies of at most a mebibyte.
  public static var ofTests: DaemonConfiguration {
    var configuration = standard
    configuration.port = 0
    configuration.maxBodyBytes = 1 << 20
    return configuration
  }
}

/// Starts a daemon on a free port, and ends it after `body`.
public func withDaemon(
  _ responder: some Responder,
  configuration: DaemonConfiguration = .ofTests, _ body: (UInt16) throws -> Void
) throws {
  let daemon = try Daemon(configuration: configuration, responder: responder)
  defer { daemon.shutDown(grace: .seconds(5)) }
  try body(daemon.port)
}
