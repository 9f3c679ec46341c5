public import LayoutService
public import LayoutSessions
public import Logging
public import MicroHTTP
public import TestSupport
public import TextMeasure

/// A service behind its gateway without a daemon, whose clock stands still until it is advanced.
public struct TestService: Answering, Sendable {
  /// 2026-11-21T02:00:00Z, when the contract's examples were made.
  public let clock = ManualSessionClock(startUnixTime: 1_795_226_400)
  public let sessions: SessionStore
  public let service: LayoutService
  public let gateway: Gateway

  /// - Parameter makeChangeID: Gives each change its id; by default all have the same, so that the
  ///   tags of versions are known beforehand.
  public init(
    sessionLimits: SessionStore.Limits = .standard,
    limits: LayoutService.Limits = .standard,
    configuration: Gateway.Configuration = .standard,
    probes: LayoutService.Probes = LayoutService.Probes(), metrics: Metrics? = nil,
    isCompressing: Bool = true, caching: LayoutService.Caching = .private,
    hasViewer: Bool = true,
    sessionLog: (any Log)? = nil,
    fonts: FontLibrary = FontLibrary(folders: []),
    log: any LogHandler = SwiftLogNoOpLogHandler(),
    makeChangeID: @escaping @Sendable () -> HistoryPosition.ChangeID = { TestTags.changeID }
  ) {
    var sessionLimits = sessionLimits
    sessionLimits.maxItems = limits.maxItems
    sessions = SessionStore(
      limits: sessionLimits, clock: clock, log: sessionLog,
      bodies: ServiceBodies(limits: limits, fonts: fonts), makeChangeID: makeChangeID)
    service = LayoutService(
      sessions: sessions, limits: limits, probes: probes, metrics: metrics,
      isCompressing: isCompressing, caching: caching, hasViewer: hasViewer,
      listsLayouts: configuration.apiKeys != nil, fonts: fonts)
    gateway = Gateway(
      service, configuration: configuration, metrics: metrics,
      logger: Logger(label: "test", factory: { _ in log }))
  }

  /// The work that a request leaves to the workers, which is not done yet.
  public func deferred(_ target: String) -> DeferredWork? {
    let outcome = gateway.respond(to: Request(target: RequestTarget(target)))
    return if case .deferred(let deferred) = outcome { deferred } else { nil }
  }

  /// The current version of the layout that has a path.
  public func version(at path: String) -> LayoutVersion? {
    sessions.version(of: SessionID(path: path))
  }

  /// Whether nothing is kept, and nothing was thrown away to make room.
  public var isUntouched: Bool {
    let statistics = sessions.statistics
    return statistics.sessions == 0 && statistics.bytes == 0 && statistics.evictions == 0
      && statistics.expiries == 0
  }
}

/// The tags of the versions of a test's layouts: each change has the same id.
public enum TestTags {
  public static let changeID = HistoryPosition.ChangeID(bits: 0)

  public static func tag(_ number: Int) -> String {
    var position = HistoryPosition.beginning(changeID)
    for _ in 1..<number { position = position.advanced(by: changeID, isOfData: true) }
    return position.tag.description
  }
}

/// The tag of a version of a layout that is no view.
public func tag(_ number: Int) -> String { TestTags.tag(number) }
