import LayoutSessions
import Logging
import MicroHTTP
import TestSupport
import TextMeasure

@testable import LayoutService

/// A service behind its gateway without a daemon, whose clock stands still until it is advanced.
struct TestService {
  /// 2026-11-21T02:00:00Z, when the contract's examples were made.
  let clock = ManualSessionClock(startUnixTime: 1_795_226_400)
  let sessions: SessionStore
  let service: LayoutService
  let gateway: Gateway

  init(
    sessionLimits: SessionStore.Limits = SessionStore.Limits(),
    limits: LayoutService.Limits = LayoutService.Limits(),
    configuration: Gateway.Configuration = Gateway.Configuration(),
    probes: LayoutService.Probes = LayoutService.Probes(), metrics: ServiceMetrics? = nil,
    isCompressing: Bool = true, caching: LayoutService.Caching = .private,
    hasViewer: Bool = true,
    sessionLog: any Log = LocalLog(),
    fonts: FontLibrary = FontLibrary(folders: []),
    log: any LogHandler = SwiftLogNoOpLogHandler()
  ) {
    var sessionLimits = sessionLimits
    sessionLimits.maxItems = limits.maxItems
    sessions = SessionStore(
      limits: sessionLimits, clock: clock, log: sessionLog,
      bodies: ServiceBodies(limits: limits, fonts: fonts),
      makeChangeID: { TestTags.changeID })
    service = LayoutService(
      sessions: sessions, limits: limits, probes: probes, metrics: metrics,
      isCompressing: isCompressing, caching: caching, hasViewer: hasViewer, fonts: fonts)
    gateway = Gateway(
      service, configuration: configuration, metrics: metrics,
      logger: Logger(label: "test", factory: { _ in log }))
  }

  /// Does with a request what a daemon does; deferred work is done at once.
  func send(
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

  /// The work that a request leaves to the workers, which is not done yet.
  func deferred(_ target: String) -> DeferredWork? {
    let outcome = gateway.respond(to: Request(target: RequestTarget(target)))
    return if case .deferred(let deferred) = outcome { deferred } else { nil }
  }

  /// The current version of the layout that has a path.
  func version(at path: String) -> LayoutVersion? {
    SessionID(Array(path.utf8.dropFirst("/layouts/".utf8.count)).span)
      .flatMap { sessions.version(of: $0) }
  }

  func get(_ target: String, ifNoneMatch: String? = nil) -> Answer {
    send(.get, target, headers: ifNoneMatch.map { [(.ifNoneMatch, $0)] } ?? [])
  }

  func prepare(_ kind: String, _ body: String) -> Answer {
    send(
      .post, "/layouts/\(kind)/prepare", headers: [(.contentType, "application/json")],
      body: Array(body.utf8))
  }

  /// Prepares a layout and gives its path.
  func path(_ kind: String, _ body: String) -> String {
    let answer = prepare(kind, body)
    guard let path = answer["Location"] else { preconditionFailure(answer.text) }
    return path
  }

  /// Whether nothing is kept, and nothing was thrown away to make room.
  var isUntouched: Bool {
    let statistics = sessions.statistics
    return statistics.sessions == 0 && statistics.bytes == 0 && statistics.evictions == 0
      && statistics.expiries == 0
  }
}

/// The tags of the versions of a test's layouts: each change has the same id.
enum TestTags {
  static let changeID = HistoryPosition.ChangeID(bits: 0)

  static func tag(_ number: Int) -> String {
    var position = HistoryPosition.beginning(changeID)
    for _ in 1..<number { position = position.advanced(by: changeID, isOfData: true) }
    return position.tag.description
  }
}

/// The tag of a version of a layout that is no view.
func tag(_ number: Int) -> String { TestTags.tag(number) }

extension Answer {
  init(_ response: Response) {
    var headers: [String: String] = [:]
    let names: [FieldName] = [
      "Content-Type", "Content-Encoding", "Cache-Control", "ETag", "Vary", "Location", "Allow",
      "Accept", "Accept-Encoding", "Accept-Patch", "Retry-After", "WWW-Authenticate",
      "X-Request-Id", "Link", "Content-Security-Policy", "Referrer-Policy",
      "X-Content-Type-Options",
      "Access-Control-Allow-Origin", "Access-Control-Expose-Headers",
      "Access-Control-Allow-Methods", "Access-Control-Allow-Headers", "Access-Control-Max-Age",
      "Access-Control-Allow-Credentials", "Cross-Origin-Resource-Policy",
    ]
    for name in names {
      if let value = response[name] { headers[name.rawName.lowercased()] = value }
    }
    if let length = response.declaredContentLength { headers["content-length"] = "\(length)" }
    self.init(status: response.status.rawValue, headers: headers, body: response.body)
  }
}

/// Layouts that many tests ask about.
enum Sample {
  /// Headers at the top of each of three sections, backgrounds behind them, names in the last two.
  static let grid = """
    {"bounds": {"width": 320, "height": 480},
     "options": {"columns": 3, "headerHeight": 44, "background": "section"},
     "sections": [{"items": 1000}, {"items": [{"id": "a"}]}, {"items": {"id": ["b", "c"]}}]}
    """

  /// A layout in which no change can take long, because it stores nothing of an item.
  static let group = """
    {"bounds": {"width": 320},
     "options": {"group": {
       "direction": "horizontal", "width": {"absolute": 100}, "height": {"absolute": 100},
       "subitems": [{"width": {"absolute": 100}, "height": {"absolute": 100}}]}},
     "sections": [{"items": 10}]}
    """

  /// One of each kind with elements of all its series, by kind.
  static let all: [(kind: String, body: String)] = [
    (
      "grid",
      """
      {"bounds": {"width": 320}, "options": {"headerHeight": 20, "footerHeight": 10,
       "background": "item"}, "sections": [{"items": 40}, {"items": 0}, {"items": 31}]}
      """
    ),
    (
      "waterfall",
      """
      {"bounds": {"width": 320}, "options": {"columns": 3, "headerHeight": 20, "footerHeight": 10,
       "placement": "shortestColumn"},
       "sections": [{"items": {"height": [50, 80, null, 0, 33.5, 90, 12, 77]}}, {"items": 60}]}
      """
    ),
    (
      "gallery",
      """
      {"bounds": {"width": 900}, "sections": [{"items": 35, "options": {"headerHeight": 62.5}},
       {"items": 36}]}
      """
    ),
    (
      "list",
      """
      {"bounds": {"width": 320}, "options": {"layoutDirection": "rightToLeft", "headerHeight": 9,
       "background": "section", "contentInset": {"left": 20}},
       "sections": [{"items": {"height": [9, 33.3, null, 70, 0, 12]}}, {"items": 60}]}
      """
    ),
    (
      "flow",
      """
      {"bounds": {"width": 1, "height": 320}, "options": {"scrollDirection": "horizontal",
       "footerHeight": 11}, "sections": [{"items": 70}, {"items": {"width": [9, 80, 70.5]}}]}
      """
    ),
    (
      "justified",
      """
      {"bounds": {"width": 640}, "options": {"targetRowHeight": 120, "integral": true},
       "sections": [{"items": {"aspectRatio": [\((0..<80).map { "\(Double($0 % 7 + 3) / 5)" }
         .joined(separator: ","))]}}]}
      """
    ),
    (
      "group",
      """
      {"bounds": {"width": 320}, "options": {"groupSpacing": 4, "sectionInset": {"left": 10},
       "group": {"direction": "horizontal", "width": {"fractionalWidth": 1},
        "height": {"absolute": 90}, "spacing": 6, "subitems": [
         {"width": {"flexible": 1}, "height": {"fractionalHeight": 1}},
         {"direction": "vertical", "width": {"flexible": 2}, "height": {"fractionalHeight": 1},
          "subitems": [{"width": {"fractionalWidth": 1}, "height": {"flexible": 1}, "count": 2}]}]}},
       "sections": [{"items": 70}, {"items": 0}, {"items": 2}]}
      """
    ),
    (
      "frames",
      """
      {"bounds": {"width": 320}, "options": {"background": "section"},
       "sections": [{"items": {"x": [\((0..<60).map { "\($0 * 37 % 300)" }
         .joined(separator: ","))], "y": [\((0..<60).map { "\($0 * 53 % 700 - 20)" }
         .joined(separator: ","))]}}, {"items": 4}]}
      """
    ),
    (
      "compositional",
      """
      {"bounds": {"width": 320}, "options": {"headerHeight": 12},
       "sections": [{"kind": "list", "orthogonal": {"height": 80}, "items": 40},
        {"kind": "grid", "options": {"columns": 4, "background": "row"}, "items": 60}]}
      """
    ),
    (
      "tree",
      """
      {"options": {"spacing": "compact"},
       "nodes": {"parent": [\((0..<70).map { $0 == 0 ? "null" : "\(($0 - 1) / 3)" }
         .joined(separator: ","))]}}
      """
    ),
  ]
}
