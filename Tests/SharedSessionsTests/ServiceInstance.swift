import Foundation
import LayoutService
import LayoutSessions
import Logging
import MicroHTTP
import SharedSessions
import TestSupport

/// One of several services that share a store, without a daemon.
final class ServiceInstance: Answering, Sendable {
  let clock = ManualSessionClock(startUnixTime: 1_795_226_400)
  let sessions: SessionStore
  private let log: RedisLog
  let gateway: Gateway

  convenience init(_ redis: RedisServer) throws {
    try self.init(StoreAddress(.unix(path: redis.socket)))
  }

  /// - Parameters:
  ///   - timeout: How long the store may take for an answer. The machine may be busy: what is no
  ///     test of slow stores gives them time.
  ///   - probeInterval: Within what time it is noticed that no news come; twice that by default.
  ///   - limits: Of what the store keeps.
  init(
    _ address: StoreAddress, timeout: Duration = .seconds(60), probeInterval: Duration? = nil,
    limits: RedisLog.Limits = RedisLog.Limits()
  ) throws {
    log = try RedisLog(
      address, timeout: timeout, probeInterval: probeInterval ?? timeout * 2,
      timeToLive: .seconds(1125), limits: limits)
    sessions = SessionStore(limits: .init(), clock: clock, log: log, bodies: ServiceBodies())
    gateway = Gateway(
      LayoutService(
        sessions: sessions, isCompressing: false,
        answers: RedisAnswers(log, lifetime: .seconds(900))),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    guard eventually({ [sessions] in sessions.isHeard }) else {
      throw RawClient.Broken("no news come")
    }
  }

  deinit { log.close() }
}

/// A service of its own, without a store.
struct LonelyService: Answering {
  let gateway: Gateway

  init() {
    gateway = Gateway(
      LayoutService(
        sessions: SessionStore(limits: .init(), clock: ManualSessionClock()), isCompressing: false),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
  }
}

/// What a request is answered with.
struct Answer {
  let status: Int
  let body: [UInt8]
  fileprivate let response: Response

  var text: String { String(decoding: body, as: UTF8.self) }

  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:]
  }

  var version: Int? { json["version"] as? Int }

  var tag: String? { json["versionTag"] as? String }

  subscript(name: FieldName) -> String? { response[name] }
}

protocol Answering {
  var gateway: Gateway { get }
}

extension Answering {
  /// Does with a request what a daemon does; deferred work is done at once.
  func send(
    _ method: MicroHTTP.Method, _ target: String, _ headers: [(FieldName, String)] = [],
    body: String? = nil
  ) -> Answer {
    func request(with body: RequestBody?) -> Request {
      Request(
        method: method, target: RequestTarget(target), headers: HeaderFields(headers), body: body)
    }
    let response: Response
    if let rejection = gateway.rejection(of: request(with: nil)) {
      response = rejection
    } else {
      switch gateway.respond(to: request(with: body.map { .copying(Array($0.utf8)) })) {
      case .respond(let ready): response = ready
      case .deferred(let deferred): response = deferred.work()
      case .stream(let head, _): response = head
      }
    }
    return Answer(status: response.status.rawValue, body: response.body, response: response)
  }

  func get(_ target: String, _ headers: [(FieldName, String)] = []) -> Answer {
    send(.get, target, headers)
  }

  private func sendJSON(
    _ method: MicroHTTP.Method, _ target: String, _ body: String, ifMatch: String? = nil
  ) -> Answer {
    send(
      method, target,
      [(.contentType, "application/json")] + (ifMatch.map { [(.ifMatch, $0)] } ?? []), body: body)
  }

  func prepare(_ kind: String, _ body: String) -> Answer {
    sendJSON(.post, "/layouts/\(kind)/prepare", body)
  }

  /// Prepares a layout and gives its path.
  func path(_ kind: String, _ body: String) -> String {
    let answer = prepare(kind, body)
    guard let path = answer["Location"] else { preconditionFailure(answer.text) }
    return path
  }

  /// Makes a view and gives its path.
  func view(_ path: String, _ body: String) -> String {
    let answer = sendJSON(.post, "\(path)/views", body)
    guard let path = answer["Location"] else { preconditionFailure(answer.text) }
    return path
  }

  func patch(_ path: String, _ body: String) -> Answer { sendJSON(.patch, path, body) }

  func update(_ path: String, _ updates: String, ifMatch: String? = nil) -> Answer {
    sendJSON(.post, "\(path)/updates", #"{"updates": \#(updates)}"#, ifMatch: ifMatch)
  }

  func measure(_ path: String, _ sizes: String) -> Answer {
    sendJSON(.post, "\(path)/measurements", #"{"sizes": \#(sizes)}"#)
  }

  func id(_ path: String) -> SessionID { SessionID(path: path) }
}

extension SessionID {
  /// The id in the path of a layout.
  init(path: String) {
    self.init(Array(path.utf8.dropFirst("/layouts/".utf8.count)).span)!
  }
}
